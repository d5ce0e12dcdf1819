"""Try commands of a seat in many worlds at once."""

from collections.abc import Callable, Sequence

import numpy as np

from games.game import Seen
from games.tranquility.commands import DiscardTwo, PayStart, PlayCard
from games.tranquility.components import HAND_LIMIT, LAYOUTS, NUMBER
from games.tranquility.model import View
from games.tranquility.players.fleet.deals import Deals, Dice
from games.tranquility.players.fleet.play import pay, play_on
from games.tranquility.players.fleet.voyages import Ints, Voyages, card_number
from games.tranquility.players.memory import Memory
from games.tranquility.players.weights import Weights


class Fleet:
    """Playouts of some actions of the active seat, or payments of any, at a calm table."""

    def __init__(
        self,
        view: View,
        seen: Seen,
        tried: Sequence[PlayCard | DiscardTwo | PayStart],
        weights: Weights,
        seed: bytes,
        pause: Callable[[], None],
    ) -> None:
        """Take what the seat knows. `pause` is called before each turn of the playouts."""
        self._view = view
        self._seat = seen.seat
        self._deals = Deals(view, Memory(seen), seen.seat)
        self._dice = Dice(seed)
        self._tried = tried
        self._weights = weights
        self._pause = pause

    def play(self, some: Sequence[int], worlds: int) -> list[list[float]]:
        """Play some commands, by index, in new worlds; return 1 for each world won, else 0.

        All are played in the same worlds.
        """
        voyages = self._deals.deal(worlds, self._dice)
        voyages.take(np.tile(np.arange(worlds), len(some)))
        voyages.which = np.arange(len(voyages))
        blocks = np.split(voyages.which, len(some))
        tried = [self._tried[at] for at in some]
        self._pay(voyages, blocks, [each for each in tried if isinstance(each, PayStart)])
        for block, command in zip(blocks, tried, strict=True):
            if not isinstance(command, PayStart):
                act(voyages, block, command)
        voyages.refill(voyages.active)
        voyages.active = (voyages.active + 1) % voyages.seats
        won = play_on(voyages, self._weights, self._pause)
        return won.reshape(len(some), worlds).astype(float).tolist()

    def _pay(self, voyages: Voyages, blocks: Sequence[Ints], payments: Sequence[PayStart]) -> None:
        """Let all seats pay for the Start what they still owe."""
        if not payments:
            return
        hands = voyages.hands
        voyages.hands = hands[..., :HAND_LIMIT].copy()
        everywhere = voyages.which
        for seat, offer in enumerate(self._view.pledges):
            assert offer is not None, "everyone pledged"
            if seat == self._seat:
                for block, command in zip(blocks, payments, strict=True):
                    spend(voyages, seat, block, hands[seat], command.cards)
            elif not self._view.paid[seat]:
                count = np.full(len(voyages), offer.count)
                pay(voyages, seat, everywhere, hands[seat], count, self._weights)
            voyages.settle(seat, everywhere, hands[seat])


def act(voyages: Voyages, at: Ints, action: PlayCard | DiscardTwo) -> None:
    """Let the active seat act in some voyages, in which it has the same hand."""
    seat = voyages.active
    hands = voyages.hands[seat]
    spent = action.discards if isinstance(action, PlayCard) else action.cards
    spend(voyages, seat, at, hands, spent)
    if isinstance(action, PlayCard):
        number = NUMBER[action.card]
        cell = LAYOUTS["standard"].index[action.cell]
        voyages.lay(at, np.full(len(at), number), np.full(len(at), cell))
        hands[at, hands[at[0]].tolist().index(number)] = 0
        voyages.held[seat][at] -= 1


def spend(voyages: Voyages, seat: int, at: Ints, hands: Ints, cards: Sequence[str]) -> None:
    """Discard the same cards of a hand in some voyages, in which it is the same."""
    hand = hands[at[0]].tolist()
    for number in map(card_number, cards):
        place = hand.index(number)
        hand[place] = 0
        voyages.discard(seat, at, hands[at, place])
        hands[at, place] = 0
