"""Receipts are signed beside commands: whatever goes wrong there, nobody waits for ever."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from events.signing import CannotSign
from service.play.receipts import Receipts

FOLDED = SimpleNamespace(
    number=lambda viewer: 5,
    receipt=lambda viewer, version: f"{version:064}",
    match=SimpleNamespace(header=SimpleNamespace(match="m_1")),
)


class Failing:
    """Keys that fail once."""

    service = "key"

    def __init__(self, error):
        self._errors = [error]

    async def sign_receipts(self, receipts):
        if self._errors:
            raise self._errors.pop()
        return receipts


@pytest.mark.parametrize("error", [CannotSign("no"), TimeoutError(), RuntimeError("a bug")])
async def test_after_a_failure_later_receipts_are_signed(error):
    receipts = Receipts(Failing(error))
    assert await receipts.json(FOLDED, None, 1) is None
    assert json.loads(await receipts.json(FOLDED, None, 2))["version"] == 2


class Counting:
    """Keys that count what they sign."""

    service = "key"

    def __init__(self):
        self.signed = []

    async def sign_receipts(self, receipts):
        self.signed += [(receipt.viewer, receipt.version) for receipt in receipts]
        return receipts


async def test_all_who_are_told_the_same_get_the_same_receipt():
    keys = Counting()
    receipts = Receipts(keys)
    first = await asyncio.gather(*(receipts.json(FOLDED, None, 3) for _ in range(1_000)))
    assert {*first, await receipts.json(FOLDED, None, 3)} == {first[0]}
    assert await receipts.json(FOLDED, 1, 3) != first[0]
    await receipts.json(FOLDED, None, 4)
    assert keys.signed == [("spectator", 3), (1, 3), ("spectator", 4)]


async def test_who_gives_up_waiting_takes_nobody_elses_receipt():
    receipts = Receipts(Counting())
    gone, stays = (asyncio.create_task(receipts.json(FOLDED, None, 3)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    assert json.loads(await stays)["version"] == 3
