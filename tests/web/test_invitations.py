"""Invitations and seeks in the lobby, and the toast elsewhere."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Newcomer


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_an_invitation_appears_and_leads_to_the_table(newcomer: Newcomer, size: str):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", size).enter()
    bob.page.goto("/new")
    expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
    match = ada.player.open_match(private=True)
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    invited = ada.player.http.post(
        f"/matches/{match}/invitations", json={"player": bob.player.id, "text": "A quick one?"}
    )
    assert invited.status_code == 201, invited.text
    toast = bob.page.get_by_role("status").filter(has_text="Ada invites you to Tranquility")
    toast.get_by_role("link", name="Show").click()
    place = bob.page.get_by_role("region", name="Invitations")
    expect(place).to_contain_text("A quick one?")
    expect(toast).to_have_count(0)
    place.get_by_role("button", name="Accept").click()
    expect(bob.page.locator("[data-board=tranquility]")).to_be_visible()


def test_a_declined_invitation_is_gone_in_czech_too(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", locale="cs-CZ").enter()
    match = ada.player.open_match()
    ada.player.http.post(f"/matches/{match}/invitations", json={"player": bob.player.id})
    bob.page.goto("/")
    place = bob.page.get_by_role("region", name="Pozvánky")
    expect(place).to_contain_text("Ada vás zve ke hře Poklidná plavba")
    place.get_by_role("button", name="Odmítnout").click()
    expect(place).to_have_count(0)
    assert ada.player.get("/players/me/invitations")["sent"] == []


def test_a_seek_is_taken_in_the_lobby(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    ada.player.http.post("/seeks", json={"game": "tranquility", "seats": 2})
    bob.page.goto("/")
    place = bob.page.get_by_role("region", name="Looking for players")
    expect(place).to_contain_text("1 place left")
    place.get_by_role("button", name="Play").click()
    expect(bob.page.locator("[data-board=tranquility]")).to_be_visible()


def test_a_bot_account_is_marked(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    made = ada.player.http.post("/bots", json={"name": "Deep Ada"}).json()
    match = ada.player.open_match()
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    bot = {"Authorization": f"Bearer {made['token']}"}
    sit = {"type": "take_seat", "seat": 1}
    path = f"/matches/{match}/commands"
    assert ada.player.http.post(path, json=sit, headers=bot).status_code == 200
    ada.open(match)
    expect(ada.page.locator(".chips [data-seat='1']")).to_contain_text("bot")
    ada.page.goto("/")
    expect(ada.page.get_by_text("Deep Ada (bot)").first).to_be_visible()
