"""After an erasure the name leaves the files of a real log Redis."""

from contextlib import suppress
from pathlib import Path

import pytest

from events.redis_store import RedisStore
from events.store import Unavailable
from games.match.clocks import SECOND
from service.base.clock import now_micros
from service.base.settings import Settings
from service.play import leftovers
from service.play.leftovers import PENDING, Leftovers
from service.process.context import opened
from service.process.doctor import examine
from service.process.rewriting import rewrite_if_due

NAME = "Zdislava"


def files_with(folder: Path, text: str) -> list[Path]:
    """Return the files that contain a text. A rewrite may remove its own meanwhile."""
    found: list[Path] = []
    for path in list(folder.rglob("*")):
        with suppress(OSError):
            if text.encode() in path.read_bytes():
                found.append(path)
    return found


async def test_an_erased_name_is_in_no_file_after_the_rewrite(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "ERASING_S", 0)
    async with opened(Settings(data=tmp_path)) as context:
        player, _ = await context.players.create(NAME)
        await context.players.create("Ada")
        assert await rewrite_if_due(context), "nothing is known of the file"
        assert not await rewrite_if_due(context)

        await context.erasure.erase(player)
        assert files_with(tmp_path / "log", NAME), "it has been overwritten, not removed"
        assert await rewrite_if_due(context)
        assert files_with(tmp_path / "log", NAME) == []
        assert files_with(tmp_path / "log", "Ada")
        assert not await rewrite_if_due(context)


async def test_an_erasure_that_may_go_on_during_the_rewrite_needs_another_one(tmp_path):
    async with opened(Settings(data=tmp_path)) as context:
        await Leftovers(context.work).forget("p_1")
        assert await rewrite_if_due(context)
        assert await Leftovers(context.work).due()


async def test_only_the_archiver_may_ask_and_doctor_sees_that_nobody_did(tmp_path):
    settings = Settings(data=tmp_path)
    async with opened(settings) as context:
        async with RedisStore(context.log_url) as service:
            with pytest.raises(Unavailable, match="permission"):
                await service.rewrite()
        await Leftovers(context.work).forget("p_1")
        assert {one.state for one in await examine(settings) if one.check == "erasure"} == {"ok"}
        hours_ago = now_micros() - 4 * 3_600 * SECOND
        await context.work.zadd(PENDING, {str(hours_ago): hours_ago})
        (found,) = [one for one in await examine(settings) if one.check == "erasure"]
        assert (found.state, "4 hours ago" in found.says) == ("warn", True)
