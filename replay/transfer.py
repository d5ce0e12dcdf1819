"""Logs that come and go as files: exports are trusted by their signature, uploads by nobody.

An uploaded log can be browsed as far as it holds: up to the last record before the first that does not follow from
what came before.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import zstandard
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import file
from events.chain import Head
from events.codec import RECORD_BYTES_MAX
from projections.folded import Folded
from replay.audit import Evidence, audit
from replay.report import BROKEN, Finding, Report
from replay.travel import Games

HEAD = msgspec.json.Decoder(Head)


class BadUpload(Exception):
    """An uploaded file that can't be browsed; the message says why."""


class Limits(NamedTuple):
    """How much of an upload is looked at."""

    unpacked_bytes: int = 32 << 20
    records: int = 20_000


LIMITS = Limits()


class Upload(NamedTuple):
    """An uploaded log."""

    lines: list[bytes]
    """As far as they hold."""
    folded: Folded
    """As of the last of them."""
    report: Report
    """Of the whole file."""


def upload(
    games: Games, data: bytes, key: Ed25519PublicKey | None = None, limits: Limits = LIMITS
) -> Upload:
    """Verify an uploaded file, packed or not, signed or not; raises `BadUpload`."""
    try:
        lines, head = file.read(data, unsigned=True, limit=limits.unpacked_bytes)
    except file.BadFile as error:
        raise BadUpload(str(error)) from None
    if len(lines) > limits.records:
        raise BadUpload(f"more than {limits.records} records")
    if any(len(line) > RECORD_BYTES_MAX for line in lines):
        raise BadUpload(f"a record of more than {RECORD_BYTES_MAX} bytes")
    report = audit(games, Evidence("upload", lines, head=head), key, redaction=False)
    sound = lines[: _sound(report, len(lines))]
    if not sound:
        raise BadUpload(report.findings[0].message)
    return Upload(sound, Folded.of(games, sound), report)


def evidence_of(name: str, data: bytes, limit: int = file.UNPACKED_BYTES_MAX) -> Evidence:
    """Read an exported file for an audit: what can be read of it, and what is wrong with it as a file."""
    try:
        lines, head = file.read(data, limit=limit)
    except file.BadFile as error:
        lines, head = _salvaged(data, limit)
        return Evidence(name, lines, head=head, findings=(Finding(0, "file", str(error)),))
    findings: tuple[Finding, ...] = ()
    if not data.startswith(file.ZSTD_MAGIC) and data != file.write(lines, head):
        findings = (Finding(0, "file", "the signature line is not written as exports are"),)
    return Evidence(name, lines, head=head, findings=findings)


def _sound(report: Report, records: int) -> int:
    places = [finding.version for finding in report.findings if finding.check in BROKEN]
    return max(0, min(places, default=records + 1) - 1)


def _salvaged(data: bytes, limit: int) -> tuple[list[bytes], Head | None]:
    """Read what can be read of a damaged file."""
    if data.startswith(file.ZSTD_MAGIC):
        try:
            unpacker = zstandard.ZstdDecompressor().stream_reader(data)
            data = unpacker.read(limit)
        except zstandard.ZstdError:
            return [], None
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    head = _head(lines)
    return (lines, None) if head is None else (lines[:-1], head)


def _head(lines: Sequence[bytes]) -> Head | None:
    try:
        return HEAD.decode(lines[-1]) if lines else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
