"""Whole random matches, also with seats that leave: they end, and no piece is ever lost."""

import msgspec
import pytest

from games.chance import Chance
from games.playout import Ply, Watchers, at_random, plies, seed_of
from games.submarine import GAME
from games.submarine.commands import EndTurn
from games.submarine.components import COLOURS, MOTIF_OF
from games.submarine.model import Options
from tests.games.submarine.laws import census
from tests.games.submarine.table import given

SEATS = [2, 3, 4, 5]


def with_leavers(seats, number, options):
    """Play at random; once in about sixty commands a seat leaves."""
    dice = Chance(seed_of(number), 1 << 20)
    state = GAME.initial(seats, options)
    events = GAME.setup(seats, options, dice)
    version = 1
    while True:
        for event in events:
            GAME.apply(state, event)
        yield state, Ply(version, None, None, events)
        if state.phase == "over":
            return
        version += 1
        staying = [seat for seat in range(seats) if seat not in state.withdrawn]
        if dice.randbelow(60) == 0:
            events = GAME.leave(state, dice.choice(staying))
        else:
            command = dice.choice(GAME.legal(state, state.active))
            events = GAME.decide(state, state.active, command, dice)


def check_books(state):
    """Check the invariants of a running game."""
    for seat in range(state.players):
        hand = state.hand[seat]
        assert len(hand) <= 3
        assert list(hand) == sorted(hand, key=COLOURS.index)
        lifting = seat == state.active and state.mode == "salvage"
        assert lifting or len(hand) == 3 or not state.pile[seat]
    for column in state.cells:
        assert any(token in MOTIF_OF for cell in column for token in cell)
    if state.phase == "break":
        assert len(GAME.legal(state, state.active)) > 1


@pytest.mark.parametrize("seats", SEATS)
def test_matches_end_and_their_books_balance(seats):
    for number in range(6):
        random = at_random(Chance(seed_of(number), 1 << 30))
        for state, _ply in plies(GAME, seats, Options(), seed_of(number), random):
            if state.phase != "over":
                check_books(state)
        assert state.result.reason in {"complete", "column_empty", "cards_spent", "stalemate"}


@pytest.mark.rule("SUB-61")
@pytest.mark.parametrize("seats", SEATS)
def test_matches_with_leavers_end_and_their_books_balance(seats):
    for number in range(8):
        count = None
        for state, _ply in with_leavers(seats, number, Options(card_trim="even")):
            count = count or census(state)
            assert census(state) == count
            assert state.phase == "over" or state.active not in state.withdrawn
            for seat in state.withdrawn:
                assert state.ships[seat] == -1
                assert (state.hand[seat], state.pile[seat]) == ((), ())
                assert not any(state.subs[seat])
            if state.phase != "over":
                check_books(state)
        ranks = state.result.ranks
        leavers = [ranks[seat] for seat in reversed(state.withdrawn)]
        assert leavers == list(range(seats - len(leavers) + 1, seats + 1))


@pytest.mark.parametrize("trim", ["random", "even"])
@pytest.mark.parametrize("seats", SEATS)
def test_worlds_are_sampled_when_seats_have_left(seats, trim):
    options = Options(card_trim=trim)
    dice = Chance(seed_of(9), 9)
    for number in range(3):
        watchers = Watchers(GAME, seats, options)
        for state, ply in with_leavers(seats, number, options):
            watchers.watch(ply)
            if ply.version % 20:
                continue
            for viewer in (*range(seats), None):
                view = GAME.view(state, viewer)
                world = GAME.players.sample(view, watchers.seen(viewer), dice)
                assert GAME.view(world, viewer) == view
                assert census(world) == census(state)


@pytest.mark.parametrize("seats", SEATS)
def test_a_state_survives_json(seats):
    random = at_random(Chance(seed_of(2), 1 << 30))
    for state, ply in plies(GAME, seats, Options(), seed_of(2), random):
        if ply.version % 13 == 0:
            data = msgspec.json.encode(state)
            assert msgspec.json.decode(data, type=GAME.State) == state


def test_a_break_without_a_pile_can_only_be_ended():
    """No match reaches this position."""
    table = given(phase="break", ships=[7, 4], pile={0: ()})
    assert table.legal(0) == [EndTurn()]
