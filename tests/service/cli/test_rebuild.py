"""`shiplog rebuild`: exit status and words."""

import asyncio

import msgspec
import pytest
import typer
from redis import Redis
from typer.testing import CliRunner

from events.redis_store import RedisStore
from service.cli.rebuild import rebuild
from service.embedded.servers import Server, Supervisor
from tests.projections.recorded import log

app = typer.Typer()
app.command()(rebuild)


@pytest.fixture
def servers(tmp_path, work_server, monkeypatch):
    with Supervisor(Server.log(tmp_path / "log")) as server:
        monkeypatch.setenv("SHIPLOG_DATA", str(tmp_path))
        monkeypatch.setenv("SHIPLOG_LOG_URL", server.url)
        monkeypatch.setenv("SHIPLOG_WORK_URL", work_server.url)
        with Redis.from_url(work_server.url) as work:
            work.flushall()
            yield server, work


def keep(server, match, lines):
    async def append():
        async with RedisStore(server.url) as store:
            for version, line in enumerate(lines, start=1):
                await store.append(match, version, line)

    asyncio.run(append())


def run(*words):
    return CliRunner().invoke(app, words)


def test_it_builds_compares_and_says_what_was_otherwise(servers, monkeypatch):
    monkeypatch.setattr("projections.rebuild.PATIENCE_S", 0.2)
    server, work = servers
    for number in range(3):
        keep(server, f"m_{number}", log(number))
    first = run()
    assert (first.exit_code, first.stdout) == (0, "Folded 3 matches.\n")
    second = run("--verify")
    assert second.exit_code == 0
    assert "the same" in second.stdout
    current = work.hget("projections", "current").decode()
    work.zadd(f"{current}:deadlines", {"m_ghost": 1})
    third = run("--verify")
    assert third.exit_code == 1
    assert "m_ghost" in third.stdout


def test_a_record_that_cannot_be_folded_is_named(servers):
    server, work = servers
    lines = log(1)
    record = msgspec.json.decode(lines[5])
    record["events"] = [{"type": "no_such_event"}]
    keep(server, "m_1", [*lines[:5], msgspec.json.encode(record)])
    stopped = run()
    assert stopped.exit_code == 1
    assert "m_1 cannot be folded at record 6" in stopped.stderr
    assert not work.hexists("projections", "building")


def test_two_at_a_time_are_refused(servers):
    _, work = servers
    work.set("projections:rebuilding", "1")
    assert run().exit_code == 2
    work.delete("projections:rebuilding")
    assert run().exit_code == 0


def test_without_a_work_redis_it_says_so(servers, tmp_path, monkeypatch):
    monkeypatch.setenv("SHIPLOG_WORK_URL", f"unix://{tmp_path}/nobody.sock")
    refused = run()
    assert refused.exit_code == 2
    assert "Cannot connect to the work Redis" in refused.stderr
