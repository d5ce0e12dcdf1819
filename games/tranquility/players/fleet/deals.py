"""Worlds that fit what a seat has seen, dealt as voyages: `players.sample` for many at once."""

from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

from games.game import HIDDEN
from games.tranquility.components import (
    BOX,
    FINISHES,
    HAND_LIMIT,
    IS_FINISH,
    NUMBER,
    STARTS,
)
from games.tranquility.model import View
from games.tranquility.players.fleet.outlooks import Floats
from games.tranquility.players.fleet.voyages import (
    FINISH,
    START,
    Flags,
    Ints,
    Voyages,
    card_number,
    ranks,
)
from games.tranquility.players.habits import (
    DEAD_IN_HAND,
    ELSEWHERE,
    LIVE_DISCARDED,
    WHOLE,
    dead_numbers,
)
from games.tranquility.players.habits import FINISH as FINISH_HABITS
from games.tranquility.players.memory import Memory

HAND, DISCARD, PILE, REMOVED = range(4)
"""Kinds of hidden places, in the order in which islands are dealt to them."""


class Dice:
    """Random numbers between 0 and 1, the same on any machine."""

    def __init__(self, seed: bytes) -> None:
        """Take the seed of all numbers."""
        self._seed = seed
        self._draws = 0

    def uniform(self, rows: int, columns: int) -> Floats:
        """Return new numbers; none is 0 or 1."""
        self._draws += 1
        size = rows * columns
        data = shake_256(self._seed + self._draws.to_bytes(4, "big")).digest(4 * size)
        numbers = (np.frombuffer(data, "<u4") >> 9).astype(np.float32)
        return ((numbers + np.float32(0.5)) / np.float32(1 << 23)).reshape(rows, columns)


class Deals:
    """The places of cards that a seat of a calm table cannot see."""

    def __init__(self, view: View, memory: Memory, seat: int) -> None:
        """Take what the seat sees and remembers."""
        self.view = view
        self.memory = memory
        self.seat = seat
        self.discarded = _discarded(view, memory, seat)
        self.own = [*view.hands[seat], *self.discarded]
        others = [seat for seat in range(view.players) if seat != self.seat]
        places = [
            *((HAND, seat, at) for seat in others for at in range(len(view.hands[seat]))),
            *((DISCARD, seat, at) for seat in others for at in range(len(view.discards[seat]))),
            *((PILE, seat, at) for seat, pile in enumerate(view.piles) for at in range(len(pile))),
            *((REMOVED, -1, at) for at in range(len(view.removed))),
        ]
        self.kind, self.owner, self.at = np.array(places, np.int64).reshape(-1, 3).T
        known = {NUMBER[card] for card in self.own if card in NUMBER}
        known.update(laid.number for laid in view.grid if laid is not None)
        self.islands = np.array([each for each in NUMBER.values() if each not in known], np.int64)
        dead = dead_numbers([0 if laid is None else laid.number for laid in view.grid])
        self.dead = np.isin(self.islands, [*dead])

    def deal(self, worlds: int, dice: Dice) -> Voyages:
        """Deal new worlds. Hands are wider than the limit while a Start is being paid."""
        view, seat = self.view, self.seat
        cards = self._cards(worlds, dice)
        most = max(HAND_LIMIT, *map(len, view.hands))
        hands = np.zeros((view.players, worlds, most), np.int64)
        for each, hand in enumerate(view.hands):
            dealt = cards[:, self._of(HAND, each)]
            hands[each, :, : len(hand)] = [*map(card_number, hand)] if each == seat else dealt
        piles = [cards[:, self._of(PILE, each)] for each in range(view.players)]
        voyages = Voyages(piles, hands, view.active, BOX.removed[view.options.difficulty])
        rows = np.arange(worlds)
        for each in range(view.players):
            gone = cards[:, self._of(DISCARD, each)]
            if each == seat:
                own = np.array([*map(card_number, self.discarded)], np.int64)
                gone = np.tile(own, (worlds, 1))
            at = np.repeat(rows, gone.shape[1])
            voyages.discard(each, at, gone.ravel())
            voyages.held[each] += gone.shape[1]
        removed = cards[:, self.kind == REMOVED]
        voyages.alive[rows[:, None], removed] = False
        for cell, laid in enumerate(view.grid):
            if laid is not None:
                voyages.lay(rows, np.full(worlds, laid.number), np.full(worlds, cell))
        voyages.started[:] = view.start_placed is not None
        return voyages

    def _of(self, kind: int, seat: int) -> Flags:
        return (self.kind == kind) & (self.owner == seat)

    def _cards(self, worlds: int, dice: Dice) -> Ints:
        """Deal the unseen cards to the hidden places: (world, place)."""
        cards = np.zeros((worlds, len(self.kind)), np.int64)
        self._starts(cards, dice)
        self._finishes(cards, dice)
        free = cards == 0
        order = np.argsort(np.where(free, self.kind, REMOVED + 1), axis=1, kind="stable")
        islands = self._order(worlds, free, dice)
        np.put_along_axis(cards, order[:, : islands.shape[1]], islands, 1)
        return cards

    def _starts(self, cards: Ints, dice: Dice) -> None:
        """Put each seat's Start where it may be."""
        rows = np.arange(len(cards))
        for seat in range(self.view.players):
            if STARTS[seat] in self.own or STARTS[seat] == self.view.start_placed:
                continue
            where = self._of(PILE, seat)
            since = self.memory.start_since[seat]
            if since is not None and seat != self.seat:
                where |= self._of(HAND, seat)
                if self.memory.start_laid:
                    where |= self._of(DISCARD, seat) & (self.at >= since)
            keys = np.where(where, dice.uniform(*cards.shape), np.float32(-1))
            cards[rows, keys.argmax(1)] = START

    def _finishes(self, cards: Ints, dice: Dice) -> None:
        """Put the Finishes where players' habits make them likely."""
        unseen = len(FINISHES) - sum(card in IS_FINISH for card in self.own)
        if not unseen:
            return
        habits = (FINISH_HABITS["hand"], FINISH_HABITS["discard"], ELSEWHERE)
        weights = np.array([*habits, 1])[self.kind]
        keys = _keys(dice.uniform(*cards.shape), weights)
        keys = np.where((cards == 0) & (self.kind != REMOVED), keys, np.float32(np.inf))
        np.put_along_axis(cards, np.argsort(keys, axis=1, kind="stable")[:, :unseen], FINISH, 1)

    def _order(self, worlds: int, free: Flags, dice: Dice) -> Ints:
        """Return the unseen islands in the order of the places: hands first, then discards."""
        count = len(self.islands)
        in_hands = (free & (self.kind == HAND)).sum(1)[:, None]
        discarded = (free & (self.kind == DISCARD)).sum(1)[:, None]
        by_hand = np.where(self.dead, DEAD_IN_HAND, WHOLE)
        rank = ranks(_keys(dice.uniform(worlds, count), by_hand))
        by_discard = np.where(self.dead, WHOLE, LIVE_DISCARDED)
        keys = _keys(dice.uniform(worlds, count), by_discard)
        rank = ranks(np.where(rank < in_hands, rank - count, keys))
        keys = dice.uniform(worlds, count)
        keys = np.where(rank < in_hands + discarded, rank - count, keys)
        return self.islands[np.argsort(keys, axis=1, kind="stable")]


def _discarded(view: View, memory: Memory, seat: int) -> list[str]:
    """Return what a seat discarded, also what a clock or a stand-in chose for it.

    It remembers what was in its hand, so it knows which cards are gone.
    """
    known = [card for card in memory.discards[seat] if card != HIDDEN]
    gone = [card for card in memory.held[seat] if card not in view.hands[seat]]
    return known + gone


def _keys(uniform: Floats, weights: Ints) -> NDArray[np.float64]:
    """Return keys whose ascending order draws without replacement, by weight."""
    return -np.log(uniform.astype(np.float64)) / weights
