"""F21, the restore drill of docs/operations.md: back up under load, lose all, restore, play."""

import asyncio
import copy
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

import pytest

from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.process.context import opened
from tests.e2e.service import SCRIPT, Player, Running, wait_until
from tests.faults.crowd import Crowd, check

SLOW_S = 180

pytestmark = pytest.mark.timeout(1_200)
"""Each wait ends by itself; together they may take long on a busy machine."""


def shiplog(data, *words, **settings):
    """Run a verb to its end."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SHIPLOG_")}
    given = {"data": str(data), **settings}
    environ |= {f"SHIPLOG_{name.upper()}": value for name, value in given.items()}
    command = [sys.executable, "-c", SCRIPT, *map(str, words)]
    return subprocess.run(
        command, env=environ, check=False, capture_output=True, text=True, timeout=250
    )


def begin(url):
    """Open a match and make a move."""
    player = Player(url)
    match = player.open_match(seats=1)
    player.do(match, {"type": "take_seat"})
    player.do(match, player.legal(match)[0])
    return player, match


@contextmanager
def servers(data):
    """Run both Redis on a folder; return their URLs as settings."""
    with (
        Supervisor(Server.log(data / "log")) as log,
        Supervisor(Server.work(data / "work")) as work,
    ):
        yield {"log_url": log.url, "work_url": work.url}


@asynccontextmanager
async def playing(data, urls, chance):
    """Run a service, with a crowd that plays."""
    service = await asyncio.to_thread(Running, data, "serve", **urls)
    crowd = Crowd(service.url, chance)
    task = asyncio.create_task(crowd.play())
    try:
        yield service.url, crowd
    finally:
        crowd.stop.set()
        await task
        await asyncio.to_thread(service.stop)


async def test_what_was_acknowledged_before_a_backup_outlives_the_loss_of_everything(
    tmp_path, chance
):
    data, saved = tmp_path / "data", tmp_path / "saved"
    data.mkdir()
    with servers(data) as urls:
        async with playing(data, urls, chance) as (url, crowd):
            ada, match = await asyncio.to_thread(begin, url)
            await crowd.all_go_on()
            done = await asyncio.to_thread(shiplog, data, "backup", saved / "first", **urls)
            assert done.returncode == 0, done.stderr
            await crowd.all_go_on()
            before = copy.deepcopy(crowd.receipts)
            kept = await asyncio.to_thread(ada.get, f"/matches/{match}")
            words = ("backup", saved / "second", "--since", saved / "first", "--with-secrets")
            done = await asyncio.to_thread(shiplog, data, *words, **urls)
            assert done.returncode == 0, done.stderr
            await crowd.all_go_on(more=1)

    shutil.rmtree(data)
    shutil.rmtree(saved / "first")
    data.mkdir()
    with servers(data) as urls:
        done = await asyncio.to_thread(shiplog, data, "restore", saved / "second", **urls)
        assert done.returncode == 0, done.stderr
        async with opened(Settings(data=data, **urls)) as context:
            records = await check(context, before)
        print(f"acknowledged before {before.acknowledged}, records there {records}")
        async with playing(data, urls, chance) as (url, crowd):
            await asyncio.to_thread(goes_on, url, ada, match, kept)
            await crowd.all_go_on()
        again = await asyncio.to_thread(shiplog, data, "restore", saved / "second", **urls)
        assert again.returncode == 1
        assert "The log is not empty" in again.stderr


def goes_on(url, player, match, kept):
    """With the old token: the match is as it was, a move counts, the player's list knows it."""
    with player:
        player.http.base_url = url
        assert player.get(f"/matches/{match}") == kept
        answer = player.do(match, player.legal(match)[0])
        assert answer["version"] == kept["version"] + 1

        def listed():
            rows = player.get(f"/players/{player.id}/matches")["matches"]
            return [row["version"] for row in rows] == [answer["version"]]

        wait_until(listed, SLOW_S)
