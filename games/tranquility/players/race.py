"""The bot for the `competitive` variant: lay cheaply, take cards that are cheap to lay (TRA-80)."""

from collections.abc import Sequence

from games.tranquility.commands import Command, DiscardTwo, PlayCard, TakeCards
from games.tranquility.components import COST_MAX, LAYOUTS, NUMBER
from games.tranquility.model import View
from games.tranquility.players.outlook import Gap, find_gaps

POINTS = 3
"""Points for a laid card."""


def race(view: View, seat: int, legal: Sequence[Command]) -> Command:
    """Choose the command with the most points, the first of equals."""
    return worths_in_race(view, seat, legal)[0][1]


def worths_in_race(view: View, seat: int, legal: Sequence[Command]) -> list[tuple[float, Command]]:
    """Return all commands with their points, most first: cards kept and taken count by value."""
    numbers = [0 if laid is None else laid.number for laid in view.grid]
    gaps = find_gaps(numbers)
    hand = view.hands[seat]
    worth = {card: _points(card, gaps, len(numbers)) for card in (*hand, *view.row)}

    def value(command: Command) -> float:
        match command:
            case PlayCard():
                spent = sum(worth[card] for card in command.discards)
                return POINTS - len(command.discards) - spent / 8 + _tidy(command, view)
            case DiscardTwo():
                return -2 - sum(worth[card] for card in command.cards) / 8
            case TakeCards():
                return sum(worth[card] for card in command.cards)
            case _:
                return 0.0

    found = [(value(command), command) for command in legal]
    return sorted(found, key=lambda one: -one[0])


def _points(card: str, gaps: Sequence[Gap], cells: int) -> float:
    """Return the points for a card at its cheapest place now; 0 if it fits nowhere."""
    number = NUMBER[card]
    for gap in gaps:
        if gap.low < number < gap.high:
            return max(0.0, POINTS + 1 - _cheapest(gap, number, cells))
    return 0.0


def _cheapest(gap: Gap, number: int, cells: int) -> int:
    below, above = gap.first > 0, gap.first + gap.cells < cells
    if gap.cells > below + above:
        return 0
    distances = [number - gap.low] * below + [gap.high - number] * above
    return min((*distances, COST_MAX + 1))


def _tidy(command: PlayCard, view: View) -> float:
    """Return a penalty for cells far from the number's share of the sea, so that it stays open."""
    index = LAYOUTS[view.options.variant].index[command.cell]
    target = NUMBER[command.card] * len(view.grid) / 81 - 0.5
    return -abs(index - target) / 10
