"""Fold: apply events to the state, without chance and without checks."""

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from games import draft
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
    match event:
        case TurnStarted(seat=seat, phase=phase):
            _start_turn(state, seat)
            state.phase = phase
            if phase == "ship" and state.voyage == 0:
                state.voyage = 1
        case TurnEnded():
            state.locked = ()
        case ShipMoved(seat=seat, to=to):
            state.ships[seat] = to
            state.phase = "act" if to in COLUMNS else "break"
        case SubMoved(seat=seat, sub=sub, to=to):
            state.subs[seat] = _stationed(state.subs[seat], sub, to)
            state.mode = "move"
            state.moved += (sub,)
            state.acts += 1
        case CardsDrawn(seat=seat, cards=cards):
            state.pile[seat] = state.pile[seat][len(cards) :]
            state.hand[seat] = in_colour_order(state.hand[seat] + cards)
        case CardSwapped(seat=seat, put=put, got=got):
            state.pile[seat] = (*state.pile[seat][1:], put)
            state.hand[seat] = in_colour_order((*without(state.hand[seat], put), got))
        case CardDiscarded():
            _discard(state, event)
        case CompensationPaid():
            _compensate(state, event)
        case TreasureSalvaged():
            _salvage(state, event)
        case JokerPlaced():
            _lay_joker(state, event)
        case SubPlaced(seat=seat, sub=sub, cell=cell):
            state.subs[seat] = _stationed(state.subs[seat], sub, cell)
        case TurnSkipped():
            pass
        case VoyageEnded(voyage=voyage, quiet=quiet):
            state.ships = [GONE if ship == GONE else HARBOUR for ship in state.ships]
            state.quiet = quiet
            state.progress = False
            state.voyage = voyage + 1
        case Dealt():
            _deal(state, event)
        case SeatWithdrawn(seat=seat):
            _withdraw(state, seat)
        case GameEnded():
            _end(state, event)
        case _:
            assert_never(event)


def _start_turn(state: State, seat: int) -> None:
    state.active = seat
    state.turn += 1
    state.mode = "none"
    state.moved = ()
    state.locked = ()
    state.acts = 0
    state.fresh = ()


def _stationed(fleet: Fleet, sub: int, cell: Cell) -> Fleet:
    return (*fleet[:sub], cell, *fleet[sub + 1 :])


def _tokens_in(state: State, cell: Cell) -> Tokens:
    return state.cells[cell[0] - 1][cell[1] - TOP]


def _refill_cell(state: State, cell: Cell, tokens: Tokens) -> None:
    column, row = cell[0] - 1, cell[1] - TOP
    cells = state.cells[column]
    state.cells[column] = (*cells[:row], tokens, *cells[row + 1 :])


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


def _deal(state: State, event: Dealt) -> None:
    state.cells = _laid_out(event.layout)
    state.hand = [in_colour_order(deck[:HAND]) for deck in event.decks]
    state.pile = [deck[HAND:] for deck in event.decks]
    state.aside = event.aside
    state.jokers = [(shell,) for shell in event.shells]
    state.first = event.first


def _withdraw(state: State, seat: int) -> None:
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


def _laid_out(layout: Sequence[Token]) -> list[Column]:
    """SUB-3: fill the cells column by column, from row 2 down."""
    tokens = iter(layout)
    return [
        tuple(tuple(next(tokens) for _ in range(count)) for count in BOX.board.levels)
        for _ in COLUMNS
    ]
