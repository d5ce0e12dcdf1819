"""Levels of bots: soft choices, the same for all games."""

from collections import Counter
from dataclasses import replace

import pytest

from games import GAMES
from games.chance import Chance
from games.game import Seen
from games.playout import seed_of
from games.search import LEVELS, softened, with_levels
from games.search.levels import SPAN, soft_choice
from tests.games.search.toy import GAME, Fold, Keep, Options, State, Swap

WEIGHED = [(3.0, "best"), (2.0, "good"), (-40.0, "blunder")]


def chosen(temperature: float, draws: int = 2000) -> Counter[str]:
    return Counter(
        soft_choice(WEIGHED, temperature, Chance(seed_of(number), 1)) for number in range(draws)
    )


def test_a_better_command_is_the_likelier_by_the_temperature():
    often = chosen(1.0)
    assert often["best"] / often["good"] == pytest.approx(2.718, rel=0.15)


def test_a_low_temperature_plays_the_best():
    assert chosen(0.01) == {"best": 2000}


def test_a_command_that_is_far_worse_is_never_chosen():
    """Weak levels make small mistakes, and no random blunders."""
    assert chosen(42 / SPAN)["blunder"] == 0
    assert chosen(44 / SPAN)["blunder"] > 0


def test_the_choice_follows_from_the_dice():
    first, again = (
        [soft_choice(WEIGHED, 2.0, Chance(seed_of(number), 1)) for number in range(50)]
        for _ in range(2)
    )
    assert first == again
    assert len(set(first)) > 1


def toy(budget: int = 0, searched=None):
    """Return the toy game with levels: swapping is worth 1, keeping 0, folding -9."""

    def worths(view, seen, legal, chance):
        return [(1.0, Swap()), (0.0, Keep()), (-9.0, Fold())]

    blueprint = replace(
        GAME.players.blueprint,
        ranking=lambda *given: [command for _, command in worths(*given)],
        worths=worths,
        temperatures=(2.0, 1.0, 0.5, 0.1),
        searched=searched,
        budget=lambda _view: budget,
    )
    return with_levels(replace(GAME, players=replace(GAME.players, blueprint=blueprint)))


def answers(game, level: str, card: int) -> Counter[object]:
    view = GAME.view(State([card, 5], 0, None), 0)
    seen, legal = Seen(0, 2, Options(), ()), [Keep(), Swap(), Fold()]
    bot = game.players.bots[level]
    return Counter(bot(view, seen, legal, Chance(seed_of(number), 1)) for number in range(200))


def test_every_level_is_steadier_than_the_one_below():
    steady = [answers(toy(), level, 9)[Swap()] for level in LEVELS]
    assert steady == sorted(steady)
    assert steady[-1] == 200


def test_the_top_level_looks_ahead_where_it_pays():
    """The worths say that the best card should be swapped; playouts know better."""
    assert answers(toy(budget=300), "expert", 9)[Keep()] == 200
    assert answers(toy(), "expert", 9)[Swap()] == 200


def test_the_top_level_may_have_a_base_of_its_own():
    timid = replace(GAME.players.blueprint, ranking=lambda *_: [Fold()])
    assert answers(toy(searched=timid), "expert", 9)[Fold()] == 200
    assert answers(toy(searched=timid), "hard", 9)[Fold()] == 0
    assert answers(toy(budget=300, searched=timid), "expert", 9)[Fold()] == 200


def test_levels_of_earlier_releases_are_accepted_but_not_offered():
    players = toy().players
    assert players.levels == list(LEVELS)
    assert "heuristic" in players.bots


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_offers_all_levels_and_knows_the_old_ones(game):
    assert game.players.levels == list(LEVELS)
    assert game.players.blueprint.temperatures == tuple(
        sorted(game.players.blueprint.temperatures, reverse=True)
    )
    assert "heuristic" in game.players.bots
    assert ("strong" in game.players.bots) == (game.slug != "tranquility")


def test_a_choice_without_alternatives_needs_no_worths():
    view = GAME.view(State([1, 5], 0, None), 0)
    bot = softened(replace(GAME.players.blueprint, worths=None), 1.0)
    assert bot(view, Seen(0, 2, Options(), ()), [Keep()], Chance(seed_of(1), 1)) == Keep()
