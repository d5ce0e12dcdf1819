"""People at a page, and how they play any game: by the list of moves that every match page has."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

from tests.e2e.service import Player
from tests.web.hands import Hand, Mouse

TURNS_MAX = 400
FIELDS_MAX = 20
TRIES = 12
TRY_MS = 5_000
"""For one click: in games where others act at the same time, what is clicked may be gone."""
PATIENCE_MS = int(os.environ.get("WEB_PATIENCE_MS", "60000"))
"""How long a test waits for what must come: slow machines are not wrong ones."""

STANDS = """() => {
  if (document.querySelector("[aria-label=Result]")?.checkVisibility()) return "over";
  return document.querySelector(".head [role=status]")?.innerText.includes("Your turn")
    ? "on turn" : "";
}"""
"""How the match stands; asked often, and much cheaper than by roles and names."""

LINES = """thing => {
    const words = document.createRange();
    words.selectNodeContents(thing);
    return words.getClientRects().length;
}"""
"""The number of lines of a text."""

Turn = Callable[["Person"], None]


class Person:
    """Somebody in front of a page, and the same player at the API."""

    def __init__(self, page: Page, player: Player, name: str, hand: Hand | None = None) -> None:
        self.page = page
        self.player = player
        self.name = name
        self.hand = hand or Mouse()
        self.presses = 0
        """Clicks, taps or keys so far."""

    def press(self, thing: Locator, **more: Any) -> None:
        """Press a thing with this person's hand."""
        self.presses += self.hand.press(thing, **more)

    def choose(self, field: Locator, index: int) -> None:
        """Pick from a list by place."""
        self.presses += self.hand.choose(field, index)

    def enter(self) -> "Person":
        """Come in with the player's token, as a browser that was here before."""
        session = json.dumps(
            {"player": self.player.id, "name": self.name, "token": self.player.token}
        )
        key, value = "'shiplog.session'", json.dumps(session)
        self.page.context.add_init_script(
            f"localStorage.getItem({key}) ?? localStorage.setItem({key}, {value})"
        )
        return self

    def open(self, match: str) -> "Person":
        """Show a match and wait until it is there: what stands beside the board comes last."""
        self.page.goto(f"/match/{match}")
        expect(self.page.locator(".table > .side, [data-waiting]").first).to_be_attached()
        return self

    @property
    def status(self) -> Locator:
        """The line that says whose turn it is."""
        return self.page.locator(".head [role=status]")

    def look(self, tab: str) -> "Person":
        """Show what is besides the board: Players, Log, Chat or Menu; on a phone over the board."""
        opener = self.page.locator(".head .open")
        if opener.is_visible() and opener.get_attribute("aria-expanded") == "false":
            self.press(opener)
        beside = self.page.get_by_role("group", name="Besides the board")
        self.press(beside.get_by_role("button", name=tab))
        return self

    def back(self) -> "Person":
        """Close what is open over the board of a phone."""
        opener = self.page.locator(".head .open")
        if opener.is_visible() and opener.get_attribute("aria-expanded") == "true":
            self.press(opener)
        return self

    @property
    def story(self) -> Locator:
        """What happened, in words; on a phone after `look`."""
        return self.page.get_by_role("log", name="What happened")

    @property
    def on_turn(self) -> bool:
        return self.status.get_by_text("Your turn").is_visible()

    @property
    def result(self) -> Locator:
        return self.page.get_by_role("region", name="Result")

    @property
    def scores(self) -> Locator:
        """What every seat has, where the game counts it."""
        return self.result.get_by_role("table", name="Scores by player")

    @property
    def moves(self) -> Locator:
        return self.page.get_by_role("form", name="All moves as a list")


def seated(people: Sequence[Person], game: str, bots: int = 0, **more: Any) -> str:
    """Open a match, seat the people in order and the bots behind them; return its id."""
    first = people[0].player
    match = first.open_match(game, len(people) + bots, **more)
    for seat, person in enumerate(people):
        person.player.do(match, {"type": "take_seat", "seat": seat})
    for seat in range(len(people), len(people) + bots):
        first.do(match, {"type": "add_bot", "seat": seat})
    return match


def by_list(person: Person, wanted: Mapping[str, str] = MappingProxyType({})) -> None:
    """Take a move of the list: the family shown, and each field's wanted or first value."""
    person.press(picked(person, wanted))


def picked(person: Person, wanted: Mapping[str, str] = MappingProxyType({})) -> Locator:
    """Pick a move of the list; return the button that sends it."""
    if person.page.locator(".play > .room > .card").count():  # the list stands in for a board
        person.moves.wait_for()
    elif not person.moves.is_visible():
        person.look("Menu")
        if not person.moves.is_visible():
            person.press(person.page.locator("details.all > summary"))
    submit = person.moves.get_by_role("button")
    for _ in range(FIELDS_MAX):
        if submit.is_enabled():
            break
        for select in person.moves.locator("select").all():
            if select.input_value() == "-1":
                choices = select.locator("option").all_inner_texts()
                asked = wanted.get(select.get_attribute("name") or "")
                person.choose(select, choices.index(asked) if asked in choices else 1)
                break
    return submit


def play_out(people: Sequence[Person], turn: dict[int, Turn] | Turn = by_list) -> int:
    """Play a match to its end; `turn` plays for all, or by place in `people`.

    Returns the turns taken.
    """
    for count in range(TURNS_MAX):
        on = awaited(people)
        if on is None:
            return count
        take(people[on], turn if callable(turn) else turn.get(on, by_list))
    raise AssertionError(f"no end after {TURNS_MAX} turns")


def take(person: Person, turn: Turn) -> None:
    """Take a turn; one that others overtake in the middle, or end, is begun again or let be.

    So is one whose command was refused since others came first, or that sent nothing: the page
    stops a press that comes as the second half of a double one.
    """
    failed: Error | None = None
    for _ in range(TRIES):
        version = shown_version(person)
        person.page.set_default_timeout(TRY_MS)
        try:
            if failed:
                person.back()  # A list left open would cover the board.
            turn(person)
        except Error as error:
            failed = error
        finally:
            person.page.set_default_timeout(PATIENCE_MS)
        answered(person, version)
        if shown_version(person) > version or not person.on_turn:
            return
    raise AssertionError(f"no move in {TRIES} tries") from failed


def awaited(people: Sequence[Person]) -> int | None:
    """Wait until the match waits for one of the people, or is over (None)."""
    first = people[0].page
    for _ in range(3_000):
        for place, person in enumerate(people):
            stands = person.page.evaluate(STANDS)
            if stands == "over":
                return None
            if stands == "on turn":
                return place
        first.wait_for_timeout(20)
    raise AssertionError("nobody is on turn, and the match goes on")


def shown_version(person: Person) -> int:
    """Read the version that the page shows."""
    shown = person.page.locator("[data-shown]").get_attribute("data-shown")
    assert shown, "a match page shows its version"
    return int(shown)


def sent(person: Person, version: int) -> bool:
    """Return whether the last pick has completed a move, which is under way or done."""
    return person.page.evaluate(
        """v => {
            const { shown, busy } = document.querySelector('[data-shown]').dataset;
            return busy !== undefined || Number(shown) > v;
        }""",
        version,
    )


def answered(person: Person, version: int) -> None:
    """Wait until the page shows a later version, or no command is under way."""
    person.page.wait_for_function(
        """v => {
            const { shown, busy } = document.querySelector('[data-shown]').dataset;
            return Number(shown) > v || busy === undefined;
        }""",
        arg=version,
    )


def changed(person: Person, version: int) -> None:
    """Wait until the page shows a later version."""
    person.page.wait_for_function(
        "v => Number(document.querySelector('[data-shown]').dataset.shown) > v",
        arg=version,
    )
