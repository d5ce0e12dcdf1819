"""One command taken back: later ones follow by the rules, and the first illegal one is named."""

from operator import attrgetter

import msgspec
import pytest

from games import GAMES
from games.game import Illegal
from games.match import states
from games.match.commands import Answer, ProposeUndo, Resign, TimeOut, Undo_
from projections.folded import Folded
from replay.what_if import take_back
from tests.corpus import load, recorded
from tests.games.match.toy import Count, Note, Peek
from tests.recorder import Recorder
from tests.replay.logs import TOYS, noted, toy


def plain(value):
    return msgspec.to_builtins(value, str_keys=True)


def game_commands(match):
    return [
        entry
        for entry in match.line[1:]
        if entry.seat is not None and not isinstance(entry.command, TimeOut | Resign)
    ]


@pytest.mark.parametrize("path", recorded(), ids=attrgetter("parent.name", "stem"))
def test_the_same_command_instead_is_the_match_again(path):
    """Over every recorded match: moves, dice, defaults of the clock, seats that leave."""
    lines = load(path)
    match = Folded.of(GAMES, lines).match
    commands = game_commands(match)
    for entry in commands[:: max(1, len(commands) // 3)]:
        again = take_back(GAMES, lines, entry.version, instead=entry.command)
        assert (again.first_illegal, again.not_tried) == (None, 0)
        later = [e for e in match.line if e.version >= entry.version]
        assert [(r.v, list(r.events)) for r in again.replayed] == [
            (e.version, list(e.events)) for e in later
        ]
        assert plain(again.state) == plain(match.state)


@pytest.mark.parametrize("path", recorded(), ids=attrgetter("parent.name", "stem"))
def test_taking_back_the_last_command_is_an_undo(path):
    lines = load(path)
    match = Folded.of(GAMES, lines).match
    last = match.line[-1]
    if last not in game_commands(match):
        with pytest.raises(Illegal, match="no-such-command"):
            take_back(GAMES, lines, last.version)
        return
    without = take_back(GAMES, lines, last.version)
    assert (without.seat, without.command) == (last.seat, last.command)
    assert without.branch_at == last.version - 1
    assert (list(without.replayed), without.first_illegal, without.not_tried) == ([], None, 0)
    assert plain(without.state) == plain(states.state_after(match, len(match.line) - 1))


def counted() -> Recorder:
    """Five turns of the toy: 1 2 1 2 1, by seats 0 1 2 3 0."""
    recorder = toy(goal=30)
    for seat, by in enumerate((1, 2, 1, 2, 1)):
        recorder.play(seat % 4, Count(by))
    return recorder


def first_count(recorder: Recorder) -> int:
    return recorder.match.line[1].version


def test_the_first_command_that_is_not_legal_any_more_is_named_and_ends_the_replay():
    recorder = counted()
    version = first_count(recorder)
    without = take_back(TOYS, recorder.lines, version)
    assert list(without.replayed) == []
    illegal = without.first_illegal
    assert illegal is not None
    assert (illegal.v, illegal.seat, illegal.code) == (version + 1, 1, "not-your-turn")
    assert (list(without.left_out), without.not_tried) == ([illegal], 3)
    assert list(without.waiting) == [0]


def test_with_skip_what_is_not_legal_is_left_out_and_the_rest_goes_on():
    recorder = counted()
    version = first_count(recorder)
    without = take_back(TOYS, recorder.lines, version, skip=True)
    assert [r.v for r in without.replayed] == [version + 4], (
        "seat 0 had not moved: its next move fits"
    )
    assert [r.v for r in without.left_out] == [version + 1, version + 2, version + 3]
    assert without.first_illegal == without.left_out[0]
    assert (without.not_tried, without.state.total) == (0, 1)


def test_another_command_instead_lets_the_others_play_on():
    recorder = counted()
    other = take_back(TOYS, recorder.lines, first_count(recorder), instead=Count(2))
    assert (other.state.total, other.first_illegal) == (recorder.state.total + 1, None)
    assert other.replayed[0].command == Count(2)


def test_an_illegal_command_instead_is_refused_by_the_rules():
    recorder = counted()
    with pytest.raises(Illegal) as refusal:
        take_back(TOYS, recorder.lines, first_count(recorder), instead=Count(3))
    assert refusal.value.code == "bad-count"


def test_what_others_only_noted_stays():
    recorder = noted(toy())
    note = recorder.match.line[1]
    without = take_back(TOYS, recorder.lines, note.version)
    assert note.command == Note(0)
    assert without.first_illegal is None
    assert len(without.replayed) == len(recorder.match.line) - 2
    assert without.state.notes == recorder.state.notes[1:]


def test_what_was_undone_is_no_part_of_it():
    recorder = toy(goal=30)
    recorder.play(0, Count(1))
    undone = recorder.match.version
    recorder.play(0, Undo_(undone - 1))
    recorder.play(0, Count(2))
    with pytest.raises(Illegal, match="no-such-command"):
        take_back(TOYS, recorder.lines, undone)
    stays = take_back(TOYS, recorder.lines, recorder.match.version, instead=Count(1))
    assert stays.state.total == 1


@pytest.mark.parametrize("version", [0, 1, 3, 99])
def test_only_a_command_of_the_game_can_be_taken_back(version):
    with pytest.raises(Illegal) as refusal:
        take_back(TOYS, counted().lines, version)
    assert (refusal.value.code, refusal.value.details) == ("no-such-command", {"version": version})


def test_proposals_on_the_way_change_nothing():
    recorder = toy(seats=2, goal=30)
    recorder.play(0, Count(1))
    first = recorder.match.version
    recorder.play(1, Count(1))
    recorder.play(0, ProposeUndo(len(recorder.match.shown[0]) - 1))
    recorder.play(1, Answer(len(recorder.match.shown[1]), accept=False))
    recorder.play(0, Count(1))
    again = take_back(TOYS, recorder.lines, first, instead=Count(1))
    assert plain(again.state) == plain(recorder.state)


def test_a_peek_taken_back_is_gone_from_the_line():
    recorder = toy(goal=30)
    recorder.play(0, Peek())
    peek = recorder.match.version
    recorder.play(0, Count(1))
    without = take_back(TOYS, recorder.lines, peek)
    assert [r.command for r in without.replayed] == [Count(1)]
