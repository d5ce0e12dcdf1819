"""The heuristic bot: its choices, and matches against random players."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.chance import Chance
from games.game import Seen
from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    Claim,
    Draw,
    EndTurn,
    Jettison,
    Pass,
    PlaceStory,
    Play,
    React,
    Tycoon,
    UseFlapper,
)
from games.playout import plies, seed_of
from tests.games.ke_dnu.table import given

BOT = GAME.players.bots["heuristic"]


def choice(p, seat: int) -> Any:
    """Return the bot's command in a position."""
    state = p.state
    seen = Seen(seat, len(state.status), state.options, ())
    return BOT(GAME.view(state, seat), seen, GAME.legal(state, seat), Chance(seed_of(1), 1))


def match(seed: int, seats: int, bot: int) -> Any:
    """Return the result of one bot among random players."""
    options = GAME.Options()
    dice = Chance(seed_of(seed), 1 << 32)

    def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
        if seat != bot:
            return legal[dice.randbelow(len(legal))]
        return BOT(GAME.view(state, seat), Seen(seat, seats, options, ()), legal, dice)

    *_, (state, _) = plies(GAME, seats, options, seed_of(seed), choose)
    return state.result


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_clearly_beats_random_players(seats):
    wins = sum(
        match(seed, seats, seat).winners == (seat,) for seed in range(4) for seat in range(seats)
    )
    assert wins >= 4 * seats - 1


def test_in_its_turn_it_acts_pays_and_lays():
    assert choice(given(boards={0: "priest_1", 1: "pirate_1 jack_1"}), 0) == Activate(
        "priest_1", victims=("pirate_1",)
    )
    p = given(hands={0: "pirate_1 lady_1 rats_1"}, decks={0: "baby_1"}, points=1)
    assert choice(p, 0) == Jettison("lady_1")
    assert choice(given(hands={0: "pirate_1"}, points=12), 0) == Play("pirate_1")
    assert choice(given(hands={0: "rose_1"}), 0) == Jettison("rose_1")
    assert choice(given(), 0) == EndTurn()
    p = given(boards={0: "tycoon_1"}, step="draw", drawn=False, tycoon_left=1)
    assert choice(p, 0) == Tycoon(1)
    p.state.tycoon_left = 0
    assert choice(p, 0) == Draw()


def test_it_answers_what_costs_it_much():
    p = given(boards={0: "fanatic_1", 1: "lifebuoy_1 pirate_1"})
    p.when(0, Activate("fanatic_1", victims=("pirate_1",)))
    assert choice(p, 1) == React("lifebuoy_1")
    p = given(boards={0: "fanatic_1", 1: "steward_1 jack_1 pirate_1"})
    p.when(0, Activate("fanatic_1", victims=("pirate_1",)))
    assert choice(p, 1) == React("steward_1", ("jack_1",))
    p = given(boards={0: "polka_dancer_1", 1: "ship_guard_1"})
    p.when(0, Activate("polka_dancer_1"))
    assert choice(p, 1) == Pass()
    p = given(boards={1: "bartender_1"}, hands={0: "pirate_1"}, points=12)
    p.when(0, Play("pirate_1"))
    assert choice(p, 1) == React("bartender_1")
    p = given(boards={1: "teacher_1"}, hands={0: "pirate_1", 1: "tycoon_1 stoker_1"})
    p.when(0, Jettison("pirate_1"))
    assert isinstance(choice(p, 1), Claim)
    p = given(boards={1: "fanatic_1 pirate_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1"))
    assert isinstance(choice(p, 0), UseFlapper)
    p = given(boards={0: "storyteller_1"}, decks={0: "seal_1"})
    p.when(0, Activate("storyteller_1"))
    assert choice(p, 0) == PlaceStory("board")
