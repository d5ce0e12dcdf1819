"""Submarine's part of the laws."""

from itertools import chain
from pathlib import Path

from games.submarine.commands import (
    EndTurn,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.components import COLOURS, HAND, SHELLS, TREASURES, in_colour_order
from games.testing.laws import Laws
from tests.games.submarine.rehistory import rehistory


def census(state):
    cells = chain.from_iterable(state.cells)
    slots = (tuple(card.values()) for card in state.slots)
    cards = chain(*state.hand, *state.pile, state.discard, state.aside)
    return {
        "tokens": sorted(chain(*cells, *slots, *state.jokers)),
        "cards": sorted(cards),
        "submarines": [len(fleet) for fleet in state.subs],
        "ships": len(state.ships),
    }


def twins(state, viewer, chance):
    """Yield states with the viewer's unseen cards dealt anew; none once all cards lie open."""
    if state.phase == "over":
        return
    for _ in range(2):
        twin = state.copy()
        hidden = [seat for seat in range(state.players) if seat != viewer]
        loose = state.options.card_trim == "random"
        pool = list(chain(*(state.hand[seat] for seat in hidden), *state.pile))
        pool += state.aside if loose else ()
        chance.shuffle(pool)
        deal = iter(pool)
        for seat in hidden:
            twin.hand[seat] = in_colour_order([next(deal) for _ in state.hand[seat]])
        twin.pile = [tuple(next(deal) for _ in pile) for pile in state.pile]
        if loose:
            twin.aside = tuple(deal)
        yield twin


def probes(state, seat, chance):
    """Yield commands in and around the legal ones."""
    ship = state.ships[seat]
    below = chain.from_iterable(state.cells[ship - 1]) if ship in range(1, 7) else ()
    tokens = [*below, chance.choice(TREASURES), chance.choice(SHELLS), "mask_plaid"]
    for token in tokens:
        colour = token.partition("_")[2]
        pay = tuple(chance.sample(COLOURS * HAND, chance.randbelow(HAND + 1)))
        yield Salvage(token, colour, ())
        yield Salvage(token, colour, pay)
        yield Salvage(token, chance.choice(COLOURS), tuple(chance.sample(state.hand[seat], 1)))
        yield SalvageWithJoker(token, chance.choice((*state.jokers[seat], *SHELLS)))
        yield SalvageWithJoker(token, chance.choice(TREASURES))
    for _ in range(12):
        cell = (chance.randbelow(8), chance.randbelow(7))
        yield MoveSub(chance.randbelow(7) - 1, cell)
    for number in range(-1, 9):
        yield PlaceSub(number)
        yield MoveShip(number)
    for colour in (*COLOURS, "plaid"):
        yield SwapCard(colour)
    yield EndTurn()


LAWS = Laws(
    tables=[
        (2, {}),
        (3, {}),
        (4, {}),
        (5, {}),
        (2, {"card_trim": "even", "must_act": False}),
        (3, {"card_trim": "even", "joker_same_turn": False, "first_player": 2}),
        (4, {"card_trim": "even", "stalemate_voyages": 2, "turn_seconds": 15}),
        (5, {"card_trim": "even", "joker_same_turn": False, "must_act": False}),
        (2, {"stalemate_voyages": 9, "first_player": 1, "abandon_after": 1}),
    ],
    records_max=4000,
    perft=Path(__file__).with_name("perft.toml"),
    census=census,
    twins=twins,
    rehistory=rehistory,
    probes=probes,
)
