"""A match folded from the bytes of its log.

Besides the match, the fold keeps the hashes of the records, the command ids, and the records as
shown to some of the viewers.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from events.chain import ChainBroken
from events.codec import digest, unseal, unseal_header
from events.record import GENESIS, AnyRecord, at_micros
from games.game import AnyGame
from games.match.commands import Actor, FollowOrders, LeaveSeat, TakeSeat, TimeOut
from games.match.fold import Told, fold, open_match
from games.match.model import Match
from games.match.viewers import own_number
from games.wire import RecordedCommand, RecordedEvent, Time
from projections.told import told_event

Viewer = int | None
SEATING: frozenset[type] = frozenset((TakeSeat, LeaveSeat))
"""Commands that change who sits where."""


class UnknownGame(Exception):
    """The log belongs to a game that is not installed."""


class UnknownRules(UnknownGame):
    """The log was created by a later release, under rules that this release does not have."""


def not_installed(slug: str) -> str:
    """Return what is wrong with the log of a game that is not installed, and the way out."""
    return f"the game {slug} is not installed: install the package that declares it"


ENCODER = msgspec.json.Encoder()


class ToldRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record as one viewer is shown it."""

    v: int
    """The viewer's version."""
    game: str
    at: Time
    by: Actor | None
    """None if the actor is hidden from this viewer."""
    events: list[RecordedEvent]
    """Events as redacted for the viewer."""
    command: RecordedCommand | None = None
    """Shown only to the seat that sent it."""


class Folded:
    """A match as of its last record. `extend` folds further records."""

    __slots__ = ("_told", "bytes_read", "hashes", "ids", "latest", "match", "players")

    def __init__(
        self, games: Mapping[str, AnyGame], first: bytes, followed: Iterable[Viewer] = ()
    ) -> None:
        """Fold record 1. The records as shown to the `followed` viewers are kept.

        Raises `Unreadable`, `UnknownGame`, `ChainBroken`.
        """
        header = unseal_header(first).events[0]
        if (newest := games.get(header.game)) is None:
            raise UnknownGame(not_installed(header.game))
        if header.rules > newest.version:
            raise UnknownRules(
                f"rules version {header.rules} of {header.game} is not installed "
                f"(this release has {newest.version}): install a later release"
            )
        self.match: Match = open_match(newest.under(header.rules) or newest, header)
        self.hashes: list[str] = []
        self.ids: dict[tuple[str, str], int] = {}
        """Version by actor and command id."""
        self.players: dict[str, int] = {}
        """Seat by player."""
        self.bytes_read = 0
        self._told: dict[Viewer, list[bytes]] = {viewer: [] for viewer in followed}
        self.latest: dict[Viewer, ToldRecord] = {}
        """The last record shown to each followed viewer."""
        self.extend(first)

    @classmethod
    def of(
        cls,
        games: Mapping[str, AnyGame],
        lines: Iterable[bytes],
        followed: Iterable[Viewer] = (),
    ) -> "Folded":
        """Fold a whole log of at least one record."""
        iterator = iter(lines)
        folded = cls(games, next(iterator), followed)
        for data in iterator:
            folded.extend(data)
        return folded

    def as_of(self, match: Match) -> "Folded":
        """Return an independent fold of the same log from an earlier copy of the match.

        The new fold follows no viewers.
        """
        past = Folded.__new__(Folded)
        past.match = match
        past.hashes = self.hashes[: match.version]
        past.ids = {key: version for key, version in self.ids.items() if version <= match.version}
        past.players = seated(match)
        past.bytes_read = self.bytes_read
        past._told = {}  # noqa: SLF001 - the same class
        past.latest = {}
        return past

    @property
    def decidable(self) -> bool:
        """Whether this release has the rules version of the match. Otherwise it is read-only."""
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
        """Fold the next record and return it.

        `record` is the decoded form of `data`, if the caller has it. Raises `Unreadable`,
        `ChainBroken`.
        """
        match = self.match
        if record is None:
            record = unseal(match.game, match.header.rules, data)
        if record.v != match.version + 1:
            raise ChainBroken(match.version + 1, f"has version {record.v}")
        if record.prev != self.head:
            raise ChainBroken(record.v, "`prev` is not the hash of the record before")
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

    def actor(self, by: Actor, command: Any) -> str:
        """Return a name for the actor of a command. Command ids are unique per actor."""
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
        """Return all records as shown to a viewer, in JSON. None if the viewer is not followed."""
        return self._told.get(viewer)

    def follow(self, viewers: Collection[Viewer], lines: Iterable[bytes]) -> None:
        """Start to follow viewers. `lines` is the whole log so far. Raises `ChainBroken`."""
        game = self.match.game
        past = Folded.of({game.slug: game}, lines, viewers)
        if past.version != self.version:
            raise ChainBroken(past.version + 1, "the log ends early")
        for viewer in viewers:
            self._told[viewer] = past.told(viewer) or []
            if viewer in past.latest:
                self.latest[viewer] = past.latest[viewer]

    def number(self, viewer: Viewer) -> int:
        """Return the viewer's version."""
        return own_number(self.match, viewer, self.match.version)

    def receipt(self, viewer: Viewer, number: int | None = None) -> str:
        """Return the receipt that a viewer gets at a viewer's version, by default the last."""
        shown = self.match.shown[viewer]
        place = len(shown) if number is None else number
        return self.hashes[shown[place - 1] - 1] if place else GENESIS


def seated(match: Match) -> dict[str, int]:
    """Return the seat of each player at the table."""
    return {chair.player: seat for seat, chair in enumerate(match.chairs) if chair.player}


def told_record(
    match: Match, record: AnyRecord, viewer: Viewer, events: list[Any]
) -> ToldRecord | None:
    """Return the record that was just folded as a viewer is shown it, or None if it is hidden."""
    shown = match.shown[viewer]
    if not shown or shown[-1] != record.v:
        return None
    own = viewer is not None and record.by.seat == viewer
    by = record.by if own or events else None
    command = record.command if own and not isinstance(record.command, TimeOut) else None
    told = [told_event(event) for event in events]
    return ToldRecord(len(shown), match.header.game, record.at, by, told, command)
