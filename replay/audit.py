"""Audit a log: decide every recorded command again and compare bytes; where they differ, say how.

The fast way: decode a record without its events, decide its command, and encode what follows. If the bytes are the
recorded ones, then number, chain, salt, dice and events all hold. Only a record that fails this is looked at closely.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Literal, TypeVar, Union

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.chain import Head
from events.codec import ENCODER, Unreadable, digest, unseal
from events.record import AnyRecord, CommandId, Record
from games.chance import Sealed
from games.game import AnyGame, Illegal
from games.match.commands import MATCH_COMMAND_TYPES, By, MatchCommand, TimeOut
from games.match.decide import decide
from games.match.events import MatchAbandoned, MatchFinished
from games.match.seed import salt
from projections.folded import Folded, Viewer
from projections.views import result
from replay import branch
from replay.header import opened, reveal
from replay.redaction import Leak, strict
from replay.report import Check, Figures, Finding, Receipt, Report
from replay.surface import Surface, exact_micros
from replay.travel import Games
from replay.witnesses import projected, projection, receipts, signature, transcript

FINDINGS_MAX = 100
LISTED_MAX = 10
TEXT_MAX = 200
REVEALING = frozenset((MatchFinished, MatchAbandoned))

C = TypeVar("C")


class Evidence(msgspec.Struct, frozen=True):
    """What is audited, and what is known besides."""

    name: str
    lines: Sequence[bytes]
    match: str | None = None
    """The id under which the log was found."""
    head: Head | None = None
    """A signed head, such as the last line of an export."""
    parent: Sequence[bytes] = ()
    """A branch's parent's log, if it is known."""
    secret: bytes = b""
    """The service's part of the seed, where the log does not reveal it yet."""
    receipts: Sequence[Receipt] = ()
    transcripts: Mapping[Viewer, Sequence[bytes]] = {}
    """By viewer, the records in JSON as that viewer was sent them."""
    row: bytes | None = None
    """What the projections hold of the match; None where nobody has looked, empty where there is nothing."""
    findings: Sequence[Finding] = ()
    """What has been found already, in reading it."""


class Claim(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    """A record whose events nobody has looked at."""

    v: int
    at: str
    by: By
    id: CommandId
    command: C
    events: msgspec.Raw
    salt: str
    prev: str


@cache
def claims(game: AnyGame) -> msgspec.json.Decoder[Claim[Any]]:
    """Give the decoder of a game's claims."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value, not an annotation
    return msgspec.json.Decoder(Claim[commands])


def audit(
    games: Games, evidence: Evidence, key: Ed25519PublicKey | None = None, *, redaction: bool = True
) -> Report:
    """Check all that can be checked; `redaction` also tells every record to every viewer, which takes longer."""
    auditor = Auditor(games, evidence, redaction=redaction)
    for data in evidence.lines:
        auditor.read(data)
    return auditor.report(key)


class Auditor:
    """An audit under way."""

    def __init__(self, games: Games, evidence: Evidence, *, redaction: bool) -> None:
        """Start before the first line."""
        self._games = {slug: strict(game) for slug, game in games.items()} if redaction else games
        self._evidence = evidence
        self._redaction = redaction
        self._revealed = reveal(evidence.lines)
        self._surface = Surface()
        self._part = b""
        self._folded: Folded | None = None
        self._lost_at = 0
        """Place from which on nothing could be folded; 0: nowhere."""
        self._same_rules = False
        self._findings: list[Finding] = list(evidence.findings)
        self._decided = 0
        self._sealed: list[int] = []
        self._overdue = (0, 0)
        self._row = None if evidence.row is None else projected(evidence.row)

    def read(self, data: bytes) -> None:
        """Take the next line."""
        if self._surface.place == 0:
            self._open(data)
        elif not self._follows(data):
            self._examine(data)
        if (
            self._row is not None
            and self._folded is not None
            and self._folded.version == self._row.version
        ):
            self._findings += projection(self._row, self._folded.match)

    def _open(self, data: bytes) -> None:
        evidence = self._evidence
        followed = None if self._redaction else evidence.transcripts.keys()
        opening = opened(
            self._games, data, evidence.match, evidence.secret, self._revealed, followed
        )
        self._part, self._folded = opening.part, opening.folded
        self._same_rules = opening.same_rules
        self._findings += opening.findings
        self._findings += self._surface.read(data, self._part)
        self._decided += self._same_rules and not opening.findings
        self._lost_at = 1 if self._folded is None else 0

    def _follows(self, data: bytes) -> bool:
        """Decide the next record again; fold it and tell so if the same bytes come out."""
        folded, part = self._folded, self._part
        if folded is None or not self._same_rules:
            return False
        match = folded.match
        version = match.version + 1
        try:
            claim = claims(match.game).decode(data)
            at = exact_micros(claim.at)
            if at < match.at or strange(folded, claim.by, claim.id, claim.command):
                return False
            events = decide(match, claim.by, claim.command, at, part)
        except Exception:  # noqa: BLE001 - a forged record may break rules in any way; `_examine` says how
            return False
        record: AnyRecord = Record(
            version,
            claim.at,
            claim.by,
            claim.id,
            claim.command,
            self._unveiled(events),
            salt(part, version) if part else claim.salt,
            folded.head,
        )
        if ENCODER.encode(record) != data:
            return False
        self._decided += 1
        self._fold(folded, data, record, at)
        self._surface.advance(digest(data) if self._folded is None else folded.head, at)
        return True

    def _examine(self, data: bytes) -> None:
        """Say how the next record differs from what follows, and fold what it says."""
        findings = list(self._surface.read(data, self._part))
        self._findings += findings
        place = self._surface.place
        if (folded := self._folded) is None:
            return
        if any(finding.check in ("record", "number") for finding in findings):
            self._lose(place)
            return
        match = folded.match
        try:
            record = unseal(match.game, match.header.rules, data)
            at = exact_micros(record.at)
        except (Unreadable, ValueError) as error:
            self._find("record", str(error))
            self._lose(place)
            return
        if msgspec.json.encode(msgspec.json.decode(data)) != data or (
            self._same_rules and ENCODER.encode(record) != data
        ):
            self._find("bytes", "not the one encoding of what it says")
        if self._same_rules:
            self._redecide(folded, record, at)
        self._fold(folded, data, msgspec.structs.replace(record, prev=folded.head), at)

    def _redecide(self, folded: Folded, record: AnyRecord, at: int) -> None:
        if (why := strange(folded, record.by, record.id, record.command)) is not None:
            self._find(*why)
            if why[0] == "sender":
                return
        try:
            decided = decide(folded.match, record.by, record.command, at, self._part)
        except Sealed:
            self._sealed.append(record.v)
        except Illegal as error:
            check = "timeout" if isinstance(record.command, TimeOut) else "decision"
            self._find(check, f"refused: {error.code} {error.details or ''}".rstrip())
        except Exception as error:  # noqa: BLE001 - see above
            self._find("decision", f"the rules fail: {error!r}")
        else:
            difference = first_difference(record.events, self._unveiled(decided))
            if difference is None:
                self._decided += 1
            else:
                self._find("events", difference)

    def _fold(self, folded: Folded, data: bytes, record: AnyRecord, at: int) -> None:
        match = folded.match
        if match.clocks and match.paused is None:
            clock = match.clocks.get(-1 if record.by.seat is None else record.by.seat)
            if clock is not None and type(record.command) not in MATCH_COMMAND_TYPES:
                self._overdue = max(self._overdue, (at - clock.deadline, record.v))
        try:
            folded.extend(data, record)
        except Leak as leak:
            self._findings.append(Finding(record.v, "redaction", str(leak)))
            self._lose(record.v + 1)
        except Exception as error:  # noqa: BLE001 - events are folded as recorded, and may be forged
            self._findings.append(Finding(record.v, "fold", f"can't be folded: {error!r}"))
            self._lose(record.v + 1)

    def _unveiled(self, events: Sequence[Any]) -> tuple[Any, ...]:
        """Put the secret that the log reveals in place of the one that is not known."""
        if self._part:
            return tuple(events)
        secret = self._revealed.secret
        return tuple(
            msgspec.structs.replace(event, secret=secret) if type(event) in REVEALING else event
            for event in events
        )

    def _find(self, check: Check, message: str) -> None:
        self._findings.append(Finding(self._surface.place, check, message))

    def _lose(self, place: int) -> None:
        """Give the fold up: what follows can't be decided."""
        self._folded, self._lost_at = None, place

    def report(self, key: Ed25519PublicKey | None) -> Report:
        """Conclude, with the signing key if it is known."""
        self._hear_witnesses(key)
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
            head=self._surface.hashes[-1] if self._surface.hashes else None,
            result=match and msgspec.to_builtins(result(match)),
        )

    def _hear_witnesses(self, key: Ed25519PublicKey | None) -> None:
        evidence, folded = self._evidence, self._folded
        match = None if folded is None else folded.match
        hashes = self._surface.hashes
        if not hashes:
            self._findings.append(Finding(0, "file", "no record"))
        if evidence.head is not None:
            self._findings += signature(evidence.head, key, match, hashes)
        self._findings += receipts(evidence.receipts, match, hashes)
        if match is not None and match.header.branch is not None and evidence.parent:
            self._findings += branch.findings(self._games, match.header, evidence.parent)
        if self._row is not None and self._row.version > len(hashes):
            why = f"the row is at version {self._row.version}, but the log ends at {len(hashes)}"
            self._findings.append(Finding(0, "projection", why))
        elif evidence.row and self._row is None:
            self._findings.append(Finding(0, "projection", "the row can't be read"))
        if folded is not None:
            for viewer, sent in evidence.transcripts.items():
                told = folded.told(viewer) or []
                self._findings += transcript(viewer, sent, told, folded.match.shown[viewer])

    def _unchecked(self, key: Ed25519PublicKey | None) -> Iterator[str]:
        places = self._surface.place
        if self._evidence.row == b"":
            yield "projection: there is none of this match"
        elif self._row is not None and self._row.version < places:
            yield f"projection: it is at version {self._row.version} yet"
        if self._lost_at and self._lost_at <= places:
            yield f"decisions of records {self._lost_at} to {places}: what they follow on is not known"
        if not self._part:
            yield "salts: the secret is not known before the match ends"
        if self._sealed:
            yield f"dice of records {_listed(self._sealed)}: the secret is not known"
        header = self._folded and self._folded.match.header
        if header and header.branch is not None and not self._evidence.parent:
            yield f"start: the log of {header.branch.parent}, which it was forked from, is not known"
        if not self._redaction:
            yield "redaction: left out"
        if self._evidence.head is None:
            yield "signature: there is no signed head"
        elif key is None:
            yield "signature: the public key is not known"
        if len(self._findings) > FINDINGS_MAX:
            yield f"{len(self._findings) - FINDINGS_MAX} more findings are left out"


def strange(
    folded: Folded, by: By, command_id: str, command: Any
) -> tuple[Literal["sender", "command-id"], str] | None:
    """Tell what is wrong with a record's sender or command id, if anything is."""
    played = by.seat is not None or by.clock
    senders = played + (by.player is not None) + (by.operator is not None)
    if senders != 1:
        return "sender", f"sent by {senders} senders"
    chairs = folded.match.chairs
    if by.seat is not None and not (0 <= by.seat < len(chairs) and chairs[by.seat].taken):
        return "sender", f"nobody sits at seat {by.seat}"
    if by.player in folded.players:
        return "sender", f"{by.player} has a seat and acts for it"
    if (first := folded.ids.get((folded.actor(by, command), command_id))) is not None:
        return "command-id", f"record {first} has counted this command already"
    return None


def first_difference(recorded: Sequence[Any], decided: Sequence[Any]) -> str | None:
    """Name the first event that is recorded otherwise than it follows."""
    for place in range(max(len(recorded), len(decided))):
        was, follows = _text(recorded, place), _text(decided, place)
        if was != follows:
            return f"event {place + 1} is {was[:TEXT_MAX]}; {follows[:TEXT_MAX]} follows"
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
