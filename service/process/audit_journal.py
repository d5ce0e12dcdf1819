"""The journal of an audit: a file with one report per line, from which the audit is resumed.

A log is known by its head, not by its name. A log with the head of its last report need not be
audited again, unless it has errata. A log that has grown is audited again, and must still have the
head that an earlier audit has seen.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from replay.evidence import Evidence
from replay.report import Figures, Finding, Report, Rule, Verdict
from replay.surface import heads_of

CONTRADICTIONS: frozenset[Rule] = frozenset(("deleted", "cut", "rewritten", "archive"))
"""Rules about a log and another witness. If one is broken, the head proves nothing."""
ROOM = 1_000
"""Number of outdated lines that are always allowed."""


class BadJournal(Exception):
    """A file that cannot be used as a journal."""


class FoundRule(msgspec.Struct, frozen=True):
    """A finding in the journal. Other fields are ignored."""

    rule: str


class Records(msgspec.Struct, frozen=True):
    """The number of records of an audited log. Other fields are ignored."""

    records: int


class Line(msgspec.Struct, frozen=True):
    """The fields of a line that are needed to resume. Other fields are ignored."""

    name: str
    verdict: Verdict
    figures: Records
    findings: Sequence[FoundRule]
    head: str | None = None
    row: str = ""


LINES = msgspec.json.Decoder(Line)


class Audited(msgspec.Struct, frozen=True, gc=False):
    """What the journal knows of a log."""

    version: int
    """Number of records at the last audit."""
    head: bytes
    """The head after them; empty if there were none."""
    verdict: Verdict
    """The verdict of the last audit."""
    seen_version: int = 0
    """Number of records at the last audit that no other witness contradicted."""
    seen_head: bytes = b""
    """The head after them."""
    row: bytes = b""
    """Digest of the row that follows from the log; empty if it is not known."""
    wrong_row: bool = False
    """Whether the last audit had a finding about the row."""

    @property
    def ok(self) -> bool:
        """Whether the last audit had no findings."""
        return self.verdict != "broken"

    def is_head_of(self, heads: Sequence[str]) -> bool:
        """Return whether a log with these heads is the one that was audited."""
        return self.version == len(heads) and (not heads or self.head.hex() == heads[-1])

    def contradicted_by(self, heads: Sequence[str]) -> Finding | None:
        """Return the finding if a log with these heads has lost the head that was seen."""
        version, seen = self.seen_version, self.seen_head.hex()
        if version > len(heads):
            why = f"the log ends at {len(heads)}, but an earlier audit has seen record {version}"
            return Finding("cut", len(heads), why)
        if version and heads[version - 1] != seen:
            why = f"the hash is {heads[version - 1]}, but an earlier audit has seen {seen}"
            return Finding("rewritten", version, why)
        return None


def changed(log: Evidence, audited: Audited | None) -> Evidence | None:
    """Return a log with what contradicts the journal; None if it is as it was audited."""
    if audited is None:
        return log
    heads = heads_of(log.lines)
    if audited.is_head_of(heads) and not log.errata and not (audited.ok and log.findings):
        return None
    lost = audited.contradicted_by(heads)
    found = log.findings if lost is None else [*log.findings, lost]
    return msgspec.structs.replace(log, findings=found)


class Journal:
    """The reports of earlier audits, by the name of the log, and the file for new ones.

    Only one process can use a file.
    """

    def __init__(self, path: Path) -> None:
        """Read the reports. A truncated last line does not count.

        Raises `BadJournal`, `OSError`.
        """
        self._path = path
        self._audited: dict[str, Audited] = {}
        self._failed = 0
        self._wrong_rows = 0
        self._unsigned = 0
        self._lines = 0
        self._file = path.open("a+b")
        _claim(self._file, path)
        try:
            self._read()
        except msgspec.DecodeError as error:
            self._file.close()
            raise BadJournal(f"{path} is not a journal of reports: {error}.") from None

    def __enter__(self) -> Self:
        """Return the open journal."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def audited(self) -> Mapping[str, Audited]:
        """What is known of each log, by its name."""
        return self._audited

    @property
    def failed(self) -> int:
        """Number of logs whose last report has findings."""
        return self._failed

    @property
    def wrong_rows(self) -> int:
        """Number of logs whose last report has a finding about the row."""
        return self._wrong_rows

    @property
    def unsigned(self) -> int:
        """Number of logs that nobody vouched for at the last audit."""
        return self._unsigned

    def add(self, report: Report, row: bytes = b"") -> None:
        """Append a report and the digest of the row that follows from the log, and flush it."""
        line = msgspec.structs.asdict(report) | {"row": row.hex()}
        data = msgspec.json.encode(line) + b"\n"
        self._file.write(data)
        self._file.flush()
        self._note(LINES.decode(data))

    def _read(self) -> None:
        self._file.seek(0)
        size = 0
        for data in self._file:
            if not data.endswith(b"\n"):
                break
            self._note(LINES.decode(data))
            size += len(data)
        self._file.truncate(size)

    def compact(self) -> None:
        """Remove outdated reports from the file if most of its reports are outdated."""
        if self._lines <= 2 * len(self._audited) + ROOM:
            return
        path = self._path.with_name(f"{self._path.name}.new")
        with path.open("wb") as file:
            file.writelines(self._current())
        file = path.open("a+b")
        _claim(file, path)
        path.replace(self._path)
        self._file.close()
        self._file = file

    def _current(self) -> Iterator[bytes]:
        """Yield the last line of each log, and its last line that no other witness contradicts."""
        self._file.seek(0)
        needed: dict[str, tuple[int, int]] = {}
        for number, data in enumerate(self._file):
            line = LINES.decode(data)
            seen = needed.get(line.name, (number, number))[1]
            needed[line.name] = (number, number if _is_seen(line) else seen)
        numbers = {number for pair in needed.values() for number in pair}
        self._lines = len(numbers)
        self._file.seek(0)
        yield from (data for number, data in enumerate(self._file) if number in numbers)

    def _note(self, line: Line) -> None:
        before = self._audited.get(line.name)
        self._failed += (line.verdict == "broken") - (before is not None and not before.ok)
        self._unsigned += line.verdict == "unauthenticated"
        self._unsigned -= before is not None and before.verdict == "unauthenticated"
        wrong_row = any(finding.rule == "projection" for finding in line.findings)
        self._wrong_rows += wrong_row - (before is not None and before.wrong_row)
        version, head = line.figures.records, bytes.fromhex(line.head or "")
        seen = (version, head)
        if not _is_seen(line):
            seen = (0, b"") if before is None else (before.seen_version, before.seen_head)
        self._audited[line.name] = Audited(
            version, head, line.verdict, *seen, bytes.fromhex(line.row), wrong_row
        )
        self._lines += 1


def forgotten() -> Finding:
    """Return the finding about a log that is gone, and of which only the journal knows."""
    why = "the log is in neither the store nor the archive, but was audited before"
    return Finding("deleted", 0, why)


def without_records(name: str, *findings: Finding) -> Report:
    """Return the report on something that has no records."""
    return Report(name, "broken", findings=findings, unchecked=(), figures=Figures(0, 0, 0, 0, 0))


def _is_seen(line: Line) -> bool:
    contradicted = any(finding.rule in CONTRADICTIONS for finding in line.findings)
    return line.head is not None and not contradicted


def _claim(file: BinaryIO, path: Path) -> None:
    """Lock a journal for this process. Raises `BadJournal` if another process uses it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_current = os.path.samestat(os.fstat(file.fileno()), path.stat())
    except BlockingIOError:
        is_current = False
    if not is_current:
        file.close()
        raise BadJournal(f"{path} is in use: another audit writes to it.")
