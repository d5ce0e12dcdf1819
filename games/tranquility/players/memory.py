"""A viewer's knowledge of hidden cards: its own discards, and what other seats showed."""

from collections.abc import Sequence

from games.game import HIDDEN, Seen
from games.tranquility.commands import (
    Command,
    DiscardHand,
    DiscardTwo,
    FlipCard,
    KeepRocks,
    PayStart,
    PlayCard,
    ShedToLimit,
)
from games.tranquility.components import (
    IS_FINISH,
    IS_MONSTER,
    IS_WILD,
    YELLOW_LIMIT,
    rank,
)
from games.tranquility.events import (
    CardsDiscarded,
    CardsDrawn,
    CompassUsed,
    Dealt,
    DeckDiscarded,
    Event,
    Explored,
    FinishBlocked,
    FinishPlaced,
    IslandPlaced,
    MonsterPlayed,
    RowTaken,
    StartPlaced,
    StormLanded,
)


class Memory:
    """Everything known about the hidden cards of each seat."""

    __slots__ = (
        "blind",
        "discards",
        "finish_since",
        "held",
        "monsters_max",
        "monsters_min",
        "start_laid",
        "start_since",
        "viewer",
    )

    def __init__(self, seen: Seen) -> None:
        """Read all records from the set-up on."""
        seats = range(seen.seats)
        self.viewer = seen.viewer
        self.held: list[dict[str, int]] = [{} for _ in seats]
        """Known cards of each hand, with the seat's number of discards when each card came."""
        self.discards: list[list[str]] = [[] for _ in seats]
        """Discards by place; `?` if unknown, as those of other seats are."""
        self.blind: list[list[int]] = [[] for _ in seats]
        """Places of the discards that came unseen from the pile."""
        self.start_laid = False
        self.start_since: list[int | None] = [None for _ in seats]
        """First discard that may be the seat's Start; None if the seat has not drawn the Start."""
        self.monsters_min = [0 for _ in seats]
        self.monsters_max = [0 for _ in seats]
        """Bounds on the number of monsters in each hand."""
        self.finish_since: list[int | None] = [None for _ in seats]
        """Number of discards of the seat when it showed a Finish or a wild."""
        sizes = [0 for _ in seats]
        for record in seen.records:
            command = record.command if record.seat == seen.viewer else None
            for event in record.events:
                self._note(event, command, sizes)

    def _note(self, event: Event, command: Command | None, sizes: list[int]) -> None:
        match event:
            case CardsDrawn() | RowTaken():
                self._come(event.seat, event.cards, sizes)
            case Explored() if event.card in IS_FINISH:
                self._come(event.seat, (event.card,), sizes)
            case Dealt():
                for seat, hand in enumerate(event.hands):
                    self._come(seat, hand, sizes)
            case IslandPlaced() | FinishPlaced():
                self._part(event.seat, event.card, sizes)
                self._acted(event.seat)
            case StartPlaced():
                self._part(event.seat, event.card, sizes)
                self._start()
            case CardsDiscarded():
                self._discard(event, command, sizes)
            case DeckDiscarded():
                cards = self.discards[event.seat]
                self.blind[event.seat] += range(len(cards), len(cards) + event.count)
                cards += event.cards
            case MonsterPlayed():
                self._monster(event, sizes)
            case FinishBlocked():
                self._finish(event)
            case CompassUsed() if event.source in IS_WILD:
                self._part(event.seat, event.source, sizes)
            case StormLanded() if event.seat >= 0:
                self._landed(event, sizes[event.seat])
            case _:
                pass

    def _come(self, seat: int, cards: Sequence[str], sizes: list[int]) -> None:
        sizes[seat] += len(cards)
        self.monsters_max[seat] += len(cards)
        if self.start_since[seat] is None:
            self.start_since[seat] = len(self.discards[seat])
        for card in cards:
            if card != HIDDEN:
                self.held[seat][card] = len(self.discards[seat])

    def _part(self, seat: int, card: str, sizes: list[int]) -> None:
        sizes[seat] -= 1
        self.held[seat].pop(card, None)
        if card in IS_WILD:
            self.finish_since[seat] = None

    def _acted(self, seat: int) -> None:
        """Note an action that lays no Start: the seat held none, or it had to lay it (TRA-22)."""
        if not self.start_laid:
            self.start_since[seat] = None

    def _start(self) -> None:
        self.start_laid = True
        for seat, since in enumerate(self.start_since):
            if since is not None:
                self.start_since[seat] = len(self.discards[seat])

    def _discard(self, event: CardsDiscarded, command: Command | None, sizes: list[int]) -> None:
        seat = event.seat
        if event.why in ("pass", "hand", "flip"):
            self._acted(seat)
        if event.why == "hand":
            self.monsters_min[seat] = self.monsters_max[seat] = 0
        cards: Sequence[str] = event.cards
        if command is not None and seat == self.viewer:
            cards = self._own(command, event)
        for card in cards:
            self.held[seat].pop(card, None)
        sizes[seat] -= event.count
        self.discards[seat] += cards

    def _own(self, command: Command, event: CardsDiscarded) -> Sequence[str]:
        """Return the cards of an own discard, from the own command."""
        match command:
            case PlayCard():
                return command.discards
            case DiscardTwo() | PayStart() | KeepRocks() | ShedToLimit():
                return command.cards
            case FlipCard():
                return (command.card,)
            case DiscardHand() if len(self.held[event.seat]) == event.count:
                return sorted(self.held[event.seat], key=rank)
            case _:
                return event.cards

    def _monster(self, event: MonsterPlayed, sizes: list[int]) -> None:
        """Note a monster played from a hand; an explored monster was never in a hand."""
        seat = event.seat
        if event.card in IS_WILD:
            self._part(seat, event.card, sizes)
            self._acted(seat)
        elif self.monsters_max[seat] and event.card in IS_MONSTER:
            self._part(seat, event.card, sizes)
            self._acted(seat)
            self.monsters_min[seat] = max(0, self.monsters_min[seat] - 1)
            self.monsters_max[seat] -= 1

    def _finish(self, event: FinishBlocked) -> None:
        """Note which seats hold monsters and which hold none (TRA-44, TRA-45)."""
        self.finish_since[event.seat] = len(self.discards[event.seat])
        for seat in range(len(self.held)):
            if seat in event.holders:
                self.monsters_min[seat] = max(1, self.monsters_min[seat])
            else:
                self.monsters_min[seat] = self.monsters_max[seat] = 0

    def _landed(self, event: StormLanded, size: int) -> None:
        """Note the monsters or the Start that a yellow storm left above three cards (TRA-50)."""
        seat = event.seat
        if size > YELLOW_LIMIT and event.storm.startswith("storm_yellow"):
            start = not self.start_laid and self.start_since[seat] is not None
            self.monsters_min[seat] = max(self.monsters_min[seat], size - start)
