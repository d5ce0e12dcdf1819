"""Answers that take much work: apart from the event loop, bounded per caller, and kept."""

import asyncio
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from games import GAMES
from games.captain_sonar.commands import WipeOverlay
from replay.diff import diff
from replay.history import History
from replay.timeline import timeline
from service.base.problems import Problem
from service.play import answers
from service.play.answers import Answer
from service.play.readers import QUEUE_MAX, Readers, Turns, compute_apart
from tests.service.table import ADA, CYD, Table

KEPT_BYTES = 1 << 20
REAL_TIME = {"mode": "real_time"}


def pid_of(_note: str) -> bytes:
    return b"%d" % os.getpid()


def stuck(note: str) -> bytes:
    Path(note).write_text(str(os.getpid()))
    time.sleep(600)
    return b""


def busy() -> bytes:
    while True:
        pass


def busy_apart(seconds: float) -> bytes:
    work = f"import time\nwhile time.process_time() < {seconds}: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
    return b""


def greedy() -> bytes:
    return bytes(1 << 40)


async def stop_tasks() -> None:
    """Stop what runs on the loop, among it the reading processes."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def is_running(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def plain(value):
    return msgspec.json.decode(msgspec.json.encode(value))


class Counted:
    """Computes answers here, and counts them."""

    def __init__(self, seconds: float = 0.0):
        self.count = 0
        self.go_on = asyncio.Event()
        self.go_on.set()
        self._seconds = seconds

    async def __call__(self, memory_mb, function, arguments):
        self.count += 1
        await self.go_on.wait()
        body, problem, _ = answers.answer(function, arguments)
        return Answer(body, problem, self._seconds)


@pytest.fixture
def table():
    table = Table()
    table.open("", "")
    for _ in range(6):
        table.move()
    yield table
    table.do(stop_tasks())
    table.loop.close()


def readers_of(table, compute=compute_apart, **more):
    return Readers(table.cache, 1, 0, KEPT_BYTES, compute=compute, **more)


def ask(readers, table, function=answers.timeline_page, *arguments, player=ADA.player, **more):
    given = arguments or (0, 1_000)
    return readers.of_match(player, table.cached, None, function, *given, **more)


def test_an_answer_is_computed_apart_and_is_the_librarys(table):
    lines = table.do(table.cache.lines(table.cached))
    readers = readers_of(table)

    async def both():
        return (
            await ask(readers, table),
            await ask(readers, table, answers.difference, 1, 3, versions=(1, 3)),
            await readers.compute("p", pid_of, ""),
        )

    told, differs, pid = table.do(both())
    assert int(pid) != os.getpid()
    moments = msgspec.json.decode(told)["moments"]
    assert moments == plain(timeline(GAMES, lines, None))
    assert msgspec.json.decode(differs) == plain(diff(History(GAMES, lines), None, 1, 3))


def test_a_timeline_comes_in_pages(table):
    readers = readers_of(table, Counted())
    whole = msgspec.json.decode(table.do(ask(readers, table)))
    assert not whole["more"]
    first = msgspec.json.decode(table.do(ask(readers, table, answers.timeline_page, 0, 3)))
    rest = msgspec.json.decode(table.do(ask(readers, table, answers.timeline_page, 3, 99)))
    assert (len(first["moments"]), first["more"], rest["more"]) == (3, True, False)
    assert first["moments"] + rest["moments"] == whole["moments"]


def test_an_answer_is_kept_until_its_viewer_is_shown_something_new(table):
    compute = Counted()
    readers = readers_of(table, compute)
    first = table.do(ask(readers, table))
    assert table.do(ask(readers, table, player="p_eve")) == first
    assert compute.count == 1
    table.move()
    assert table.do(ask(readers, table)) != first
    assert compute.count == 2


def test_a_record_that_is_hidden_from_a_viewer_makes_no_answer_take_longer(table):
    """A reading process keeps the folds of a few logs, and folds any other from the beginning."""
    table.open("", "", "", "heuristic", game="captain_sonar", seats=4, options=REAL_TIME)
    table.move()
    table.move()
    folded = []

    async def compute(_limits, _function, arguments):
        folded.append(arguments[0])
        return Answer(b"{}", None, 0.0)

    readers = readers_of(table, compute)
    table.do(ask(readers, table, answers.difference, 1, 2, versions=(1, 2)))
    table.play(CYD, WipeOverlay())
    assert table.cached.match.shown[None][-1] == table.cached.match.version - 1
    table.do(ask(readers, table, answers.difference, 1, 3, versions=(1, 3)))
    assert folded[0] == folded[1]


def test_an_earlier_version_never_changes(table):
    compute = Counted()
    readers = readers_of(table, compute)
    view = (answers.view_at, 3, None)
    first = table.do(ask(readers, table, *view, versions=(3,)))
    table.move()
    assert table.do(ask(readers, table, *view, versions=(3,))) == first
    assert compute.count == 1


def test_a_version_that_does_not_exist_costs_nothing(table):
    compute = Counted()
    with pytest.raises(Problem) as refused:
        table.do(ask(readers_of(table, compute), table, answers.view_at, 99, None, versions=(99,)))
    assert (refused.value.code, refused.value.extra["last"]) == ("no-such-version", 9)
    assert compute.count == 0


@pytest.mark.parametrize(
    ("function", "arguments", "code"),
    [
        (answers.origin, ("no pointer", "game", 1, None, False), "bad-path"),
        (answers.turnings, ("((", "game", False), "bad-condition"),
        (answers.without, (1, b"", None, False), "no-such-command"),
    ],
)
def test_a_refusal_comes_through_from_the_other_process(table, function, arguments, code):
    with pytest.raises(Problem) as refused:
        table.do(ask(readers_of(table), table, function, *arguments))
    assert refused.value.code == code


def test_a_caller_waits_for_few_answers_at_a_time(table):
    compute = Counted()
    readers = readers_of(table, compute)

    async def crowd():
        compute.go_on.clear()
        asked = [
            asyncio.create_task(ask(readers, table, answers.timeline_page, 0, limit))
            for limit in range(1, QUEUE_MAX + 1)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await ask(readers, table, answers.timeline_page, 0, 99)
        compute.go_on.set()
        other = ask(readers, table, answers.origin, "", "game", 1, None, False, player="b")
        await asyncio.gather(*asked, other)
        await ask(readers, table, answers.timeline_page, 0, 99)
        return refused.value

    refused = table.do(crowd())
    assert (refused.status, refused.code, refused.extra["retry_after"]) == (429, "rate-limited", 1)


def test_a_caller_pays_for_the_work_of_its_answers(table):
    readers = readers_of(table, Counted(seconds=5.0))
    table.do(ask(readers, table, answers.timeline_page, 0, 99))
    with pytest.raises(Problem) as refused:
        table.do(ask(readers, table, answers.timeline_page, 0, 2))
    assert (refused.value.status, refused.value.code) == (429, "rate-limited")
    assert refused.value.extra["retry_after"] >= 1
    table.do(ask(readers, table, answers.timeline_page, 0, 2, player="p_eve"))


def test_the_work_of_an_answer_includes_that_of_other_processes():
    """A condition is evaluated in one: it must not be the cheapest way to keep others waiting."""
    assert answers.answer(busy_apart, (0.3,)).seconds >= 0.3


def test_a_stuck_process_is_killed_and_replaced(table, tmp_path):
    patient, impatient = readers_of(table), readers_of(table, answer_s=1.0)
    note = tmp_path / "pid"

    async def try_it():
        before = await patient.compute("p_bob", pid_of, "")
        with pytest.raises(Problem) as refused:
            await impatient.compute(ADA.player, stuck, str(note))
        return before, refused.value, await patient.compute("p_bob", pid_of, "")

    before, refused, after = table.do(try_it())
    assert (refused.status, refused.code) == (422, "too-costly")
    assert note.read_text().encode() == before != after
    assert not is_running(int(before))


def test_an_answer_that_takes_too_much_cpu_time_is_refused(table):
    readers = readers_of(table, cpu_s=1)

    async def try_it():
        with pytest.raises(Problem) as refused:
            await readers.compute(ADA.player, busy)
        return refused.value, await readers.compute("p_bob", pid_of, "")

    refused, after = table.do(try_it())
    assert (refused.status, refused.code) == (422, "too-costly")
    assert after


def test_an_answer_that_takes_too_much_memory_is_refused(table):
    readers = Readers(table.cache, 1, 1_024, KEPT_BYTES)
    with pytest.raises(Problem) as refused:
        table.do(readers.compute(ADA.player, greedy))
    assert refused.value.code == "too-costly"


def test_who_asked_for_least_goes_first(table):
    """A player's answer does not wait for all that guests have asked for before."""
    turns, order, asked = Turns(1), [], asyncio.Event()

    async def answered(name, saved_s):
        async with turns.of(saved_s):
            order.append(name)
            await asked.wait()

    async def crowd():
        callers = {"under way": 0.1, "owes": -1.0, "gone": 2.0, "player": 1.5, "guest": 0.5}
        tasks = []
        for name, saved_s in callers.items():
            tasks.append(asyncio.create_task(answered(name, saved_s)))
            await asyncio.sleep(0)
        tasks[2].cancel()
        asked.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await answered("later", 0.0)

    table.do(crowd())
    assert order == ["under way", "player", "guest", "owes", "later"]


def test_a_turn_that_comes_as_its_caller_leaves_is_passed_on(table):
    turns = Turns(1)

    async def leave():
        async with turns.of(0.0):
            waiting = asyncio.create_task(turns.of(0.0).__aenter__())
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(10), turns.of(0.0):
            return True

    assert table.do(leave())
