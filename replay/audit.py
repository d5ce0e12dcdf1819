"""Audit a log: decide every recorded command again, and compare the records byte for byte.

The fast path decodes a record without its events, decides its command, and encodes the resulting
record. If the bytes equal the recorded ones, then version, head, dice, events and state are all
correct. Only a record that fails this comparison is examined in detail.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Literal, TypeVar, Union

import msgspec

from events.chain import Head
from events.codec import ENCODER, Unreadable, unseal
from events.ed25519 import Ed25519PublicKey
from events.record import AnyRecord, CommandId, Record, Record1
from games.chance import Sealed
from games.game import AnyGame, Illegal
from games.match.commands import Actor, MatchCommand, TimeOut, is_match_command
from games.match.decide import decide
from games.match.model import Match
from projections.folded import Decided, Folded, Viewer
from projections.views import result
from replay import branch
from replay.header import DIGEST_BROKEN, REVEALING, check_header, reveal
from replay.redaction import Leak, strict
from replay.report import Check, Figures, Finding, Receipt, Report
from replay.surface import Surface, exact_micros
from replay.travel import Games
from replay.witnesses import (
    check_receipts,
    check_row,
    check_signature,
    check_transcript,
    decode_row,
)

FINDINGS_MAX = 100
"""Maximum number of findings in a report."""
LISTED_MAX = 10
"""Maximum number of versions in a message."""
TEXT_MAX = 200
"""Maximum length of an event in a message (characters)."""

C = TypeVar("C")


class Evidence(msgspec.Struct, frozen=True):
    """The log to audit, and everything else that is known about the match."""

    name: str
    """Name for the report: a match's id or a file."""
    lines: Sequence[bytes]
    """Bytes of the records."""
    match: str | None = None
    """The id under which the log was found."""
    head: Head | None = None
    """A signed head, such as the last line of an export."""
    parent: Sequence[bytes] = ()
    """For a branch, the log of its parent. Empty if it is not known."""
    secret: bytes = b""
    """The service seed. Empty if it is not known from elsewhere than the log."""
    receipts: Sequence[Receipt] = ()
    """Receipts that players were given."""
    transcripts: Mapping[Viewer, Sequence[bytes]] = {}
    """The records that each viewer was sent, in JSON."""
    row: bytes | None = None
    """The match's row in the projections, empty if there is none. None skips this check."""
    findings: Sequence[Finding] = ()
    """Findings from reading the log."""


class RawRecord(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    """A record whose events are not decoded."""

    v: int
    at: str
    by: Actor
    id: CommandId
    command: C
    events: msgspec.Raw
    digest: str = ""
    """Since record format 2."""
    release: str = ""
    """Since record format 2."""
    salt: str = ""
    """Record format 1."""
    prev: str = ""
    """Record format 1."""


@cache
def raw_decoder(game: AnyGame) -> msgspec.json.Decoder[RawRecord[Any]]:
    """Return the decoder of a game's records that leaves events undecoded."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value
    return msgspec.json.Decoder(RawRecord[commands])


def audit(
    games: Games, evidence: Evidence, key: Ed25519PublicKey | None = None, *, redaction: bool = True
) -> Report:
    """Check everything that the evidence allows.

    `key` is the service's public key, if it is known. `redaction` also checks every record as
    shown to every viewer, which takes longer.
    """
    auditor = Auditor(games, evidence, redaction=redaction)
    for data in evidence.lines:
        auditor.read(data)
    return auditor.report(key)


class Auditor:
    """An audit in progress: `read` every line, then ask for the `report`."""

    def __init__(self, games: Games, evidence: Evidence, *, redaction: bool) -> None:
        """Start before the first line."""
        self._games = {slug: strict(game) for slug, game in games.items()} if redaction else games
        self._evidence = evidence
        self._redaction = redaction
        self._revealed = reveal(evidence.lines)
        self._surface = Surface()
        self._service_seed = b""
        self._folded: Folded | None = None
        self._unfolded_from = 0
        """First record that could not be folded. 0 if all could."""
        self._same_rules = False
        self._findings: list[Finding] = list(evidence.findings)
        self._decided = 0
        self._sealed: list[int] = []
        self._digest_broken = 0
        """First record whose digest does not fit. 0 if all do."""
        self._overdue = (0, 0)
        self._row = None if evidence.row is None else decode_row(evidence.row)

    def read(self, data: bytes) -> None:
        """Check the next line."""
        if self._surface.place == 0:
            self._open(data)
        elif not self._follows(data):
            self._examine(data)
        if (
            self._row is not None
            and self._folded is not None
            and self._folded.version == self._row.version
        ):
            self._findings += check_row(self._row, self._folded.match)

    def _open(self, data: bytes) -> None:
        evidence = self._evidence
        followed = None if self._redaction else evidence.transcripts.keys()
        header = check_header(
            self._games, data, evidence.match, evidence.secret, self._revealed, followed
        )
        self._service_seed, self._folded = header.service_seed, header.folded
        self._same_rules = header.same_rules
        self._findings += header.findings
        if any(finding.check == "digest" for finding in header.findings):
            self._digest_broken = 1
        self._findings += self._surface.read(data, self._service_seed)
        self._decided += self._same_rules and not header.findings
        self._unfolded_from = 1 if self._folded is None else 0

    def _follows(self, data: bytes) -> bool:
        """Decide the next record again, and fold it if the bytes are the same.

        Returns whether they are the same.
        """
        folded, service_seed = self._folded, self._service_seed
        if folded is None or not self._same_rules:
            return False
        match = folded.match
        try:
            raw = raw_decoder(match.game).decode(data)
            at = exact_micros(raw.at)
            if at < match.at or sender_problem(folded, raw.by, raw.id, raw.command):
                return False
            events = self._with_secret(decide(match, raw.by, raw.command, at, service_seed))
            decided = Decided(raw.by, raw.id, raw.command, events, at)
            release = raw.release or folded.release
            draft = folded.draft(decided, service_seed, release, raw.digest or raw.salt)
        except Exception:  # noqa: BLE001 - forged records may fail anyhow; `_examine` reports it
            return False
        if draft.data != data:
            return False
        self._decided += 1
        self._note_delay(match, draft.record, at)
        folded.accept(draft)
        self._surface.advance(folded.head, at)
        return True

    def _examine(self, data: bytes) -> None:
        """Report how the next record differs from the decided one, and fold it as recorded."""
        findings = list(self._surface.read(data, self._service_seed))
        self._findings += findings
        place = self._surface.place
        if (folded := self._folded) is None:
            return
        if any(finding.check in ("record", "number") for finding in findings):
            self._stop_folding(place)
            return
        match = folded.match
        try:
            record = unseal(match.game, match.header, data)
            at = exact_micros(record.at)
        except (Unreadable, ValueError) as error:
            self._find("record", str(error))
            self._stop_folding(place)
            return
        if msgspec.json.encode(msgspec.json.decode(data)) != data or (
            self._same_rules and ENCODER.encode(record) != data
        ):
            self._find("bytes", "the line is not encoded in the standard form")
        if self._same_rules:
            self._redecide(folded, record, at)
        if isinstance(record, Record) and record.release in ("", folded.release):
            self._find("bytes", "`release` is written, but the release has not changed")
        self._fold(folded, data, record, at)
        if self._same_rules and self._service_seed and not self._digest_broken:
            self._check_digest()

    def _redecide(self, folded: Folded, record: AnyRecord, at: int) -> None:
        if (why := sender_problem(folded, record.by, record.id, record.command)) is not None:
            self._find(*why)
            if why[0] == "sender":
                return
        try:
            decided = decide(folded.match, record.by, record.command, at, self._service_seed)
        except Sealed:
            self._sealed.append(record.v)
        except Illegal as error:
            check = "timeout" if isinstance(record.command, TimeOut) else "decision"
            self._find(check, f"refused: {error.code} {error.details or ''}".rstrip())
        except Exception as error:  # noqa: BLE001 - a forged record may fail in any way
            self._find("decision", f"the rules failed on the command: {error!r}")
        else:
            difference = first_difference(record.events, self._with_secret(decided))
            if difference is None:
                self._decided += 1
            else:
                self._find("events", difference)

    def _note_delay(self, match: Match, record: AnyRecord, at: int) -> None:
        """Note how long after its deadline a command of a game was accepted."""
        if match.clocks and match.paused is None:
            clock = match.clocks.get(-1 if record.by.seat is None else record.by.seat)
            if clock is not None and not is_match_command(record.command):
                self._overdue = max(self._overdue, (at - clock.deadline, record.v))

    def _check_digest(self) -> None:
        """Compare the digest of the record that was just folded; later ones follow from it."""
        folded = self._folded
        if folded is not None and not folded.fits_digest(self._service_seed):
            self._digest_broken = self._surface.place
            self._find("digest", DIGEST_BROKEN)

    def _fold(self, folded: Folded, data: bytes, record: AnyRecord, at: int) -> None:
        if isinstance(record, Record1):
            record = msgspec.structs.replace(record, prev=folded.head)
        self._note_delay(folded.match, record, at)
        try:
            folded.extend(data, record)
        except Leak as leak:
            self._findings.append(Finding(record.v, "redaction", str(leak)))
            self._stop_folding(record.v + 1)
        except Exception as error:  # noqa: BLE001 - forged events may fail in any way
            why = f"the events cannot be applied: {error!r}"
            self._findings.append(Finding(record.v, "fold", why))
            self._stop_folding(record.v + 1)

    def _with_secret(self, events: Sequence[Any]) -> tuple[Any, ...]:
        """Insert the secret that the log reveals, if the service seed is not known."""
        if self._service_seed:
            return tuple(events)
        secret = self._revealed.secret
        return tuple(
            msgspec.structs.replace(event, secret=secret) if type(event) in REVEALING else event
            for event in events
        )

    def _find(self, check: Check, message: str) -> None:
        self._findings.append(Finding(self._surface.place, check, message))

    def _stop_folding(self, place: int) -> None:
        """Discard the fold: later records cannot be decided."""
        self._folded, self._unfolded_from = None, place

    def report(self, key: Ed25519PublicKey | None) -> Report:
        """Check the evidence besides the log, and return the report."""
        self._check_witnesses(key)
        found = self._findings
        match = None if self._folded is None else self._folded.match
        header = None if match is None else match.header
        return Report(
            name=self._evidence.name,
            ok=not found,
            findings=found[:FINDINGS_MAX],
            unchecked=[*self._unchecked(key)],
            figures=Figures(
                records=self._surface.place,
                bytes=sum(map(len, self._evidence.lines)),
                decided=self._decided,
                sealed=len(self._sealed),
                overdue_us=self._overdue[0],
                overdue_at=self._overdue[1],
            ),
            match=header and header.match,
            game=header and header.game,
            rules=header and header.rules,
            status=match and match.status,
            head=self._surface.heads[-1] if self._surface.heads else None,
            result=match and msgspec.to_builtins(result(match)),
        )

    def _check_witnesses(self, key: Ed25519PublicKey | None) -> None:
        evidence, folded = self._evidence, self._folded
        match = None if folded is None else folded.match
        heads = self._surface.heads
        if not heads:
            self._findings.append(Finding(0, "file", "there are no records"))
        if evidence.head is not None:
            self._findings += check_signature(evidence.head, key, match, heads)
        self._findings += check_receipts(evidence.receipts, match, heads)
        if match is not None and match.over and not self._revealed.place:
            why = "the match has ended, but the secret is not revealed"
            self._findings.append(Finding(match.version, "commitment", why))
        if match is not None and match.header.branch is not None and evidence.parent:
            self._findings += branch.findings(self._games, match.header, evidence.parent)
        if self._row is not None and self._row.version > len(heads):
            why = f"the row is at version {self._row.version}, but the log ends at {len(heads)}"
            self._findings.append(Finding(0, "projection", why))
        elif evidence.row and self._row is None:
            self._findings.append(Finding(0, "projection", "the row cannot be read"))
        if folded is not None:
            for viewer, sent in evidence.transcripts.items():
                told = folded.told(viewer) or []
                self._findings += check_transcript(viewer, sent, told, folded.match.shown[viewer])

    def _unchecked(self, key: Ed25519PublicKey | None) -> Iterator[str]:
        places = self._surface.place
        if self._evidence.row == b"":
            yield "projection: the match has no row"
        elif self._row is not None and self._row.version < places:
            yield f"projection: the row is still at version {self._row.version}"
        if self._unfolded_from and self._unfolded_from <= places:
            records = f"records {self._unfolded_from} to {places}"
            yield f"decisions of {records}: the state before them is unknown"
        if not self._service_seed:
            hidden = "salts" if self._surface.format == 1 else "digests"
            yield f"{hidden}: the service seed is not known before the match ends"
        if 0 < self._digest_broken < places:
            later = f"records {self._digest_broken + 1} to {places}"
            yield f"digests of {later}: they follow from the one that does not fit"
        if self._sealed:
            yield f"dice of records {_listed(self._sealed)}: the service seed is not known"
        header = self._folded and self._folded.match.header
        if header and header.branch is not None and not self._evidence.parent:
            yield f"start: the log of the parent {header.branch.parent} is not known"
        if not self._redaction:
            yield "redaction: skipped"
        if self._evidence.head is None:
            yield "signature: there is no signed head"
        elif key is None:
            yield "signature: the public key is not known"
        if len(self._findings) > FINDINGS_MAX:
            yield f"{len(self._findings) - FINDINGS_MAX} more findings are not listed"


def sender_problem(
    folded: Folded, by: Actor, command_id: str, command: Any
) -> tuple[Literal["sender", "command-id"], str] | None:
    """Return the failed check of a record's actor or command id with the reason, or None."""
    played = by.seat is not None or by.clock
    senders = played + (by.player is not None) + (by.operator is not None)
    if senders != 1:
        return "sender", f"expected exactly one actor, found {senders}"
    chairs = folded.match.chairs
    if by.seat is not None and not (0 <= by.seat < len(chairs) and chairs[by.seat].taken):
        return "sender", f"seat {by.seat} is empty or does not exist"
    if by.player in folded.players:
        seat = folded.players[by.player]
        return "sender", f"{by.player} has seat {seat}, but acts without it"
    if (first := folded.ids.get((folded.actor(by, command), command_id))) is not None:
        return "command-id", f"record {first} already has this command"
    return None


def first_difference(recorded: Sequence[Any], decided: Sequence[Any]) -> str | None:
    """Describe the first event that differs from the recorded one. None if all are equal."""
    for place in range(max(len(recorded), len(decided))):
        found, expected = _text(recorded, place), _text(decided, place)
        if found != expected:
            return f"event {place + 1} is {found[:TEXT_MAX]}, expected {expected[:TEXT_MAX]}"
    return None


def _text(events: Sequence[Any], place: int) -> str:
    if place >= len(events):
        return "nothing"
    return ENCODER.encode(events[place]).decode()


def _listed(versions: Sequence[int]) -> str:
    shown = ", ".join(map(str, versions[:LISTED_MAX]))
    return (
        shown if len(versions) <= LISTED_MAX else f"{shown} and {len(versions) - LISTED_MAX} more"
    )
