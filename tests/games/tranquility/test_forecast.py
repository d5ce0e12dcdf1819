"""The forecast uses what a seat knows, and orders commands as a good player would."""

import msgspec
import pytest

from games.chance import Chance
from games.game import Seen
from games.playout import Watchers, at_random, plies, seed_of
from games.tranquility import GAME
from games.tranquility.commands import PlayCard
from games.tranquility.players.forecast import network_for
from games.tranquility.players.judge import judged
from tests.games.tranquility.table import cards, full, table


def ranked(state, seat=0):
    """Return the commands of a seat that remembers nothing, the best first."""
    seen = Seen(seat, state.players, state.options, ())
    return judged(GAME.view(state, seat), seen, GAME.legal(state, seat), Chance(seed_of(1), 1))


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"storms": True}, True),
        ({}, False),
        ({"storms": True, "difficulty": "triton"}, False),
        ({"storms": True, "rocks": True}, False),
        ({"storms": True, "wilds": 1}, False),
        ({"storms": True, "variant": "day_night"}, False),
    ],
    ids=str,
)
def test_the_network_judges_only_tables_for_which_it_was_trained(options, known):
    assert (network_for(GAME.Options(**options)) is not None) == known


def test_equal_views_get_equal_orders_of_legal_commands():
    options = GAME.Options(storms=True)
    watchers = Watchers(GAME, 3, options)
    for state, ply in plies(GAME, 3, options, seed_of(4), at_random(Chance(seed_of(4), 1))):
        watchers.watch(ply)
        for seat in GAME.waiting(state):
            view, seen, legal = GAME.view(state, seat), watchers.seen(seat), GAME.legal(state, seat)
            first = judged(view, seen, legal, Chance(seed_of(1), 1))
            assert set(first) <= set(legal)
            assert first == judged(view, seen, legal, Chance(seed_of(2), 1))


def test_the_last_cell_is_filled_if_a_finish_is_in_hand():
    state = table(
        "5 70 finish_1", "71 72 73", grid=full(without=[2]), start="start_1", storms=True
    ).state
    best = ranked(state)[0]
    assert isinstance(best, PlayCard)
    assert best.card == "island_5"


def test_the_finish_wins_at_once():
    state = table("finish_1 70", "71 72 73", grid=full(), start="start_1", storms=True).state
    assert ranked(state)[0].card == "finish_1"


def test_a_finish_is_not_spent_on_the_last_cell_while_other_cards_can_pay():
    state = table(
        "6 70 72 finish_1", "71 73 74", grid=full(without=[2]), start="start_1", storms=True
    ).state
    best = ranked(state)[0]
    assert isinstance(best, PlayCard)
    assert (best.card, best.discards) == ("island_6", ("island_70",))


def test_the_hands_of_others_are_not_read():
    state = table("5 6 7 8 9", "71 72 73 74 75", storms=True).state
    other = msgspec.structs.replace(state, hands=[state.hands[0], list(cards("11 12 13 14 15"))])
    assert ranked(state) == ranked(other)
