"""The stores of a process, as it starts."""

from contextlib import AsyncExitStack

import pytest

from events.store import Unavailable
from service.base.settings import Settings
from service.process.stores import open_stores


async def test_a_log_that_does_not_answer_is_named_with_its_setting(tmp_path):
    nowhere = "unix:///nowhere/redis.sock"
    settings = Settings(data=tmp_path, log_url=nowhere, work_url=nowhere)
    async with AsyncExitStack() as stack:
        with pytest.raises(Unavailable, match=r"log Redis .* correct SHIPLOG_LOG_URL"):
            await open_stores(stack, settings, patience_s=0.1)
