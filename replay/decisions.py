"""The decisions of a match, with the knowledge of the seat before and after each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.game import Seen
from games.match import states
from games.match.commands import is_match_command
from games.match.model import Match
from projections.seen import growing, memory


class Knowledge(NamedTuple):
    """The knowledge of a seat at one state."""

    view: Any
    seen: Seen


class Decision(NamedTuple):
    """A command that a seat chose from several legal ones, when it was to move."""

    place: int
    """Index in the effective line."""
    v: int
    """Version of the record in the log."""
    seat: int
    command: Any
    before: Knowledge
    legal: list[Any]
    """The legal commands."""
    after: Knowledge
    """The seat's knowledge after the record, which includes what it drew."""


def decisions(match: Match) -> Iterator[Decision]:
    """Yield the decisions of the effective line.

    A command that the clock played, or that had no alternative, is not a decision.
    """
    game = match.game
    knowledge = {seat: growing(match, seat) for seat in range(match.header.seats)}
    records = {seat: match.past.get(seat, ()) for seat in knowledge}
    state = states.state_after(match, 1)

    def known(seat: int) -> Knowledge:
        return Knowledge(game.view(state, seat), memory(match, seat, records[seat]))

    if match.start is None:
        records = {seat: next(shown)[1] for seat, shown in knowledge.items()}
    for place, entry in enumerate(match.line[1:], start=1):
        seat = entry.seat
        legal: list[Any] = []
        before: Knowledge | None = None
        if seat is not None and seat in game.waiting(state) and not is_match_command(entry.command):
            legal = game.legal(state, seat)
            before = known(seat) if len(legal) > 1 else None
        for event in entry.events:
            game.apply(state, event)
        records = {seat: next(shown)[1] for seat, shown in knowledge.items()}
        if before is not None and seat is not None:
            yield Decision(place, entry.version, seat, entry.command, before, legal, known(seat))
