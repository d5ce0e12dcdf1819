"""The decisions of a match: what each seat knew when it chose, what it chose, and what it knew then."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.game import Seen
from games.match import states
from games.match.commands import MATCH_COMMAND_TYPES
from games.match.model import Match
from projections.seen import growing, memory


class Knowledge(NamedTuple):
    """What a seat knew of a state."""

    view: Any
    seen: Seen


class Decision(NamedTuple):
    """A choice between several legal commands of a seat that was waited for."""

    place: int
    """Entries of the effective line before it."""
    v: int
    """The log's version of its record."""
    seat: int
    command: Any
    before: Knowledge
    legal: list[Any]
    after: Knowledge
    """What the seat knew once its record was there: what it drew, too."""


def decisions(match: Match) -> Iterator[Decision]:
    """Go through the effective line; what the clock played is no decision, nor is what nobody had a choice in."""
    game = match.game
    knowledge = {seat: growing(match, seat) for seat in range(match.header.seats)}
    records = {seat: match.past.get(seat, ()) for seat in knowledge}
    state = states.state_after(match, 1)

    def known(seat: int) -> Knowledge:
        return Knowledge(game.view(state, seat), memory(match, seat, records[seat]))

    if match.start is None:
        records = {seat: next(told)[1] for seat, told in knowledge.items()}
    for place, entry in enumerate(match.line[1:], start=1):
        seat = entry.seat
        legal: list[Any] = []
        before: Knowledge | None = None
        if (
            seat is not None
            and seat in game.waiting(state)
            and type(entry.command) not in MATCH_COMMAND_TYPES
        ):
            legal = game.legal(state, seat)
            before = known(seat) if len(legal) > 1 else None
        for event in entry.events:
            game.apply(state, event)
        records = {seat: next(told)[1] for seat, told in knowledge.items()}
        if before is not None and seat is not None:
            yield Decision(place, entry.version, seat, entry.command, before, legal, known(seat))
