"""Watching: with the delay of the table, among other spectators, and from a link to a moment."""

import re

from playwright.sync_api import expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer
from tests.web.play import seated

TIP = "I would dive now"


def test_a_short_delay_is_told_in_seconds(newcomer: Newcomer):
    ada, bob = newcomer("Ada"), newcomer("Bob")
    match = seated([ada, bob], "submarine", spectator_delay=20)
    eve = newcomer("Eve", "phone", locale="cs-CZ").enter().open(match)
    expect(eve.page.locator("[data-behind]")).to_have_text("pro diváky o 20 s později")


def test_spectators_are_late_talk_apart_and_open_a_link_to_a_moment(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    ada.page.goto("/new?game=submarine")
    ada.page.get_by_label("How many are bots").select_option("0")
    ada.page.get_by_label("Spectators see moves").select_option("5 min later")
    expect(ada.page.get_by_role("button", name="Offer it in the lobby")).to_be_disabled()
    ada.page.get_by_role("button", name="Create the match").click()
    ada.page.wait_for_url(re.compile("/match/m_"))
    match = ada.page.url.rpartition("/")[2]
    bob.player.do(match, {"type": "take_seat"})

    eve = newcomer("Eve", "phone").enter().open(match)
    expect(eve.page.locator("[data-behind]")).to_have_text("spectators: 5 min later")
    start = eve.player.get(f"/matches/{match}")["version"]
    mover = next(one.player for one in (ada, bob) if one.player.legal(match))
    mover.do(match, mover.legal(match)[0])
    assert eve.player.get(f"/matches/{match}")["version"] == start
    expect(ada.page.locator("[data-shown]")).to_have_attribute("data-shown", str(start + 1))
    expect(ada.page.locator("[data-behind]")).to_have_count(0)

    eve.look("Chat")
    eve.page.get_by_label("Say something to the audience").fill(TIP)
    eve.page.get_by_role("button", name="Send").click()
    audience = eve.page.get_by_role("log", name="Audience")
    expect(audience).to_contain_text(f"Eve: {TIP}")
    assert breaches(eve.page) == []
    ada.look("Chat")
    expect(ada.page.locator("[data-audience]")).to_have_count(0)

    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.look("Menu")
    ada.page.get_by_role("button", name="Copy the link to this moment").click()
    expect(ada.page.get_by_text("The link is copied.")).to_be_visible()
    link = ada.page.evaluate("navigator.clipboard.readText()")
    assert f"/replay/{match}?at={start + 1}&view=0&time=" in link
    eve.page.goto(link)
    expect(eve.page.locator(".strip")).to_have_text(re.compile(r"1 of 1\b"))
    expect(eve.page).to_have_url(re.compile("view=spectator"))

    for person in (ada, bob):
        person.player.send(match, {"type": "resign"})
    ada.look("Chat")
    expect(ada.page.get_by_role("log", name="Audience")).to_contain_text(f"Eve: {TIP}")
    expect(ada.page.get_by_label("Say something to the audience")).to_have_count(0)
    eve.page.goto(link)
    expect(eve.page).to_have_url(re.compile(rf"at={start + 1}&view=0$"))
