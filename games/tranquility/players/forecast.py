"""A learned forecast for tables with storms: the log-odds that the crew wins.

It uses what one seat knows.

A small network judges the table after a command. Its first layer reads each gap of the sea on its
own, and the outputs are added up. The second layer reads these sums and facts about the table.
`docs/strength.md` says how the weights were found.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from math import exp, log, log1p
from operator import mul
from pathlib import Path

import msgspec

from games.tranquility.commands import Command, DiscardHand, PlayCard
from games.tranquility.components import (
    COST_MAX,
    IS_FINISH,
    IS_START,
    IS_STORM,
    NUMBER,
    START_PRICE,
    STORMS,
)
from games.tranquility.model import Options
from games.tranquility.players.bot import Mind
from games.tranquility.players.outlook import SHORT, Gap, Outlook, split

WEIGHTS = Path(__file__).with_suffix(".json")
SURE = 0.98
"""A gap that fails more surely than this counts as if it failed so."""
CROWD_MAX = 3.0


class Layer(msgspec.Struct, frozen=True):
    """Weighted sums of the inputs; negative sums count as 0."""

    rows: tuple[tuple[float, ...], ...]
    """The weights of the inputs, by output."""
    bias: tuple[float, ...]

    def __call__(self, inputs: Sequence[float]) -> list[float]:
        """Return the outputs."""
        return [
            max(0.0, bias + sum(map(mul, row, inputs)))
            for row, bias in zip(self.rows, self.bias, strict=True)
        ]


class Network(msgspec.Struct, frozen=True):
    """The weights of a forecast."""

    gap: Layer
    table: Layer
    chance: Layer
    """Its only row weighs the outputs of `table`."""


@cache
def _trained() -> Network:
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=Network)


def network_for(options: Options) -> Network | None:
    """Return the network if it was trained for such a table: the standard game with storms."""
    others = options.rocks or options.monsters or options.wilds or options.difficulty != "none"
    fits = options.variant == "standard" and options.storms and not others
    return _trained() if fits else None


class Forecast:
    """One seat's forecasts of the table after its commands."""

    def __init__(self, mind: Mind, network: Network) -> None:
        """Prepare from the seat's valuation."""
        self.mind = mind
        self.network = network
        self.view = mind.view
        self.seat = mind.seat
        self.blocked = {storm.row for storm in self.view.storms}
        self._gaps: dict[tuple[Gap, frozenset[str]], _Judged] = {}
        self._seas: dict[frozenset[str], Outlook] = {}

    def worth(self, command: Command | None, spent: Sequence[str]) -> float:
        """Return the log-odds after a command that spends some cards of the hand."""
        laid = command if isinstance(command, PlayCard) else None
        gone = {*spent, laid.card} if laid is not None else {*spent}
        hand = [card for card in self.mind.hand if card not in gone]
        gaps = self.mind.gaps if laid is None else self._after(laid)
        judged = [self._judge(gap, spent) for gap in gaps]
        sums = [sum(column) for column in zip(*(each.outputs for each in judged), strict=True)]
        if not sums:
            sums = [0.0] * len(self.network.gap.bias)
        inputs = [
            *sums,
            *self._table(hand, gaps, judged, laid is not None),
            *self._storms(command),
        ]
        hidden = self.network.table(inputs)
        return self.network.chance.bias[0] + sum(map(mul, self.network.chance.rows[0], hidden))

    def _after(self, laid: PlayCard) -> list[Gap]:
        """Return the gaps after a card is laid."""
        number = NUMBER[laid.card]
        gaps: list[Gap] = []
        for gap in self.mind.gaps:
            inside = gap.low < number < gap.high
            sides = split(gap, self.mind.layout.index[laid.cell], number) if inside else (gap,)
            gaps += [side for side in sides if side.cells]
        return gaps

    def _judge(self, gap: Gap, spent: Sequence[str]) -> "_Judged":
        inside = frozenset(card for card in spent if gap.low < NUMBER.get(card, 0) < gap.high)
        if (judged := self._gaps.get((gap, inside))) is None:
            judged = self._gaps[gap, inside] = self._new(gap, inside)
        return judged

    def _new(self, gap: Gap, spent: frozenset[str]) -> "_Judged":
        sea = self._sea(spent)
        share = self.mind.prospects.share
        held = {NUMBER[card] for card in self.mind.hand if card in NUMBER and card not in spent}
        inside = range(gap.low + 1, gap.high)
        own = [number in held for number in inside]
        unseen = [
            share if sea.odds[number] and not mine else 0.0
            for number, mine in zip(inside, own, strict=True)
        ]
        facts = _GapFacts(gap, own, unseen, share, sea.worth(gap), sea.price(gap), sea.length)
        rows = [self.mind.layout.row_of[gap.first + at] for at in range(gap.cells)]
        shut = sum(row in self.blocked for row in rows)
        inputs = [*facts.inputs, shut / gap.cells, shut / 6]
        return _Judged(self.network.gap(inputs), facts)

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
        self, hand: list[str], gaps: list[Gap], judged: "list[_Judged]", lays: bool
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
        dear = slack - sum(each.facts.price for each in judged)
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
        failing = -sum(each.facts.regret for each in judged)
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
            sum(each.facts.worth for each in judged) / 20,
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
        view, seat = self.view, self.seat
        under = [
            {storm.seat for storm in view.storms if storm.colour == colour}
            for colour in ("yellow", "orange")
        ]
        shut = sum(
            laid is None and self.mind.layout.row_of[index] in self.blocked
            for index, laid in enumerate(view.grid)
        )
        if isinstance(command, PlayCard):
            shut -= command.cell[1] in self.blocked
        gained = bool(view.compass_supply) and self._earns(command)
        met = {storm.card for storm in view.storms} | (IS_STORM & set(view.out))
        after = (seat + 1) % view.players
        return [
            seat in under[0],
            seat in under[1],
            len(under[0]) / 2,
            len(under[1]) / 2,
            (after in under[0]) + (after in under[1]),
            sum(storm.row >= 0 for storm in view.storms) / 2,
            shut / 12,
            (sum(map(len, view.compasses)) + gained) / 3,
            (len(view.compasses[seat]) + gained) / 3,
            *(
                sum(card.startswith(f"storm_{colour}") and card not in met for card in STORMS) / 2
                for colour in ("yellow", "purple", "orange")
            ),
        ]

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
    ) -> None:
        """Take the numbers inside the gap: those in the own hand, and the chances of the others."""
        self.gap, self.own, self.unseen, self.share = gap, own, unseen, share
        self.worth, self.price = worth, price
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

    @property
    def inputs(self) -> list[float]:
        """What the network reads of the gap."""
        gap, own, unseen = self.gap, self.own, self.unseen
        cells = gap.cells
        chances = [1.0 if mine else chance for mine, chance in zip(own, unseen, strict=True)]
        usable = sum(map(mul, chances, self.near))
        crowd = min(CROWD_MAX, cells / max(usable, 0.2))
        single = self.inner and cells == 1
        reach = COST_MAX
        close = unseen if len(unseen) <= 2 * reach else unseen[:reach] + unseen[-reach:]
        return [
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
        ]


class _Judged(msgspec.Struct, frozen=True):
    outputs: list[float]
    facts: _GapFacts


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
