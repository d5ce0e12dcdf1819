"""How many taps or keys each kind of move takes, in each game."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tests.web.play import Person, Turn, awaited, seated, shown_version, take

Presses = Mapping[str, Sequence[int]]
"""Taps or keys of each move, by kind of command."""


def presses(person: Person, game: str, turn: Turn, turns: int) -> Presses:
    """Play so many turns of a new match against a bot; count what each accepted move took."""
    match = seated([person], game, bots=1)
    person.open(match)
    spent: dict[str, list[int]] = defaultdict(list)
    for _ in range(turns):
        if awaited([person]) is None:
            break
        before, version = person.presses, shown_version(person)
        take(person, turn)
        if kind := moved(person, match, version):
            spent[kind].append(person.presses - before)
    return spent


def moved(person: Person, match: str, after: int) -> str | None:
    """Return the kind of the person's first command after a version; None if others moved."""
    records = person.player.get(f"/matches/{match}/events", params={"after": after})["records"]
    return next((record["command"]["type"] for record in records if "command" in record), None)
