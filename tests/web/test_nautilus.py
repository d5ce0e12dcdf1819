"""Nautilus played through its page, from the first module to the scores."""

import re
from itertools import count

import pytest
from playwright.sync_api import Route, expect

from tests.web.axe import breaches
from tests.web.conftest import MOVING, Newcomer, forget
from tests.web.gestures.nautilus import by_gesture
from tests.web.hands import Keys
from tests.web.play import Person, Turn, awaited, changed, play_out, seated, shown_version

pytestmark = pytest.mark.long

WIDTH = {"phone": 360, "desktop": 1280}


def by_ending(person: Person) -> None:
    """End the step where that is allowed; else do what is offered."""
    expect(person.page.locator("[data-act]")).to_be_visible()
    end = person.page.locator("[data-end]")
    if end.count():
        person.press(end.first)
    else:
        by_gesture(person)


def eager_at_first(turns: int) -> Turn:
    """Return a player who acts for some turns, then only ends turns."""
    taken = count()
    return lambda person: by_gesture(person) if next(taken) < turns else by_ending(person)


def until(person: Person, step: str, others: int = 40) -> None:
    """Go by what is offered until the page asks for a step."""
    for _ in range(others):
        assert awaited([person]) is not None
        if person.page.locator(".dock").get_by_text(step).is_visible():
            return
        version = shown_version(person)
        by_gesture(person)
        changed(person, version)
    raise AssertionError(f"never came to: {step}")


def buy_crew(person: Person) -> None:
    """Buy a habitation with three researchers."""
    version = shown_version(person)
    person.page.locator("[data-kind=hab_a]").click()
    person.page.locator("[data-crew]").last.click()
    person.page.locator("[data-act]").click()
    changed(person, version)


def build(person: Person) -> None:
    """Build where the chart is aimed, by keyboard; the button names the price that is paid."""
    version = shown_version(person)
    act = person.page.locator("[data-act]")
    expect(act).to_be_enabled()
    price = re.search(r"· (\d+) N$", act.inner_text().strip())
    assert price, "a build names its price"
    act.focus()
    person.page.keyboard.press("Enter")
    changed(person, version)
    match = person.page.url.rpartition("/")[2]
    [*_, record] = person.player.get(f"/matches/{match}/events")["records"]
    [cost] = [event["cost"] for event in record["events"] if event["type"] == "module_placed"]
    assert int(price[1]) == cost


def alone(newcomer: Newcomer, size: str = "desktop", *, bots: int = 1) -> Person:
    """Begin a match as the first seat, with a bot beside, or with somebody who does nothing."""
    ada = newcomer("Ada", size).enter()
    people = [ada] if bots else [ada, newcomer("Bob")]
    ada.open(seated(people, "nautilus", bots=bots, options={"first_seat": "seat_0"}))
    expect(ada.status).to_contain_text("Your turn")
    return ada


def test_a_whole_match_by_touch_and_by_keys_with_a_bot(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone", **MOVING).enter(), newcomer("Bob", hand=Keys()).enter()
    match = seated([ada, bob], "nautilus", bots=1)
    for person in (ada, bob):
        person.open(match)
    turns = play_out([ada, bob], {0: eager_at_first(25), 1: eager_at_first(10)})
    assert turns > 0
    for person in (ada, bob):
        expect(person.result).to_contain_text("Rounds")
        expect(person.result).to_contain_text(re.compile("Rule NAU-7[2-4]"))
        expect(person.scores).to_contain_text("Finds")
        if person is ada:
            person.look("Players")
        expect(person.page.get_by_role("table", name="Scores", exact=True)).to_contain_text("Ada")
        expect(person.status).to_contain_text("Finished")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_board_obeys_wcag_and_fits(newcomer: Newcomer, size: str):
    ada = alone(newcomer, size)
    assert breaches(ada.page) == []
    buy_crew(ada)
    ada.page.locator("[data-next]").click()
    assert breaches(ada.page) == []
    wide: int = ada.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= WIDTH[size]


def test_building_by_keyboard_is_turned_and_taken_back(newcomer: Newcomer):
    ada = alone(newcomer, bots=0)  # A bot would soon have moved: then there is no way back.
    buy_crew(ada)
    page, keys = ada.page, ada.page.keyboard
    page.locator("[data-next]").focus()
    keys.press("Enter")
    build(ada)
    built = page.locator("[data-module=hab_a_1]")
    expect(built).to_be_attached()
    page.get_by_role("button", name="Take back").click()
    expect(built).not_to_be_attached()
    expect(page.locator("[data-next]")).to_be_visible()


def test_the_chart_is_walked_by_arrows_and_explains(newcomer: Newcomer, complaints: list[str]):
    ada = alone(newcomer)
    buy_crew(ada)
    chart = ada.page.locator("[data-chart]")
    chart.focus()
    expect(chart).to_have_accessible_name(re.compile("P13: lagoon, base"))
    ada.page.keyboard.press("ArrowRight")
    expect(chart).to_have_accessible_name(re.compile("Q13: lagoon, base"))
    ada.page.keyboard.press("ArrowLeft")
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("alert")).to_contain_text("overlap another module")
    forget(complaints, "422")


def test_a_tip_tells_the_range_of_longer_sonars(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    options = {"first_seat": "seat_0", "sonar_range": "text"}
    ada.open(seated([ada], "nautilus", bots=1, options=options))
    ada.page.locator("[data-about='colour brown']").first.hover()
    explained = ada.page.locator("[data-explained]")
    expect(explained).to_contain_text("Cells that your sonar reaches: 4.")


def test_a_researcher_goes_where_the_chart_is_tapped(newcomer: Newcomer):
    ada = alone(newcomer)
    buy_crew(ada)
    until(ada, "Move up to two researchers")
    version = shown_version(ada)
    chart = ada.page.locator("[data-chart]")
    size = chart.bounding_box()
    assert size
    chart.click(position={"x": size["width"] * 15.5 / 31, "y": size["height"] * 12.5 / 25})
    changed(ada, version)
    expect(ada.story).to_contain_text("to base")


def test_two_scores_are_numbers_and_no_place(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    match = seated([ada, newcomer("Bob")], "nautilus")
    ada.player.do(match, {"type": "resign"})

    def finish(route: Route) -> None:
        answer = route.fetch()
        view = answer.json()
        seats = [{"find_points": 2, "score": 2}, {"find_points": 25, "score": 302}]
        view["result"] = {"seats": seats, "winners": [1], "rounds": 16, "reasons": []}
        route.fulfill(response=answer, json=view)

    ada.page.route(f"**/matches/{match}", finish)
    ada.open(match)
    expect(ada.scores.get_by_role("row", name="Bob 25 302")).to_be_visible()
