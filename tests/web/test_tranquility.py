"""Tranquility played through its page, from the deal to the result."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import MOVING, Newcomer, forget
from tests.web.gestures.tranquility import HALF, by_gesture, give, pick
from tests.web.hands import Keys
from tests.web.play import TURNS_MAX, Person, changed, play_out, seated

pytestmark = pytest.mark.long


def test_a_whole_match_by_touch_and_by_keys_with_two_bots(
    newcomer: Newcomer, complaints: list[str]
):
    ada, bob = newcomer("Ada", "phone", **MOVING).enter(), newcomer("Bob", hand=Keys()).enter()
    match = seated([ada, bob], "tranquility", bots=2)
    for person in (ada, bob):
        person.open(match)
    turns = play_out([ada, bob], by_gesture)
    assert turns > 0
    for person in (ada, bob):
        expect(person.result).to_contain_text("Cells filled")
        expect(person.status).to_contain_text("Finished")
    forget(complaints, "412", "422")  # pledges that others overtook


def dear(command: dict[str, Any]) -> bool:
    """Return whether a command lays a card for a price."""
    return command["type"] == "play_card" and len(command["discards"]) > 0


def pays(command: dict[str, Any]) -> bool:
    """Return whether a command chooses the cards for a Start."""
    return command["type"] == "pay_start"


def likely(command: dict[str, Any]) -> tuple[int, bool]:
    """Order commands so that a Start is soon laid and paid by all, and no hand runs out."""
    kinds = ("discard_two", "play_card", "pledge", "pay_start", "play_start")
    own = -1 if dear(command) else kinds.index(command["type"]) if command["type"] in kinds else 0
    return own, command.get("count", 0) == int(HALF)


def elsewhere(people: Sequence[Person], match: str, wanted: Callable[..., bool]) -> dict[str, Any]:
    """Play on other devices until the first of the people may send a wanted command."""
    for _ in range(TURNS_MAX):
        for person in people:
            legal = person.player.legal(match)
            found = [command for command in legal if wanted(command)]
            if found and person is people[0]:
                return found[0]
            if legal:
                person.player.do(match, max(legal, key=likely))
    raise AssertionError("no such command")


def test_cards_picked_for_a_price_that_is_paid_do_not_block_the_next(newcomer: Newcomer):
    """The page once counted them among the picks of the next turn, and took no more cards."""
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "tranquility")
    ada.open(match)
    payment = elsewhere([ada, bob], match, pays)
    ada.press(ada.page.locator(f"[data-card={payment['cards'][0]}]"))
    expect(ada.page.locator("[data-card][aria-pressed=true]")).to_have_count(1)
    ada.player.do(match, payment)
    lay = elsewhere([ada, bob], match, dear)
    version = ada.player.get(f"/matches/{match}")["version"]
    changed(ada, version - 1)
    pick(ada, ada.page.locator(f"[data-card={lay['card']}]"))
    column, row = lay["cell"]
    ada.press(ada.page.locator(f"[data-cell={'ABCDEF'[column]}{row + 1}]"))
    give(ada, version)
    changed(ada, version)


def test_only_who_is_to_move_is_told_what_to_do(newcomer: Newcomer):
    people = [newcomer("Ada").enter(), newcomer("Bob").enter()]
    match = seated(people, "tranquility")
    (seat,) = people[0].player.get(f"/matches/{match}")["waiting"]
    for person, told in ((people[seat], True), (people[1 - seat], False)):
        beside = person.open(match).page.locator(".people")
        expect(beside).to_contain_text("0 of 36")
        assert ("Lay an island" in beside.inner_text()) == told


def test_it_is_asked_how_many_cards_one_pledges(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob")
    match = seated([ada, bob], "tranquility")
    elsewhere([ada, bob], match, lambda command: command["type"] == "pledge")
    ada.open(match)
    expect(ada.page.locator("[data-act]")).to_have_text("Choose how many cards you pledge.")


def test_prices_leave_the_names_of_small_cells_readable(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", viewport={"width": 360, "height": 600}).enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    card = next(one["card"] for one in ada.player.legal(match) if one["type"] == "play_card")
    pick(ada, ada.page.locator(f"[data-card={card}]"))
    cell = ada.page.locator("[data-cell][data-open]").first
    name, price = cell.locator(".name").bounding_box(), cell.locator(".price").bounding_box()
    assert name
    assert price
    beside = name["x"] + name["width"] <= price["x"]
    assert beside or name["y"] + name["height"] <= price["y"]


@pytest.mark.parametrize(
    ("variant", "cells"),
    [("high_arch", 30), ("pyramid", 21), ("day_night", 36), ("competitive", 36)],
)
def test_every_sea_is_drawn_and_can_be_laid_on(newcomer: Newcomer, variant: str, cells: int):
    ada = newcomer("Ada", "phone").enter()
    bots = 1 if variant == "competitive" else 0
    ada.open(seated([ada], "tranquility", bots=bots, options={"variant": variant}))
    expect(ada.status).to_contain_text("Your turn")
    expect(ada.page.locator("[data-cell]")).to_have_count(cells)
    by_gesture(ada)
    expect(ada.page.locator("[data-cell]:has(svg)").first).to_be_visible()


def test_all_of_the_rough_seas_at_once(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada", "desktop").enter()
    options = {"rocks": True, "monsters": 3, "storms": True, "wilds": 3}
    ada.open(seated([ada], "tranquility", bots=1, options=options))
    turns = play_out([ada], by_gesture)
    assert turns > 0
    forget(complaints, "412", "422")
