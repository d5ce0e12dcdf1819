"""Compute the heads of audited logs again, for `shiplog audit --follow`.

A record that was replaced after its audit changes neither the number of records nor the row, but
every head after it.
"""

from collections.abc import Collection, Mapping, Sequence

from events.archive import NotArchived
from events.tiered_store import TieredStore
from replay.header import reveal
from replay.surface import heads_of
from replay.witnesses import check_signature
from service.base.clock import DAY_S
from service.base.keys import Keys
from service.process.audit_journal import Audited

ROUND_S = DAY_S
"""Time in which the heads of all audited logs are computed again (seconds)."""


class ComparedHeads:
    """The heads of audited logs, and how many have been compared in this round."""

    def __init__(self, store: TieredStore, keys: Keys, now: float) -> None:
        """Begin the first round."""
        self._store = store
        self._keys = keys
        self._looked_at = now
        self._left: list[str] = []

    async def step(self, now: float, audited: Mapping[str, Audited]) -> Collection[str] | None:
        """Compare the heads of one log, and return it if it is to be audited again.

        None if the next log is not due yet. Raises `Unavailable`.
        """
        pause = ROUND_S / max(1, len(audited))
        if now <= self._looked_at + pause:
            return None
        self._looked_at += pause
        self._left = self._left or list(audited)
        if not self._left or not audited[match := self._left.pop()].ok:
            return ()
        known = audited[match]
        try:
            lines = await self._store.read(match)
            vouched = known.verdict != "holds" or await self._is_vouched_for(match, lines)
        except NotArchived:
            return (match,)
        return () if vouched and known.contradicted_by(heads_of(lines)) is None else (match,)

    async def _is_vouched_for(self, match: str, lines: Sequence[bytes]) -> bool:
        """Return whether a log has a valid signed head, which it gets when the match ends."""
        if not reveal(lines).place:
            return True
        head = await self._store.head(match, len(lines))
        return head is not None and not any(
            check_signature(head, self._keys.ring, None, heads_of(lines))
        )
