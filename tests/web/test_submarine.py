"""Submarine played through its page, from the first submarine to the result."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.axe import breaches
from tests.web.conftest import MOVING, Newcomer, forget
from tests.web.gestures.submarine import at_edge, by_gesture, pick
from tests.web.hands import Keys
from tests.web.play import LINES, Person, awaited, changed, play_out, seated, shown_version

pytestmark = pytest.mark.long

WIDTH = {"phone": 360, "desktop": 1280}
WITHIN_CELL = """count => {
    const [cell, box] = [count.closest(".cell"), count].map((one) => one.getBoundingClientRect());
    return box.left >= cell.left && box.right <= cell.right && box.bottom <= cell.bottom;
}"""


def place_all(people: list[Person]) -> Person:
    """Place all submarines; return the person who sails first."""
    while True:
        on = awaited(people)
        assert on is not None
        person = people[on]
        if person.page.locator(".people").get_by_text("Voyage 1").count():
            return person
        version = shown_version(person)
        by_gesture(person)
        changed(person, version)


def test_a_whole_match_by_touch_and_by_keys_with_a_bot(newcomer: Newcomer):
    ada = newcomer("Maximilian", "phone", **MOVING).enter()
    bob = newcomer("Bob", hand=Keys()).enter()
    match = seated([ada, bob], "submarine", bots=1, options={"stalemate_voyages": 2})
    for person in (ada, bob):
        person.open(match)
    turns = play_out([ada, bob], by_gesture)
    assert turns > 0
    for person in (ada, bob):
        expect(person.scores).to_contain_text("Motifs")
        expect(person.status).to_contain_text("Finished")
    assert wide(ada.page) <= WIDTH["phone"]
    name = ada.scores.get_by_role("rowheader", name="Maximilian")
    assert name.evaluate(LINES) == 1, "a name is not broken"


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_board_obeys_wcag_and_fits(newcomer: Newcomer, size: str):
    ada = newcomer("Ada", size).enter()
    ada.open(seated([ada], "submarine", bots=4))
    sailing = place_all([ada])
    assert breaches(ada.page) == []
    sail(sailing)
    for picked in (ada.page.locator("[data-token]"), ada.page.locator("[data-sub]")):
        if picked.count():
            pick(ada, picked.first)
            assert breaches(ada.page) == []
    assert wide(ada.page) <= WIDTH[size]


def test_a_cell_of_a_phone_shows_how_many_submarines_each_fleet_has_there(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob")
    match = seated([ada, bob], "submarine")
    for _ in range(4):
        (seat,) = ada.player.get(f"/matches/{match}")["waiting"]
        mover = (ada, bob)[seat].player
        mover.do(match, mover.legal(match)[0])
    ada.open(match)
    counts = ada.page.locator(".cell.depth-2 [data-count='2']")
    expect(counts).to_have_count(2)
    for count in counts.all():
        assert count.evaluate(WITHIN_CELL)


def test_a_low_cell_shows_its_submarines_whole(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", viewport={"width": 360, "height": 560}).enter()
    ada.open(seated([ada], "submarine", bots=1))
    sailing = place_all([ada])
    submarines = sailing.page.locator(".cell .sub")
    expect(submarines.first).to_be_visible()
    for thing in (*submarines.all(), *sailing.page.locator(".cell .token").all()):
        assert thing.evaluate(WITHIN_CELL)


def choosing(newcomer: Newcomer, name: str, count: str) -> tuple[Person, Locator]:
    """Return who fills the form for a match, after a choice, and the choice of who starts."""
    ada = newcomer("Ada", "phone").enter()
    page = ada.page
    page.goto("/new?game=submarine")
    page.locator(f"[name={name}]").select_option(count)
    page.get_by_text("Game options").click()
    return ada, page.get_by_label("Who starts")


def test_who_starts_is_chosen_by_seat(newcomer: Newcomer):
    ada, starts = choosing(newcomer, "bots", "0")
    page = ada.page
    expect(starts.locator("option:checked")).to_have_text("Drawn at random")
    starts.select_option(label="Seat 2")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/match/*")
    match = page.url.rpartition("/")[2]
    assert ada.player.get(f"/matches/{match}")["options"]["first_player"] == 1


def test_only_a_seat_of_the_match_can_start(newcomer: Newcomer):
    ada, starts = choosing(newcomer, "seats", "4")
    starts.select_option(label="Seat 4")
    ada.page.locator("[name=seats]").select_option("2")
    expect(starts.locator("option:checked")).to_have_text("Drawn at random")
    expect(starts.locator("option").last).to_have_text("Seat 2")


def test_what_is_illegal_is_explained_with_its_rule(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada", "phone").enter()
    ada.open(seated([ada], "submarine", bots=1))
    place_all([ada])
    sail(ada)
    page = ada.page
    pick(ada, page.locator("[data-sub]").first)
    at_edge(ada, page.locator("[data-cell=A1]"))
    expect(page.get_by_role("alert")).to_contain_text("surface is for ships")
    page.locator("[data-cell=F5]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("one row at most")
    forget(complaints, "422")


def test_a_voyage_by_keyboard_alone_and_back_again(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "submarine", bots=1))
    keys = ada.page.keyboard
    expect(ada.status).to_contain_text("Your turn")
    version = shown_version(ada)
    ada.page.locator("[data-cell=A1]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        keys.press(key)
    expect(ada.page.locator("[data-cell=C2]")).to_be_focused()
    keys.press("Enter")
    changed(ada, version)
    place_all([ada])
    expect(ada.page.locator("[data-cell=C2]")).to_have_accessible_name(
        re.compile("submarines: .*Ada")
    )
    version = shown_version(ada)
    sail(ada)
    ada.page.get_by_role("button", name="Take back").click()
    expect(ada.page.locator("[data-act]")).to_contain_text("marked place on the surface")


def sail(person: Person) -> None:
    """Sail to the first place that the board shows, and wait until the ship is there."""
    version = shown_version(person)
    by_gesture(person)
    changed(person, version)
    expect(person.page.locator(".people")).to_contain_text("Move your submarines under the ship")


def wide(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth")
