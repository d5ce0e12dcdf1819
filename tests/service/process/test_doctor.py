"""`shiplog doctor` on a whole installation, and on one that is broken in each way."""

import asyncio
import json
import os
import re
import signal
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from events.redis_store import RedisStore
from projections.entries import DEADLINES
from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.play.leases import LEASE
from service.play.projector import PARKED
from service.process import doctor, health_checks
from service.process.doctor import examine
from service.process.health import HealthReader, ProjectionHealth, SystemHealth
from service.process.health_checks import (
    QUEUED_MAX,
    CheckResult,
    check_following,
    check_server,
)
from tests.e2e.service import Player, running, running_with_worker, wait_until
from tests.events.accounts import EVERYTHING
from tests.service.table import SECRETS

pytestmark = pytest.mark.long

WAIT_S = 60


@pytest.fixture
def start(tmp_path):
    """Start both servers, the log with further Redis settings.

    Return the settings that find them.
    """
    with ExitStack() as stack:

        def servers(work: bool = True, **log: str) -> Settings:
            write_keys(tmp_path, SECRETS)
            stack.enter_context(Supervisor(Server.log(tmp_path / "log", **log)))
            if work:
                stack.enter_context(Supervisor(Server.work(tmp_path / "work")))
            return Settings(data=tmp_path)

        yield servers


def write_keys(folder, secrets, mode=0o600):
    path = folder / "secrets.json"
    path.write_bytes(msgspec.json.encode(secrets))
    path.chmod(mode)
    return path


def look(settings) -> list[CheckResult]:
    return asyncio.run(examine(settings))


def wrong(settings) -> dict[str, str]:
    """Return what is wrong, by check."""
    return {one.check: one.says for one in look(settings) if one.state != "ok"}


def client(url: str) -> Redis:
    return Redis.from_url(url)


def work_of(settings) -> Redis:
    return Redis(unix_socket_path=str(settings.data / "work" / "redis.sock"))


def diagnosed(data, *words) -> tuple[int, str]:
    with running(data, "doctor", *words) as process:
        assert process.process.stdout is not None
        said = process.process.stdout.read()
        return process.process.wait(WAIT_S), said


def test_a_whole_installation_is_well(tmp_path):
    with running_with_worker(tmp_path, checkpoint_s="1"):

        def well():
            status, said = diagnosed(tmp_path, "--json")
            return status == 0 and json.loads(said)

        found = wait_until(well, WAIT_S)
        assert {one["state"] for one in found} == {"ok"}
        assert {"keys", "disk", "log", "work", "clock", "durability", "workers", "lag"} <= {
            one["check"] for one in found
        }


def test_something_wrong_is_told_with_what_to_do(tmp_path):
    with running(tmp_path, "serve"):
        status, said = diagnosed(tmp_path)
        assert status == 1
        assert "start `shiplog worker`" in said


def test_where_nothing_runs_nothing_is_made(tmp_path):
    found = wrong(Settings(data=tmp_path))
    assert found.keys() == {"keys", "log", "work"}
    assert not list(tmp_path.iterdir())
    assert wrong(Settings(data=tmp_path / "nowhere")).keys() == {"keys", "disk", "log", "work"}


def test_settings_that_can_not_be_used_are_two(tmp_path):
    with running(tmp_path, "doctor", cache_mb="0") as process:
        assert process.process.wait(WAIT_S) == 2


def test_keys_that_others_can_read(start):
    settings = start()
    write_keys(settings.data, SECRETS, 0o644)
    assert "readable by other users (644)" in wrong(settings)["keys"]


def test_keys_that_the_group_may_read_are_well(start):
    """Kubernetes mounts secrets for the group of the pod."""
    settings = start()
    write_keys(settings.data, SECRETS, 0o440)
    assert "keys" not in wrong(settings)


def test_keys_that_can_not_be_read(start):
    settings = start()
    (settings.data / "secrets.json").write_text("{}")
    assert "keys" in wrong(settings)


def test_keys_that_were_never_rotated(start):
    settings = start()
    os.utime(settings.data / "secrets.json", (0, 0))
    assert "not rotated" in wrong(settings)["keys"]


def test_a_log_that_was_deleted(tmp_path):
    """The checkpoint log has leaves of it."""
    with running(tmp_path, "serve", checkpoint_s="1") as service, Player(service.url) as player:
        match = player.open_match()
        wait_until((tmp_path / "checkpoints/checkpoint").exists)
    settings = Settings(data=tmp_path)
    log = Server.log(tmp_path / "log", **EVERYTHING)
    with Supervisor(log) as server, Supervisor(Server.work(tmp_path / "work")):
        assert "checkpoints" not in wrong(settings)
        with client(server.url) as redis:
            redis.delete(f"log:{match}")
        assert wrong(settings)["checkpoints"] == f"1 logs are gone, for example {match}"
        for tile in (tmp_path / "checkpoints/tile/0/000.p").iterdir():
            tile.unlink()
        assert "is missing" in wrong(settings)["checkpoints"]
        without = msgspec.structs.replace(settings, checkpoints="none")
        assert "there is no checkpoint log" in wrong(without)["checkpoints"]


def test_a_master_key_that_was_lost(start, tmp_path):
    """A match that was opened under a key which is no longer in the file can't be played."""
    settings = start()
    with running(tmp_path, "serve") as service:
        with Player(service.url) as player:
            player.open_match()
        write_keys(
            tmp_path, msgspec.structs.replace(SECRETS, master={"k2": "44" * 32}, current="k2")
        )
        assert "need a master key that is missing" in wrong(settings)["keys"]


def test_a_log_that_is_not_durable(start):
    settings = start(appendfsync="everysec")
    assert wrong(settings)["durability"] == "appendfsync is everysec, must be always"


def test_a_log_without_its_replicas(start):
    settings = msgspec.structs.replace(start(), wait_replicas=1)
    assert wrong(settings)["log"] == "0 replicas; SHIPLOG_WAIT_REPLICAS is 1"


def test_a_log_that_throws_keys_out(start):
    settings = start(maxmemory_policy="allkeys-lru")
    assert wrong(settings)["log"] == "maxmemory-policy is allkeys-lru"


def test_a_log_that_is_nearly_full(start):
    assert "MiB of" in wrong(start(maxmemory="800kb"))["log"]


def test_servers_that_do_not_answer(start, tmp_path):
    settings = start(work=False)
    assert "no embedded server" in wrong(settings)["work"]
    gone = msgspec.structs.replace(
        settings, log_url="unix:///nowhere/log.sock", work_url="unix:///nowhere/work.sock"
    )
    found = wrong(gone)
    assert (found["log"], found["work"]) == ("does not answer", "does not answer")


def test_an_embedded_server_that_runs_but_does_not_answer(start):
    settings = start()
    pid = work_of(settings).info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        found = wrong(settings)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert found["work"] == "does not answer"
    assert "log" not in found


def test_one_server_for_both(start):
    settings = start()
    url = f"unix://{settings.data}/work/redis.sock"
    both = msgspec.structs.replace(settings, log_url=url, work_url=f"{url}?db=0")
    assert wrong(both)["work"] == "is the same server as the log's"


def test_nobody_at_the_rows_or_the_queues(start):
    found = wrong(start())
    assert found["projector"] == "no process maintains the rows"
    assert found["workers"].startswith("no process serves the queue")


def test_a_long_queue_and_failed_jobs(start, monkeypatch):
    monkeypatch.setattr(health_checks, "FAILED_MAX", 1)
    settings = start()
    with work_of(settings) as work:
        work.rpush("rq:queue:bots", *[f"job-{number}" for number in range(QUEUED_MAX + 1)])
    found = [one.says for one in look(settings) if one.check == "queues"]
    assert found == [f"{QUEUED_MAX + 1} jobs wait in the queue bots"]
    with work_of(settings) as work:
        work.delete("rq:queue:bots")
        work.zadd("rq:failed:analysis", {"a": 1e12, "b": 1e12})
    found = [one.says for one in look(settings) if one.check == "queues"]
    assert found == ["2 jobs of the queue analysis have failed"]


def test_what_is_late_and_parked(start):
    settings = start()
    with work_of(settings) as work:
        work.set(LEASE, "somebody")
        work.hset("projections", mapping={"current": "g", "complete": "g"})
        work.xadd("feed:0", {"m": "m_1", "v": "1"}, id="1000-0")
        work.zadd(f"g:{DEADLINES}", {"m_1": 1_000_000})
        work.hset(PARKED, "m_2", b"{}")
    found = [one.says for one in look(settings) if one.check == "lag" and one.state != "ok"]
    assert any(it.startswith("projections are") for it in found), found
    assert any(it.startswith("deadlines are") for it in found), found
    assert "1 matches cannot be folded" in found


@pytest.mark.parametrize(("skew", "state"), [(0.1, "ok"), (-2.0, "warn"), (60.0, "bad")])
def test_clocks_that_differ(start, skew, state):
    settings = start()
    (server,) = asyncio.run(health_of(settings)).log
    moved = msgspec.structs.replace(server, skew_s=skew)
    (clock,) = [one for one in check_server(moved) if one.check == "clock"]
    assert clock.state == state


async def health_of(settings) -> SystemHealth:
    work_url = f"unix://{settings.data}/work/redis.sock"
    async with (
        RedisStore(f"unix://{settings.data}/log/redis.sock") as store,
        AsyncRedis.from_url(work_url) as work,
    ):
        reader = HealthReader(store, work, work_url)
        health = await reader.read()
        reader.close()
        return health


def test_a_disk_that_is_nearly_full(start, monkeypatch):
    monkeypatch.setattr(doctor, "DISK_FREE_BYTES", 1 << 62)
    assert "free at" in wrong(start())["disk"]


def test_a_log_that_could_not_be_rewritten(start, monkeypatch):
    monkeypatch.setattr(doctor, "DISK_TIMES", 1 << 62)
    settings = start()
    with client(f"unix://{settings.data}/log/redis.sock") as log:
        log.xadd("player:kept:p", {"r": "1"})
    assert "are free" in wrong(settings)["log disk"]


def test_a_record_that_is_no_player(start):
    settings = start()
    with client(f"unix://{settings.data}/log/redis.sock") as log:
        log.xadd("player:kept:p", {"r": "1"})
    assert "cannot be read" in wrong(settings)["ways back"]


def test_a_way_back_that_is_lost(start):
    settings = start()
    with client(f"unix://{settings.data}/log/redis.sock") as log:
        record = {"name": "Nemo", "created": "2026-11-23T12:00:00.000000Z", "recovery": "r_nemo"}
        log.xadd("player:kept:p_nemo", {"r": json.dumps(record)})
    assert wrong(settings)["ways back"].startswith("1 players lack a record")


def test_an_account_that_may_not_read_talk(start):
    account = "on nopass ~log:* ~player:* +@all"
    assert "deploy/redis-log.conf" in next(
        result.do for result in look(start(**{"user default": account})) if result.state == "bad"
    )


def test_rows_that_are_not_complete():
    following = ProjectionHealth(
        projection_lag_s=0,
        deadline_lag_s=0,
        bot_lag_s=0,
        parked=0,
        complete=False,
        backed_up_at=None,
    )
    found, _ = check_following(following)
    assert (found.check, found.state) == ("lag", "warn")


def test_every_runbook_that_it_names_is_there():
    book = (Path(__file__).parents[3] / "docs" / "runbooks.md").read_text()
    for module in (doctor, health_checks):
        for name in re.findall(r"docs/runbooks.md, (\w+)", Path(module.__file__).read_text()):
            assert f"\n## {name}" in book
