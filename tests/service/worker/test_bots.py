"""Jobs that play for bots: once for each version, from the bot's view, whatever the bot does."""

from types import SimpleNamespace

import pytest
from msgspec import json
from rq.serializers import JSONSerializer

from games import GAMES
from games.captain_sonar.commands import WipeOverlay
from games.game import Illegal
from games.match.commands import ComeBack, PerMove
from projections.summary import waiting_bots
from replay.audit import audit
from replay.evidence import Evidence
from service.base.clock import now_micros
from service.jobs.queues import enqueue, open_queues, play_bot
from service.play import bots
from service.worker import wakeups
from service.worker.rq_worker import InProcess
from tests.service.table import CYD, GAME, PEOPLE, other


def test_a_bot_plays_at_its_version_once(table):
    match = table.open("heuristic", "heuristic")
    version = table.version
    assert wakeups.play_bot(match, version) == "played"
    assert table.version == version + 1
    assert wakeups.play_bot(match, version) == "stale"
    assert table.version == version + 1


def test_a_bots_choice_is_dropped_when_the_match_has_gone_on(table):
    """It was made for another position."""
    match = table.open("heuristic", "heuristic")
    turn = table.turn()
    command = bots.choose(turn)
    wakeups.play_bot(match, table.version)
    version = table.version
    assert table.do(bots.play(table.matches, table.cached, turn, command)) == "stale"
    assert table.version == version


def test_what_a_bot_was_not_shown_does_not_make_its_choice_stale(table):
    """Otherwise a crew could halt the bots of the other by hidden commands."""
    levels = ("heuristic", "heuristic", "", "heuristic")
    match = table.open(*levels, game="captain_sonar", seats=4, options={"mode": "real_time"})
    for _ in range(2):
        wakeups.play_bot(match, table.version)
    turn = table.turn(1)
    command = bots.choose(turn)
    table.play(CYD, WipeOverlay())
    assert table.do(bots.play(table.matches, table.cached, turn, command)) == "played"


def test_bots_play_a_match_to_its_end(table):
    match = table.open("heuristic", "heuristic")
    for _ in range(500):
        if wakeups.play_bot(match, table.version) == "stale":
            break
    assert table.cached.match.status == "finished"
    bys = {entry.seat for entry in table.cached.match.line}
    assert bys >= {0, 1}


def test_a_bot_has_dice_of_its_own_that_repeat(table):
    match = table.open("heuristic", "heuristic")
    first, second = (table.turn() for _ in range(2))
    assert first.chance.randbelow(1 << 60) == second.chance.randbelow(1 << 60)
    wakeups.play_bot(match, table.version)
    third = table.turn()
    assert third.chance.randbelow(1 << 60) != second.chance.randbelow(1 << 60)


def test_a_bot_is_told_its_own_view_and_nothing_else(table):
    table.open("heuristic", "heuristic")
    turn = table.turn()
    state = table.cached.match.state
    assert turn.view == GAME.view(state, turn.seat)
    assert turn.seen.viewer == turn.seat
    assert not hasattr(turn, "state")


def test_a_bot_stands_in_for_who_is_away_until_they_are_back(table, noon):
    """The record names the service as actor.

    The log holds, and the person may take over at any time.
    """
    match = table.open("", "", clock=PerMove(seconds=60), away_after=1, stand_in="heuristic")
    seat = table.to_act
    noon.tick(61)
    assert wakeups.run_clocks([(match, table.deadline)]) == ["applied 1"]
    assert table.cached.match.chairs[seat].away
    for _ in range(200):
        if table.cached.match.bot_at(table.to_act):
            break
        table.move()
    turn = table.turn()
    assert (turn.seat, turn.level, turn.stands_in) == (seat, "heuristic", True)
    assert turn.view == GAME.view(table.cached.match.state, seat)
    assert wakeups.play_bot(match, table.version) == "played"
    assert table.cached.match.chairs[seat].away
    lines = table.do(table.cache.lines(table.cached))
    assert json.decode(lines[-1])["by"] == {"seat": seat, "clock": True}
    version = table.version
    table.play(PEOPLE[seat], ComeBack())
    assert wakeups.play_bot(match, version) == "stale"
    report = audit(GAMES, Evidence(match, table.do(table.cache.lines(table.cached)), match))
    assert report.findings == []


def assert_default_is_played(table):
    match = table.open("heuristic", "heuristic")
    default = table.turn().default
    assert wakeups.play_bot(match, table.version) == "played"
    assert table.last.command == default


@pytest.mark.parametrize("failure", [ValueError, MemoryError, RecursionError, KeyError])
def test_a_bot_that_fails_plays_the_default(table, monkeypatch, failure):
    def fail(*_):
        raise failure

    monkeypatch.setitem(GAME.players.bots, "heuristic", fail)
    assert_default_is_played(table)


def test_a_bot_that_never_chooses_is_stopped_and_plays_the_default(table, monkeypatch, work_server):
    """Its time limit strikes in the choice alone: what it asks of the service goes on."""

    def ponder(*_):
        while True:
            pass

    monkeypatch.setitem(GAME.players.bots, "heuristic", ponder)
    match = table.open("heuristic", "heuristic")
    version = table.version
    queues = open_queues(work_server.url)
    queue = queues["bots"]
    queue.connection.flushall()
    enqueue(queues, play_bot(match, version)._replace(timeout_s=1))
    worker = InProcess([queue], connection=queue.connection, serializer=JSONSerializer)
    default = table.turn().default
    worker.work(burst=True, logging_level="WARNING")
    assert table.version == version + 1
    assert table.last.command == default
    queue.connection.close()


def test_a_bot_that_has_killed_its_process_twice_is_not_asked_again(table, monkeypatch):
    asked = []
    job = SimpleNamespace(meta={"begun": wakeups.KILLS_MAX}, save_meta=lambda: None)
    monkeypatch.setattr(wakeups, "get_current_job", lambda: job)
    monkeypatch.setitem(GAME.players.bots, "heuristic", lambda *_: asked.append(1))
    assert_default_is_played(table)
    assert asked == []


def test_a_bot_that_cheats_plays_the_default(table, monkeypatch):
    match = table.open("heuristic", "heuristic")
    turn = table.turn()
    illegal = next(
        command
        for command in GAME.legal(table.cached.match.state, turn.seat)
        if command != turn.default
    )

    def refuse(draft, seat, command):
        if command == illegal:
            raise Illegal("not-your-turn")
        decide_on(draft, seat, command)

    decide_on = GAME.decide_on
    monkeypatch.setitem(GAME.players.bots, "heuristic", lambda *_: illegal)
    with other(GAME, decide_on=refuse):
        assert wakeups.play_bot(match, table.version) == "played"
    assert table.last.command == turn.default


def test_a_bot_that_comes_too_fast_waits(table):
    match = table.open("heuristic", "heuristic")
    seat = table.turn().seat
    table.cached.match.paces["course"] = now_micros()
    with other(GAME.timing, pace=lambda *_: ("course", 150)):
        before = now_micros()
        assert wakeups.play_bot(match, table.version) == "played"
        assert now_micros() - before >= 100_000
    assert table.last.seat == seat


def test_a_bot_that_would_have_to_wait_long_makes_room_for_others(table):
    match = table.open("heuristic", "heuristic")
    version = table.version
    table.cached.match.paces["course"] = now_micros()
    with other(GAME.timing, pace=lambda *_: ("course", 60_000)):
        assert wakeups.play_bot(match, version) == "too-fast"
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

    monkeypatch.setattr(wakeups, "_play", play)
    assert wakeups.play_bot("m_1", 7) == expected
    assert asked == list(range(len(outcomes)))


def test_every_waiting_bot_has_its_turn(table):
    """Both captains choose where to start."""
    table.open("heuristic", "heuristic", game="captain_sonar", options={})
    waiting = waiting_bots(table.cached.match)
    assert len(waiting) == 2
    turns = [table.turn(place) for place in range(4)]
    assert [turn and turn.seat for turn in turns] == [*waiting, *[None] * (4 - len(waiting))]
