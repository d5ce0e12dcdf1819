"""Time travel: a match as it was at any version, in full or as a viewer saw it.

A sight selects what is shown: a seat, None for the spectator, or "full" for everything. It also
numbers the versions: the viewer's versions, or for "full" the versions of the log.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from events.codec import unseal_header
from events.record import AnyRecord, at_text
from games.game import AnyGame
from games.match.model import Chair, Proposal, Status
from games.wire import GameState, MatchResult, Time
from projections.folded import Folded, ToldRecord, Viewer
from projections.told import (
    ToldCreated,
    ToldProposal,
    told_command,
    told_event,
    told_header,
    told_proposal,
)
from projections.views import ClockView, MatchView, clock_view, match_view, result

Sight = Viewer | Literal["full"]
Games = Mapping[str, AnyGame]


class NoSuchVersion(Exception):
    """The match has no such version."""

    def __init__(self, number: int, last: int) -> None:
        """Create the error for a requested version, with the last one that exists."""
        super().__init__(f"Version must be between 1 and {last}, got {number}.")
        self.number = number
        self.last = last


class OpenProposal(msgspec.Struct, frozen=True):
    """An open proposal in the full view."""

    version: int
    """Version of the log in which the proposal was made."""
    made: ToldProposal
    accepted: tuple[int, ...]


class FullView(msgspec.Struct, frozen=True):
    """Everything about a match at one version of the log. Hidden from players until it is over."""

    game: str
    version: int
    head: str
    at: Time
    status: Status
    header: ToldCreated
    chairs: list[Chair]
    waiting: list[int]
    clocks: list[ClockView | None]
    """Running clock of each seat."""
    paused: Time | None
    """Time from which the match is paused."""
    proposals: list[OpenProposal]
    leavers: list[int]
    """Seats that left, in order."""
    state: GameState | None
    """State of the game. Null before the start."""
    result: MatchResult | None


class Step(NamedTuple):
    """One record of a log."""

    told: ToldRecord
    """The record as shown in the sight."""
    record: AnyRecord
    """The record in the log."""
    folded: Folded
    """Fold as of the record. The next step changes it."""


def folds(
    games: Games, lines: Iterable[bytes], followed: Collection[Viewer] = ()
) -> Iterator[tuple[Folded, AnyRecord]]:
    """Fold a log and yield the fold with each record. It is the same, changing fold every time.

    Raises the errors of `Folded`.
    """
    folded: Folded | None = None
    for data in lines:
        if folded is None:
            folded = Folded(games, data, followed)
            yield folded, unseal_header(data)
        else:
            yield folded, folded.extend(data)


def number_of(folded: Folded, sight: Sight) -> int:
    """Return the version of a fold as numbered in a sight."""
    return folded.version if sight == "full" else folded.number(sight)


def steps(games: Games, lines: Iterable[bytes], sight: Sight) -> Iterator[Step]:
    """Fold a log and yield every record that is shown in a sight. Raises the errors of `Folded`."""
    told: ToldRecord | None = None
    for folded, record in folds(games, lines, () if sight == "full" else (sight,)):
        before = told
        told = _full(folded, record) if sight == "full" else folded.latest.get(sight)
        if told is not None and told is not before:
            yield Step(told, record, folded)


def picture(
    folded: Folded, sight: Sight, names: Mapping[str, str] | None = None
) -> MatchView | FullView:
    """Return the match as shown in a sight. `names` are the names of players by id."""
    if sight != "full":
        return match_view(folded.match, sight, folded.receipt(sight), dict(names or {}))
    match = folded.match
    running = match.status == "running"
    return FullView(
        game=match.header.game,
        version=match.version,
        head=folded.head,
        at=at_text(match.at),
        status=match.status,
        header=told_header(match, match.header),
        chairs=match.chairs,
        waiting=sorted(match.game.waiting(match.state)) if running else [],
        clocks=[clock_view(match, seat) for seat in range(match.header.seats)],
        paused=None if match.paused is None else at_text(match.paused),
        proposals=[_open(proposal) for proposal in match.proposals],
        leavers=match.leavers,
        state=match.state,
        result=result(match),
    )


def plain(folded: Folded, sight: Sight) -> dict[str, Any]:
    """Return a picture in plain JSON values, which do not change when the fold goes on."""
    return msgspec.json.decode(msgspec.json.encode(picture(folded, sight)))


def _full(folded: Folded, record: AnyRecord) -> ToldRecord:
    events = [told_event(folded.match, event) for event in record.events]
    command = told_command(record.command)
    return ToldRecord(record.v, folded.match.header.game, record.at, record.by, events, command)


def _open(proposal: Proposal) -> OpenProposal:
    return OpenProposal(proposal.version, told_proposal(proposal.made), proposal.accepted)
