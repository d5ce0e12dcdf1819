"""A match folded from its log's bytes, with what the fold itself does not keep: hashes, command ids, told records."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from events.chain import ChainBroken
from events.codec import digest, unseal, unseal_header
from events.record import GENESIS, AnyRecord, at_micros
from games.game import AnyGame
from games.match.commands import By, FollowOrders, LeaveSeat, TakeSeat, TimeOut
from games.match.fold import Told, fold, open_match
from games.match.model import Match
from games.match.viewers import own_number

Viewer = int | None
SEATING: frozenset[type] = frozenset((TakeSeat, LeaveSeat))
"""Commands that change who sits where."""


class UnknownGame(Exception):
    """The log is of a game that is not here."""


class UnknownRules(UnknownGame):
    """The log was opened by a later release, under rules that are not here yet."""


ENCODER = msgspec.json.Encoder()


class ToldRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record as one viewer is shown it, under its own number."""

    v: int
    at: str
    by: By | None
    """None where the viewer may not know whose doing it is."""
    events: list[Any]
    command: Any = None
    """To its sender, until the match is finished."""


class Folded:
    """A match as of its last record, and the ways to bring it forward."""

    __slots__ = ("_told", "bytes_read", "hashes", "ids", "latest", "match", "players")

    def __init__(
        self, games: Mapping[str, AnyGame], first: bytes, followed: Iterable[Viewer] = ()
    ) -> None:
        """Open with record 1, keeping what the followed viewers are told.

        Raises `Unreadable`, `UnknownGame`, `ChainBroken`.
        """
        header = unseal_header(first).events[0]
        if (newest := games.get(header.game)) is None:
            raise UnknownGame(header.game)
        if header.rules > newest.version:
            raise UnknownRules(f"{header.game} under version {header.rules} of its rules")
        self.match: Match = open_match(newest.under(header.rules) or newest, header)
        self.hashes: list[str] = []
        self.ids: dict[tuple[str, str], int] = {}
        """(actor, command id) -> version."""
        self.players: dict[str, int] = {}
        """Player -> seat."""
        self.bytes_read = 0
        self._told: dict[Viewer, list[bytes]] = {viewer: [] for viewer in followed}
        self.latest: dict[Viewer, ToldRecord] = {}
        """By followed viewer, the last record that it was shown."""
        self.extend(first)

    @classmethod
    def of(
        cls,
        games: Mapping[str, AnyGame],
        lines: Iterable[bytes],
        followed: Iterable[Viewer] = (),
    ) -> "Folded":
        """Fold a whole log, of one record at least."""
        iterator = iter(lines)
        folded = cls(games, next(iterator), followed)
        for data in iterator:
            folded.extend(data)
        return folded

    def as_of(self, match: Match) -> "Folded":
        """Give an independent fold of the same log, from an earlier copy of its match; it follows nobody."""
        past = Folded.__new__(Folded)
        past.match = match
        past.hashes = self.hashes[: match.version]
        past.ids = {actor: at for actor, at in self.ids.items() if at <= match.version}
        past.players = seated(match)
        past.bytes_read = self.bytes_read
        past._told = {}  # noqa: SLF001 - one of our own kind
        past.latest = {}
        return past

    @property
    def decidable(self) -> bool:
        """Tell whether the match's own rules are here; where they are not, it can be read and no more."""
        return self.match.game.version == self.match.header.rules

    @property
    def version(self) -> int:
        """The log's version."""
        return self.match.version

    @property
    def head(self) -> str:
        """The hash of the last record."""
        return self.hashes[-1] if self.hashes else GENESIS

    def extend(self, data: bytes, record: AnyRecord | None = None) -> AnyRecord:
        """Fold the next record's bytes; `record` is what they decode to, if known."""
        match = self.match
        if record is None:
            record = unseal(match.game, match.header.rules, data)
        if record.v != match.version + 1:
            raise ChainBroken(match.version + 1, f"numbered {record.v}")
        if record.prev != self.head:
            raise ChainBroken(record.v, "does not follow from the record before")
        actor = self.actor(record.by, record.command)
        told = fold(
            match,
            record.v,
            at_micros(record.at),
            record.by,
            record.command,
            record.events,
            self._told,
        )
        self.hashes.append(digest(data))
        self.bytes_read += len(data)
        self.ids[actor, record.id] = record.v
        if type(record.command) in SEATING:
            self.players = seated(match)
        self._tell(record, told)
        return record

    def actor(self, by: By, command: Any) -> str:
        """Name who sent a command, for telling its id from the same id of somebody else."""
        if by.clock or type(command) is FollowOrders:
            return "clock"
        if by.seat is not None:
            return self.match.chairs[by.seat].player or f"seat {by.seat}"
        return by.player or by.operator or ""

    def _tell(self, record: AnyRecord, told: Told) -> None:
        for viewer, events in told.items():
            if (line := told_record(self.match, record, viewer, events)) is not None:
                self._told[viewer].append(ENCODER.encode(line))
                self.latest[viewer] = line

    def told(self, viewer: Viewer) -> list[bytes] | None:
        """Give all records as shown to a viewer, in JSON, if they have been followed for it."""
        return self._told.get(viewer)

    def follow(self, viewers: Collection[Viewer], lines: Iterable[bytes]) -> None:
        """Start to keep the told records of these viewers: from the whole log so far."""
        game = self.match.game
        past = Folded.of({game.slug: game}, lines, viewers)
        if past.version != self.version:
            raise ChainBroken(past.version + 1, "the log ends early")
        for viewer in viewers:
            self._told[viewer] = past.told(viewer) or []
            if viewer in past.latest:
                self.latest[viewer] = past.latest[viewer]

    def number(self, viewer: Viewer) -> int:
        """Give the viewer's own version."""
        return own_number(self.match, viewer, self.match.version)

    def receipt(self, viewer: Viewer, number: int | None = None) -> str:
        """Give the head that a viewer gets at a version of its own, the present one if not given."""
        shown = self.match.shown[viewer]
        at = len(shown) if number is None else number
        return self.hashes[shown[at - 1] - 1] if at else GENESIS


def seated(match: Match) -> dict[str, int]:
    """Give the players at the table, with their seats."""
    return {chair.player: seat for seat, chair in enumerate(match.chairs) if chair.player}


def told_record(
    match: Match, record: AnyRecord, viewer: Viewer, events: list[Any]
) -> ToldRecord | None:
    """Give a record just folded as a viewer is shown it; None if it isn't."""
    shown = match.shown[viewer]
    if not shown or shown[-1] != record.v:
        return None
    own = viewer is not None and record.by.seat == viewer
    by = record.by if own or events else None
    command = record.command if own and not isinstance(record.command, TimeOut) else None
    return ToldRecord(len(shown), record.at, by, events, command)
