"""A bot says why it moved when a player taps the mark beside its move."""

import re

from playwright.sync_api import expect

from tests.e2e.service import wait_until
from tests.web.conftest import Newcomer


def against_a_bot(person, slug: str = "submarine") -> str:
    """Sit down against a bot and play until the bot has moved; return the match."""
    player = person.player
    match = player.open_match(slug, 2)
    player.do(match, {"type": "take_seat", "seat": 0})
    player.do(match, {"type": "add_bot", "level": "easy"})

    def play() -> bool:
        for command in player.get(f"/matches/{match}/legal")["commands"][:1]:
            player.do(match, command)
        records = player.get(f"/matches/{match}/events?after=3")["records"]
        return any(one["by"]["seat"] == 1 for one in records)

    wait_until(play)
    return match


def test_a_bot_is_asked_in_the_log_of_a_phone(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    ada.open(against_a_bot(ada))
    page = ada.page
    page.locator(".strip").click()
    log = page.get_by_role("log")
    marks = log.get_by_role("button", name="Why this move? Ask Crab 2")
    expect(marks.first).to_be_visible()
    line = log.locator("li").filter(has=page.locator("[data-why]")).first
    said = line.get_by_role("status")
    expect(said).to_be_empty()
    marks.first.click()
    expect(said).to_contain_text("It is close to tokens that are still needed.")
    expect(said.locator("svg")).to_be_visible()
    marks.first.click()
    expect(said).to_be_empty()


def test_after_the_end_a_bot_also_says_how_good_the_move_was(newcomer: Newcomer):
    ada = newcomer("Ada", locale="cs-CZ").enter()
    match = against_a_bot(ada)
    ada.player.do(match, {"type": "resign"})
    ada.open(match)
    page = ada.page
    page.get_by_role("log").get_by_role("button", name=re.compile("Proč tenhle tah")).last.click()
    said = page.get_by_role("log").get_by_role("status").filter(has=page.locator("svg"))
    expect(said).to_contain_text("Je to blízko pokladů, které jsou ještě potřeba.")
    expect(said).to_contain_text(re.compile("Nic lepšího neznal|Slabší tah|Jiný tah nebyl"))
    page.goto(f"/replay/{match}?view=full")
    page.get_by_role("log").get_by_role("button", name=re.compile("Proč tenhle tah")).first.click()
    expect(
        page.get_by_role("log").get_by_role("status").filter(has=page.locator("svg"))
    ).to_have_count(1)
