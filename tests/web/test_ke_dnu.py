"""To the Bottom on its page: from the first draw to the last ship, with windows and orders."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import Route, expect

from games import GAMES
from games.ke_dnu.commands import Command
from games.ke_dnu.components import KINDS
from games.ke_dnu.events import Event
from tests.web.axe import breaches
from tests.web.conftest import MOVING, Newcomer, forget
from tests.web.gestures.ke_dnu import by_gesture
from tests.web.hands import Keys
from tests.web.play import LINES, Person, play_out, seated

pytestmark = pytest.mark.long

WEB = Path(__file__).parents[2] / "web" / "src" / "boards" / "ke_dnu"
REFUSALS = (Path(__file__).parents[2] / "docs" / "games" / "ke_dnu.md").read_text()
COMMANDS_MAX = 400
SHORT = {"voyage_round_limit": 5, "sinking_round_limit": 10}


def test_a_whole_match_by_touch_and_by_keys_with_a_bot(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", **MOVING).enter()
    bob = newcomer("Bob", hand=Keys()).enter()
    match = seated([ada, bob], "ke_dnu", bots=1, options=SHORT)
    for person in (ada, bob):
        person.open(match)
    turns = play_out([ada, bob], by_gesture)
    assert turns > 0
    for person in (ada, bob):
        expect(person.scores).to_contain_text("Points")
        expect(person.status).to_contain_text("Finished")


def test_a_ship_that_others_left_behind_is_not_said_to_be_at_the_bottom(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob")
    match = seated([ada, bob], "ke_dnu")
    bob.player.do(match, {"type": "resign"})
    ada.open(match)
    expect(ada.result).to_contain_text("All but the winner have abandoned their ships")
    expect(ada.look("Log").story).to_contain_text("Only one ship is left.")
    expect(ada.page.locator("main")).not_to_contain_text("at the bottom")


def test_the_drawer_of_a_phone_begins_with_the_log_since_the_board_has_the_players(
    newcomer: Newcomer,
):
    ada = newcomer("Ada", "phone").enter()
    ada.open(seated([ada], "ke_dnu", bots=1))
    ada.press(ada.page.locator(".head .open"))
    expect(ada.story).to_be_visible()
    tabs = ada.page.get_by_role("group", name="Besides the board").get_by_role("button")
    expect(tabs).to_have_text(["Log", "Chat", "Menu"])


TASTE = ["draw", "play", "buy", "jettison", "end_turn", "pass"]


def sail(people: list[Person], match: str, commands: int, taste: list[str] = TASTE) -> None:
    """Play on over the API: the first legal command of the kind that comes first in `taste`."""
    for _ in range(commands):
        for person in people:
            legal = person.player.legal(match)
            if legal:
                best = min(
                    legal,
                    key=lambda command: (
                        taste.index(command["type"]) if command["type"] in taste else 9,
                        len(json.dumps(command)),
                    ),
                )
                person.player.do(match, best)
                break


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_board_obeys_wcag_and_scrolls_nowhere_sideways(newcomer: Newcomer, size: str):
    ada = newcomer("Ada", size).enter()
    bob = newcomer("Bob", size)
    match = seated([ada, bob], "ke_dnu", options={"first_seat": "0"})
    sail([ada, bob], match, 20)
    for _ in range(60):
        if any(command["type"] == "play" for command in ada.player.legal(match)):
            break
        sail([ada, bob], match, 1)
    ada.open(match)
    page = ada.page
    expect(ada.status).to_contain_text("Your turn")
    assert breaches(page) == [], "at rest"
    page.locator("[data-orders] summary").click()
    page.get_by_role("group", name="Your hand").get_by_role("button").first.click()
    for water in page.get_by_role("button", name=re.compile(r"^Water \d+$")).all():
        water.click()
    assert breaches(page) == [], "a card looked at"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"]  # type: ignore[index]


def test_every_card_event_command_order_and_refusal_has_words():
    words = json.loads((WEB / "en.json").read_text())
    assert set(words["cards"]) == set(words["abilities"]) == {*KINDS, "hidden"}
    for kind in KINDS.values():
        assert words["cards"][kind.id] == kind.titles.en
    game = GAMES["ke_dnu"]
    for part, union in (("commands", Command), ("events", Event)):
        names = {kind.__struct_config__.tag for kind in get_args(union)}
        stems = set(words[part])
        assert not {n for n in names if not any(s == n or s.startswith(f"{n}_") for s in stems)}
    assert set(game.orders) == set(words["orders"])
    told = {
        **words["refusals"],
        **json.loads((WEB.parents[1] / "i18n" / "en.json").read_text())["refusals"],
    }
    codes = re.findall(
        r"^\| `([a-z]+(?:-[a-z]+)*)` \|",
        REFUSALS.split("## Refusals")[1].split("## Options")[0],
        re.MULTILINE,
    )
    assert len(codes) > 40
    assert set(codes) <= set(told)


def test_what_is_not_legal_is_refused_in_words_with_its_rule(
    newcomer: Newcomer, complaints: list[str]
):
    ada = newcomer("Ada", "phone").enter()
    ada.open(seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"}))
    page = ada.page
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.get_by_role("group", name="Your hand").get_by_role("button")).to_have_count(3)
    page.get_by_role("region", name="Shop").get_by_role("button", name="Iceberg").click()
    info = page.get_by_role("region", name="About the card")
    expect(info).to_contain_text("Costs 20 in the shop")
    info.get_by_role("button", name="Buy: 20").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("enough points")
    expect(alert.get_by_role("link", name="Rule KED-31")).to_be_visible()
    forget(complaints, "422")


def test_a_turn_by_keyboard_alone_and_taken_back(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"}))
    page, keys = ada.page, ada.page.keyboard
    page.get_by_role("button", name="Draw", exact=True).focus()
    keys.press("Enter")
    hand = page.get_by_role("group", name="Your hand").get_by_role("button")
    expect(hand).to_have_count(3)
    hand.first.focus()
    keys.press("Space")
    page.locator("[data-do=jettison]").focus()
    keys.press("Enter")
    expect(hand).to_have_count(2)
    keys.press("Escape")
    expect(page.get_by_role("region", name="About the card")).to_be_hidden()
    page.get_by_role("button", name="Take back").focus()
    keys.press("Enter")
    expect(hand).to_have_count(3)


def test_a_button_beside_the_orders_keeps_its_word_whole(newcomer: Newcomer):
    turned = {"viewport": {"width": 740, "height": 360}, "locale": "cs-CZ"}
    ada = newcomer("Ada", "phone", **turned).enter()
    ada.open(seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"}))
    draw = ada.page.locator(".act [data-act]")
    assert draw.evaluate(LINES) == 1


def test_what_to_throw_is_asked_in_a_line(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", locale="cs-CZ").enter()
    match = seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"})
    ada.player.do(match, {"type": "draw"})
    ada.open(match)
    ada.press(ada.page.locator("[data-gather]"))
    assert ada.page.locator("[data-throw]").evaluate(LINES) == 1


def test_several_cards_are_thrown_in_one_gesture(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    ada.open(seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"}))
    page = ada.page
    page.get_by_role("button", name="Draw", exact=True).click()
    hand = page.get_by_role("group", name="Your hand").get_by_role("button")
    expect(hand).to_have_count(3)
    page.get_by_role("button", name="Throw several").click()
    throw = page.locator("[data-throw]")
    expect(throw).to_be_disabled()
    for card in (hand.nth(0), hand.nth(2)):
        card.click()
        expect(card).to_have_attribute("aria-pressed", "true")
    expect(throw).to_contain_text("Throw 2 cards")
    throw.click()
    expect(hand).to_have_count(1)
    expect(page.locator(".strip")).to_contain_text("threw")


LEAST = 40
"""Cards that the supply must keep."""
SOON = 60
"""Commands within which a fifth of the matches come to what is wanted; hardly any do later."""
ATTEMPTS = 60


def mostly_bars() -> list[str]:
    """Return the kinds to leave out, most copies first, so that Bartenders come soon."""
    kinds = [kind for kind in KINDS.values() if kind.dealt == "supply"]
    left, out = sum(kind.copies for kind in kinds), list[str]()
    for kind in sorted(kinds, key=lambda kind: -kind.copies):
        if kind.id != "bartender" and left - kind.copies >= LEAST:
            left -= kind.copies
            out.append(kind.id)
    return out


def for_a_bar(command: dict[str, Any]) -> int:
    """Rank commands for a seat that throws everything for a Bartender aboard."""
    bar = str(command.get("card", "")).startswith("bartender")
    ranks = {"draw": 0, "play": 1 if bar else 9, "buy": 2 if bar else 9, "end_turn": 4}
    return ranks.get(command["type"], 3 if command["type"] == "jettison" and not bar else 9)


def until_asked(ada: Person, bob: Person, match: str) -> bool:
    """Play on over the API until Ada may answer a card that Bob lays; return whether that came.

    It comes soon or, if no Bartender is in Ada's deck, never.
    """
    for _ in range(SOON):
        now = ada.player.get(f"/matches/{match}")
        legal = ada.player.legal(match)
        if any(command["type"] == "pass" for command in legal):
            return True
        if legal:
            ada.player.do(match, min(legal, key=for_a_bar))
        else:
            board = now["view"]["seats"][0]["board"]
            bar = any(berth["card"].startswith("bartender") for berth in board)
            sail([bob], match, 1, TASTE if bar else ["draw", "end_turn"])
    return False


def asked(ada: Person, bob: Person) -> str:
    """Return a match in which Ada may answer; some attempts find no Bartender in time."""
    options = {"first_seat": "0", "exclude_types": mostly_bars(), "voyage_round_limit": 60}
    for _ in range(ATTEMPTS):
        match = seated([ada, bob], "ke_dnu", options=options)
        if until_asked(ada, bob, match):
            return match
    raise AssertionError(f"no Bartender in {ATTEMPTS} matches")


def laid(person: Person, match: str) -> int:
    """Count the cards that Bob has laid."""
    records = person.player.get(f"/matches/{match}/events")["records"]
    events = [event for record in records for event in record["events"]]
    return sum(event["type"] == "card_played" and event["seat"] == 1 for event in events)


def test_a_window_is_a_bar_to_pass_or_answer_and_an_order_keeps_it_shut(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob", "phone")
    match = asked(ada, bob)
    ada.open(match)
    page = ada.page
    bar = page.get_by_role("region", name="To answer")
    expect(bar).to_contain_text("Bob")
    expect(bar.get_by_role("button", name="Pass")).to_be_enabled()
    expect(bar.locator("[data-answer=bartender]")).to_be_enabled()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert breaches(page) == []
    before = laid(ada, match)
    bar.get_by_role("button", name="Pass").focus()
    page.keyboard.press("Enter")
    expect(bar.get_by_role("button", name="Pass")).to_be_hidden()
    assert laid(ada, match) == before + 1

    orders = page.locator("[data-orders]")
    orders.get_by_text("Pass for me…").click()
    orders.get_by_role("button", name="Cards being laid", exact=True).click()
    stop = orders.get_by_role("button", name="Stop: Cards being laid")
    expect(stop).to_be_visible()
    for _ in range(COMMANDS_MAX):
        if laid(ada, match) > before + 1:
            break
        legal = ada.player.legal(match)
        assert not any(command["type"] == "pass" for command in legal), "the order answers"
        if legal:
            ada.player.do(match, min(legal, key=for_a_bar))
        else:
            sail([bob], match, 1)
    assert laid(ada, match) == before + 2
    stop.click()
    expect(stop).to_be_hidden()

    assert until_asked(ada, bob, match)
    before = laid(ada, match)
    bar.locator("[data-answer=bartender]").click()
    expect(ada.look("Log").story).to_contain_text("Bartender")
    ada.back()
    expect(bar.get_by_role("button", name="Pass")).to_be_hidden()
    assert laid(ada, match) == before, "the card went back to the hand"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_ship_that_is_asked_about_comes_into_view(newcomer: Newcomer, motion: str):
    """Ships beyond the edge of a phone are scrolled to once they are a target."""
    ada = newcomer("Ada", "phone", reduced_motion=motion).enter()
    match = seated([ada], "ke_dnu", bots=3, options={"first_seat": "0"})
    ada.player.do(match, {"type": "draw"})
    card = ada.player.get(f"/matches/{match}")["view"]["seats"][0]["hand"][0]

    def aim(route: Route) -> None:
        answer = route.fetch()
        play = {"type": "play", "card": card, "host": ""}
        commands = [{**play, "target": seat} for seat in range(1, 4)]
        route.fulfill(response=answer, json={**answer.json(), "commands": commands})

    ada.page.route("**/legal*", aim)
    ada.open(match)
    last = ada.page.locator("[data-ship='3']")
    expect(last).not_to_be_in_viewport()
    ada.page.locator(f"[data-hand] [data-card={card}]").click()
    ada.page.locator("[data-do=play]").click()
    ada.page.locator(".plan .choice").last.click()
    expect(last).to_be_in_viewport(ratio=0.9)


def test_orders_are_given_shown_and_ended_with_one_tap(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    match = seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"})
    ada.open(match)
    orders = ada.page.locator("[data-orders]")
    orders.get_by_text("Pass for me…").click()
    orders.get_by_role("button", name="Discarded cards", exact=True).click()
    stop = orders.get_by_role("button", name="Stop: Discarded cards")
    expect(stop).to_be_visible()
    assert ada.player.get(f"/matches/{match}")["orders"]["orders"] == ["discards"]
    stop.click()
    expect(stop).to_be_hidden()
    assert ada.player.get(f"/matches/{match}")["orders"] is None
