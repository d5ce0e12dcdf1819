"""Audit a log: decide every recorded command again, and compare the records byte for byte.

The fast path decodes a record without its events, decides its command, and encodes the resulting
record. If the bytes equal the recorded ones, then version, head, dice and events are all correct,
and so is the state if the digest fits. Only a record that fails this comparison is examined in
detail.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from events.chain import Head, head_after
from events.codec import ENCODER, RECORD_BYTES_MAX, Unreadable, unseal
from events.errata import SignedErratum
from events.keyring import NO_KEYS, Keyring
from events.receipts import objection
from events.record import AnyRecord, Record, exact_micros
from games.chance import Sealed
from games.match import states
from games.match.commands import is_match_command
from games.match.decide import decide, outcome
from games.match.events import MatchCreated
from games.match.model import Match
from games.match.seed import salt
from projections.folded import Folded
from projections.summary import Summary, corrected, summary
from projections.views import result
from replay import branch
from replay.errata import Subject, explain
from replay.evidence import Evidence
from replay.findings import Findings
from replay.header import REVEALING, bytes_finding, check_header, digest_finding, reveal, too_long
from replay.raw_record import raw_decoder
from replay.redaction import Leak, strict
from replay.redecide import first_difference, refusal, sender_finding, sender_problem
from replay.report import Figures, Finding, Report, difference
from replay.surface import Surface, is_digest
from replay.travel import Games
from replay.witnesses import (
    check_receipts,
    check_row,
    check_signature,
    check_transcript,
    decode_row,
    doubt,
    is_about,
    named,
)

LISTED_MAX = 10
"""Maximum number of versions in a message."""


def audit(
    games: Games, evidence: Evidence, keys: Keyring = NO_KEYS, *, redaction: bool = True
) -> Report:
    """Check everything that the evidence allows.

    `keys` are the public keys of the service, if they are known. `redaction` also checks
    every record as shown to every viewer, which takes longer.
    """
    return audited(games, evidence, redaction=redaction).report(keys)


def audited(games: Games, evidence: Evidence, *, redaction: bool) -> "Auditor":
    """Return an audit that has read every line of a log."""
    auditor = Auditor(games, evidence, redaction=redaction)
    for data in evidence.lines:
        auditor.read(data)
    return auditor


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
        self._in_place = False
        """Whether commands are decided on the fold's own state: no viewer needs the one before."""
        self._bytes = 0
        self._header: MatchCreated | None = None
        self._found = Findings(evidence.findings)
        self._decided = 0
        self._sealed: list[int] = []
        self._digest_broken = 0
        """First record whose digest does not fit. 0 if the last one fits."""
        self._overdue = (0, 0)
        self._row = None if evidence.row is None else decode_row(evidence.row)
        self._summary: Summary | None = None
        """What the row should contain, without errata."""

    @property
    def heads(self) -> Sequence[str]:
        """The head after each line so far."""
        return self._surface.heads

    @property
    def version(self) -> int:
        """Number of lines so far."""
        return self._surface.place

    def read(self, data: bytes) -> None:
        """Check the next line."""
        self._bytes += len(data)
        if len(data) > RECORD_BYTES_MAX:
            self._found.add(too_long(self.version + 1, data))
        if not self._surface.heads:
            self._open(data)
        elif not self._follows(data):
            self._examine(data)
        if not self._revealed.place and (found := reveal([data])).place:
            self._revealed = found._replace(place=self.version)
        if self._row is not None and self._folded is not None:
            match = self._folded.match
            if match.version == self._row.version:
                self._summary = summary(match)

    def _open(self, data: bytes) -> None:
        header = check_header(
            self._games, data, self._evidence, self._revealed, redaction=self._redaction
        )
        self._service_seed, self._folded = header.service_seed, header.folded
        self._same_rules = header.same_rules
        if self._folded is not None:
            self._header = self._folded.match.header
            shown_to_all = self._folded.match.game.withheld == frozenset()
            followed = self._redaction or self._evidence.transcripts
            self._in_place = shown_to_all and not followed
        self._found.extend(header.findings)
        if any(finding.rule == "digest" for finding in header.findings):
            self._digest_broken = 1
        self._found.extend(self._surface.read(data, self._service_seed))
        self._decided += self._same_rules and not header.findings
        self._unfolded_from = 1 if self._folded is None else 0

    def _follows(self, data: bytes) -> bool:
        """Decide the next record again, and fold it in place if the bytes are the same.

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
            if not service_seed and match.header.format != 1 and not is_digest(raw.digest):
                return False
            decided, state = outcome(
                match, raw.by, raw.command, at, service_seed, in_place=self._in_place
            )
            events = tuple(decided) if service_seed else self._with_secret(decided)
            proof = raw.digest
            if match.header.format == 1:
                proof = salt(service_seed, raw.v) if service_seed else raw.salt
            fields = (raw.at, raw.by, raw.id, raw.command, events)
            record = folded.next_record(fields, raw.release or folded.release, proof)
        except Exception:  # noqa: BLE001 - forged records may fail anyhow; `_examine` reports it
            self._restore(match)
            return False
        if ENCODER.encode(record) != data:
            self._restore(match)
            return False
        self._decided += 1
        before = folded.head
        if not self._fold(folded, data, record, at, state):
            self._surface.advance(head_after(match.header.format, before, data), at)
            return True
        self._surface.advance(folded.head, at)
        if service_seed:
            self._check_digest(folded)
        return True

    def _restore(self, match: Match) -> None:
        """Bring back the state before a command that was decided in place."""
        if self._in_place and match.state is not None:
            match.state = states.state_after(match, len(match.line))

    def _examine(self, data: bytes) -> None:
        """Report how the next record differs from the decided one, and fold it as recorded."""
        findings = list(self._surface.read(data, self._service_seed))
        self._found.extend(findings)
        place = self._surface.place
        if (folded := self._folded) is None:
            return
        if any(finding.rule in ("record", "number") for finding in findings):
            self._stop_folding(place)
            return
        match = folded.match
        try:
            record = unseal(match.game, match.header, data)
            at = exact_micros(record.at)
        except (Unreadable, ValueError) as error:
            self._found.add(Finding("record", place, str(error)))
            self._stop_folding(place)
            return
        standard = msgspec.json.encode(msgspec.json.decode(data))
        if standard == data and self._same_rules:
            standard = ENCODER.encode(record)
        if standard != data:
            self._found.add(bytes_finding(place, standard, data))
        if self._same_rules:
            self._redecide(folded, record, at)
        if isinstance(record, Record) and record.release in ("", folded.release):
            why = "`release` is written, but the release has not changed"
            self._found.add(difference("bytes", place, why, "/release", UNSET, record.release))
        if self._fold(folded, data, record, at) and self._same_rules and self._service_seed:
            self._check_digest(folded)

    def _redecide(self, folded: Folded, record: AnyRecord, at: int) -> None:
        place = self._surface.place
        if (finding := sender_finding(folded, place, record)) is not None:
            self._found.add(finding)
            if finding.rule == "sender":
                return
        try:
            decided = decide(folded.match, record.by, record.command, at, self._service_seed)
            expected = decided if self._service_seed else self._with_secret(decided)
            finding = first_difference(place, record.events, expected)
        except Sealed:
            self._sealed.append(record.v)
            return
        except Exception as error:  # noqa: BLE001 - a forged record may fail in any way
            finding = refusal(place, record, error)
        if finding is None:
            self._decided += 1
        else:
            self._found.add(finding)

    def _note_delay(self, match: Match, record: AnyRecord, at: int) -> None:
        """Note how long after its deadline a command of a game was accepted."""
        clock = match.clocks.get(-1 if record.by.seat is None else record.by.seat)
        if clock is None or (late := at - clock.deadline) <= 0 or match.paused is not None:
            return
        if not is_match_command(record.command):
            self._overdue = max(self._overdue, (late, record.v))

    def _check_digest(self, folded: Folded) -> None:
        """Compare the digest of the record that was just folded."""
        if folded.fits_digest(self._service_seed):
            if folded.recorded_digest is not None:
                self._digest_broken = 0
                if self._found.listed:
                    self._found.agree(folded.version)
        elif not self._digest_broken:
            self._digest_broken = self._surface.place
            self._found.add(digest_finding(folded, self._service_seed))

    def _fold(
        self, folded: Folded, data: bytes, record: AnyRecord, at: int, state: Any = None
    ) -> bool:
        """Fold a record, and return whether that was possible."""
        if folded.match.clocks:
            self._note_delay(folded.match, record, at)
        try:
            folded.go_on(data, record, at, state)
        except Leak as leak:
            self._found.add(Finding("redaction", record.v, str(leak), path="/events"))
            self._stop_folding(record.v + 1)
        except Exception as error:  # noqa: BLE001 - forged events may fail in any way
            why = f"the events cannot be applied: {error!r}"
            self._found.add(Finding("fold", record.v, why, path="/events"))
            self._stop_folding(record.v + 1)
        return self._folded is not None

    def _with_secret(self, events: Sequence[Any]) -> tuple[Any, ...]:
        """Insert the secret that the log reveals, since the service seed is not known."""
        secret = self._revealed.secret
        return tuple(
            msgspec.structs.replace(event, secret=secret) if type(event) in REVEALING else event
            for event in events
        )

    def _stop_folding(self, place: int) -> None:
        """Discard the fold: later records cannot be decided."""
        self._folded, self._unfolded_from = None, place

    @property
    def over(self) -> bool:
        """Whether the match has ended, as far as it could be folded."""
        return self._folded is not None and self._folded.match.over

    @property
    def subject(self) -> Subject:
        """What errata must be about."""
        match = None if self._folded is None else self._folded.match
        heads = self._surface.heads
        return Subject(self._games, self._evidence.lines, self._service_seed, match, heads)

    def set_head(self, head: Head | None) -> None:
        """Take the signed head of the log as it is now; None if it has none."""
        self._evidence = msgspec.structs.replace(self._evidence, head=head)

    def report(self, keys: Keyring) -> Report:
        """Check the evidence besides the log, and return the report."""
        evidence, found, subject = self._evidence, self._found, self.subject
        match = subject.match
        made = explain(evidence.errata, found.listed, keys, subject, evidence.leaves)
        self._check_witnesses(keys, made.errata)
        why = self._doubt(keys)
        explained = [one.finding for one in made.explained]
        findings = [one for one in found.listed if one not in explained] + made.objections
        broken = findings or found.unlisted
        header = self._header
        return Report(
            name=evidence.name,
            verdict="broken" if broken else "unauthenticated" if why else "holds",
            findings=findings,
            unchecked=[*self._unchecked(why), *self._hints(keys)],
            figures=Figures(
                records=self._surface.place,
                bytes=self._bytes,
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
            errata=made.errata,
            explained=made.explained,
        )

    def _check_witnesses(self, keys: Keyring, errata: Sequence[SignedErratum]) -> None:
        evidence, folded = self._evidence, self._folded
        match = None if folded is None else folded.match
        heads = self._surface.heads
        if not heads:
            self._found.add(Finding("file", 0, "there are no records"))
        if evidence.head is not None:
            self._found.extend(check_signature(evidence.head, keys, match, heads))
        self._found.extend(check_receipts(evidence.receipts, keys, match, heads))
        if match is not None and match.over and not self._revealed.place:
            why = "the match has ended, but the secret is not revealed"
            self._found.add(Finding("commitment", match.version, why))
        if match is not None and match.header.branch is not None and evidence.parent:
            self._found.extend(branch.findings(self._games, match.header, evidence.parent))
        if self._row is not None and self._row.version > len(heads):
            why = f"the row is at version {self._row.version}, but the log ends at {len(heads)}"
            ends = len(heads)
            self._found.add(difference("projection", 0, why, "/version", ends, self._row.version))
        elif evidence.row and self._row is None:
            self._found.add(Finding("projection", 0, "the row cannot be read"))
        if self._row is not None and self._summary is not None:
            self._found.extend(check_row(self._row, corrected(self._summary, errata)))
        if folded is not None:
            for viewer, sent in evidence.transcripts.items():
                told, shown = list(folded.told(viewer) or ()), folded.match.shown.get(viewer, [])
                self._found.extend(check_transcript(viewer, sent, told, shown))

    def _doubt(self, keys: Keyring) -> str | None:
        """Return why nobody vouches for the log, or None if its service does."""
        evidence, folded = self._evidence, self._folded
        revealed = folded is None or folded.match.over
        own = evidence.own and evidence.secret and self._surface.format != 1 and not revealed
        return None if own else doubt(evidence.head, keys, self._surface.at, evidence.leaves)

    def _hints(self, keys: Keyring) -> Iterator[str]:
        """Yield why receipts prove nothing."""
        header = self._header
        for receipt in self._evidence.receipts:
            if header is not None and is_about(receipt, header.match):
                why = objection(receipt, keys)
                if why is not None:
                    yield f"receipt: {named(receipt)}: {why}"

    def _unchecked(self, why: str | None) -> Iterator[str]:
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
        if header and header.branch is None and self._evidence.parent:
            yield "start: the match is not a branch, so it has no parent"
        if self._evidence.errata and self._evidence.leaves is None:
            yield "errata: the checkpoint log, which must have a leaf of each, is not at hand"
        if not self._redaction:
            yield "redaction: skipped"
        if why is not None:
            yield f"signature: {why}"
        if self._found.unlisted:
            yield f"{self._found.unlisted} more findings are not listed"


def _listed(versions: Sequence[int]) -> str:
    shown = ", ".join(map(str, versions[:LISTED_MAX]))
    return (
        shown if len(versions) <= LISTED_MAX else f"{shown} and {len(versions) - LISTED_MAX} more"
    )
