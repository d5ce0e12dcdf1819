"""A bot that knows only its own view, and values the table after each of its commands."""

from collections.abc import Iterable, Sequence

from games.chance import Chance
from games.game import Seen
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
from games.tranquility.components import (
    COLOUR,
    IS_STORM,
    IS_WILD,
    LAYOUTS,
    NUMBER,
    START_PRICE,
    STORMS,
    Cell,
)
from games.tranquility.model import State, View
from games.tranquility.players.memory import Memory
from games.tranquility.players.outlook import (
    Gap,
    Outlook,
    Prospects,
    keep_value,
    prospects_of,
    split,
)
from games.tranquility.players.race import race
from games.tranquility.players.weights import Weights, weights_for

WILD_GAP_MAX = 2
"""Most free cells of a gap in which a wild is laid."""
NEVER = -1e9


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose the command with the best value."""
    if len(legal) == 1:
        return legal[0]
    seat = seen.seat
    return choose(view, seat, Memory(seen).discards[seat], legal, weights_for(view.options))


def choose(
    view: View, seat: int, discarded: Sequence[str], legal: Sequence[Command], weights: Weights
) -> Command:
    """Choose for a seat that knows its own discards, except those that it never saw."""
    if view.options.variant == "competitive":
        return race(view, seat, legal)
    return Mind.knowing(view, seat, discarded, weights).choose(legal)


def ranked(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> list[Command]:
    """Return the heuristic's choice, then the other commands, the best value first."""
    if len(legal) == 1:
        return [legal[0]]
    if view.options.variant == "competitive":
        first = race(view, seen.seat, legal)
        return [first, *(command for command in legal if command != first)]
    return mind_of(view, seen).ranked(legal)


def mind_of(view: View, seen: Seen) -> "Mind":
    """Return the valuation of a seat that remembers what it saw."""
    seat = seen.seat
    return Mind.knowing(view, seat, Memory(seen).discards[seat], weights_for(view.options))


class Mind:
    """One seat's valuation of one decision."""

    def __init__(
        self, view: View | State, seat: int, prospects: Prospects, weights: Weights
    ) -> None:
        """Prepare from a table and the prospects. The hands of other seats are not read."""
        self.view = view
        self.seat = seat
        self.weights = weights
        self.hand = view.hands[seat]
        self.layout = LAYOUTS[view.options.variant]
        self.numbers = [0 if laid is None else laid.number for laid in view.grid]
        self.prospects = prospects
        self.outlook = Outlook(self.numbers, prospects.numbers, weights)
        self.gaps = self.outlook.gaps
        self.price = self._price()
        self._losses: dict[tuple[str, ...], float] = {}

    @classmethod
    def knowing(cls, view: View, seat: int, discarded: Sequence[str], weights: Weights) -> "Mind":
        """Return the valuation of a seat that knows its view and what it discarded."""
        return cls(view, seat, prospects_of(view, seat, discarded, weights.unseen), weights)

    def choose(self, legal: Sequence[Command]) -> Command:
        """Choose the command with the best value."""
        offers = [command for command in legal if not isinstance(command, UseCompass)]
        if (compass := self.compass(legal)) is not None:
            return compass
        if not offers:
            return legal[0]
        if isinstance(offers[0], Pledge):
            return self.pledge(offers)
        if isinstance(offers[0], PlayCard | DiscardTwo):
            offers = self.sensible(offers) or offers
        return max(offers, key=self.value)

    def ranked(self, legal: Sequence[Command]) -> list[Command]:
        """Return the choice, then the other commands, the best value first."""
        first = self.choose(legal)
        rest = self.sensible([command for command in legal if command != first])
        return [first, *sorted(rest, key=lambda command: -self.value(command))]

    def value(self, command: Command) -> float:
        """Return the change in value that a command brings."""
        match command:
            case PlayFinish():
                return self._finish()
            case PlayCard():
                return self._lay(command)
            case DiscardTwo():
                turn = self._turn() if command.turn_hands else 0.0
                return turn - self._spend(command.cards)
            case DiscardHand():
                return self.weights.compass * self._need() - self._spend(self.hand)
            case PlayMonster():
                wild = self.weights.wild if command.card in IS_WILD else -self.weights.monster
                return self._strike(command.cell) - wild
            case FeedMonster():
                return self._strike(command.cell)
            case FlipCard():
                return self._flip(command.cell) - self._spend((command.card,))
            case PayStart() | ShedToLimit() | KeepRocks():
                return -self._spend(command.cards)
            case MoveRocks() | SetRocks():
                return 1 / (1 + self.free(command.row))
            case PlaceStorm():
                return self.shelter(command.row, {storm.row for storm in self.view.storms})
            case PlayStart():
                return NEVER if command.card in IS_WILD else 0.0
            case LetPass():
                return 1.0
            case Pledge():
                return -float(abs(command.count - self.fair_pledge()))
            case _:
                return 0.0

    def sensible(self, offers: Iterable[Command]) -> list[Command]:
        """Drop payments that are not the cheapest, and wilds in wide gaps."""
        best: dict[tuple[str, Cell, int], tuple[float, Command]] = {}
        rest: list[Command] = []
        for command in offers:
            if not isinstance(command, PlayCard):
                rest.append(command)
                continue
            if command.as_ and not self._tight(command.as_):
                continue
            key = (command.card, command.cell, command.as_)
            dear = self.loss(tuple(command.discards))
            if key not in best or dear < best[key][0]:
                best[key] = dear, command
        return [*(command for _, command in best.values()), *rest]

    def fair_pledge(self) -> int:
        """Return the pledge after which all seats keep about equally many cards."""
        pledges = self.view.pledges
        missing = START_PRICE - sum(offer.count for offer in pledges if offer is not None)
        own = pledges[self.seat]
        return missing + own.count if own is not None else self._share(missing)

    def pledge(self, offers: Sequence[Command]) -> Command:
        """Pledge so that all seats keep equally many cards: a seat without cards loses (TRA-33)."""
        share = self.fair_pledge()

        def off(command: Command) -> tuple[int, bool]:
            assert isinstance(command, Pledge), "only pledges are made here"
            return abs(command.count - share), not command.from_deck

        return min(offers, key=off)

    def _share(self, missing: int) -> int:
        """Return the own share when each missing card comes from the seat with the most cards.

        Only seats without a pledge give cards.
        """
        view = self.view
        behind = [(view.active - seat) % view.players for seat in range(view.players)]
        hands = {
            seat: len(view.hands[seat])
            for seat in sorted(range(view.players), key=behind.__getitem__)
            if view.pledges[seat] is None
        }
        left = {seat: hand + len(view.piles[seat]) for seat, hand in hands.items()}
        share = 0
        for _ in range(missing):
            if not (able := [seat for seat, hand in hands.items() if hand]):
                break
            giver = max(able, key=left.__getitem__)
            hands[giver] -= 1
            left[giver] -= 1
            share += giver == self.seat
        return share

    def compass(self, legal: Sequence[Command]) -> Command | None:
        """Cancel a purple storm whenever possible, another one if compasses are plentiful."""
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

    def _price(self) -> float:
        """Return the value of a card to this seat, which loses for all if it runs out (TRA-33)."""
        view = self.view
        turns = self.numbers.count(0) / view.players + 1
        left = len(self.hand) + len(view.piles[self.seat])
        return self.weights.card * (1 + self.weights.scarce * (turns / max(1, left)) ** 2)

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
        sides = split(gap, index, number)
        gain = self.outlook.laid(sides) - self.outlook.worth(gap)
        if self.view.options.variant == "day_night":
            lower = index < len(self.numbers) // 2
            right = self.view.hands_side == ("sun" if lower else "moon")
            gain += self.weights.side * (right - 1)
        if command.as_:
            gain -= self.weights.wild
        return gain - self.price - self._spend(command.discards, sides)

    def _spend(self, cards: Sequence[str], sides: Sequence[Gap] = ()) -> float:
        """Return the loss from spending cards of the hand, where a gap now has two sides."""
        price = self.price * len(cards)
        if parted := [NUMBER[card] for card in cards if sides and _within(card, sides)]:
            cards = [card for card in cards if not _within(card, sides)]
            price += self.outlook.loss(parted, sides)
        return price + self.loss(tuple(cards))

    def loss(self, cards: tuple[str, ...]) -> float:
        """Return what cards of the hand are worth to the sea as it is."""
        if (loss := self._losses.get(cards)) is None:
            numbers = [NUMBER[card] for card in cards if card in NUMBER]
            loss = self.outlook.loss(numbers, self.gaps) + sum(
                keep_value(card, self.hand, self.prospects, self.weights)
                for card in cards
                if card not in NUMBER
            )
            self._losses[cards] = loss
        return loss

    def _strike(self, cell: Cell) -> float:
        """Return the change in value from destroying a card."""
        numbers = self.numbers[:]
        numbers[self.layout.index[cell]] = 0
        return Outlook(numbers, self.outlook.odds, self.weights).value() - self.outlook.value()

    def _flip(self, cell: Cell) -> float:
        return self.weights.side * (1 if self._wrong(self.layout.index[cell]) else -1)

    def _wrong(self, index: int) -> bool:
        laid = self.view.grid[index]
        lower = index < len(self.numbers) // 2
        return laid is not None and laid.side != ("sun" if lower else "moon")

    def _turn(self) -> float:
        """Return the gain of turning all hands: the half with more free cells should be served."""
        half = len(self.numbers) // 2
        lower = self.numbers[:half].count(0)
        upper = self.numbers[half:].count(0)
        need = upper - lower if self.view.hands_side == "sun" else lower - upper
        return 0.5 * need

    def _tight(self, number: int) -> bool:
        gap = self.outlook.gap_of(number)
        return gap is not None and gap.cells <= WILD_GAP_MAX

    def free(self, row: int) -> int:
        """Count the free cells of a row."""
        return sum(self.numbers[index] == 0 for index in self.layout.rows[row])

    def shelter(self, row: int, shut: set[int]) -> float:
        """Return how little a purple storm harms on a row: least on one that is shut already."""
        return 10.0 * (row in shut) - self.free(row)

    def _need(self) -> int:
        """Count the purple storms beyond the compasses held."""
        purple = sum(storm.colour == "purple" for storm in self.view.storms)
        return max(0, purple - sum(map(len, self.view.compasses)))


def _within(card: str, sides: Sequence[Gap]) -> bool:
    """Return whether a card fits into a gap that was parted into these sides."""
    return sides[0].low < NUMBER.get(card, 0) < sides[-1].high
