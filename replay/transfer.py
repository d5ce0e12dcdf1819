"""Logs as files: exports, which are trusted if their signature is valid, and untrusted uploads.

An uploaded log can be browsed up to the last sound record: the one before the first that does not
follow from the records before it.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec

from events import file, zstd
from events.chain import Head
from events.codec import MALFORMED, RECORD_BYTES_MAX
from events.keyring import NO_KEYS, Keyring
from projections.folded import Folded
from replay.audit import audit
from replay.evidence import Evidence
from replay.report import BROKEN, Finding, Report
from replay.travel import Games

HEAD = msgspec.json.Decoder(Head)


class BadUpload(Exception):
    """The uploaded file cannot be browsed. The message says why."""


class UploadLimits(NamedTuple):
    """Maximum size of an upload."""

    unpacked_bytes: int = 32 << 20
    """Size after decompression (bytes)."""
    records: int = 20_000
    """Number of records."""


LIMITS = UploadLimits()
BESIDE = 2
"""Number of lines for each allowed record beyond which a file is not parsed.

A file also has errata and a head, but millions of short lines would take a lot of memory.
"""


class Upload(NamedTuple):
    """An uploaded log."""

    lines: list[bytes]
    """The sound records from the start."""
    folded: Folded
    """Fold of the sound records."""
    report: Report
    """Audit of the whole file."""


def upload(
    games: Games, data: bytes, keys: Keyring = NO_KEYS, limits: UploadLimits = LIMITS
) -> Upload:
    """Audit an uploaded file, which may be compressed, unsigned or changed.

    Raises `BadUpload` if the file is damaged, or has no sound record.
    """
    allowed = f"at most {limits.records}"
    try:
        count = file.unpacked(data, limits.unpacked_bytes).count(b"\n")
        if count > BESIDE * limits.records:
            raise BadUpload(f"The file has {count} lines, {allowed} records are allowed.")
        lines, _ = file.parsed(data, limits.unpacked_bytes)
    except file.BadFile as error:
        raise BadUpload(str(error)) from None
    if len(lines) > limits.records:
        raise BadUpload(f"The file has {len(lines)} records, {allowed} are allowed.")
    longest = max(map(len, lines))
    if longest > RECORD_BYTES_MAX:
        raise BadUpload(f"A record has {longest} bytes, at most {RECORD_BYTES_MAX} are allowed.")
    evidence = file_evidence("upload", data, limits.unpacked_bytes, unsigned=True)
    report = audit(games, evidence, keys, redaction=False)
    sound = lines[: _sound(report, len(lines))]
    if not sound:
        raise BadUpload(report.findings[0].message)
    return Upload(sound, Folded.of(games, sound), report)


def file_evidence(
    name: str, data: bytes, limit: int = file.UNPACKED_BYTES_MAX, *, unsigned: bool = False
) -> Evidence:
    """Read an exported file for an audit. A damaged file gives a finding and its readable lines.

    A file without a signed head counts as damaged unless `unsigned` files are allowed.
    """
    try:
        lines, head = file.read(data, unsigned=unsigned, limit=limit)
    except file.BadFile as error:
        lines, head = _salvaged(data, limit)
        return Evidence(name, lines, head=head, findings=(Finding("file", 0, str(error)),))
    findings: tuple[Finding, ...] = ()
    contents = file.unpacked(data, limit)
    errata = file.errata(contents)
    if contents != file.write(lines, head, errata):
        why = "the signed head is not encoded in the standard form"
        findings = (Finding("file", 0, why),)
    return Evidence(name, lines, head=head, findings=findings, errata=errata)


def _sound(report: Report, records: int) -> int:
    places = [finding.record for finding in report.findings if finding.rule in BROKEN]
    return max(0, min(places, default=records + 1) - 1)


def _salvaged(data: bytes, limit: int) -> tuple[list[bytes], Head | None]:
    """Read as many lines of a damaged file as possible."""
    if data.startswith(zstd.MAGIC):
        data = zstd.salvage(data, limit)
    lines = file.parted(data.removesuffix(b"\n").split(b"\n"))[0] if data else []
    lines = list(takewhile(lambda line: not file.is_too_deep(line), lines))
    head = _head(lines)
    return (lines, None) if head is None else (lines[:-1], head)


def _head(lines: Sequence[bytes]) -> Head | None:
    try:
        return HEAD.decode(lines[-1]) if lines else None
    except MALFORMED:
        return None
