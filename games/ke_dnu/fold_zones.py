"""The fold of cards and points: what moves from zone to zone with no frame concerned."""

from bisect import insort
from typing import assert_never

from games.ke_dnu import events
from games.ke_dnu.cards import ICEBERG_CARD, MAID
from games.ke_dnu.model import Berth, State
from games.ke_dnu.ship import is_rose


def fold_zones(state: State, event: events.ZoneEvent) -> None:
    """Fold an event of cards and points."""
    match event:
        case events.Jettisoned():
            jettisoned(state, event)
        case events.CardsDrawn():
            cards_drawn(state, event)
        case events.Moved():
            moved(state, event)
        case events.CardBought():
            card_bought(state, event)
        case events.ShopRevealed(cards=cards):
            reveal(state, cards)
        case events.LockdownStruck(removed=removed, revealed=revealed):
            state.shop.clear()
            state.removed.extend(removed)
            reveal(state, revealed)
        case events.PointsGained(points=points):
            state.points += points
        case events.WaterShuffled(seat=seat, order=order):
            state.water[seat].clear()
            state.deck[seat].extend(order)
        case events.DeckShuffled(seat=seat, order=order):
            state.deck[seat] = list(order)
        case events.TopRearranged(seat=seat, take=take, put=put):
            state.deck[seat].insert(put, state.deck[seat].pop(take))
            state.rearranged[seat] += 1
        case events.CardReadied(seat=seat, card=card):
            set_exhausted(state.board[seat], card, exhausted=False)
            state.readied.append(card)
        case events.CardPlaced(seat=seat, card=card):
            state.water[seat].remove(card)
            state.board[seat].append(Berth(card, event.exhausted, event.host))
        case events.BandHeld() | events.Picked():
            pass
        case _:
            assert_never(event)


def set_exhausted(board: list[Berth], card: str, *, exhausted: bool) -> None:
    """Exhaust or ready a card."""
    for at, place in enumerate(board):
        if place.card == card:
            board[at] = Berth(card, exhausted, place.host)
            return


def leave_board(board: list[Berth], card: str) -> None:
    """Take a card off a board, letting its Assistant loose."""
    gone = 0
    for at, place in enumerate(board):
        if place.card == card:
            gone = at
        elif place.host == card:
            board[at] = Berth(place.card, place.exhausted)
    del board[gone]


def take_out(state: State, seat: int, card: str, zone: str) -> None:
    """Take a card out of a zone."""
    if zone == "board":
        leave_board(state.board[seat], card)
    elif zone == "hand":
        state.hand[seat].remove(card)
    elif zone == "water":
        state.water[seat].remove(card)
    else:
        state.deck[seat].remove(card)


def jettisoned(state: State, event: events.Jettisoned) -> None:
    """Discard a card, Rose to the board (KED-40, KED-42)."""
    seat, card = event.seat, event.card
    take_out(state, seat, card, event.zone)
    if is_rose(card):
        state.board[seat].append(Berth(card))
    else:
        state.water[seat].append(card)
    state.points += event.points


def cards_drawn(state: State, event: events.CardsDrawn) -> None:
    """Move the top of a deck to the hand."""
    seat = event.seat
    del state.deck[seat][: len(event.cards)]
    for card in event.cards:
        insort(state.hand[seat], card)
    if event.cause == "turn":
        state.drawn = state.draw_begun = True


def moved(state: State, event: events.Moved) -> None:
    """Move a card without a discard."""
    card, to_seat = event.card, event.to_seat
    take_out(state, event.seat, card, event.zone)
    if event.to_zone == "hand":
        insort(state.hand[to_seat], card)
    elif event.to_zone == "deck_top":
        state.deck[to_seat].insert(0, card)
    else:
        state.deck[to_seat].append(card)
    if event.locked:
        state.locked.append(card)
    if event.cause == MAID:
        state.maid_left -= 1


def card_bought(state: State, event: events.CardBought) -> None:
    """Move a card of the shop, or the Iceberg, to the buyer's water (KED-21, KED-26)."""
    if event.card == ICEBERG_CARD:
        state.iceberg = False
    else:
        state.shop.remove(event.card)
    state.water[event.seat].append(event.card)
    state.points -= event.price


def reveal(state: State, cards: tuple[str, ...]) -> None:
    """Move the top of the supply to the shop."""
    del state.shop_deck[: len(cards)]
    state.shop.extend(cards)
