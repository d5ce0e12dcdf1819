"""Analyses: decision apart from luck, losses confirmed in fresh worlds, equal answers."""

from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import msgspec
import pytest

from games import GAMES
from games.game import Illegal
from games.match.commands import Actor, AddBot, Answer, CreateMatch, ProposeUndo, TakeSeat
from games.match.viewers import own_number
from projections.folded import Folded
from replay import analysis, judgement
from replay.analysis import Analysis, analyse, encode
from replay.chart import MARKS, chart
from replay.judgement import banded, judge, label_of, turning_point
from replay.solve import agreed, solve, version_only
from tests.corpus import load, recorded_of
from tests.games.match.toy import Note
from tests.games.search.toy import GAME, Fold, Keep, Swap
from tests.recorder import Recorder
from tests.replay.logs import toy

BUDGET = 8_000
"""Enough for hundreds of worlds: a game of the toy has two commands."""


def seated(number: int) -> Recorder:
    given = Recorder(GAME, CreateMatch("toy", 2), f"m_{number}")
    given.sit("", "")
    return given


@cache
def dealt(card: int, command, *rest) -> Recorder:
    """Play a match in which seat 0 holds that card."""
    given = next(given for given in map(seated, range(400)) if given.state.cards[0] == card)
    for seat, sent in enumerate((command, *rest)):
        given.play(seat, sent)
    return given


def analysed(recorder: Recorder, budget: int = BUDGET) -> Analysis:
    return analyse(recorder.match, recorder.folded.head, budget)


def test_a_thrown_away_nine_is_a_blunder_and_the_turning_point():
    recorder = dealt(9, Swap(), Keep())
    found = analysed(recorder)
    (first, *_) = found.mistakes
    assert (first.seat, first.command, first.label) == (0, Swap(), "blunder")
    assert first.better.command == Keep()
    assert first.better.gain > 0.3
    assert first.better.gain > 2 * first.better.error
    assert found.turning_point == first
    assert found.seats[0].blunders == 1
    point = found.points[0]
    assert point.decision < -0.3
    assert point.before.mean > point.after.mean


def test_what_was_well_played_and_lost_was_luck():
    """Seat 0 swaps a nought, as it should: what it then draws is no mistake."""
    found = analysed(dealt(0, Swap(), Keep()))
    mine = [mistake for mistake in found.mistakes if mistake.seat == 0]
    assert mine == []
    point = found.points[0]
    assert point.decision == 0
    assert point.before == point.after
    assert point.luck == pytest.approx(point.drawn.mean - point.after.mean, abs=2e-4)


def test_no_single_decision_is_said_where_there_is_none():
    recorder = dealt(9, Keep(), Keep())
    judged = judge(recorder.match, recorder.folded.head, BUDGET, lambda _done, _total: None)
    quiet = [one for one in judged if one.loss is None or one.loss.label is None]
    assert turning_point(quiet) is None


def test_the_band_holds_the_mean_and_is_never_nothing():
    for point in analysed(dealt(9, Swap(), Keep())).points:
        for band in (point.before, point.after, point.drawn):
            assert 0 <= band.low <= band.mean <= band.high <= 1
            assert band.low < band.high
    assert banded(0.0, 8) > 0
    assert banded(0.5, 100) == pytest.approx(0.05, abs=0.002)


@pytest.mark.parametrize(
    ("loss", "label"),
    [(0.3, "blunder"), (0.15, "blunder"), (0.12, "mistake"), (0.05, "inaccuracy"), (0.04, None)],
)
def test_labels_go_by_the_size_of_the_loss(loss, label):
    assert label_of(loss) == label


def test_the_same_question_has_the_same_bytes():
    recorder = dealt(9, Swap(), Keep())
    assert encode(analysed(recorder)) == encode(analysed(recorder))
    folded = Folded.of({"toy": GAME}, recorder.lines)
    assert encode(analyse(folded.match, folded.head, BUDGET)) == encode(analysed(recorder))


def test_an_analysis_reads_as_it_was_written():
    found = analysed(dealt(9, Swap(), Keep()))
    data = encode(found)
    assert encode(msgspec.json.decode(data, type=Analysis)) == data


def test_blunders_are_upheld_by_other_worlds():
    """The head's hash alone decides on the worlds: with ten others the label stays."""
    match = dealt(9, Swap(), Keep()).match
    for number in range(10):
        found = analyse(match, f"head {number}", BUDGET)
        assert found.turning_point is not None
        assert (found.turning_point.seat, found.turning_point.label) == (0, "blunder")


def test_a_believed_loss_was_seen_in_fresh_worlds():
    recorder = dealt(9, Swap(), Keep())
    judged = judge(recorder.match, "h", BUDGET, lambda _done, _total: None)
    for one in judged:
        if one.loss is not None:
            assert one.loss.estimate.worlds >= judgement.CONFIRMED_MIN
            assert one.loss.label is None or one.loss.estimate.beats_first(2)


def test_the_budget_bounds_the_work_and_progress_is_told():
    told: list[tuple[int, int]] = []
    recorder = dealt(3, Keep(), Keep())
    judge(recorder.match, "h", 2_000, lambda done, total: told.append((done, total)))
    assert told[-1] == (2_000, 2_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_more_decisions_than_can_be_looked_at_are_spread_over_the_match():
    picked = sorted(sorted(range(64), key=judgement._bits_reversed)[:8])
    assert picked == [0, 8, 16, 24, 32, 40, 48, 56]


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_analysed(slug, monkeypatch):
    monkeypatch.setattr(judgement, "SCREENED_MIN", 2)
    monkeypatch.setattr(judgement, "STEP", 2)
    monkeypatch.setattr(judgement, "CONFIRMED_MIN", 2)
    monkeypatch.setattr(analysis, "LOOK", 400)
    if GAMES[slug].players.blueprint is None:
        pytest.skip(f"{slug} declares no blueprint")
    path = max(recorded_of(slug))
    folded = Folded.of(GAMES, load(path))
    found = analyse(folded.match, folded.head, 300)
    assert (found.game, found.head) == (slug, folded.head)
    assert found.points
    seats = [seat for team in found.teams for seat in team]
    assert sorted(seats) == list(range(folded.match.header.seats))
    for point in found.points:
        assert point.seat in found.teams[point.team]
    assert (found.open_cards is not None) == (
        GAMES[slug].players.winnable is not None and len(found.teams) == 1
    )
    assert ET.fromstring(chart(found)).tag.endswith("svg")


def test_what_cant_be_analysed_says_why():
    waiting = Recorder(GAME, CreateMatch("toy", 2))
    with pytest.raises(Illegal, match="match-not-started"):
        analyse(waiting.match, "h")
    with pytest.raises(Illegal, match="no-analysis"):
        analyse(toy().match, "h")


# The picture


def test_the_picture_tells_in_words_what_it_shows():
    found = analysed(dealt(9, Swap(), Keep()))
    root = ET.fromstring(chart(found))
    space = "{http://www.w3.org/2000/svg}"
    texts = {name: root.findtext(f"{space}{name}") or "" for name in ("title", "desc")}
    assert root.get("role") == "img"
    assert {root.find(f"{space}{name}").get("id") for name in texts} == set(
        root.get("aria-labelledby").split()
    )
    assert "Blunder of seat 0" in texts["desc"]
    assert "Turning point" in texts["desc"]
    lines = root.findall(f"{space}polyline")
    assert len(lines) == 2
    assert len({line.get("stroke-dasharray") for line in lines}) == 2, "told apart without colour"
    marks = [text for text in root.iter(f"{space}text") if text.find(f"{space}title") is not None]
    assert [mark.text for mark in marks][:1] == [MARKS["blunder"]]
    assert chart(found) == chart(found)


def test_a_long_match_has_few_and_round_marks_on_its_axis():
    found = msgspec.structs.replace(analysed(dealt(9, Swap(), Keep())), version=1234)
    root = ET.fromstring(chart(found))
    numbers = [int(t.text) for t in root.iter() if t.text and t.text.isdigit()]
    assert numbers == list(range(0, 1236, 200))


# The solver, by consent


def test_the_turning_point_is_where_to_go_back_to():
    recorder = dealt(9, Swap(), Keep())
    found = solve(recorder.match, recorder.folded.head, BUDGET)
    assert (found.question, found.outcome) == ("turning-point", "decision")
    assert found.to == recorder.match.line[1].version - 1
    assert [(sent.seat, sent.command) for sent in found.line] == [(0, Keep())]


def test_those_who_agreed_are_told_the_version_alone():
    recorder = dealt(9, Swap(), Keep())
    match = recorder.match
    found = version_only(match, solve(match, recorder.folded.head, BUDGET), 1)
    assert msgspec.to_builtins(found) == {
        "game": "toy",
        "question": "turning-point",
        "outcome": "decision",
        "to": own_number(match, 1, match.line[1].version - 1),
    }


def test_the_consent_stands_until_a_move_is_made():
    given = Recorder(GAME, CreateMatch("toy", 3))
    given.send(Actor(player="p_0"), AddBot(2))
    given.send(Actor(player="p_0"), AddBot(1))
    given.send(Actor(player="p_0"), TakeSeat(0, "e"))
    assert not agreed(given.match, 0)
    given.play(0, ProposeUndo(solve=True))
    assert agreed(given.match, 0)
    to = len(given.match.shown[0])
    given.play(0, Keep())
    assert not agreed(given.match, 0)
    given.play(0, ProposeUndo(to))
    assert agreed(given.match, 0), "back at what the solver has seen"


def test_a_move_that_is_hidden_from_a_seat_does_not_tell_itself_by_ending_the_consent():
    given = toy(goal=30)
    given.match.game = replace(given.match.game, players=GAME.players)
    given.play(0, ProposeUndo(solve=True))
    number = len(given.match.shown[1])
    for seat in (1, 2, 3):
        given.play(seat, Answer(number, accept=True))
    assert all(agreed(given.match, seat) for seat in range(4))
    given.play(0, Note(7))
    assert [agreed(given.match, seat) for seat in range(4)] == [False, True, False, True]


def test_folding_is_judged_by_the_dice_too():
    found = analysed(dealt(9, Fold()))
    assert found.points[0].after.mean == pytest.approx(0.4, abs=0.15)
