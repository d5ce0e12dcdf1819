"""What a player is told about a command, without a list of all that the player was ever shown."""

import pytest

from games.captain_sonar.commands import WipeOverlay
from games.match.commands import CreateMatch, LeaveSeat, Pause, Resign, TakeSeat, WithdrawProposal
from service.base.problems import Problem
from service.play import match_cache, match_length
from tests.service.table import ADA, BOB, CYD, GAME, Table

REAL_TIME = {"mode": "real_time"}


@pytest.fixture
def table():
    table = Table()
    yield table
    table.loop.close()


def test_an_answer_has_the_events_as_its_player_is_shown_them(table):
    table.open("", "")
    cached = table.cached
    seat = table.to_act
    command = GAME.legal(cached.match.state, seat)[0]
    answer = table.do(table.matches.play(cached, (ADA, BOB)[seat], command, "move"))
    assert all(cached.folded.told(viewer) is None for viewer in (0, 1, None))
    table.do(table.cache.follow(cached, seat))
    shown = cached.folded.latest[seat]
    assert (answer.version, answer.events) == (shown.v, shown.events)
    assert answer.head == cached.folded.receipt(seat)
    again = table.do(table.matches.play(cached, (ADA, BOB)[seat], command, "move"))
    assert again == answer


def test_who_leaves_a_seat_is_told_as_a_spectator(table):
    cached = table.do(table.matches.create(ADA, CreateMatch(GAME.slug, 2), None))
    table.cached = cached
    table.play(ADA, TakeSeat(0))
    answer = table.do(table.matches.play(cached, ADA, LeaveSeat(), None))
    table.do(table.cache.follow(cached, None))
    shown = cached.folded.latest[None]
    assert (answer.version, answer.events) == (shown.v, shown.events)


def test_a_long_match_is_folded_in_a_thread(table, monkeypatch):
    """Others would wait for it: for a repeated command, and for what a viewer was shown."""
    folded_in = []
    monkeypatch.setattr(match_cache, "LONG", 3)
    monkeypatch.setattr(match_cache.asyncio, "to_thread", in_thread(folded_in))
    table.open("", "")
    cached, seat = table.cached, table.to_act
    command = GAME.legal(cached.match.state, seat)[0]
    answer = table.do(table.matches.play(cached, (ADA, BOB)[seat], command, "move"))
    assert table.do(table.matches.play(cached, (ADA, BOB)[seat], command, "move")) == answer
    table.do(table.cache.follow(cached, None))
    assert len(folded_in) == 2


def in_thread(calls):
    async def to_thread(work):
        calls.append(work)
        return work()

    return to_thread


def fill(table, monkeypatch):
    """Let Cyd fill a match in real time up to its limit, with records that rivals are not shown."""
    monkeypatch.setattr(match_length, "RECORDS_MAX", 8)
    table.open("", "", "", "heuristic", game="captain_sonar", seats=4, options=REAL_TIME)
    table.move()
    table.move()
    table.play(CYD, WipeOverlay())
    table.play(CYD, WipeOverlay())


def test_a_match_with_too_many_records_takes_only_what_ends_it(table, monkeypatch):
    monkeypatch.setattr(match_length, "RECORDS_MAX", 4)
    table.open("", "")
    cached = table.cached
    first = table.do(table.matches.play(cached, ADA, Pause(), "first"))
    with pytest.raises(Problem) as refused:
        table.do(table.matches.play(cached, ADA, WithdrawProposal(), None))
    assert (refused.value.status, refused.value.code) == (422, "match-too-long")
    assert table.do(table.matches.play(cached, ADA, Pause(), "first")) == first
    table.do(table.matches.play(cached, ADA, Resign(), None))
    assert cached.match.over


def test_who_fills_a_match_does_not_keep_the_others_from_playing_on(table, monkeypatch):
    """In real time, a crew may send commands that cost nothing without an end."""
    fill(table, monkeypatch)
    for command in (WipeOverlay(), Pause()):
        with pytest.raises(Problem, match="takes no more such commands from you"):
            table.play(CYD, command)
    table.move()


def test_whoever_is_not_shown_the_records_that_fill_a_match_is_not_told(table, monkeypatch):
    """Otherwise a rival could fill a match and learn how many records are hidden."""
    fill(table, monkeypatch)
    assert table.cached.match.version > match_length.RECORDS_MAX
    table.play(BOB, Pause())
