"""An analysis is played together with idle workers, ends without them, and is the same."""

import asyncio
import dataclasses
import threading
from collections import Counter
from contextlib import contextmanager

import msgspec
import pytest
from redis.exceptions import RedisError

from events.store import append_all
from games import GAMES
from projections.folded import Folded
from replay.analysis import analyse, analyses, encode
from replay.playouts import Playouts
from service.jobs.queues import open_queues
from service.jobs.status import all_jobs
from service.worker import shared_playouts
from service.worker.playout_board import Board, connected
from service.worker.shared_playouts import SharedPlayouts
from tests.corpus import load, played_out
from tests.service.worker.working import served, working

COMMANDS = 2_000
RUN = "run"


@pytest.fixture(scope="module")
def log():
    return load(played_out("submarine")[0])


@pytest.fixture(scope="module")
def folded(log):
    return Folded.of(GAMES, log)


@pytest.fixture(scope="module")
def alone(folded):
    return encode(analyse(folded.match, folded.head, COMMANDS))


@pytest.fixture
def board(servers):
    with connected(servers[1], RUN) as board:
        yield board
        board.close()


def analysed(folded, board, recruit):
    """Analyse with helpers; return the analysis, and how many batches were played here."""
    played_here = Counter()

    class Counted(Playouts):
        def play(self, batch):
            played_here[batch] += 1
            return super().play(batch)

    def share(_playouts):
        return SharedPlayouts(Counted(folded.match, folded.head), board, recruit)

    *_, found = analyses(folded.match, folded.head, COMMANDS, share=share)
    return encode(found), played_here


@contextmanager
def helped(folded, url, board, deliver):
    """Take batches in a thread until the board is closed."""

    def help_out():
        playouts = Playouts(folded.match, folded.head)
        with connected(url, RUN) as there:
            while there.is_open:
                if (batch := there.wait_for_batch(1)) is not None and deliver:
                    there.deliver(batch, playouts.play(batch))

    board.renew()
    thread = threading.Thread(target=help_out)
    thread.start()
    try:
        yield
    finally:
        board.close()
        thread.join()


def test_helpers_play_a_part_and_the_analysis_is_the_same(folded, alone, servers, board):
    _, alone_here = analysed(folded, board, lambda: False)
    with helped(folded, servers[1], board, deliver=True):
        found, here = analysed(folded, board, lambda: True)
    assert found == alone
    assert here.total() < alone_here.total()


def test_what_a_helper_loses_is_played_here(folded, alone, servers, board, monkeypatch):
    monkeypatch.setattr(shared_playouts, "LOST_S", 0.01)
    monkeypatch.setattr(shared_playouts, "WAIT_S", 0.01)
    with helped(folded, servers[1], board, deliver=False):
        found, _ = analysed(folded, board, lambda: True)
    assert found == alone


@pytest.mark.parametrize("broken", ["renew", "offer", "withdraw", "delivered", "take"])
def test_without_the_work_redis_it_goes_on_alone(folded, alone, board, monkeypatch, broken):
    def fails(*_):
        raise RedisError

    monkeypatch.setattr(Board, broken, fails)
    found, here = analysed(folded, board, lambda: True)
    assert found == alone
    assert set(here.values()) == {1}


def test_a_worker_of_another_release_does_not_help(monkeypatch):
    monkeypatch.setattr(shared_playouts, "runtime", None)
    shared_playouts.help_analysis(RUN, "m_1", 1, "0.0.1")


async def test_idle_workers_help_and_leave_nothing_behind(context, log, folded):
    match, version = folded.match.header.match, folded.version
    await append_all(context.store, match, log)
    settings = msgspec.structs.replace(
        context.settings, analysis_workers=2, analysis_commands=5 * COMMANDS
    )
    queues, kinds = open_queues(context.work_url), set()
    async with working(dataclasses.replace(context, settings=settings), "analysis"):
        await served(context, 2)
        asked = await context.jobs.submit("analysis", match, version, "p_ada")
        async with asyncio.timeout(60):
            while (await context.jobs.get(asked.id, "p_ada")).state in ("queued", "running"):
                kinds |= {job.kind for job in all_jobs(queues)}
            while {job.kind for job in all_jobs(queues)} != {"analysis"}:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.05)
        found = await context.jobs.get(asked.id, "p_ada")
    assert found.state == "finished"
    assert kinds == {"analysis", "playouts"}
    analysis = analyse(folded.match, folded.head, settings.analysis_commands)
    assert found.result == msgspec.json.decode(encode(analysis))
    for late in await context.work.keys("playouts:*"):
        assert await context.work.ttl(late) > 0, "Redis forgets what a helper handed in too late"
