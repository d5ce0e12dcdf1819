"""Lines of play: commands that the real rules decide one after another, all cards known."""

from games.chance import SealedChance
from games.tranquility.commands import (
    Command,
    DiscardTwo,
    EndTurn,
    PayStart,
    PlayCard,
    PlayFinish,
    PlayStart,
    Pledge,
)
from games.tranquility.decide import decide_on
from games.tranquility.fold import Draft, apply
from games.tranquility.model import State
from games.tranquility.rules.sea import layout
from games.tranquility.solver.puzzle import CARD_OF, Begin, Cards, End, Lay, Move, Pay, Throw

Commands = tuple[tuple[int, Command], ...]
"""Seats and the commands that they send, in order."""
CHANCE = SealedChance()
"""Raises `Sealed` when used: after the deal nothing is left to chance."""


class Line:
    """A table and the commands that led to it."""

    def __init__(self, state: State) -> None:
        """Begin at a copy of a table. A turn that only waits for its end is ended."""
        self.state = state.copy()
        self.sent: list[tuple[int, Command]] = []
        self._end_turn()

    @property
    def commands(self) -> Commands:
        """The commands sent so far."""
        return tuple(self.sent)

    @property
    def won(self) -> bool:
        """Whether the voyage is won."""
        result = self.state.result
        return result is not None and result.outcome == "won"

    def send(self, seat: int, command: Command) -> None:
        """Send a command for a seat, and end the turn if the table waits for that."""
        self._send(seat, command)
        self._end_turn()

    def _send(self, seat: int, command: Command) -> None:
        decide_on(Draft(self.state, apply, CHANCE), seat, command)
        self.sent.append((seat, command))

    def _end_turn(self) -> None:
        if self.state.phase == "confirm":
            self._send(self.state.active, EndTurn())

    def play(self, move: Move) -> None:
        """Send the commands of a move of the puzzle."""
        seat = self.state.active
        match move:
            case Lay():
                cell = layout(self.state).cells[move.at]
                self.send(seat, PlayCard(CARD_OF[move.card], cell, _ids(move.payment)))
            case Throw():
                self.send(seat, DiscardTwo(_ids(move.cards)))
            case Begin():
                self.send(seat, PlayStart(CARD_OF[move.card]))
            case Pay():
                self._pay(move)
            case End():
                self.send(seat, PlayFinish(CARD_OF[move.card]))

    def _pay(self, move: Pay) -> None:
        counts = [len(cards) for cards in move.cards]
        if self.state.phase == "start_pledge":
            for seat in self._pledging(counts):
                self.send(seat, Pledge(counts[seat]))
        for seat, cards in enumerate(move.cards):
            if cards:
                self.send(seat, PayStart(_ids(cards)))

    def _pledging(self, counts: list[int]) -> list[int]:
        """Order the seats that pledge so that no other pledges add up to eight on the way (TRA-26).

        While too much is offered, offers that rise come before those that fall; while too little,
        the other way round. Seats without an offer come last.
        """
        offers = [None if offer is None else offer.count for offer in self.state.pledges]
        spare = sum(offer or 0 for offer in offers) > sum(counts)
        changes: list[tuple[bool, bool, int]] = []
        for seat, (offer, count) in enumerate(zip(offers, counts, strict=True)):
            if offer is None:
                changes.append((True, False, seat))
            elif offer != count:
                changes.append((False, (offer > count) == spare, seat))
        return [seat for _, _, seat in sorted(changes)]


def _ids(cards: Cards) -> tuple[str, ...]:
    return tuple(CARD_OF[code] for code in cards)
