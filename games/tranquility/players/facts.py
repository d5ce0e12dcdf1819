"""What one seat knows of the table after its command, in numbers, for the forecast.

The numbers of each gap of the sea, and the numbers of the whole table with its storms.
"""

from collections.abc import Sequence
from functools import cached_property
from math import exp, log, log1p
from operator import mul
from typing import NamedTuple

from games.tranquility.commands import Command, DiscardHand, PlayCard
from games.tranquility.components import (
    COLOUR,
    COST_MAX,
    IS_FINISH,
    IS_START,
    IS_STORM,
    NUMBER,
    START_PRICE,
    STORMS,
)
from games.tranquility.players.bot import Mind
from games.tranquility.players.outlook import SHORT, Gap, Outlook, split

SURE = 0.98
"""A gap that fails more surely than this counts as if it failed so."""
CROWD_MAX = 3.0


class After(NamedTuple):
    """What is known after a command."""

    gaps: list[tuple[float, ...]]
    table: list[float]


class Facts:
    """What one seat knows of the table after each of its commands."""

    def __init__(self, mind: Mind) -> None:
        """Prepare from the seat's valuation."""
        self.mind = mind
        self.view = mind.view
        self.seat = mind.seat
        self.blocked = {storm.row for storm in self.view.storms}
        self._gaps: dict[tuple[Gap, frozenset[str]], _GapFacts] = {}
        self._seas: dict[frozenset[str], Outlook] = {}

    def after(self, command: Command | None, spent: Sequence[str]) -> After:
        """Return what is known after a command that spends some cards of the hand."""
        laid = command if isinstance(command, PlayCard) else None
        gone = {*spent, laid.card} if laid is not None else {*spent}
        hand = [card for card in self.mind.hand if card not in gone]
        gaps = self.mind.gaps if laid is None else self._split(laid)
        found = [self._gap(gap, spent) for gap in gaps]
        table = [*self._table(hand, gaps, found, laid is not None), *self._storms(command)]
        return After([each.numbers for each in found], table)

    def _split(self, laid: PlayCard) -> list[Gap]:
        """Return the gaps after a card is laid."""
        number = NUMBER[laid.card]
        gaps: list[Gap] = []
        for gap in self.mind.gaps:
            inside = gap.low < number < gap.high
            sides = split(gap, self.mind.layout.index[laid.cell], number) if inside else (gap,)
            gaps += [side for side in sides if side.cells]
        return gaps

    def _gap(self, gap: Gap, spent: Sequence[str]) -> "_GapFacts":
        inside = frozenset(card for card in spent if gap.low < NUMBER.get(card, 0) < gap.high)
        if (known := self._gaps.get((gap, inside))) is None:
            known = self._gaps[gap, inside] = self._new(gap, inside)
        return known

    def _new(self, gap: Gap, spent: frozenset[str]) -> "_GapFacts":
        sea = self._sea(spent)
        share = self.mind.prospects.share
        held = {NUMBER[card] for card in self.mind.hand if card in NUMBER and card not in spent}
        inside = range(gap.low + 1, gap.high)
        own = [number in held for number in inside]
        unseen = [
            share if sea.odds[number] and not mine else 0.0
            for number, mine in zip(inside, own, strict=True)
        ]
        rows = [self.mind.layout.row_of[gap.first + at] for at in range(gap.cells)]
        shut = sum(row in self.blocked for row in rows)
        worth, price = sea.worth(gap), sea.price(gap)
        return _GapFacts(gap, own, unseen, share, worth, price, sea.length, shut)

    def _sea(self, spent: frozenset[str]) -> Outlook:
        """Return the outlook without some cards of the hand."""
        if not spent:
            return self.mind.outlook
        if (sea := self._seas.get(spent)) is None:
            odds = [*self.mind.outlook.odds]
            for card in spent:
                odds[NUMBER[card]] = 0.0
            sea = self._seas[spent] = Outlook(self.mind.numbers, odds, self.mind.weights)
        return sea

    def _table(
        self, hand: list[str], gaps: list[Gap], found: "list[_GapFacts]", lays: bool
    ) -> list[float]:
        """Return the facts about the whole table."""
        view, seat, prospects = self.view, self.seat, self.mind.prospects
        players = view.players
        cells = self.mind.numbers.count(0) - lays
        started = view.start_placed is not None
        piles = [len(pile) for pile in view.piles]
        others = sum(map(len, view.hands)) - len(view.hands[seat])
        alive = others + sum(piles)
        slack = alive + len(hand) - cells - 1 - (0 if started else START_PRICE + 1)
        dear = slack - sum(each.price for each in found)
        turns = cells / players + 1
        supplies = [(len(view.hands[at]) + piles[at]) / turns for at in range(players)]
        supplies[seat] = (len(hand) + piles[seat]) / turns
        rest = [supply for at, supply in enumerate(supplies) if at != seat] or supplies
        nearest = supplies[(seat + 1) % players] if players > 1 else 0.0
        finish = any(card in IS_FINISH for card in hand)
        numbers = [NUMBER[card] for card in hand if card in NUMBER]
        useless = sum(card in IS_START for card in hand) + sum(
            not any(gap.low < number < gap.high for gap in gaps) for number in numbers
        )
        failing = -sum(each.regret for each in found)
        return [
            cells / 36,
            slack / 20,
            min(3.0, slack / max(1, cells)) / 2,
            dear / 10,
            max(-3.0, min(3.0, dear / max(1, cells))),
            min(4.0, supplies[seat]) / 2,
            min(4.0, *rest) / 2,
            min(4.0, nearest) / 2,
            started,
            finish,
            prospects.finishes / 2,
            exp(-prospects.finishes),
            0.0 if finish else exp(-prospects.unseen_finishes * prospects.share),
            useless / 5,
            len(hand) / 5,
            piles[seat] / 20,
            sum(piles) / 40,
            *(players == count for count in range(1, 6)),
            sum(each.worth for each in found) / 20,
            len(gaps) / 10,
            cells == 0,
            cells == 0 and finish,
            others / max(1, alive),
            prospects.share,
            failing,
            exp(2 * failing),
        ]

    def _storms(self, command: Command | None) -> list[float]:
        """Return the facts about storms and compasses."""
        compasses = self.view.compasses
        shut = self._shut
        if isinstance(command, PlayCard):
            shut -= command.cell[1] in self.blocked
        gained = bool(self.view.compass_supply) and self._earns(command)
        return [
            *self._raging,
            shut / 12,
            (sum(map(len, compasses)) + gained) / 3,
            (len(compasses[self.seat]) + gained) / 3,
            *self._coming,
        ]

    @cached_property
    def _raging(self) -> tuple[float, ...]:
        """Whom the storms strike."""
        seat, storms = self.seat, self.view.storms
        yellow, orange = (
            {storm.seat for storm in storms if storm.colour == colour}
            for colour in ("yellow", "orange")
        )
        after = (seat + 1) % self.view.players
        return (
            seat in yellow,
            seat in orange,
            len(yellow) / 2,
            len(orange) / 2,
            (after in yellow) + (after in orange),
            sum(storm.row >= 0 for storm in storms) / 2,
        )

    @cached_property
    def _shut(self) -> int:
        """Number of free cells in rows under a purple storm."""
        row_of = self.mind.layout.row_of
        free = (index for index, laid in enumerate(self.view.grid) if laid is None)
        return sum(row_of[index] in self.blocked for index in free)

    @cached_property
    def _coming(self) -> tuple[float, ...]:
        """How many storms may still come, by colour."""
        met = {storm.card for storm in self.view.storms} | (IS_STORM & set(self.view.out))
        coming = [COLOUR[card] for card in STORMS if card not in met]
        return tuple(coming.count(colour) / 2 for colour in ("yellow", "purple", "orange"))

    def _earns(self, command: Command | None) -> bool:
        """Return whether a command earns a compass."""
        if not isinstance(command, PlayCard):
            return isinstance(command, DiscardHand)
        numbers = self.mind.numbers[:]
        numbers[self.mind.layout.index[command.cell]] = NUMBER[command.card]
        row = [numbers[index] for index in self.mind.layout.rows[command.cell[1]]]
        return 0 not in row and row == list(range(row[0], row[0] + len(row)))


class _GapFacts:
    """What can be said about a gap."""

    def __init__(
        self,
        gap: Gap,
        own: list[bool],
        unseen: list[float],
        share: float,
        worth: float,
        price: float,
        length: int,
        shut: int,
    ) -> None:
        """Take the numbers inside the gap: those in the own hand, and the chances of the others."""
        self.gap, self.own, self.unseen, self.share = gap, own, unseen, share
        self.worth, self.price, self.shut = worth, price, shut
        self.below, self.above = gap.first > 0, gap.first + gap.cells < length
        self.inner = self.below and self.above

    @cached_property
    def regret(self) -> float:
        """How much the chance of failing lowers the log of the chance to fill the sea."""
        return -log(1 - min(self.failing, SURE)) / 2

    @cached_property
    def near(self) -> list[bool]:
        """Whether each number is near enough to be paid, if all cells are beside laid cards."""
        gap = self.gap
        reach = COST_MAX * gap.cells
        if not self.inner or gap.cells > SHORT:
            return [True] * len(self.own)
        return [
            number <= gap.low + reach or number >= gap.high - reach
            for number in range(gap.low + 1, gap.high)
        ]

    @cached_property
    def failing(self) -> float:
        """Chance that fewer numbers come than there are cells, if each comes on its own."""
        missing = self.gap.cells - sum(map(mul, self.own, self.near))
        hidden = sum(
            near and chance > 0 for near, chance in zip(self.near, self.unseen, strict=True)
        )
        if missing <= 0:
            return 0.0
        if missing > hidden:
            return 1.0
        if self.share == 1:
            return 0.0
        odds = self.share / (1 - self.share)
        term, total = (1 - self.share) ** hidden, 0.0
        for come in range(missing):
            total += term
            term *= (hidden - come) / (come + 1) * odds
        return total

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        gap, own, unseen = self.gap, self.own, self.unseen
        cells = gap.cells
        chances = [1.0 if mine else chance for mine, chance in zip(own, unseen, strict=True)]
        usable = sum(map(mul, chances, self.near))
        crowd = min(CROWD_MAX, cells / max(usable, 0.2))
        single = self.inner and cells == 1
        reach = COST_MAX
        close = unseen if len(unseen) <= 2 * reach else unseen[:reach] + unseen[-reach:]
        return (
            cells / 6,
            cells == 1,
            cells == 2,
            self.below,
            self.above,
            single,
            self.inner and cells == 2,
            sum(own) / 3,
            min(2.0, sum(unseen) / cells / 5),
            crowd,
            crowd**2 / 3,
            log1p(usable) / 2,
            min(6.0, (gap.high - gap.low) / (cells + 1)) / 3,
            self.worth / 5,
            *(_edge(own, unseen) if self.below else NO_EDGE),
            *(_edge(own[::-1], unseen[::-1]) if self.above else NO_EDGE),
            self.price / 4 if single else 0.0,
            min(6.0, sum(close)) / 3 if single else 0.0,
            min(2.0, sum(map(mul, chances, chances[1:])) / cells),
            self.failing,
            self.regret,
            self.shut / cells,
            self.shut / 6,
        )


NO_EDGE = (0.0, 0.0, 0.0, 0.0)


def _edge(own: Sequence[bool], unseen: Sequence[float]) -> tuple[float, ...]:
    """Return how near the own numbers are to a laid card, and how many others may come near."""
    nearest = next((at for at, mine in enumerate(own[:COST_MAX]) if mine), COST_MAX)
    near = unseen[:COST_MAX]
    return (
        (COST_MAX - nearest) / COST_MAX,
        sum(near[:1]),
        sum(near[:2]) if len(near) > 1 else 0.0,
        sum(near) / 2,
    )
