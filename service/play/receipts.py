"""Sign receipts: those that are asked for in the same turn of the event loop share a signature."""

import asyncio
from itertools import islice
from typing import Literal, NamedTuple

import msgspec
import structlog
from cachetools import LRUCache

from events.receipts import BATCH_MAX, Receipt
from events.record import at_text
from events.signing import CannotSign
from projections.folded import Folded, Viewer
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import no_such_version

SIGN_S = 2.0
"""Time that a signature may take before an answer goes without its receipt (seconds)."""
RECENT_MAX = 1_024
"""Number of receipts that are kept for others who are told the same."""
ENCODER = msgspec.json.Encoder()

log = structlog.get_logger("shiplog")


class _Told(NamedTuple):
    """What a viewer was told: the first fields of a receipt."""

    version: int
    head: str
    viewer: int | Literal["spectator"]
    match: str


class Receipts:
    """Signs the receipts of a process. All who are told the same get the same receipt."""

    def __init__(self, keys: Keys) -> None:
        """Sign with the keys."""
        self._keys = keys
        self._recent: LRUCache[_Told, str] = LRUCache(RECENT_MAX)
        self._waiting: dict[_Told, list[asyncio.Future[str | None]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def json(self, folded: Folded, viewer: Viewer, version: int) -> str | None:
        """Return the receipt for a viewer's version in JSON.

        Returns None if the key cannot be used now: the record is on disk all the same.
        """
        if not 0 < version <= folded.number(viewer):
            raise no_such_version(version, folded.number(viewer))
        told = _Told(
            version,
            folded.receipt(viewer, version),
            "spectator" if viewer is None else viewer,
            folded.match.header.match,
        )
        if (signed := self._recent.get(told)) is not None:
            return signed
        outcome: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(told, []).append(outcome)
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return await outcome

    async def _run(self) -> None:
        """Sign all that waits, a batch in each turn of the event loop."""
        while self._waiting:
            batch = dict(islice(self._waiting.items(), BATCH_MAX))
            for told in batch:
                del self._waiting[told]
            at, key = at_text(now_micros()), self._keys.service
            texts: list[str | None] = [None] * len(batch)
            try:
                async with asyncio.timeout(SIGN_S):
                    receipts = await self._keys.sign_receipts(
                        [Receipt(*told, at, key) for told in batch]
                    )
                texts = [ENCODER.encode(receipt).decode() for receipt in receipts]
            except (CannotSign, TimeoutError) as error:
                log.warning("receipts", error=type(error).__name__, why=str(error))
            except Exception:
                log.exception("receipts")
            for (told, outcomes), text in zip(batch.items(), texts, strict=True):
                if text is not None:
                    self._recent[told] = text
                for outcome in outcomes:
                    if not outcome.done():
                        outcome.set_result(text)
            await asyncio.sleep(0)
        self._task = None
