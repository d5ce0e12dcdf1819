"""What the rows hold of a match."""

import pytest

from games import GAMES
from games.captain_sonar.commands import WipeOverlay
from games.match.commands import (
    Actor,
    Answer,
    BotPace,
    CreateMatch,
    LeaveSeat,
    Pause,
    PerMove,
    ProposeAbandon,
    Resign,
    TakeSeat,
)
from projections.entries import BOTS, DEADLINES, PACED_BOTS, entries
from projections.summary import PAUSES_MS, Sitter, summary, waiting_bots
from tests.games.match.toy import TOY, Count
from tests.projections.recorded import GAME, RIVALS, play, table
from tests.recorder import SECOND, START, Recorder


def indexes(recorder):
    return {entry.index for entry in entries(summary(recorder.match))}


def test_an_open_table_is_listed_with_its_free_seats():
    given = Recorder(GAME, CreateMatch(game=GAME.slug, seats=2, options=RIVALS))
    given.send(Actor(player="p_1"), TakeSeat(seat=1))
    found = summary(given.match)
    assert found.sitters == (Sitter(), Sitter("p_1"))
    assert (found.status, found.opened, found.version) == ("waiting", START, 2)
    assert found.deadline is None
    assert indexes(given) == {
        "lobby:*:*",
        "lobby:*:waiting",
        "lobby:tranquility:*",
        "lobby:tranquility:waiting",
        "history:all:p_1",
        "history:public:p_1",
    }


def test_who_gets_up_again_has_not_played():
    given = Recorder(GAME, CreateMatch(game=GAME.slug, seats=2, options=RIVALS))
    given.send(Actor(player="p_1"), TakeSeat(seat=1))
    given.send(Actor(seat=1), LeaveSeat())
    assert "history:all:p_1" not in indexes(given)


def test_a_private_match_is_in_no_public_index():
    given = play(table("", "", private=True, clock=PerMove(seconds=60)))
    assert given.match.status == "finished"
    own = {"opponents:p_0", "opponents:p_1"}
    assert indexes(given) == {"history:all:p_0", "history:all:p_1"} | own
    members = [one.member for one in entries(summary(given.match)) if one.index in own]
    assert all(member.split(" ")[1].isupper() for member in members), "as private results"


def test_the_soonest_deadline_stands_until_the_match_is_paused():
    given = table("", "", clock=PerMove(seconds=60))
    assert summary(given.match).deadline == given.at + 60 * SECOND
    assert DEADLINES in indexes(given)
    given.play(0, Pause())
    given.play(1, Answer(proposal=given.folded.number(1), accept=True))
    assert summary(given.match).deadline is None
    assert DEADLINES not in indexes(given)


def test_bots_are_waited_for_at_a_version():
    given = table("heuristic", "heuristic")
    found = summary(given.match)
    assert found.bots_from == given.at
    [due] = [entry for entry in entries(found) if entry.index == BOTS]
    assert due.member == f"m_test {len(given.lines)}"


def test_bots_hold_still_while_people_are_asked():
    """A command would close the proposal before anyone can answer."""
    given = table("", "", "heuristic", seats=3)
    while not waiting_bots(given.match):
        play(given, moves=1)
    given.play(0, ProposeAbandon())
    made = given.match.proposals[-1]
    assert made is not None
    assert summary(given.match).bots_from == made.made.expires


def test_of_several_bots_the_one_that_has_waited_longest_moves_first():
    """In real time both crews always have something to do: neither may starve."""
    game = GAMES["captain_sonar"]
    given = Recorder(game, CreateMatch("captain_sonar", 4, {"mode": "real_time"}))
    given.sit(*["heuristic"] * 4)
    acted: list[int] = []
    crowds = 0
    while len(acted) < 60:
        seat, *others = waiting_bots(given.match)
        last = {one: place for place, one in enumerate(acted)}
        assert all(last.get(seat, -1) < last.get(other, 0) for other in others)
        crowds += bool(others)
        given.play(seat, game.default(given.state, seat), after=5 * SECOND)
        acted.append(seat)
    assert crowds > 10


def test_a_result_has_teams_places_and_winners():
    given = play(table("", "heuristic"))
    outcome = summary(given.match).outcome
    assert outcome is not None
    assert outcome.at == given.at
    assert outcome.teams == ((0,), (1,))
    assert sorted(outcome.places) in ([1, 1], [1, 2])
    assert set(outcome.winners) <= {0, 1}
    assert {"results:tranquility", "unrated:tranquility"} <= indexes(given)


def test_who_resigns_comes_last():
    given = table("", "")
    given.play(1, Resign())
    outcome = summary(given.match).outcome
    assert outcome is not None
    assert (outcome.places, outcome.winners) == ((1, 2), (0,))


def test_a_cooperative_game_is_one_team():
    given = play(table("", "", "heuristic", seats=3))
    outcome = summary(given.match).outcome
    assert outcome is not None
    assert outcome.teams == ((0, 1, 2),)
    assert outcome.winners in ((), (0, 1, 2))


def test_bots_dont_hold_still_beyond_their_own_clock():
    """Else who asks again and again would let their time run out."""
    given = Recorder(TOY, CreateMatch("toy", 3, clock=PerMove(60)), "m_toy")
    given.sit("", "", "heuristic")
    for seat in (0, 1):
        given.play(seat, Count(1))
    asked_by = given.at
    given.play(0, Pause())
    assert given.match.proposals[0].made.expires > asked_by + 60 * SECOND
    assert summary(given.match).bots_from == asked_by + 30 * SECOND


@pytest.mark.parametrize("pace", PAUSES_MS)
def test_bots_pause_at_the_pace_of_the_match_and_less_within_a_turn(pace: BotPace):
    given = Recorder(GAMES["ke_dnu"], CreateMatch("ke_dnu", 2, bot_pace=pace))
    given.sit("heuristic", "heuristic")
    found = summary(given.match)
    turn_ms, step_ms = PAUSES_MS[pace]
    assert found.bots_from == given.at + turn_ms * 1_000
    assert {PACED_BOTS} == {entry.index for entry in entries(found)} & {BOTS, PACED_BOTS}
    (bot,) = waiting_bots(given.match)
    given.play(bot, given.match.game.legal(given.state, bot)[0])
    assert waiting_bots(given.match) == [bot], "it goes on with its turn"
    assert summary(given.match).bots_from == given.at + step_ms * 1_000


def test_a_pause_takes_at_most_half_of_the_bots_own_time():
    given = Recorder(GAME, CreateMatch(GAME.slug, 2, RIVALS, PerMove(2), bot_pace="human"))
    given.sit("heuristic", "heuristic")
    assert summary(given.match).bots_from == given.at + 1 * SECOND


@pytest.mark.parametrize("pace", [None, *PAUSES_MS])
def test_a_record_that_others_are_not_shown_delays_no_bot(pace: BotPace | None):
    """Its time would tell of it, and a crew could halt the bots of the other."""
    game = GAMES["captain_sonar"]
    given = Recorder(game, CreateMatch(game.slug, 4, {"mode": "real_time"}, bot_pace=pace))
    given.sit("", "heuristic", "", "heuristic")
    for captain in game.waiting(given.state):
        given.play(captain, game.default(given.state, captain))
    before = summary(given.match).bots_from
    given.play(2, WipeOverlay())
    assert given.match.shown[None][-1] < given.match.version
    assert summary(given.match).bots_from == before
