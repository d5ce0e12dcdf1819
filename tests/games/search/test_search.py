"""The search core, on a game small enough to know what is right."""

import subprocess
import sys
from dataclasses import replace
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.chance import Chance
from games.game import Illegal
from games.playout import play_bots, seed_of
from games.search import Cancelled, advise, choose, deliberate, hint, never
from games.search.choose import WORLDS_MIN
from games.search.evaluate import Estimate, Trials
from games.search.rollout import forecasting, rollout
from games.search.worlds import Worlds
from tests.games.search.toy import (
    BAD,
    CARDS,
    GAME,
    SAFE,
    Fold,
    Keep,
    Options,
    State,
    Swap,
    at,
    by_turns,
    known,
)

core = settings(max_examples=25)
cards = st.integers(0, CARDS - 1)
seeds = st.integers(0, 2**32)


def estimated(game, view, seen, candidates, worlds, seed=1):
    """Return what a seat's commands are worth, over the same worlds."""
    drawn = Worlds(game, view, seen, Chance(seed_of(seed), 1))
    trials = Trials(game, drawn, seen.viewer, candidates)
    trials.extend(range(len(candidates)), worlds)
    return trials.estimates()


def misled(view, seen, chance):
    """Sample worlds of which every other one refuses all commands of seat 0."""
    world = GAME.players.sample(view, seen, chance)
    if chance.randbelow(2):
        world.turn, world.cards[1] = 1, 0
    return world


MISLED = replace(GAME, players=replace(GAME.players, sample=misled))


def exact(card, *, swap):
    """Return the first seat's win share against a rival that swaps cards below the middle."""
    own = range(CARDS) if swap else [card]
    won = 0.0
    for mine, rival, drawn in product(own, range(CARDS), range(CARDS)):
        other = drawn if rival < CARDS // 2 else rival
        won += 1.0 if mine > other else 0.5 * (mine == other)
    return won / (len(own) * CARDS * CARDS)


@pytest.mark.parametrize("card", [0, 4, 7, 9])
def test_estimates_agree_with_the_exact_shares(card):
    view, seen, legal = known(at(card))
    keep, swap, fold = estimated(GAME, view, seen, legal, 1500)
    for found, share in (
        (keep, exact(card, swap=False)),
        (swap, exact(card, swap=True)),
        (fold, SAFE / 10),
    ):
        assert abs(found.mean - share) <= max(4 * found.standard_error, 0.01), found
        assert found.worlds == 1500
    assert (keep.gain, keep.gain_error) == (0, 0), "the first is compared with itself"


def test_worlds_that_refuse_a_candidate_are_passed_over():
    """A command that is legal can't be refused in the true world."""
    view, seen, legal = known(at(4))
    keep, *others = estimated(MISLED, view, seen, legal, 1500)
    assert abs(keep.mean - exact(4, swap=False)) <= 4 * keep.standard_error
    assert [known.worlds for known in (keep, *others)] == [1500] * 3
    lost = replace(GAME, players=replace(GAME.players, sample=lambda *_: State([4, 4], 1, None)))
    with pytest.raises(Illegal, match="not-your-turn"):
        estimated(lost, view, seen, legal, 1)


@pytest.mark.parametrize("game", [GAME, MISLED])
def test_parts_of_the_worlds_can_be_played_apart(game):
    """Each world follows from its index, whatever was played before it."""

    def won(first, worlds):
        view, seen, legal = known(at(4))
        drawn = Worlds(game, view, seen, Chance(seed_of(1), 1))
        trials = Trials(game, drawn, 0, legal, first=first)
        trials.extend(range(len(legal)), worlds)
        return trials.won

    whole, early, late = won(0, 40), won(0, 24), won(24, 16)
    assert [[*some, *others] for some, others in zip(early, late, strict=True)] == whole


@core
@given(card=cards, rival=cards, seed=seeds)
def test_what_is_hidden_changes_nothing(card, rival, seed):
    """Equal views have equal answers, to the last bit."""
    one, other = (
        choose(GAME, *known(at(card, hidden)), 60, Chance(seed_of(seed), 1))
        for hidden in (0, rival)
    )
    assert msgspec.json.encode(one) == msgspec.json.encode(other)


@core
@given(card=cards, seed=seeds, budget=st.integers(1, 200))
def test_a_choice_is_legal_and_within_its_budget(card, seed, budget):
    view, seen, legal = known(at(card))
    choice = choose(GAME, view, seen, legal, budget, Chance(seed_of(seed), 1))
    assert choice.command in legal
    assert choice.blueprint == (Swap() if card < CARDS // 2 else Keep())
    assert choice.playouts <= budget
    assert choice.playouts == sum(known.worlds for known in choice.estimates)
    for estimate in choice.estimates:
        assert 0 <= estimate.mean <= 1
        assert estimate.standard_error >= 0
    if choice.command != choice.blueprint:
        estimate = choice.estimate()
        assert estimate.worlds >= WORLDS_MIN
        assert estimate.gain > 2 * estimate.gain_error


def test_a_bad_blueprint_is_left():
    """It would keep the worst card: the gain is beyond doubt."""
    choice = choose(BAD, *known(at(0)), 400, Chance(seed_of(1), 1))
    assert (choice.blueprint, choice.command) == (Keep(), Swap())


def test_a_good_blueprint_is_kept():
    """Of many questions, few are answered otherwise: doubt is the blueprint's."""
    left = sum(
        choice.command != choice.blueprint
        for seed in range(40)
        for choice in [choose(GAME, *known(at(9)), 90, Chance(seed_of(seed), 1))]
    )
    assert left == 0


def test_searching_beats_a_bad_blueprint():
    """The point of it all."""

    def bot(view, seen, legal, chance):
        return BAD.players.blueprint.ranking(view, seen, legal, chance)[0]

    def searching(view, seen, legal, chance):
        return choose(BAD, view, seen, legal, 120, chance).command

    game = replace(
        BAD, players=replace(BAD.players, bots={"blueprint": bot, "searching": searching})
    )
    tables = ["searching", "blueprint"], ["blueprint", "searching"]
    won = 0
    for seed, (seat, levels) in product(range(40), enumerate(tables)):
        final = play_bots(game, 2, Options(), seed_of(seed), levels)
        won += game.result(final).winners == (seat,)
    assert won > 48


def test_knowing_later_is_not_knowing_now():
    """Waiting gains nothing that needs the rival's card: playouts know no more than their seat."""
    view, seen, legal = known(at(5))
    keep, _, fold = estimated(GAME, view, seen, legal, 1000, seed=2)
    assert abs(keep.mean - exact(5, swap=False)) < 0.06
    assert abs(fold.mean - SAFE / 10) < 0.06


def test_the_first_answer_comes_before_any_playout():
    view, seen, legal = known(at(2))
    answers = deliberate(GAME, view, seen, legal, 1000, Chance(seed_of(1), 1))
    first = next(answers)
    assert (first.command, first.playouts) == (Swap(), 0)
    played = [answer.playouts for answer in answers]
    assert played == sorted(played)
    assert len(played) == 2, "three candidates, two rounds"


def test_nothing_is_searched_without_a_choice():
    view, seen, _ = known(at(2))
    lone = replace(GAME.players.blueprint, ranking=lambda view, seen, legal, chance: legal[:1])
    choice = choose(
        replace(GAME, players=replace(GAME.players, blueprint=lone)),
        view,
        seen,
        [Keep()],
        9,
        Chance(seed_of(1), 1),
    )
    assert (choice.command, choice.playouts) == (Keep(), 0)


@pytest.mark.parametrize("after", [0, 1, 17])
def test_a_cancelled_search_stops_at_the_next_command(after):
    asked = 0

    def cancelled():
        nonlocal asked
        asked += 1
        return asked > after

    view, seen, legal = known(at(5))
    with pytest.raises(Cancelled):
        list(deliberate(GAME, view, seen, legal, 10_000, Chance(seed_of(1), 1), cancelled))
    assert asked == after + 1


@core
@given(card=cards, rival=cards, seed=seeds, seats=st.integers(2, 3))
def test_shares_of_all_teams_make_one(card, rival, seed, seats):
    shares = rollout(GAME, at(card, rival, seats), seed_of(seed), never)
    assert len(shares) == seats
    assert sum(shares) == pytest.approx(1)


def test_worlds_are_drawn_as_the_game_says():
    """What all worlds share is found once."""
    asked = []

    def worlds(view, seen):
        asked.append(view)
        return lambda chance: GAME.players.sample(view, seen, chance)

    game = replace(
        GAME,
        players=replace(GAME.players, blueprint=replace(GAME.players.blueprint, worlds=worlds)),
    )
    found, plain = (choose(g, *known(at(5)), 60, Chance(seed_of(1), 1)) for g in (game, GAME))
    assert found == plain
    assert len(asked) == 1


def test_a_finished_game_is_worth_its_result():
    assert rollout(GAME, State([3, 3, 1], 3, None), seed_of(1), never) == [0.5, 0.5, 0]


def test_beyond_the_horizon_the_value_judges():
    """One turn is played, by the candidate; then the cards are judged as they lie."""
    game = by_turns(lambda state: state.turn)
    view, seen, _ = known(at(9))
    keep, swap = estimated(game, view, seen, [Keep(), Swap()], 200)
    assert keep.mean > swap.mean
    assert rollout(game, State([8, 9], 0, None), seed_of(1), never)[0] == 0


def test_a_value_that_only_compares_judges_no_chances():
    game = by_turns(lambda state: state.turn, only_compares=True)
    forecast, whole = (
        [rollout(each, State([1, 3], 0, None), seed_of(seed), never) for seed in range(40)]
        for each in (forecasting(game), GAME)
    )
    assert forecast == whole
    assert any(first for first, _ in whole)
    view, seen, _ = known(at(9))
    keep, swap = estimated(game, view, seen, [Keep(), Swap()], 200)
    assert keep.mean > swap.mean


@core
@given(card=cards, rival=cards, seats=st.integers(2, 3))
def test_equal_knowledge_gets_equal_hints(card, rival, seats):
    """To the byte, at every step, whatever is hidden."""
    one, other = (
        [msgspec.json.encode(hint) for hint in advise(GAME, *known(at(card, hidden, seats)), 48)]
        for hidden in (0, rival)
    )
    assert one == other


def test_a_hint_says_what_why_and_how_sure():
    first, *_, last = advise(GAME, *known(at(9)), 600)
    assert (first.command, first.sure, first.playouts) == (Keep(), "rule", 0)
    assert first.best.share is None
    assert (last.command, last.by, last.sure) == (Keep(), "rules-of-thumb", "clear")
    assert last.reason.code == "high-card"
    assert last.reason.words
    assert {known.command for known in last.alternatives} == {Swap(), Fold()}
    assert last.best.share > max(known.share for known in last.alternatives)
    assert last.playouts <= last.budget == 600


def test_a_hint_says_when_playouts_overrule_the_rules():
    *_, last = advise(BAD, *known(at(0)), 600)
    assert (last.command, last.by) == (Swap(), "playouts")
    assert last.best.gain > 2 * last.best.gain_error


def test_a_close_call_is_called_close():
    *_, last = advise(GAME, *known(at(5)), 60)
    assert last.sure == "close"


def test_a_gain_counts_only_if_other_worlds_uphold_it(monkeypatch):
    """What the first worlds show is listed, but nobody is advised to play it for that."""
    monkeypatch.setattr(hint, "COMMANDS", 0)
    *_, last = advise(BAD, *known(at(0)), 600)
    swap = last.alternatives[0]
    assert (swap.command, last.command) == (Swap(), Keep())
    assert swap.gain > 2 * swap.gain_error
    assert (last.by, last.sure) == ("rules-of-thumb", "close")


def test_no_difference_in_a_few_worlds_proves_none():
    """A command that leads to the same position still has an error."""
    *_, last = advise(GAME, *known(at(9)), 600)
    assert last.best.gain_error == 0, "the rules' choice is compared with itself"
    twin = hint._weighed(Estimate(Swap(), 0.5, 0.1, 8, 0.0, 0.0), 0.03, is_first=False)
    assert twin.gain == 0
    assert twin.gain_error > 0.1


def test_a_value_that_errs_does_not_mislead_a_hint():
    """Cut short, the games seem to be won by low cards; whole games do not agree."""
    game = by_turns(lambda state: state.turn)

    def wrong(state):
        return game.players.blueprint.value(state)[::-1]

    blueprint = replace(game.players.blueprint, horizon=0, value=wrong)
    erring = replace(game, players=replace(game.players, blueprint=blueprint))
    assert choose(erring, *known(at(9)), 600, Chance(seed_of(1), 1)).command != Keep()
    *_, last = advise(erring, *known(at(9)), 600)
    assert (last.command, last.sure) == (Keep(), "clear")


ASK = """
import sys
import msgspec
from tests.games.search.toy import GAME, at, known
from games.chance import Chance
from games.playout import seed_of
from games.search import choose
choice = choose(GAME, *known(at(4)), 300, Chance(seed_of(9), 2))
sys.stdout.buffer.write(msgspec.json.encode(choice))
"""


def test_every_process_gives_the_same_bytes():
    """Whatever order its hashes have."""
    answers = {
        subprocess.run(
            [sys.executable, "-c", ASK],
            env={"PYTHONHASHSEED": number, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for number in ("1", "2")
    }
    assert len(answers) == 1


def test_the_fold_is_a_command_like_any_other():
    """With a card that mostly loses, taking what is safe can be best."""
    view, seen, legal = known(at(0))
    worth = {type(known.command): known.mean for known in estimated(GAME, view, seen, legal, 500)}
    assert worth[Keep] < worth[Fold]


def test_a_game_can_play_all_worlds_at_once():
    """The last candidate wins them all, whatever single playouts would say."""
    asked = []

    def at_once(_view, _seen, commands, seed, pause):
        def play(some, worlds):
            pause()
            asked.append((list(some), worlds))
            return [[float(at == len(commands) - 1)] * worlds for at in some]

        assert len(seed) == 32
        return play

    blueprint = replace(GAME.players.blueprint, at_once=at_once)
    quick = replace(GAME, players=replace(GAME.players, blueprint=blueprint))
    view, seen, legal = known(at(4))
    choice = choose(quick, view, seen, legal, 60, Chance(seed_of(1), 1))
    assert choice.command == choice.estimates[-1].command != choice.blueprint
    assert asked == [([0, 1, 2], 10), ([0, 2], 15)]
    with pytest.raises(Cancelled):
        list(deliberate(quick, view, seen, legal, 60, Chance(seed_of(1), 1), lambda: True))
