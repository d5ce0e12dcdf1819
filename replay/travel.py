"""Travel in time: a match as it was at any version, in full or as a viewer saw it.

A sight says with whose eyes: a seat, None for a spectator, or "full" for everything. Numbers are the sight's own:
a viewer counts what it was shown, the full sight counts the log's records.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from events.codec import unseal_header
from events.record import AnyRecord, at_text
from games.game import AnyGame
from games.match.events import MatchCreated
from games.match.model import Chair, Proposal, RunningClock, Status
from projections.folded import Folded, ToldRecord, Viewer
from projections.views import MatchView, match_view, result

Sight = Viewer | Literal["full"]
Games = Mapping[str, AnyGame]


class NoSuchVersion(Exception):
    """The match never was at that number."""

    def __init__(self, number: int, last: int) -> None:
        """Name the number asked for, and the last there is."""
        super().__init__(f"no version {number}: there are 1 to {last}")
        self.number = number
        self.last = last


class FullView(msgspec.Struct, frozen=True):
    """Everything about a match at one of the log's versions: for auditors, and for all once it has ended."""

    version: int
    head: str
    at: str
    status: Status
    header: MatchCreated
    chairs: list[Chair]
    waiting: list[int]
    clocks: list[RunningClock | None]
    """By seat; microseconds since 1970."""
    paused: int | None
    """Since when, in microseconds since 1970."""
    proposals: list[Proposal]
    leavers: list[int]
    state: Any
    """The game's; null before the start."""
    result: Any


class Step(NamedTuple):
    """One record, as shown in a sight."""

    told: ToldRecord
    record: AnyRecord
    """As it stands in the log."""
    folded: Folded
    """As of that record; live, so look before the next step."""


def folds(
    games: Games, lines: Iterable[bytes], followed: Collection[Viewer] = ()
) -> Iterator[tuple[Folded, AnyRecord]]:
    """Yield the one live fold after each record, and the record; raises what `Folded` raises."""
    folded: Folded | None = None
    for data in lines:
        if folded is None:
            folded = Folded(games, data, followed)
            yield folded, unseal_header(data)
        else:
            yield folded, folded.extend(data)


def number_of(folded: Folded, sight: Sight) -> int:
    """Give the number at which a sight is."""
    return folded.version if sight == "full" else folded.number(sight)


def steps(games: Games, lines: Iterable[bytes], sight: Sight) -> Iterator[Step]:
    """Go through a log and stop at every record that a sight is shown."""
    told: ToldRecord | None = None
    for folded, record in folds(games, lines, () if sight == "full" else (sight,)):
        before = told
        told = _full(record) if sight == "full" else folded.latest.get(sight)
        if told is not None and told is not before:
            yield Step(told, record, folded)


def picture(
    folded: Folded, sight: Sight, names: Mapping[str, str] | None = None
) -> MatchView | FullView:
    """Give what a sight sees of a fold; `names` are the players' by id."""
    if sight != "full":
        return match_view(folded.match, sight, folded.receipt(sight), dict(names or {}))
    match = folded.match
    running = match.status == "running"
    return FullView(
        version=match.version,
        head=folded.head,
        at=at_text(match.at),
        status=match.status,
        header=match.header,
        chairs=match.chairs,
        waiting=sorted(match.game.waiting(match.state)) if running else [],
        clocks=[match.clocks.get(seat) for seat in range(match.header.seats)],
        paused=match.paused,
        proposals=match.proposals,
        leavers=match.leavers,
        state=match.state,
        result=result(match),
    )


def plain(folded: Folded, sight: Sight) -> dict[str, Any]:
    """Give a picture as plain JSON values, which stay as they are when the fold goes on."""
    return msgspec.json.decode(msgspec.json.encode(picture(folded, sight)))


def _full(record: AnyRecord) -> ToldRecord:
    return ToldRecord(record.v, record.at, record.by, list(record.events), record.command)
