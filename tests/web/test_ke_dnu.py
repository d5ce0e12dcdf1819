"""Ke dnu played through its page: from the first draw to the last ship, windows and standing orders on the way."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Newcomer
from tests.web.play import Person, by_list, play_out, seated

WEB = Path(__file__).parents[2] / "service" / "web" / "src" / "boards" / "ke_dnu"
SHORT = {"voyage_round_limit": 5, "sinking_round_limit": 10}


def do(page: Page, what: str) -> bool:
    """Press what the card that is looked at offers, if it is legal."""
    button = page.locator(f".acts [data-do={what}].primary")
    if button.count() == 0:
        return False
    button.click()
    return True


def by_gesture(person: Person) -> None:
    """Draw; then lay, use and buy what can be, throwing cards for it; else end the turn, or pass."""
    page = person.page
    if finish(page):
        return
    for zone, deeds in (
        (page.get_by_role("group", name="Your board"), ("activate",)),
        (page.get_by_role("region", name="Shop"), ("buy",)),
        (page.get_by_role("group", name="Your hand"), ("play", "discard_down", "jettison")),
    ):
        for deed in deeds:
            for card in zone.locator(".usable").all():
                card.click()
                if do(page, deed):
                    choose(page)
                    return
                card.click()
    by_list(person)


def finish(page: Page) -> bool:
    """Press the main button where there is one thing to do."""
    draw = page.locator(".act [data-act].primary, .window [data-act]")
    if draw.count() == 0 or page.locator(".plan").count():
        return False
    draw.first.click()
    return True


def choose(page: Page) -> None:
    """Pick what is asked for until the command is whole."""
    act = page.locator(".plan [data-act]")
    while act.count() and act.is_disabled():
        page.locator(".candidate:not(.picked), .plan .choice[aria-pressed=false]").first.click()
    if act.count():
        act.click()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_whole_match_of_two_people_and_a_bot(newcomer: Newcomer, size: str):
    ada, bob = newcomer("Ada", size).enter(), newcomer("Bob", size).enter()
    match = seated([ada, bob], "ke_dnu", bots=1, options=SHORT)
    for person in (ada, bob):
        person.open(match)
    turns = play_out([ada, bob], {0: by_gesture, 1: by_list})
    assert turns > 0
    for person in (ada, bob):
        expect(person.result).to_contain_text("Points by seat")
        expect(person.status).to_contain_text("Finished")
