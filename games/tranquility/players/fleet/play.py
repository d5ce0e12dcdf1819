"""How all seats play on in many voyages: by the rules of thumb, from what each knows."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from games.tranquility.components import HAND_LIMIT, START_PRICE
from games.tranquility.players.fleet.outlooks import CHOICES, Outlooks, layings
from games.tranquility.players.fleet.voyages import FINISH, START, Flags, Ints, Voyages, ranks
from games.tranquility.players.weights import Weights

NEVER = np.float32(-1e9)
PRUNED_EVERY = 3
"""Turns after which hopeless voyages are dropped."""


def play_on(voyages: Voyages, weights: Weights, pause: Callable[[], None]) -> Flags:
    """Play all voyages to their ends; return which were won. Calls `pause` before each turn."""
    won = np.zeros(len(voyages), np.bool_)
    turns = 0
    while len(voyages):
        pause()
        if turns % PRUNED_EVERY == 0:
            voyages.drop_hopeless()
        _turn(voyages, weights, won)
        turns += 1
    return won


def _turn(voyages: Voyages, weights: Weights, won: Flags) -> None:
    """Play the turn of the active seat in all voyages, and drop those that end."""
    seat = voyages.active
    hands = voyages.hands[seat]
    starting = ~voyages.started & (hands == START).any(1)
    finishing = voyages.started & (voyages.free == 0) & (hands == FINISH).any(1)
    won[voyages.which[finishing]] = True
    ends = finishing.copy()
    if starting.any():
        at = np.flatnonzero(starting)
        ends[at[~start(voyages, at, weights)]] = True
    at = np.flatnonzero(~(starting | finishing))
    ends[at[~_act(voyages, at, weights)]] = True
    voyages.refill(seat)
    voyages.active = (seat + 1) % voyages.seats
    if ends.any():
        voyages.take(np.flatnonzero(~ends))


def start(voyages: Voyages, at: Ints, weights: Weights) -> Flags:
    """Lay the Start in the voyages of `at`, and pay; return where it could be paid."""
    hands = voyages.lay_start(at)
    shares = voyages.shares(at, hands)
    for seat in range(voyages.seats):
        pay(voyages, seat, at, hands[seat], shares[seat], weights)
        voyages.settle(seat, at, hands[seat])
    return shares.sum(0) == START_PRICE


def pay(voyages: Voyages, seat: int, at: Ints, hands: Ints, count: Ints, weights: Weights) -> None:
    """Discard the `count` cards of each hand that are missed least."""
    losses = Outlooks(voyages, seat, at, hands, weights).losses()
    row, column = np.nonzero(ranks(losses) < count[:, None])
    voyages.discard(seat, at[row], hands[row, column])
    hands[row, column] = 0


class Choice(NamedTuple):
    """What a seat does in some voyages."""

    lays: Flags
    """Where it lays a card. Elsewhere it discards two, if it has as many."""
    spent: Flags
    """Which cards of each hand it discards."""
    number: Ints
    """The card, for each voyage in which it lays one."""
    place: Ints
    """Where that card is in the hand."""
    cell: Ints
    """The chain index on which it is laid."""


def _act(voyages: Voyages, at: Ints, weights: Weights) -> Flags:
    """Lay a card or discard two in the voyages of `at`; return where that was possible."""
    seat = voyages.active
    hands, held = voyages.hands[seat].take(at, 0), voyages.held[seat].take(at)
    choice = _choice(Outlooks(voyages, seat, at, hands, weights), held)
    laying = at[choice.lays]
    voyages.lay(laying, choice.number, choice.cell)
    voyages.hands[seat][laying, choice.place] = 0
    voyages.held[seat][laying] -= 1
    row, place = np.nonzero(choice.spent)
    voyages.discard(seat, at[row], hands[row, place])
    voyages.hands[seat][at[row], place] = 0
    return choice.lays | (held > 1)


def _choice(looks: Outlooks, held: Ints) -> Choice:
    """Choose the best laying, or to discard the two cards that are missed least."""
    price = np.float32(looks.weights.card)
    prices = looks.losses() + price
    order = prices.argsort(1, kind="stable")
    rank = order.argsort(1)
    dear = np.zeros((len(held), HAND_LIMIT + 1), np.float32)
    np.cumsum(np.take_along_axis(prices, order, 1), axis=1, out=dear[:, 1:])
    offers = layings(looks, held - 1)
    row, place = looks.row[offers.card], looks.column[offers.card]
    cheap = rank[row, place] < offers.cost
    cheapest = offers.cost + cheap
    paid = dear[row, cheapest] - np.where(cheap, prices[row, place], np.float32(0))
    values = np.full((len(held), HAND_LIMIT * CHOICES), NEVER)
    offer = np.zeros(values.shape, np.int64)
    slot = place * CHOICES + offers.choice
    values[row, slot] = offers.gain - paid - price
    offer[row, slot] = np.arange(len(row))
    best = values.argmax(1)
    rows = np.arange(len(held))
    value = values[rows, best]
    passes = held > 1
    lays = (value > NEVER) & ((value >= -dear[:, 2]) | ~passes)
    laid = offer[rows, best][lays]
    spent = rank < 2 * (~lays & passes)[:, None]
    spent[lays] = rank[lays] < cheapest[laid, None]
    spent[row[laid], place[laid]] = False
    card = offers.card[laid]
    cell = looks.first[card] + offers.offset[laid]
    return Choice(lays, spent, looks.numbers[card], place[laid], cell)
