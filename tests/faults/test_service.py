"""The whole service under faults: nothing acknowledged is lost or doubled, everything recovers."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.process.context import opened
from tests.e2e.service import Running, refusal, wait_until
from tests.events.cluster import free_port
from tests.faults.crowd import Crowd, Turncoats, check
from tests.faults.stalls import stalled

ROUNDS = 50 if os.environ.get("SOAK") else 2


async def verified(data: Path, crowd: Crowd, **settings) -> None:
    """Run the common checker beside nothing else."""
    async with opened(Settings(data=data, **settings)) as context:
        records = await check(context, crowd.receipts)
    kept = crowd.receipts
    print(f"tried {kept.tried}, acknowledged {kept.acknowledged}, records {records}")
    assert crowd.receipts.acknowledged > 0


async def test_the_service_killed_at_any_moment_loses_nothing(tmp_path, chance):
    """F1: its embedded servers die with it; the next one starts on the same folder."""
    port = free_port()
    service = await asyncio.to_thread(Running, tmp_path, "serve", port=str(port))
    crowd = Crowd(service.url, chance)
    playing = asyncio.create_task(crowd.play())
    try:
        for _ in range(ROUNDS):
            await asyncio.sleep(chance.uniform(0.3, 1.2))
            await asyncio.to_thread(service.kill)
            service = await asyncio.to_thread(Running, tmp_path, "serve", port=str(port))
        await crowd.all_go_on()
        crowd.stop.set()
        await playing
    finally:
        crowd.stop.set()
        await asyncio.to_thread(service.stop)
    await verified(tmp_path, crowd)


@pytest.mark.parametrize("which", ["log", "work"])
async def test_a_redis_killed_under_load_comes_back_without_a_restart(tmp_path, chance, which):
    """F2: 503 with Retry-After at most, then on; of the work Redis nobody at the table notices."""
    with (
        Supervisor(Server.log(tmp_path / "log")) as log,
        Supervisor(Server.work(tmp_path / "work")) as work,
    ):
        urls = {"log_url": log.url, "work_url": work.url}
        service = await asyncio.to_thread(Running, tmp_path, "serve", **urls)
        victim = log if which == "log" else work
        crowd = Crowd(service.url, chance)
        playing = asyncio.create_task(crowd.play())
        try:
            for _ in range(ROUNDS):
                await asyncio.sleep(chance.uniform(0.3, 1.0))
                os.kill(await asyncio.to_thread(wait_until, lambda: victim.pid), signal.SIGKILL)
            await asyncio.to_thread(wait_until, lambda: victim.pid)
            await crowd.all_go_on()
            crowd.stop.set()
            await playing
            async with httpx.AsyncClient(base_url=service.url) as http:
                assert (await http.get("/health/ready")).status_code == 200
        finally:
            crowd.stop.set()
            await asyncio.to_thread(service.stop)
        await verified(tmp_path, crowd, **urls)


async def test_a_stopped_service_ends_what_is_in_flight(tmp_path, chance):
    """SIGTERM: exit status 0, every answer that was given stands."""
    service = await asyncio.to_thread(Running, tmp_path, "serve")
    crowd = Crowd(service.url, chance)
    playing = asyncio.create_task(crowd.play())
    await crowd.all_go_on()
    status = await asyncio.to_thread(service.stop)
    crowd.stop.set()
    await playing
    assert status == 0, service.errors()
    await verified(tmp_path, crowd)


async def test_two_services_share_the_matches(tmp_path, chance):
    """F12: two processes on one log take any command of any match."""
    with (
        Supervisor(Server.log(tmp_path / "log")) as log,
        Supervisor(Server.work(tmp_path / "work")) as work,
    ):
        urls = {"log_url": log.url, "work_url": work.url}
        services = [await asyncio.to_thread(Running, tmp_path, "serve", **urls) for _ in range(2)]
        crowd = Turncoats([service.url for service in services], chance)
        playing = asyncio.create_task(crowd.play())
        await crowd.all_go_on()
        crowd.stop.set()
        await playing
        for service in services:
            await asyncio.to_thread(service.stop)
        await verified(tmp_path, crowd, **urls)


class Table(NamedTuple):
    """A match that Ada has opened, on servers that can be stalled."""

    url: str
    http: httpx.AsyncClient
    headers: dict[str, str]
    match: str
    log: int
    work: int
    """Process ids."""


@asynccontextmanager
async def table(folder: Path):
    with (
        Supervisor(Server.log(folder / "log")) as log,
        Supervisor(Server.work(folder / "work")) as work,
    ):
        urls = {"log_url": log.url, "work_url": work.url}
        service = await asyncio.to_thread(Running, folder, "serve", **urls)
        try:
            async with httpx.AsyncClient(base_url=service.url, timeout=30) as http:
                token = (await http.post("/players", json={"name": "Ada"})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                http.headers.update(headers)
                body = {"game": "tranquility", "seats": 1}
                match = (await http.post("/matches", json=body)).json()["match"]
                yield Table(service.url, http, headers, match, log.pid, work.pid)
        finally:
            await asyncio.to_thread(service.stop)


async def test_without_the_log_commands_get_503_and_with_it_they_count(tmp_path):
    """The log's Redis stalls: nothing half-written, and the same key brings the same command in."""
    async with table(tmp_path) as ada:
        seat = {
            "url": f"/matches/{ada.match}/commands",
            "json": {"type": "take_seat"},
            "headers": {"Idempotency-Key": "k"},
        }
        with stalled(ada.log):
            answer = await ada.http.post(**seat)
            assert refusal(answer) == (503, "log-unavailable")
            assert answer.headers["Retry-After"]
            assert (await ada.http.get("/health/ready")).status_code == 503
        again = await asyncio.to_thread(wait_until, lambda: _accepted(ada, seat))
        assert again["version"] == 2


def _accepted(ada: Table, seat: dict) -> dict | None:
    headers = {**seat["headers"], **ada.headers}
    answer = httpx.post(ada.url + seat["url"], json=seat["json"], headers=headers, timeout=30)
    return answer.json() if answer.status_code == 200 else None


async def test_without_the_work_redis_play_goes_on_and_the_rest_says_so(tmp_path):
    async with table(tmp_path) as ada:
        with stalled(ada.work):
            move = {"type": "take_seat"}
            seated = await ada.http.post(f"/matches/{ada.match}/commands", json=move)
            assert seated.status_code == 200
            assert (await ada.http.get(f"/matches/{ada.match}")).json()["status"] == "running"
            for path in (
                "/matches",
                "/standings/tranquility",
                "/jobs",
            ):
                answer = await ada.http.get(path)
                refused = refusal(answer)
                assert refused == (503, "work-unavailable"), path
            ended = await ada.http.post(f"/matches/{ada.match}/commands", json={"type": "resign"})
            assert ended.status_code == 200
            said = await ada.http.post(f"/matches/{ada.match}/talk", json={"text": "ahoy"})
            heard = await ada.http.get(f"/matches/{ada.match}/talk")
            assert heard.json() == [said.json()]
        await asyncio.to_thread(wait_until, lambda: _listed(ada))


async def test_a_slow_work_redis_is_waited_for(tmp_path):
    """A machine that is busy for some seconds refuses nobody; a move waits less than a list."""
    async with table(tmp_path) as ada:
        for command in ({"type": "take_seat"}, {"type": "resign"}):
            await ada.http.post(f"/matches/{ada.match}/commands", json=command)
        body = {"game": "tranquility", "seats": 1}
        other = (await ada.http.post("/matches", json=body)).json()["match"]
        await asyncio.to_thread(wait_until, lambda: _listed(ada))
        paths = ("/matches", "/standings/tranquility", "/jobs")
        with stalled(ada.work):
            asked = [asyncio.create_task(ada.http.get(path)) for path in paths]
            asked.append(asyncio.create_task(ada.http.post(f"/matches/{ada.match}/audit")))
            move = {"type": "take_seat"}
            seated = await ada.http.post(f"/matches/{other}/commands", json=move)
            assert seated.status_code == 200
            await asyncio.sleep(3)
            assert not [call.result().text for call in asked if call.done()]
        answers = await asyncio.gather(*asked)
        assert [answer.status_code for answer in answers] == [200, 200, 200, 202]


def _listed(ada: Table) -> bool:
    answer = httpx.get(f"{ada.url}/matches", headers=ada.headers, timeout=30)
    return answer.status_code == 200 and ada.match in answer.text
