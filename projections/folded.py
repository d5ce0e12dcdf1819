"""A match folded from the bytes of its log.

Besides the match, the fold keeps the trail of the log, and the records as shown to some of the
viewers.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from events.chain import PREV_BROKEN, ChainBroken, head_bytes_after
from events.codec import Unreadable, seal, unseal, unseal_header
from events.record import AnyRecord, Record, Record1, at_micros, at_text
from games.game import AnyGame
from games.match import states
from games.match.commands import Actor, FollowOrders, LeaveSeat, TakeSeat, TimeOut
from games.match.digest import digest
from games.match.events import MatchCreated
from games.match.fold import Told, fold, open_match
from games.match.model import Match
from games.match.seed import salt
from games.match.viewers import own_number
from games.wire import RecordedCommand, RecordedEvent, Time
from projections.told import told_event
from projections.trail import Trail
from projections.transcript import Transcript

Viewer = int | None
SEATING: frozenset[type] = frozenset((TakeSeat, LeaveSeat))
"""Commands that change who sits where."""


class UnknownGame(Exception):
    """The log belongs to a game that is not installed."""


class UnknownRules(UnknownGame):
    """The log was created by a later release, under rules that this release does not have."""


def why_not(error: Exception) -> str:
    """Return why a record cannot be folded, without its number."""
    if isinstance(error, ChainBroken):
        return error.why
    cause = (error.__cause__ if isinstance(error, Unreadable) else None) or error
    return f"{type(cause).__name__}: {cause}"


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


RecordFields = tuple[str, Actor, str, Any, tuple[Any, ...]]
"""Time, actor, command id, command and events of a record."""


class Decided(NamedTuple):
    """A command with the events that the rules decided, which is to become a record."""

    by: Actor
    id: str
    command: Any
    events: Sequence[Any]
    at: int
    """Time at which it was accepted (microseconds since 1970)."""
    state: Any = None
    """The game's state after the events, if the rules drafted it."""


class Draft(NamedTuple):
    """The next record, and the match after it. The log does not have it yet."""

    record: AnyRecord
    data: bytes
    match: Match
    told: Told


class Folded:
    """A match as of its last record. `extend` folds further records."""

    __slots__ = (
        "_redacted", "_told", "bytes_read", "last", "latest", "match", "opened_with", "players",
        "recorded_digest", "release", "trail",
    )  # fmt: skip

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        first: bytes,
        followed: Iterable[Viewer] = (),
        *,
        redacted: bool = False,
    ) -> None:
        """Fold record 1. The records as shown to the `followed` viewers are kept.

        With `redacted`, each event is redacted for all viewers, whoever is followed.
        Raises `Unreadable`, `UnknownGame`, `ChainBroken`.
        """
        self._open(games, unseal_header(first).events[0], followed)
        self._redacted = tuple(self.match.shown) if redacted else ()
        self.extend(first)

    @classmethod
    def opened(cls, games: Mapping[str, AnyGame], header: MatchCreated) -> "Folded":
        """Return the fold before record 1, which is to have this header."""
        folded = cls.__new__(cls)
        folded._open(games, header, ())  # noqa: SLF001 - the same class
        return folded

    def _open(
        self, games: Mapping[str, AnyGame], header: MatchCreated, followed: Iterable[Viewer]
    ) -> None:
        if (newest := games.get(header.game)) is None:
            raise UnknownGame(not_installed(header.game))
        if header.rules > newest.version:
            raise UnknownRules(
                f"rules version {header.rules} of {header.game} is not installed "
                f"(this release has {newest.version}): install a later release"
            )
        try:
            self.match: Match = open_match(newest.under(header.rules) or newest, header)
        except Exception as error:  # the options of a forged header may be anything
            raise Unreadable(f"record 1 cannot be applied: {error!r}") from error
        self.release = ""
        """The release that decided the last record; empty if the log does not say."""
        self.recorded_digest: str | None = None
        """The digest of the last record; None in format 1."""
        self.last = b""
        """The last record, as stored."""
        self.opened_with = ""
        """Command id of the first record, under which the match was created."""
        self.trail = Trail()
        self.players: dict[str, int] = {}
        """Seat by player."""
        self.bytes_read = 0
        self._redacted: tuple[Viewer, ...] = ()
        """All viewers, if events are redacted for them although they are not followed."""
        self._told: dict[Viewer, Transcript] = {viewer: Transcript() for viewer in followed}
        self.latest: dict[Viewer, ToldRecord] = {}
        """The last record shown to each followed viewer."""

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

    @classmethod
    def checked(
        cls, games: Mapping[str, AnyGame], lines: Iterable[bytes], service_seed: bytes
    ) -> "Folded":
        """Fold a whole log and check it against the digest of its last record.

        Raises `Unreadable`, `UnknownGame`, `ChainBroken`. Without the rules version of the match,
        the digest is not checked.
        """
        folded = cls.of(games, lines)
        if folded.decidable:
            folded.check_digest(service_seed)
        return folded

    def as_of(self, match: Match) -> "Folded":
        """Return an independent fold of the same log from an earlier copy of the match.

        The new fold follows no viewers.
        """
        past = Folded.__new__(Folded)
        past.match = match
        past.release, past.recorded_digest, past.last = "", None, b""
        past.opened_with, past.trail = self.opened_with, self.trail.until(match.version)
        past.players = seated(match)
        past.bytes_read = self.bytes_read
        past._told, past._redacted = {}, ()  # noqa: SLF001 - the same class
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
        """The head of the log, which stands for every byte of it."""
        return self.trail.head

    def draft(
        self,
        decided: Decided,
        service_seed: bytes,
        release: str,
        viewers: Collection[Viewer] = (),
    ) -> Draft:
        """Return the next record, which `release` decided. The fold stays as it is.

        It is redacted for `viewers`, besides those that are followed.
        """
        match = self.match.copy()
        version = match.version + 1
        by, command_id, command, events, at, state = decided
        wanted = self._redacted or dict.fromkeys((*self._told, *viewers))
        told = fold(match, version, at, by, command, events, wanted, state)
        if match.header.format == 1:
            proof = salt(service_seed, version)
        else:
            proof = digest(match, service_seed, self.head)
        fields = (at_text(at), by, command_id, command, tuple(events))
        record = self.next_record(fields, release, proof)
        return Draft(record, seal(record), match, told)

    def next_record(self, fields: RecordFields, release: str, proof: str) -> AnyRecord:
        """Return the next record, which `release` decided, from the fields of both formats.

        `proof` is its digest, or its salt in format 1.
        """
        version = self.match.version + 1
        if self.match.header.format == 1:
            return Record1(version, *fields, proof, self.head)
        return Record(version, *fields, proof, UNSET if release == self.release else release)

    def accept(self, draft: Draft) -> None:
        """Go on to a draft of this fold, whose record the log now has."""
        actor = self.actor(draft.record.by, draft.record.command)
        self.match = draft.match
        self._advance(draft.record, draft.data, actor, draft.told)

    def extend(self, data: bytes, record: AnyRecord | None = None) -> AnyRecord:
        """Fold the next record and return it.

        `record` is the decoded form of `data`, if the caller has it. Raises `Unreadable`,
        `ChainBroken`. After an error the fold is of no use.
        """
        match = self.match
        if record is None:
            record = unseal(match.game, match.header, data)
        if record.v != match.version + 1:
            raise ChainBroken(match.version + 1, f"has version {record.v}")
        if type(record) is Record1 and record.prev != self.head:
            raise ChainBroken(record.v, PREV_BROKEN)
        try:
            self.go_on(data, record, at_micros(record.at))
        except Exception as error:  # forged events may fail in any way
            raise Unreadable(f"record {record.v} cannot be applied: {error!r}") from error
        return record

    def go_on(self, data: bytes, record: AnyRecord, at: int, state: Any = None) -> None:
        """Fold the next record, which is known to fit.

        `at` is its time, and `state` the game's state after it, if the caller has one.
        """
        by, command = record.by, record.command
        actor = self.actor(by, command)
        wanted = self._redacted or self._told
        told = fold(self.match, record.v, at, by, command, record.events, wanted, state)
        self._advance(record, data, actor, told)

    def _advance(self, record: AnyRecord, data: bytes, actor: str, told: Told) -> None:
        match, trail = self.match, self.trail
        head = head_bytes_after(match.header.format, trail.head_bytes, data)
        trail.append(head, match.at, actor, record.id)
        self.last = data
        self.bytes_read += len(data)
        if record.v == 1:
            self.opened_with = record.id
        if type(record.command) in SEATING:
            self.players = seated(match)
        if type(record) is Record:
            self.recorded_digest = record.digest
            if record.release is not UNSET:
                self.release = record.release
        if self._told:
            self._tell(record, told)

    def check_digest(self, service_seed: bytes) -> None:
        """Check the digest of the last record, which covers the state and all records before.

        Raises `ChainBroken`. Records in format 1 have none.
        """
        if not self.fits_digest(service_seed):
            raise ChainBroken(self.version, "the digest does not fit the state and the log")

    def fits_digest(self, service_seed: bytes) -> bool:
        """Return whether the last record has the digest of this fold. It has none in format 1."""
        recorded = self.recorded_digest
        return recorded is None or recorded == self.computed_digest(service_seed)

    def computed_digest(self, service_seed: bytes) -> str:
        """Return the digest that the last record should have."""
        before = self.trail.head_at(len(self.trail) - 1)
        return digest(self.match, service_seed, before)

    def actor(self, by: Actor, command: Any) -> str:
        """Return a name for the actor of a command. Command ids are unique per actor."""
        if by.clock or type(command) is FollowOrders:
            return "clock"
        if by.seat is not None:
            return self.match.chairs[by.seat].player or f"seat {by.seat}"
        return by.player or by.operator or ""

    def _tell(self, record: AnyRecord, told: Told) -> None:
        same: dict[bytes, bytes] = {}
        for viewer, lines in self._told.items():
            if (line := told_record(self.match, record, viewer, told[viewer])) is not None:
                data = ENCODER.encode(line)
                lines.append(same.setdefault(data, data))
                self.latest[viewer] = line

    @property
    def followed(self) -> Collection[Viewer]:
        """The viewers whose records are kept as they are shown them."""
        return self._told.keys()

    def told(self, viewer: Viewer) -> Transcript | None:
        """Return all records as shown to a viewer. None if the viewer is not followed."""
        return self._told.get(viewer)

    def follow(self, viewers: Collection[Viewer], lines: Sequence[bytes]) -> None:
        """Start to follow viewers. `lines` is the whole log so far. Raises `ChainBroken`."""
        if len(lines) != self.version:
            raise ChainBroken(len(lines) + 1, "the log ends early")
        game = self.match.game
        past = Folded.of({game.slug: game}, lines, viewers)
        if past.head != self.head:
            raise ChainBroken(past.version, "the log has other records than this fold")
        for viewer in viewers:
            self._told[viewer] = past.told(viewer) or Transcript()
            if viewer in past.latest:
                self.latest[viewer] = past.latest[viewer]

    def pack(self) -> None:
        """Pack what is seldom read, to keep the match in memory."""
        states.pack(self.match)
        for transcript in self._told.values():
            transcript.pack()

    def number(self, viewer: Viewer) -> int:
        """Return the viewer's version."""
        return own_number(self.match, viewer, self.match.version)

    def public_version(self, now: int) -> int:
        """Return the last version of the log that spectators are shown at a time."""
        match = self.match
        if not match.spectators_behind:
            return match.version
        return max(match.started, bisect_right(self.trail.times, now - match.spectators_behind))

    def receipt(self, viewer: Viewer, number: int | None = None) -> str:
        """Return the receipt that a viewer gets at a viewer's version, by default the last."""
        shown = self.match.shown[viewer]
        place = len(shown) if number is None else number
        return self.trail.head_at(shown[place - 1] if place else 0)


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
    told = [told_event(match, event) for event in events]
    return ToldRecord(len(shown), match.header.game, record.at, by, told, command)
