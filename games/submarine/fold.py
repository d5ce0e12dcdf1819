"""Fold: apply events to the state, without chance and without checks."""

from collections.abc import Sequence
from typing import TypeAlias

from games import draft
from games.dispatch import by_type
from games.submarine.components import (
    BOX,
    COLUMNS,
    GONE,
    HAND,
    HARBOUR,
    MOTIF_OF,
    TOP,
    Cell,
    Column,
    Token,
    Tokens,
    in_colour_order,
    without,
)
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CardSwapped,
    CompensationPaid,
    Dealt,
    Event,
    GameEnded,
    JokerPlaced,
    SeatWithdrawn,
    ShipMoved,
    SubMoved,
    SubPlaced,
    TreasureSalvaged,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    VoyageEnded,
)
from games.submarine.model import Fleet, Result, State

Draft: TypeAlias = draft.Draft[State, Event]


def apply(state: State, event: Event) -> None:
    """Fold one event into the state, in place."""
    FOLDS[type(event)](state, event)


def _start_turn(state: State, event: TurnStarted) -> None:
    state.active = event.seat
    state.turn += 1
    state.mode = "none"
    state.moved = ()
    state.locked = ()
    state.acts = 0
    state.fresh = ()
    state.phase = event.phase
    if event.phase == "ship" and state.voyage == 0:
        state.voyage = 1


def _end_turn(state: State, _: TurnEnded) -> None:
    state.locked = ()


def _skip_turn(_: State, _event: TurnSkipped) -> None:
    pass


def _move_ship(state: State, event: ShipMoved) -> None:
    state.ships[event.seat] = event.to
    state.phase = "act" if event.to in COLUMNS else "break"


def _move_sub(state: State, event: SubMoved) -> None:
    state.subs[event.seat] = _stationed(state.subs[event.seat], event.sub, event.to)
    state.mode = "move"
    state.moved += (event.sub,)
    state.acts += 1


def _place_sub(state: State, event: SubPlaced) -> None:
    state.subs[event.seat] = _stationed(state.subs[event.seat], event.sub, event.cell)


def _draw(state: State, event: CardsDrawn) -> None:
    seat, cards = event.seat, event.cards
    state.pile[seat] = state.pile[seat][len(cards) :]
    state.hand[seat] = in_colour_order(state.hand[seat] + cards)


def _swap(state: State, event: CardSwapped) -> None:
    seat, put = event.seat, event.put
    state.pile[seat] = (*state.pile[seat][1:], put)
    state.hand[seat] = in_colour_order((*without(state.hand[seat], put), event.got))


def _discard(state: State, event: CardDiscarded) -> None:
    state.hand[event.seat] = without(state.hand[event.seat], event.card)
    state.discard += (event.card,)
    state.progress = True


def _compensate(state: State, event: CompensationPaid) -> None:
    payer, payee = event.seat, event.to
    state.pile[payer] = state.pile[payer][event.from_pile :]
    for card in event.cards[event.from_pile :]:
        state.hand[payer] = without(state.hand[payer], card)
    state.pile[payee] = event.cards[::-1] + state.pile[payee]


def _salvage(state: State, event: TreasureSalvaged) -> None:
    seat, token = event.seat, event.token
    _refill_cell(state, event.cell, without(_tokens_in(state, event.cell), token))
    if event.into == "slot":
        state.slots[seat] = {**state.slots[seat], MOTIF_OF[token]: token}
        state.progress = True
    else:
        state.jokers[seat] += (token,)
        state.fresh += (token,)
    state.mode = "salvage"
    state.acts += 1


def _lay_joker(state: State, event: JokerPlaced) -> None:
    state.jokers[event.seat] = without(state.jokers[event.seat], event.joker)
    _refill_cell(state, event.cell, (*_tokens_in(state, event.cell), event.joker))
    state.locked += (event.joker,)


def _end_voyage(state: State, event: VoyageEnded) -> None:
    state.ships = [GONE if ship == GONE else HARBOUR for ship in state.ships]
    state.quiet = event.quiet
    state.progress = False
    state.voyage = event.voyage + 1


def _deal(state: State, event: Dealt) -> None:
    state.cells = _laid_out(event.layout)
    state.hand = [in_colour_order(deck[:HAND]) for deck in event.decks]
    state.pile = [deck[HAND:] for deck in event.decks]
    state.aside = event.aside
    state.jokers = [(shell,) for shell in event.shells]
    state.first = event.first


def _withdraw(state: State, event: SeatWithdrawn) -> None:
    seat = event.seat
    state.subs[seat] = (None,) * len(state.subs[seat])
    state.ships[seat] = GONE
    state.aside += state.hand[seat] + state.pile[seat]
    state.hand[seat] = ()
    state.pile[seat] = ()
    state.withdrawn += (seat,)


def _end(state: State, event: GameEnded) -> None:
    state.phase = "over"
    state.active = -1
    state.result = Result(
        event.reason, event.winners, event.motifs, event.jokers, event.cards, event.ranks
    )


def _stationed(fleet: Fleet, sub: int, cell: Cell) -> Fleet:
    return (*fleet[:sub], cell, *fleet[sub + 1 :])


def _tokens_in(state: State, cell: Cell) -> Tokens:
    return state.cells[cell[0] - 1][cell[1] - TOP]


def _refill_cell(state: State, cell: Cell, tokens: Tokens) -> None:
    column, row = cell[0] - 1, cell[1] - TOP
    cells = state.cells[column]
    state.cells[column] = (*cells[:row], tokens, *cells[row + 1 :])


def _laid_out(layout: Sequence[Token]) -> list[Column]:
    """Fill the cells column by column, from row 2 down (SUB-3)."""
    tokens = iter(layout)
    return [
        tuple(tuple(next(tokens) for _ in range(count)) for count in BOX.board.levels)
        for _ in COLUMNS
    ]


FOLDS = by_type(
    Event,
    _start_turn,
    _end_turn,
    _skip_turn,
    _move_ship,
    _move_sub,
    _place_sub,
    _draw,
    _swap,
    _discard,
    _compensate,
    _salvage,
    _lay_joker,
    _end_voyage,
    _deal,
    _withdraw,
    _end,
)
"""What each type of event does."""
