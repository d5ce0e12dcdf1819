"""The timeline: who, what, when, how long, on which line; viewers learn only what records show."""

import pytest

from games.match.commands import Answer, Bank, Pause, PerMove, Phases, ProposeUndo, Undo_
from replay.timeline import timeline, turn_from
from tests.games.match.toy import Count, Counted, Note, Peek
from tests.recorder import SECOND
from tests.replay.logs import ALL, TOYS, a_match, toy


def moments(recorder, sight="full"):
    return timeline(TOYS, recorder.lines, sight)


def test_a_move_has_its_time_actor_command_and_events():
    recorder = toy(seats=2)
    recorder.play(0, Count(2), after=7 * SECOND)
    move = moments(recorder)[-1]
    assert (move.v, move.seat, move.command) == (4, 0, Count(2))
    assert move.events == [Counted(0, 2)]
    assert move.at == "2026-11-21T09:00:09.000000Z"


def test_a_command_is_told_to_its_sender_alone():
    recorder = toy(seats=2)
    recorder.play(0, Count(2))
    assert moments(recorder, 0)[-1].command == Count(2)
    assert moments(recorder, 1)[-1].command is None
    assert moments(recorder, 1)[-1].events == [Counted(0, 2)]


def test_thinking_runs_from_when_the_seat_came_to_move():
    recorder = toy(seats=2)
    recorder.play(0, Count(1), after=5 * SECOND)
    recorder.play(0, Peek(), after=3 * SECOND)
    recorder.play(1, Count(1), after=4 * SECOND)
    first, aside, second = moments(recorder)[-3:]
    assert first.think_us == 5 * SECOND
    assert aside.think_us is None, "it was not to move"
    assert second.think_us == 7 * SECOND


@pytest.mark.parametrize(
    ("clock", "left"), [(PerMove(30), 18), (Bank(60, 5), 48), (Phases(), 0), (None, None)]
)
def test_the_clock_left_is_that_of_the_clock_it_was_on(clock, left):
    recorder = toy(seats=2, clock=clock)
    if clock == Phases():
        recorder.time_out()
    else:
        recorder.play(0, Count(1), after=12 * SECOND)
    move = moments(recorder)[-1]
    assert move.seat == 0
    assert move.clock_left_us == (None if left is None else left * SECOND)


def test_a_hidden_note_leaves_no_trace_in_a_rivals_times():
    """Seat 1 can't tell from seat 0's think time that seat 0's crew wrote something meanwhile."""
    quiet, busy = toy(), toy()
    busy.play(0, Note(5), after=3 * SECOND)
    for recorder, wait in ((quiet, 8), (busy, 5)):
        recorder.play(0, Count(1), after=wait * SECOND)
    assert moments(quiet, 1) == moments(busy, 1)
    assert moments(busy, "full")[-1].think_us == 5 * SECOND, "since its own last command"


def test_what_was_taken_back_lies_on_an_abandoned_line():
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(0, Peek())
    recorder.play(1, Count(1))
    number = recorder.folded.number(1)
    recorder.play(1, Undo_(number - 1))
    recorder.play(1, Count(2))
    marks = {moment.v: moment.undone_by for moment in moments(recorder)[3:]}
    assert marks == {4: None, 5: None, 6: 7, 7: None, 8: None}


def test_undoing_again_keeps_who_took_what_back():
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(0, Undo_(3))
    recorder.play(0, Count(2))
    recorder.play(1, Count(1))
    recorder.play(1, ProposeUndo(3))
    recorder.play(0, Answer(recorder.folded.number(0), accept=True))
    assert [moment.undone_by for moment in moments(recorder)[3:]] == [5, None, 9, 9, None, None]


def test_an_undo_names_the_viewers_own_numbers():
    recorder = toy()
    recorder.play(2, Note(5))
    recorder.play(0, Count(1))
    number = recorder.folded.number(0)
    recorder.play(0, Undo_(number - 1))
    rival = moments(recorder, 1)
    assert [moment.undone_by for moment in rival[-2:]] == [rival[-1].v, None]
    assert rival[-1].v == recorder.folded.number(1) == len(rival)


def test_what_is_said_beside_the_game_is_nobodys_move():
    recorder = toy(seats=2, clock=PerMove(30))
    recorder.play(0, Pause())
    pause = moments(recorder)[-1]
    assert (pause.seat, pause.think_us, pause.clock_left_us) == (None, None, None)


@pytest.mark.parametrize("sight", [0, None, "full"])
def test_a_match_is_told_whole(sight):
    lines = a_match()
    told = timeline(ALL, lines, sight)
    assert [moment.v for moment in told] == list(range(1, len(told) + 1))
    assert all(moment.think_us is None or moment.think_us >= 0 for moment in told)


def test_a_turn_lasts_while_the_same_seat_moves():
    """Stepping by turn goes to where one begins, and stops at the ends."""
    recorder = toy(seats=2)
    for seat, command in ((0, Peek()), (0, Count(1)), (1, Count(1)), (0, Count(2)), (0, Pause())):
        recorder.play(seat, command)
    told = moments(recorder)
    turns = [moment.turn for moment in told]
    assert turns == [0, 0, 0, 1, 1, 2, 3, 3]
    places = [0]
    while places[-1] != (there := turn_from(told, places[-1], 1)):
        places.append(there)
    assert places == [0, 3, 5, 6, 7]
    assert [turn_from(told, place, -1) for place in (7, 6, 5, 4, 0)] == [6, 5, 3, 3, 0]


def test_a_turn_does_not_tell_who_moved_unseen():
    recorder = toy()
    recorder.play(0, Count(1))
    before = moments(recorder, 1)[-1].turn
    recorder.play(0, Note(1))
    recorder.play(1, Count(1))
    assert moments(recorder, 1)[-1].turn == before + 1
