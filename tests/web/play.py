"""People at a page, and how they play any game: by the list of moves that every match page has."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.service import Player

TURNS_MAX = 400

Turn = Callable[["Person"], None]


class Person:
    """Somebody in front of a page, and the same player at the API."""

    def __init__(self, page: Page, player: Player, name: str) -> None:
        self.page = page
        self.player = player
        self.name = name

    def enter(self) -> "Person":
        """Come in with the player's token, as a browser that was here before."""
        session = json.dumps(
            {"player": self.player.id, "name": self.name, "token": self.player.token}
        )
        self.page.context.add_init_script(
            f"localStorage.getItem('shiplog.session') ?? localStorage.setItem('shiplog.session', {json.dumps(session)})"
        )
        return self

    def open(self, match: str) -> "Person":
        """Show a match and wait until it is there."""
        self.page.goto(f"/match/{match}")
        expect(self.page.locator("[data-board], [data-waiting]").first).to_be_visible()
        return self

    @property
    def status(self) -> Locator:
        """The line that says whose turn it is."""
        return self.page.locator(".top [role=status]")

    @property
    def result(self) -> Locator:
        return self.page.get_by_role("region", name="Result")

    @property
    def moves(self) -> Locator:
        return self.page.get_by_role("form", name="All moves as a list")


def seated(people: Sequence[Person], game: str, bots: int = 0, **more: Any) -> str:
    """Open a match, seat the people in order and the bots behind them; give its id."""
    first = people[0].player
    match = first.open_match(game, len(people) + bots, **more)
    for seat, person in enumerate(people):
        person.player.do(match, {"type": "take_seat", "seat": seat})
    for seat in range(len(people), len(people) + bots):
        first.do(match, {"type": "add_bot", "seat": seat})
    return match


def by_list(person: Person) -> None:
    """Take the first move of the list: the family that is shown, and the first value of each field."""
    if not person.moves.is_visible():
        person.page.locator("details.all > summary").click()
    submit = person.moves.get_by_role("button")
    for _ in range(12):
        open_field = next(
            (
                select
                for select in person.moves.locator("select").all()
                if select.input_value() == "-1"
            ),
            None,
        )
        if open_field is None:
            break
        open_field.select_option("0")
    submit.click()


def play_out(people: Sequence[Person], turn: dict[int, Turn] | Turn = by_list) -> int:
    """Play a match to its end; `turn` says how, for all or by place in `people`. Gives the turns taken."""
    for count in range(TURNS_MAX):
        on = awaited(people)
        if on is None:
            return count
        person = people[on]
        version = shown_version(person)
        (turn if callable(turn) else turn.get(on, by_list))(person)
        changed(person, version)
    raise AssertionError(f"no end after {TURNS_MAX} turns")


def awaited(people: Sequence[Person]) -> int | None:
    """Wait until the match waits for one of the people, or is over (None)."""
    first = people[0].page
    for _ in range(3_000):
        for place, person in enumerate(people):
            if person.result.is_visible():
                return None
            if person.status.get_by_text("Your turn").is_visible():
                return place
        first.wait_for_timeout(20)
    raise AssertionError("nobody is on turn, and the match goes on")


def shown_version(person: Person) -> int:
    """Read the version that the page shows."""
    found = re.search(r"version (\d+)", person.page.locator("aside").inner_text())
    assert found, "a match page shows its version"
    return int(found[1])


def changed(person: Person, version: int) -> None:
    """Wait until the page shows a later version."""
    person.page.wait_for_function(
        "v => Number(/version (\\d+)/.exec(document.querySelector('aside').innerText)?.[1]) > v",
        arg=version,
    )
