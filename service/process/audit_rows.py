"""Compare rows with those that audits expect, for `shiplog audit --follow`.

A row follows from the log. An audit notes the digest of the row that must be stored, so a row that
was changed, or that a bug has spoilt, is found without another audit.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

import structlog
from redis.exceptions import NoPermissionError

from games.match.model import Match
from projections.rows import ENCODER, NoRows, Rows, row
from projections.summary import corrected, summary
from replay.report import Report
from replay.witnesses import decode_row
from service.process.audit_journal import Audited

ROUND_S = 600.0
"""Time in which all rows are compared (seconds)."""
BATCH = 500
"""Number of rows that are read together."""

log = structlog.get_logger("shiplog")


class Expected(NamedTuple):
    """What an audit expects to be stored of a match."""

    version: int
    """Version of the log to which the row belongs."""
    row: bytes
    """Digest of the row. Empty if it is not known."""


def digest_of(data: bytes) -> bytes:
    """Return the digest of a stored row."""
    return sha256(data).digest()[:8]


def expected_row(match: Match | None, report: Report) -> bytes:
    """Return the digest of the row that follows from an audited log. Empty without its fold."""
    if match is None:
        return b""
    errata = [given for given in report.errata if given.erratum.head == report.head]
    return digest_of(ENCODER.encode(row(corrected(summary(match), errata))))


class ComparedRows:
    """The rows that are stored, and how many have been compared in this round."""

    def __init__(self, rows: Rows) -> None:
        """Read with an account that may do so; otherwise rows are not compared."""
        self._rows = rows
        self._allowed = True
        self._next_round = 0.0
        self._left: list[str] = []
        self.wrong: dict[str, bytes] = {}
        """By match, rows that were not as expected, until an audit has looked at them."""

    async def step(
        self, now: float, audited: Mapping[str, Audited], expected: Callable[[str], Expected]
    ) -> set[str] | None:
        """Compare some rows, and return the matches to audit again. None at the end of a round.

        A match whose row was wrong is audited again until the row is right. Raises `RedisError`.
        """
        if not self._left:
            if now < self._next_round or not self._allowed:
                return None
            self._next_round = now + ROUND_S
            self._left = list(audited)
        some, self._left = self._left[:BATCH], self._left[BATCH:]
        known = {match: one for match in some if (one := expected(match)).row}
        self.wrong |= await self._wrong(known)
        return {match for match in some if match in self.wrong or audited[match].wrong_row}

    async def _wrong(self, expected: Mapping[str, Expected]) -> dict[str, bytes]:
        """Return the rows that are not as expected.

        Rows of other versions do not count: a row may be behind its log, or ahead of its audit.
        """
        try:
            stored = await self._rows.raw_of(list(expected)) if expected else []
        except NoRows:
            return {}
        except NoPermissionError as error:
            self._allowed = False
            log.warning("audit", error="NoPermissionError", why=f"rows are not compared: {error}")
            return {}
        return {
            match: data
            for (match, known), data in zip(expected.items(), stored, strict=True)
            if data and digest_of(data) != known.row and _is_at(data, known.version)
        }


def _is_at(data: bytes, version: int) -> bool:
    """Return whether a row belongs to a version. One that cannot be read belongs to all."""
    found = decode_row(data)
    return found is None or found.version == version
