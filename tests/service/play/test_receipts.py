"""Receipts are signed beside commands: whatever goes wrong there, nobody waits for ever."""

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
    assert await receipts.sign(FOLDED, None, 1) is None
    assert (await receipts.sign(FOLDED, None, 2)).version == 2
