"""Analyses: decision apart from luck, losses upheld by whole games, equal answers."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from games.game import Illegal
from games.match.commands import Actor, AddBot, Answer, CreateMatch, ProposeUndo, TakeSeat
from games.match.viewers import own_number
from games.playout import seed_of
from games.search.paired import PAIRS_MAX, PAIRS_MIN, paired_test
from projections.folded import Folded
from replay import analysis, judgement
from replay.analysis import Analysis, analyse, analyses, encode, last_chance
from replay.assessment import label_of, measured
from replay.chart import MARKS, chart
from replay.judgement import judge, turning_point
from replay.smoothing import Level, smoothed
from replay.solve import agreed, solve, version_only
from tests.corpus import load, recorded_of
from tests.games.match.toy import Note
from tests.games.search.toy import GAME, Fold, Keep, Swap
from tests.recorder import Recorder
from tests.replay.dealt import BUDGET, dealt, seated
from tests.replay.logs import toy


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


@pytest.mark.parametrize("sent", [(Swap(), Keep()), (Keep(), Keep()), (Fold(),)])
def test_the_first_chance_the_losses_and_luck_add_up_to_the_result(sent):
    found = analysed(dealt(9, *sent))
    for team, (seat,) in enumerate(found.teams):
        own = [point for point in found.points if point.team == team]
        if own:
            changes = sum(point.after.mean - point.before.mean + point.luck for point in own)
            assert own[0].before.mean + changes == pytest.approx(own[-1].drawn.mean, abs=1e-3)
            assert own[-1].drawn.mean == (seat in found.winners), "the match ended so"
            assert found.seats[seat].luck_error > 0


def test_no_turning_point_is_named_where_no_loss_was_upheld():
    recorder = dealt(9, Keep(), Keep())
    *_, judged = judge(recorder.match, recorder.folded.head, BUDGET, lambda _done, _total: None)
    assert turning_point(judged) is None


def test_the_band_holds_the_mean_and_is_never_nothing():
    for point in analysed(dealt(9, Swap(), Keep())).points:
        for band in (point.before, point.after, point.drawn):
            assert 0 <= band.low <= band.mean <= band.high <= 1
        assert point.before.low < point.before.high
        assert point.after.low < point.after.high
    assert measured([0.0] * 8).error > 0
    assert measured([0.0, 1.0] * 50).error == pytest.approx(0.05, abs=0.002)
    assert measured([0.4, 0.5] * 50).error < 0.02, "values vary less than games"


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


def test_every_label_was_upheld_by_whole_games():
    for command in (Swap(), Fold(), Keep()):
        found = analysed(dealt(9, command))
        for mistake in found.mistakes:
            assert mistake.better.worlds >= PAIRS_MIN
            assert mistake.better.gain > 2 * mistake.better.error
        upheld = {one.v for one in found.compared if one.verdict == "upheld"}
        assert upheld == {mistake.v for mistake in found.mistakes}


def test_nobody_is_blamed_for_what_the_bot_would_have_played():
    found = analysed(dealt(9, Keep(), Keep()))
    assert found.points[0].decision == found.points[0].decision_error == 0
    assert [one for one in found.compared if one.seat == 0] == []


def test_without_the_games_to_uphold_it_a_loss_stays_unclear(monkeypatch):
    monkeypatch.setattr(judgement, "TEST_SHARE", 0.0)
    found = analysed(dealt(9, Swap(), Keep()))
    assert found.mistakes == []
    assert found.turning_point is None
    assert all(one.verdict == "unclear" for one in found.compared)


def test_departures_are_tested_before_the_rest_of_the_curve_is_drawn():
    recorder = dealt(9, Swap(), Keep())
    first, *_, last = analyses(recorder.match, recorder.folded.head, BUDGET)
    assert (first.complete, last.complete) == (False, True)
    assert first.points, "there is a curve at once"
    assert first.compared == []
    verdicts = [len(found.mistakes) for found in analyses(recorder.match, "h", BUDGET)]
    assert verdicts == sorted(verdicts)


def test_a_long_test_of_a_small_loss_does_not_keep_a_blunder_from_being_found():
    """Seat 0 keeps a four, which loses a little, and seat 1 swaps a nine."""
    given = next(given for given in map(seated, range(400)) if given.state.cards == [4, 9])
    given.play(0, Keep())
    given.play(1, Swap())
    small, large = analysed(given, 300).compared
    assert (small.verdict, large.verdict) == ("unclear", "upheld")
    assert small.better.worlds > 2 * large.better.worlds, "the rest went to the open case"


# The sequential test


@pytest.mark.parametrize(
    ("gains", "verdict"),
    [
        ([1.0] * (PAIRS_MIN - 1), "unclear"),
        ([1.0] * PAIRS_MIN, "upheld"),
        ([0.0] * PAIRS_MIN, "refuted"),
        ([1.0, -1.0] * 120, "refuted"),
        ([1.0, 0.0, 0.0, 0.0] * 20, "upheld"),
        ([1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0] * 6, "unclear"),
    ],
)
def test_a_test_ends_when_the_games_are_clear(gains, verdict):
    assert paired_test(gains).verdict == verdict
    assert paired_test(gains).pairs == len(gains)


def test_equal_commands_are_hardly_ever_blamed():
    """A test that may stop after every step is wrong no more often than it says."""
    wrong = 0
    for number in range(400):
        chance, gains = Chance(seed_of(number), 1), []
        while not (found := paired_test(gains)).decided:
            gains += [float(chance.choice((-1, 0, 0, 0, 1))) for _ in range(8)]
        assert found.pairs <= PAIRS_MAX
        wrong += found.verdict == "upheld"
    assert wrong <= 6


# The curve


def test_a_quiet_curve_is_smoothed_and_a_jump_is_kept():
    noisy = [Level(place, 0.5 + 0.1 * (-1) ** place, 0.02) for place in range(40)]
    quiet = smoothed(noisy)
    assert all(abs(level.mean - 0.5) < 0.06 for level in quiet)
    assert all(level.variance < 0.01 for level in quiet)
    jump = smoothed([Level(place, float(place >= 20), 0.001) for place in range(40)])
    assert jump[19].mean < 0.2
    assert jump[20].mean > 0.8
    assert smoothed([]) == []


def test_one_estimate_stays_nearly_as_it_is():
    (level,) = smoothed([Level(7, 0.9, 0.001)])
    assert (level.place, level.mean) == (7, pytest.approx(0.9, abs=0.01))


# Work and answers


def test_the_budget_bounds_the_work_and_progress_is_told():
    told: list[tuple[int, int]] = []
    recorder = dealt(3, Keep(), Keep())
    list(judge(recorder.match, "h", 2_000, lambda done, total: told.append((done, total))))
    assert told[-1] == (2_000, 2_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_more_decisions_than_can_be_looked_at_are_spread_over_the_match():
    picked = judgement._spread(range(64), 8)
    assert sorted(picked) == [0, 9, 18, 27, 36, 45, 54, 63]
    assert sorted(picked[:2]) == [0, 36]
    assert sorted(judgement._spread(range(3), 8)) == [0, 1, 2]


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_analysed(slug, monkeypatch):
    monkeypatch.setattr(judgement, "FIRST", 2)
    monkeypatch.setattr(judgement, "STEP", 2)
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


def test_the_last_version_with_a_chance_is_looked_up():
    found = analysed(dealt(9, Swap(), Keep()))
    (point,) = (point for point in found.points if point.seat == 0)
    assert last_chance(found, 0, 0.0).to == point.v - 1
    assert last_chance(found, 0, point.before.mean).had == point.before
    assert last_chance(found, 0, point.before.mean + 0.01).to is None
    assert last_chance(found, 2, 0.0).had is None, "a seat without a decision"


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
