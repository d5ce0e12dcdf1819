"""Opening a match, sitting down, starting."""

import pytest

from games.chance import Chance
from games.game import Illegal
from games.match.commands import Actor, AddBot, CreateMatch, LeaveSeat, RemoveBot, TakeSeat
from games.match.events import BotSeated, MatchStarted, SeatFreed, SeatTaken
from games.match.seating import Issuer, create
from games.match.seed import match_seed
from tests.games.match.table import SERVICE_SEED, Table
from tests.games.match.toy import TOY, Count, Dealt


def open_toy(**fields):
    return create(TOY, "m_1", CreateMatch("toy", **fields), Issuer("p", "s", "k", SERVICE_SEED))


def test_the_header_fixes_options_with_their_defaults_and_commits_to_the_seed():
    (header,) = open_toy(seats=2, options={"goal": 7})
    assert header.options == {"goal": 7}
    assert header.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seats": 2, "options": {"goal": "many"}}, "bad-option"),
        ({"seats": 2, "options": {"speed": 1}}, "bad-option"),
        ({"seats": 9}, "bad-player-count"),
        ({"seats": 2, "options": {"goal": 0}}, "option-conflict"),
    ],
)
def test_a_match_that_cant_be_is_refused_when_it_is_opened(fields, code):
    with pytest.raises(Illegal) as refusal:
        open_toy(**fields)
    assert refusal.value.code == code


def test_the_last_seat_starts_the_match_and_the_dice_hang_on_everyones_entropy():
    table = Table(2, seated=False)
    assert table.send(Actor(player="p_a"), TakeSeat(None, "aa")) == [SeatTaken(0, "p_a", "aa")]
    events = table.send(Actor(player="p_b"), TakeSeat(1, "bb"))
    secret = Chance(match_seed(SERVICE_SEED, ("aa", "bb")), 3).randbelow(100)
    started = MatchStarted(table.match.plain_options)
    assert events == [SeatTaken(1, "p_b", "bb"), started, Dealt(secret)]
    assert table.match.status == "running"


def test_seats_are_taken_once_and_can_be_left_before_the_start():
    table = Table(3, seated=False)
    table.send(Actor(player="p_a"), TakeSeat(1))
    assert table.code(Actor(player="p_b"), TakeSeat(1)) == "seat-taken"
    assert table.code(Actor(player="p_b"), TakeSeat(3)) == "no-such-seat"
    assert table.code(1, TakeSeat(2)) == "already-seated"
    assert table.send(1, LeaveSeat()) == [SeatFreed(1)]
    assert table.code(Actor(player="p_a"), LeaveSeat()) == "not-a-seat"
    assert table.send(Actor(player="p_b"), TakeSeat(1)) == [SeatTaken(1, "p_b", "")]


def test_bots_are_seated_by_the_creator_or_by_those_at_the_table():
    table = Table(3, seated=False)
    assert table.code(Actor(player="p_x"), AddBot(0)) == "not-at-the-table"
    assert table.code(Actor(player="p_host"), AddBot(0, "genius")) == "no-such-level"
    assert table.send(Actor(player="p_host"), AddBot()) == [BotSeated(0, "heuristic")]
    assert table.code(Actor(player="p_host"), RemoveBot(1)) == "no-such-bot"
    assert table.send(Actor(player="p_host"), RemoveBot(0)) == [SeatFreed(0)]


def test_nobody_sits_down_or_gets_up_after_the_start():
    table = Table(2)
    assert table.code(Actor(player="p_x"), TakeSeat()) == "match-started"
    assert table.code(0, LeaveSeat()) == "match-started"
    assert table.code(0, RemoveBot(0)) == "match-started"


def test_only_seats_play_and_only_when_the_match_runs():
    assert Table(2, seated=False).code(Actor(seat=0), Count(1)) == "match-not-started"
    table = Table(2)
    assert table.code(Actor(player="p_x"), Count(1)) == "not-a-seat"
    assert table.code(1, Count(1)) == "not-your-turn"
