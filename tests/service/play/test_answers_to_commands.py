"""What a player is told about a command, without a list of all that the player was ever shown."""

import pytest

from games.match.commands import CreateMatch, LeaveSeat, TakeSeat
from tests.service.table import ADA, BOB, GAME, Table


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
