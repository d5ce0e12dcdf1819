"""Sign receipts: those that are asked for in the same turn of the event loop share a signature."""

import asyncio
from collections import deque
from typing import Literal, NamedTuple

import msgspec
import structlog

from events.receipts import BATCH_MAX, Receipt
from events.record import at_text
from events.signing import CannotSign
from projections.folded import Folded, Viewer
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import no_such_version

SIGN_S = 2.0
"""Time that a signature may take before an answer goes without its receipt (seconds)."""
ENCODER = msgspec.json.Encoder()

log = structlog.get_logger("shiplog")


class _Told(NamedTuple):
    """What a viewer was told: the first fields of a receipt."""

    version: int
    head: str
    viewer: int | Literal["spectator"]
    match: str


class Receipts:
    """Signs the receipts of a process."""

    def __init__(self, keys: Keys) -> None:
        """Sign with the keys."""
        self._keys = keys
        self._waiting: deque[tuple[_Told, asyncio.Future[Receipt | None]]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def json(self, folded: Folded, viewer: Viewer, version: int) -> str | None:
        """Return the receipt for a viewer's version in JSON.

        Returns None if the key cannot be used now: the record is on disk all the same.
        """
        receipt = await self.sign(folded, viewer, version)
        return None if receipt is None else ENCODER.encode(receipt).decode()

    async def sign(self, folded: Folded, viewer: Viewer, version: int) -> Receipt | None:
        """Return the receipt for a viewer's version, or None if the key cannot be used now."""
        if not 0 < version <= folded.number(viewer):
            raise no_such_version(version, folded.number(viewer))
        told = _Told(
            version,
            folded.receipt(viewer, version),
            "spectator" if viewer is None else viewer,
            folded.match.header.match,
        )
        outcome: asyncio.Future[Receipt | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((told, outcome))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return await outcome

    async def _run(self) -> None:
        """Sign all that waits, a batch in each turn of the event loop."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(BATCH_MAX, len(self._waiting)))]
            at, key = at_text(now_micros()), self._keys.service
            try:
                async with asyncio.timeout(SIGN_S):
                    signed = await self._keys.sign_receipts(
                        [Receipt(*told, at, key) for told, _ in batch]
                    )
            except (CannotSign, TimeoutError) as error:
                log.warning("receipts", error=type(error).__name__, why=str(error))
                signed = [None] * len(batch)
            except Exception:
                log.exception("receipts")
                signed = [None] * len(batch)
            for (_, outcome), receipt in zip(batch, signed, strict=True):
                if not outcome.done():
                    outcome.set_result(receipt)
            await asyncio.sleep(0)
        self._task = None
