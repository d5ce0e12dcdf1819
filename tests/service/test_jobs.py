"""The jobs themselves: idempotent, named by what they looked at, dropped when stale; and what the clock may do."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import pytest
from freezegun import freeze_time
from msgspec import json
from rq.serializers import JSONSerializer

from events.memory_store import MemoryStore
from games import GAMES
from games.game import Illegal
from games.match.clocks import SECOND, deadlines
from games.match.commands import (
    AddBot,
    Answer,
    ComeBack,
    CreateMatch,
    Pause,
    PerMove,
    Resign,
    Resume,
    SetStandingOrders,
    TakeSeat,
)
from games.match.due import next_due
from projections.summary import summary, waiting_bots
from replay.audit import Evidence, audit
from service import bots
from service.clock import now_micros
from service.keys import Keys
from service.lives import Lives
from service.matches import Matches
from service.players import Caller
from service.problems import Problem
from service.worker import jobs
from service.worker.process import InProcess
from service.worker.queues import enqueue, open_queues, play_bot
from tests.service.conftest import SECRETS

ADA, BOB = Caller("p_ada"), Caller("p_bob")
GAME = GAMES["tranquility"]
NOON = "2026-11-21 12:00:00"


class NoFeed:
    async def announce(self, match, version):
        pass


class Table:
    """A desk without servers, and a match on it."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.keys = Keys(SECRETS)
        self.store = store = MemoryStore()
        self.lives = Lives(store, self.keys, GAMES, 1 << 24)
        self.matches = Matches(self.lives, store, NoFeed(), self.keys, GAMES)

    def run(self, work):
        return self.loop.run_until_complete(
            work(SimpleNamespace(lives=self.lives, matches=self.matches, keys=self.keys))
        )

    def do(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def open(self, *levels, clock=None, **fields):
        """Open a match between rivals: "" is a person."""
        command = CreateMatch("tranquility", 2, {"variant": "competitive"}, clock=clock, **fields)
        self.live = self.do(self.matches.create(ADA, command, None))
        for seat, level in enumerate(levels):
            sit = AddBot(seat, level) if level else TakeSeat(seat)
            self.do(self.matches.play(self.live, ADA if level else (ADA, BOB)[seat], sit, None))
        return self.live.match.header.match

    def move(self):
        """Play the first legal command of the waiting person."""
        seat = min(GAME.waiting(self.live.match.state))
        command = GAME.legal(self.live.match.state, seat)[0]
        self.do(self.matches.play(self.live, (ADA, BOB)[seat], command, None))

    @property
    def version(self):
        return self.live.folded.version


@pytest.fixture
def table(monkeypatch):
    table = Table()
    monkeypatch.setattr(jobs, "desk", lambda: table)
    yield table
    table.loop.close()


@pytest.fixture
def noon():
    with freeze_time(NOON, real_asyncio=True, ignore=["_pytest"]) as clock:
        yield clock


def run_clock(match, deadline):
    """Let the worker look at one match."""
    (outcome,) = jobs.run_clocks([(match, deadline)])
    return outcome


def due(table):
    return deadlines(table.live.match)[0].at


def test_a_deadline_is_applied_when_it_has_come(table, noon):
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline, version = due(table), table.version
    noon.tick(timedelta(seconds=59, microseconds=999_999))
    assert run_clock(match, deadline) == "early"
    assert table.version == version
    noon.tick(timedelta(microseconds=1))
    assert run_clock(match, deadline) == "applied 1"
    assert table.version == version + 1


def test_a_timeout_that_comes_twice_counts_once(table, noon):
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline = due(table)
    noon.tick(61)
    assert run_clock(match, deadline) == "applied 1"
    version = table.version
    assert run_clock(match, deadline) == "stale"
    assert table.version == version


def test_a_timeout_that_comes_after_the_move_is_dropped(table, noon):
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline = due(table)
    noon.tick(10)
    table.move()
    version = table.version
    noon.tick(50)
    assert run_clock(match, deadline) == "stale"
    assert table.version == version


def test_a_finished_match_has_no_clock(table, noon):
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline = due(table)
    table.do(table.matches.play(table.live, BOB, Resign(), None))
    assert table.live.match.status == "finished"
    version = table.version
    noon.tick(61)
    assert run_clock(match, deadline) == "stale"
    assert table.version == version


def test_a_clock_that_steps_back_delays_but_never_hangs(table, noon):
    """Times in the log never go back; no duration is negative; the deadline comes once the clock is there again."""
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline = due(table)
    noon.tick(timedelta(hours=-1))
    assert run_clock(match, deadline) == "early"
    at = table.live.match.at
    table.move()
    assert table.live.match.at == at
    after = due(table)
    assert 0 < after - table.live.match.at <= 60 * SECOND
    noon.tick(timedelta(hours=1, seconds=61))
    assert run_clock(match, after).startswith("applied")


def test_a_clock_that_steps_ahead_times_out_once_and_comes_back(table, noon):
    match = table.open("", "", clock=PerMove(seconds=60))
    noon.tick(timedelta(hours=1))
    version = table.version
    assert run_clock(match, due(table)) == "applied 1"
    assert table.version == version + 1
    stepped = table.live.match.at
    noon.tick(timedelta(hours=-1))
    table.move()
    assert table.live.match.at == stepped
    assert due(table) == stepped + 60 * SECOND


def test_two_hosts_that_disagree_on_the_time_time_out_once(table, noon):
    """One host's clock is five minutes ahead: the record's time is what counts for all that follows."""
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline = due(table)
    noon.tick(timedelta(minutes=5))
    assert run_clock(match, deadline) == "applied 1"
    noon.tick(timedelta(minutes=-5))
    assert run_clock(match, deadline) == "stale"
    assert due(table) == table.live.match.at + 60 * SECOND > now_micros()


def test_any_number_of_workers_at_once_apply_each_deadline_once(table, noon):
    """Each on its own fold of the same logs: the log lets one of them through."""
    opened = [table.open("", "", clock=PerMove(seconds=60)) for _ in range(5)]
    deadline, version = due(table), table.version
    noon.tick(61)
    workers = [
        SimpleNamespace(
            lives=(lives := Lives(table.store, table.keys, GAMES, 1 << 24)),
            matches=Matches(lives, table.store, NoFeed(), table.keys, GAMES),
        )
        for _ in range(4)
    ]

    async def all_at_once():
        calls = [jobs._run_clock(one, match, deadline) for match in opened for one in workers]
        return await asyncio.gather(*calls)

    outcomes = table.do(all_at_once())
    assert outcomes.count("applied 1") == len(opened)
    for match in opened:
        assert table.do(table.lives.get(match)).folded.version == version + 1


def test_a_match_that_fails_holds_up_no_other(table, noon):
    """The job is tried again: what it has done is stale by then."""
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline, version = due(table), table.version
    noon.tick(61)
    with pytest.raises(Problem, match="no such match"):
        jobs.run_clocks([("m_gone", deadline), (match, deadline)])
    assert table.version == version + 1
    assert run_clock(match, deadline) == "stale"


def test_a_pause_by_consent_holds_deadlines_and_gives_the_time_back(table, noon):
    """Also over a worker's look in between, and over a clock that steps back meanwhile."""
    match = table.open("", "", clock=PerMove(seconds=60))
    deadline = due(table)
    noon.tick(20)
    table.do(table.matches.play(table.live, ADA, Pause(), None))
    number = table.live.folded.number(1)
    assert due(table) == deadline, "not yet"
    table.do(table.matches.play(table.live, BOB, Answer(number, accept=True), None))
    noon.tick(3600)
    assert run_clock(match, deadline) == "stale"
    noon.tick(-600)
    table.do(table.matches.play(table.live, BOB, Resume(), None))
    assert due(table) == deadline + 3000 * SECOND
    noon.tick(41)
    assert run_clock(match, due(table)) == "applied 1"


def test_a_bot_plays_at_its_version_once(table):
    match = table.open("heuristic", "heuristic")
    version = table.version
    assert jobs.play_bot(match, version) == "played"
    assert table.version == version + 1
    assert jobs.play_bot(match, version) == "stale"
    assert table.version == version + 1


def test_a_bots_choice_is_dropped_when_the_match_has_gone_on(table):
    """It was made for another position."""
    match = table.open("heuristic", "heuristic")
    turn = bots.turn(table.live, table.version, table.keys)
    command = bots.choose(turn)
    jobs.play_bot(match, table.version)
    version = table.version
    assert table.do(bots.play(table.matches, table.live, turn, command)) == "stale"
    assert table.version == version


def test_bots_play_a_match_to_its_end(table):
    match = table.open("heuristic", "heuristic")
    for _ in range(500):
        if jobs.play_bot(match, table.version) == "stale":
            break
    assert table.live.match.status == "finished"
    bys = {entry.seat for entry in table.live.match.line}
    assert bys >= {0, 1}


def test_a_bot_has_dice_of_its_own_that_repeat(table):
    match = table.open("heuristic", "heuristic")
    first, second = (bots.turn(table.live, table.version, table.keys) for _ in range(2))
    assert first.chance.randbelow(1 << 60) == second.chance.randbelow(1 << 60)
    jobs.play_bot(match, table.version)
    third = bots.turn(table.live, table.version, table.keys)
    assert third.chance.randbelow(1 << 60) != second.chance.randbelow(1 << 60)


def test_a_bot_is_told_its_own_view_and_nothing_else(table):
    table.open("heuristic", "heuristic")
    turn = bots.turn(table.live, table.version, table.keys)
    state = table.live.match.state
    assert turn.view == GAME.view(state, turn.seat)
    assert turn.seen.viewer == turn.seat
    assert not hasattr(turn, "state")


def test_a_bot_stands_in_for_who_is_away_until_they_are_back(table, noon):
    """Its record says that the service played; the log holds, and the person takes over where they like."""
    match = table.open("", "", clock=PerMove(seconds=60), away_after=1, stand_in="heuristic")
    seat = min(GAME.waiting(table.live.match.state))
    noon.tick(61)
    assert run_clock(match, due(table)) == "applied 1"
    assert table.live.match.chairs[seat].away
    for _ in range(200):
        if table.live.match.bot_at(min(GAME.waiting(table.live.match.state))):
            break
        table.move()
    turn = bots.turn(table.live, table.version, table.keys)
    assert (turn.seat, turn.level, turn.stands_in) == (seat, "heuristic", True)
    assert turn.view == GAME.view(table.live.match.state, seat)
    assert jobs.play_bot(match, table.version) == "played"
    assert table.live.match.chairs[seat].away
    lines = table.do(table.lives.lines(table.live))
    assert json.decode(lines[-1])["by"] == {"seat": seat, "clock": True}
    version = table.version
    table.do(table.matches.play(table.live, (ADA, BOB)[seat], ComeBack(), None))
    assert jobs.play_bot(match, version) == "stale"
    report = audit(GAMES, Evidence(match, table.do(table.lives.lines(table.live)), match))
    assert report.findings == []


def test_what_was_ordered_is_done_though_the_service_died_in_between(table, monkeypatch):
    """The order is in the log: whoever looks at the match next follows it, once."""
    match = table.open("", "")
    seat = min(GAME.waiting(table.live.match.state))
    object.__setattr__(GAME, "orders", {"default": GAME.default})
    try:
        with monkeypatch.context() as dying:
            dying.setattr(Matches, "_run_due", lambda *_: asyncio.sleep(0))
            order = SetStandingOrders(("default",), "next_command")
            table.do(table.matches.play(table.live, (ADA, BOB)[seat], order, None))
        version, at = table.version, due_at(table)
        assert summary(table.live.match).deadline == at
        assert run_clock(match, at).startswith("applied")
        assert table.version > version
        assert table.live.match.line[-1].seat == seat
        assert run_clock(match, at) == "stale"
    finally:
        object.__setattr__(GAME, "orders", {})


def due_at(table):
    return next_due(table.live.match).at


@pytest.mark.parametrize("failure", [ValueError, MemoryError, RecursionError, KeyError])
def test_a_bot_that_fails_plays_the_default(table, monkeypatch, failure):
    def fail(*_):
        raise failure

    monkeypatch.setitem(GAME.bots, "heuristic", fail)
    match = table.open("heuristic", "heuristic")
    default = bots.turn(table.live, table.version, table.keys).default
    assert jobs.play_bot(match, table.version) == "played"
    assert table.live.match.line[-1].command == default


def test_a_bot_that_never_chooses_is_stopped_and_plays_the_default(table, monkeypatch, work_server):
    """Its time limit strikes in the choice alone: what it asks of the service goes on."""

    def ponder(*_):
        while True:
            pass

    monkeypatch.setitem(GAME.bots, "heuristic", ponder)
    match = table.open("heuristic", "heuristic")
    version = table.version
    queues = open_queues(work_server.url)
    queue = queues["bots"]
    queue.connection.flushall()
    enqueue(queues, play_bot(match, version)._replace(timeout_s=1))
    worker = InProcess([queue], connection=queue.connection, serializer=JSONSerializer)
    default = bots.turn(table.live, version, table.keys).default
    worker.work(burst=True, logging_level="WARNING")
    assert table.version == version + 1
    assert table.live.match.line[-1].command == default
    queue.connection.close()


def test_a_bot_that_has_killed_its_process_twice_is_not_asked_again(table, monkeypatch):
    asked = []
    job = SimpleNamespace(meta={"begun": jobs.KILLS_MAX}, save_meta=lambda: None)
    monkeypatch.setattr(jobs, "get_current_job", lambda: job)
    monkeypatch.setitem(GAME.bots, "heuristic", lambda *_: asked.append(1))
    match = table.open("heuristic", "heuristic")
    default = bots.turn(table.live, table.version, table.keys).default
    assert jobs.play_bot(match, table.version) == "played"
    assert table.live.match.line[-1].command == default
    assert asked == []


def test_a_bot_that_cheats_plays_the_default(table, monkeypatch):
    match = table.open("heuristic", "heuristic")
    turn = bots.turn(table.live, table.version, table.keys)
    illegal = next(
        command
        for command in GAME.legal(table.live.match.state, turn.seat)
        if command != turn.default
    )

    def refuse(state, seat, command, chance):
        if command == illegal:
            raise Illegal("not-your-turn")
        return decide(state, seat, command, chance)

    decide = GAME.decide
    monkeypatch.setitem(GAME.bots, "heuristic", lambda *_: illegal)
    object.__setattr__(GAME, "decide", refuse)
    try:
        assert jobs.play_bot(match, table.version) == "played"
    finally:
        object.__setattr__(GAME, "decide", decide)
    assert table.live.match.line[-1].command == turn.default


def test_a_bot_that_would_have_to_wait_long_makes_room_for_others(table):
    match = table.open("heuristic", "heuristic")
    version = table.version
    table.live.match.paces["course"] = now_micros()
    pace = GAME.pace
    object.__setattr__(GAME, "pace", lambda *_: ("course", 60_000))
    try:
        before = now_micros()
        assert jobs.play_bot(match, version) == "too-fast"
        assert now_micros() - before < SECOND
    finally:
        object.__setattr__(GAME, "pace", pace)
    assert table.version == version


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["too-fast", "played"], "played"),
        (["too-fast", "too-fast", "stale"], "too-fast"),
        (["stale"], "stale"),
    ],
)
def test_where_one_bot_is_too_fast_the_next_one_is_asked(monkeypatch, outcomes, expected):
    asked = []

    def play(match, version, place):
        asked.append(place)
        return outcomes[place]

    monkeypatch.setattr(jobs, "_play", play)
    assert jobs.play_bot("m_1", 7) == expected
    assert asked == list(range(len(outcomes)))


def test_every_waiting_bot_has_its_turn(table):
    """Both captains choose where to start."""
    table.live = table.do(table.matches.create(ADA, CreateMatch("captain_sonar", 2), None))
    for seat in range(2):
        table.do(table.matches.play(table.live, ADA, AddBot(seat, "heuristic"), None))
    waiting = waiting_bots(table.live.match)
    assert len(waiting) == 2
    turns = [bots.turn(table.live, table.version, table.keys, place) for place in range(4)]
    assert [turn and turn.seat for turn in turns] == [*waiting, *[None] * (4 - len(waiting))]


def test_a_bot_that_comes_too_fast_waits(table):
    match = table.open("heuristic", "heuristic")
    seat = bots.turn(table.live, table.version, table.keys).seat
    table.live.match.paces["course"] = now_micros()
    pace = GAME.pace
    object.__setattr__(GAME, "pace", lambda *_: ("course", 150))
    try:
        before = now_micros()
        assert jobs.play_bot(match, table.version) == "played"
        assert now_micros() - before >= 100_000
    finally:
        object.__setattr__(GAME, "pace", pace)
    assert table.live.match.line[-1].seat == seat
