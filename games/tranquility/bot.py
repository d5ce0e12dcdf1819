"""A crew member that knows only its own view: it weighs the table as each of its commands would leave it."""

from collections.abc import Iterable, Sequence

from games.chance import Chance
from games.game import Seen
from games.tranquility.cards import COLOUR, IS_STORM, IS_WILD, LAYOUTS, NUMBER, STORMS, Cell
from games.tranquility.commands import (
    Command,
    DiscardHand,
    DiscardTwo,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    UseCompass,
)
from games.tranquility.memory import Memory
from games.tranquility.model import State, View
from games.tranquility.outlook import (
    Gap,
    Outlook,
    Weights,
    keep_value,
    odds_of_numbers,
    split,
)
from games.tranquility.race import race

WEIGHTS = Weights()
SOLO = Weights(risk=1.67, steep=1.95, spread=0.36, card=0.85, unseen=0.57)
"""A single seat sees every card that comes, and holds out for the right ones."""
WILD_GAP_MAX = 2
"""A wild is laid only where so few cells are free."""
NEVER = -1e9


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose the command whose outcome looks best."""
    return choose(view, seen, legal, chance, SOLO if seen.seats == 1 else WEIGHTS)


def choose(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance, weights: Weights
) -> Command:
    """Choose by the given weights."""
    if len(legal) == 1:
        return legal[0]
    if view.options.variant == "competitive":
        return race(view, seen, legal)
    return _mind(view, seen, weights).choose(legal)


def ranked(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> list[Command]:
    """Give the heuristic's choice, then the others by the tables that they leave."""
    first = heuristic(view, seen, legal, chance)
    rest = [command for command in legal if command != first]
    if rest and view.options.variant != "competitive":
        mind = _mind(view, seen, SOLO if seen.seats == 1 else WEIGHTS)
        rest = sorted(mind.sensible(rest), key=lambda command: -mind.value(command))
    return [first, *rest]


def _mind(view: View, seen: Seen, weights: Weights) -> "Mind":
    seat = seen.viewer
    assert seat is not None, "a bot plays for a seat"
    return Mind(view, seat, odds_of_numbers(view, Memory(seen), weights.unseen), weights)


class Mind:
    """One seat's thoughts on one decision."""

    def __init__(
        self, view: View | State, seat: int, odds: Sequence[float], weights: Weights
    ) -> None:
        """Look at the table, with the chance of each number to come; others' hands stay out of sight."""
        self.view = view
        self.seat = seat
        self.weights = weights
        self.hand = view.hands[seat]
        self.layout = LAYOUTS[view.options.variant]
        self.numbers = [0 if laid is None else laid.number for laid in view.grid]
        self.odds = odds
        self.outlook = Outlook(self.numbers, odds, weights)
        self.gaps = self.outlook.gaps

    def choose(self, legal: Sequence[Command]) -> Command:
        """Choose the command that leaves the best table."""
        offers = [command for command in legal if not isinstance(command, UseCompass)]
        if (compass := self.compass(legal)) is not None:
            return compass
        if not offers:
            return legal[0]
        if isinstance(offers[0], Pledge):
            return self.pledge(offers)
        if isinstance(offers[0], PlayCard | DiscardTwo):
            offers = self.sensible(offers)
        return max(offers, key=self.value)

    def value(self, command: Command) -> float:
        """Weigh a command by the table it leaves."""
        match command:
            case PlayFinish():
                return self._finish()
            case PlayCard():
                return self._lay(command)
            case DiscardTwo():
                turn = self._turn() if command.turn_hands else 0.0
                return turn - self._spend(command.cards, self.gaps)
            case DiscardHand():
                return self.weights.compass * self._need() - self._spend(self.hand, self.gaps)
            case PlayMonster():
                wild = self.weights.wild if command.card in IS_WILD else -self.weights.monster
                return self._strike(command.cell) - wild
            case FeedMonster():
                return self._strike(command.cell)
            case FlipCard():
                return self._flip(command.cell) - self._spend((command.card,), self.gaps)
            case PayStart() | ShedToLimit() | KeepRocks():
                return -self._spend(command.cards, self.gaps)
            case MoveRocks() | SetRocks():
                return float(self._free(command.row))
            case PlaceStorm():
                stormy = any(storm.row == command.row for storm in self.view.storms)
                return 10.0 * stormy - self._free(command.row)
            case PlayStart():
                return NEVER if command.card in IS_WILD else 0.0
            case LetPass():
                return 1.0
            case _:
                return 0.0

    def sensible(self, offers: Iterable[Command]) -> list[Command]:
        """Leave out payments that are clearly not the cheapest, and wilds where any number will do."""
        price = {card: self._card(card, self.gaps) for card in self.hand}
        best: dict[tuple[str, Cell, int], tuple[float, Command]] = {}
        rest: list[Command] = []
        for command in offers:
            if not isinstance(command, PlayCard):
                rest.append(command)
                continue
            if command.as_ and not self._tight(command.as_):
                continue
            key = (command.card, command.cell, command.as_)
            dear = sum(price[card] for card in command.discards)
            if key not in best or dear < best[key][0]:
                best[key] = dear, command
        return [*(command for _, command in best.values()), *rest]

    def pledge(self, offers: Sequence[Command]) -> Command:
        """Offer a fair share of what is missing."""
        pledges = self.view.pledges
        others = sum(
            offer.count
            for seat, offer in enumerate(pledges)
            if offer is not None and seat != self.seat
        )
        missing = max(0, 8 - others)
        share = missing if pledges[self.seat] is not None else -(-missing // pledges.count(None))

        def off(command: Command) -> tuple[int, bool]:
            assert isinstance(command, Pledge), "only pledges are made here"
            return abs(command.count - share), not command.from_deck

        return min(offers, key=off)

    def compass(self, legal: Sequence[Command]) -> Command | None:
        """Cancel a purple storm whenever possible, another one when compasses are plenty."""
        uses = [
            command
            for command in legal
            if isinstance(command, UseCompass) and command.source not in IS_WILD
        ]
        purple = [command for command in uses if COLOUR[command.storm] == "purple"]
        if purple or self.view.phase == "rescue":
            return (purple or uses or [None])[0]
        held = sum(map(len, self.view.compasses))
        gone = {storm.card for storm in self.view.storms} | (IS_STORM & set(self.view.out))
        coming = sum(COLOUR[card] == "purple" for card in STORMS if card not in gone)
        return uses[0] if uses and held > coming else None

    def _finish(self) -> float:
        sides = self.view.options.variant == "day_night"
        if sides and any(self._wrong(index) for index in range(len(self.numbers))):
            return NEVER
        barred = any(seat != self.seat for seat in self.view.monster_holders)
        return NEVER if barred else -NEVER

    def _lay(self, command: PlayCard) -> float:
        number = command.as_ or NUMBER[command.card]
        index = self.layout.index[command.cell]
        gap = self.outlook.gap_of(number)
        assert gap is not None, "a legal number fits"
        gaps = [other for other in self.gaps if other is not gap]
        gaps += split(gap, index, number)
        gain = self.outlook.laid(gap, index, number) - self.outlook.worth(gap)
        if self.view.options.variant == "day_night":
            lower = index < len(self.numbers) // 2
            right = self.view.hands_side == ("sun" if lower else "moon")
            gain += self.weights.side * (right - 1)
        if command.as_:
            gain -= self.weights.wild
        return gain - self.weights.card - self._spend(command.discards, gaps)

    def _spend(self, cards: Sequence[str], gaps: Iterable[Gap]) -> float:
        """Weigh the loss of cards of the hand."""
        return sum(self.weights.card + self._card(card, gaps) for card in cards)

    def _card(self, card: str, gaps: Iterable[Gap]) -> float:
        number = NUMBER.get(card)
        if number is None:
            return keep_value(card, self.hand, self.weights)
        return self.outlook.loss(number, gaps)

    def _strike(self, cell: Cell) -> float:
        """Weigh a sea without one of its cards."""
        numbers = self.numbers[:]
        numbers[self.layout.index[cell]] = 0
        return Outlook(numbers, self.odds, self.weights).value() - self.outlook.value()

    def _flip(self, cell: Cell) -> float:
        return self.weights.side * (1 if self._wrong(self.layout.index[cell]) else -1)

    def _wrong(self, index: int) -> bool:
        laid = self.view.grid[index]
        lower = index < len(self.numbers) // 2
        return laid is not None and laid.side != ("sun" if lower else "moon")

    def _turn(self) -> float:
        """Weigh turning all hands: the half that needs more cards should be served."""
        half = len(self.numbers) // 2
        lower = self.numbers[:half].count(0)
        upper = self.numbers[half:].count(0)
        need = upper - lower if self.view.hands_side == "sun" else lower - upper
        return 0.5 * need

    def _tight(self, number: int) -> bool:
        gap = self.outlook.gap_of(number)
        return gap is not None and gap.cells <= WILD_GAP_MAX

    def _free(self, row: int) -> int:
        return sum(self.numbers[index] == 0 for index in self.layout.rows[row])

    def _need(self) -> int:
        """Count the purple storms that no compass is there for."""
        purple = sum(storm.colour == "purple" for storm in self.view.storms)
        return max(0, purple - sum(map(len, self.view.compasses)))
