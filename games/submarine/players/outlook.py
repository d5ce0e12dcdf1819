"""Outlooks: what a seat may still win, judged from its own view and counted in motifs.

A card or a joker is worth a fraction of a motif. The prospects of a fleet are the tokens in the
cells of its submarines, discounted by the turns until the ship arrives and by the odds of holding
the right colour then.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from games.submarine.components import (
    CARDS,
    CELLS,
    COLOUR_OF,
    MOTIF_OF,
    MOTIFS,
    OFF_BOARD,
    REACH,
    TOP,
    Cards,
    Cell,
    Colour,
    Motif,
    Token,
    Tokens,
    without,
)
from games.submarine.model import Options, View
from games.submarine.players.weights import PLAIN, Weights


class Holding(NamedTuple):
    """The means of a seat for lifting, and the motifs it lacks."""

    hand: Cards
    pile: int
    jokers: Tokens
    missing: frozenset[Motif]
    taken: Tokens = ()
    """Tokens counted as lifted already."""
    gained: Tokens = ()
    """Jokers among them."""
    laid: int = 0
    """Duplicates counted as laid on the board already."""

    def cards(self) -> int:
        """Count the cards in hand and pile."""
        return len(self.hand) + self.pile

    def key(self) -> tuple[int, int, int]:
        """Return the key that ranks the seat if the game ends now (SUB-59)."""
        return len(MOTIFS) - len(self.missing), len(self.jokers), self.cards()


class Lift(NamedTuple):
    """One way to lift a token."""

    value: float
    token: Token
    owed: int
    joker: Token | None
    """None if the token is lifted by card."""


class Offer(NamedTuple):
    """A token that can be lifted from a cell."""

    token: Token
    colour: Colour
    motif: Motif | None
    """None if the token is a shell."""
    owed: int
    """Cards of compensation (SUB-32)."""
    safety: float
    """Factor for the rivals in the same cell who want the token: they lack its motif, or it is a
    shell."""


Stop = tuple[float, frozenset[Motif]]
"""The value of a stop, and the motifs still wanted after it."""


class Outlook:
    """A seat's view, prepared for many small questions about the seat's future."""

    def __init__(self, view: View, seat: int, options: Options, weights: Weights = PLAIN) -> None:
        """Prepare the seat's own view."""
        self.view = view
        self.seat = seat
        self.weights = weights
        self._patient = not options.joker_same_turn
        self.fleet = [cell for cell in view.subs[seat] if cell is not None]
        self.holding = Holding(
            view.hand[seat],
            len(view.pile[seat]),
            view.jokers[seat],
            frozenset(MOTIFS).difference(view.slots[seat]),
        )
        self._rivals = [
            cell
            for other, fleet in enumerate(view.subs)
            if other != seat
            for cell in fleet
            if cell is not None
        ]
        self._seekers = [
            (fleet, slots)
            for other, (fleet, slots) in enumerate(zip(view.subs, view.slots, strict=True))
            if other != seat
        ]
        self._best_rival = max(
            (
                len(view.slots[other]),
                len(view.jokers[other]),
                len(view.hand[other]) + len(view.pile[other]),
            )
            for other in range(view.players)
            if other != seat and other not in view.withdrawn
        )
        self._shares = _shares(view, seat)
        coming = weights.draws if view.pile[seat] else 0.0
        self._odds = {colour: 1 - (1 - share) ** coming for colour, share in self._shares.items()}
        self._offers: dict[Cell, list[Offer]] = {}
        self._lying: dict[Holding, dict[Cell, float]] = {}
        self._stops: dict[Holding, dict[tuple[tuple[Cell, ...], frozenset[Motif]], Stop]] = {}

    def offers(self, cell: Cell) -> list[Offer]:
        """List the tokens of a cell that can be lifted, those that are not locked."""
        known = self._offers.get(cell)
        if known is None:
            column, row = cell
            owed = sum(place[0] == column and place[1] <= row for place in self._rivals)
            lying = self.view.cells[column - 1][row - TOP]
            filled = [slots for fleet, slots in self._seekers if cell in fleet]
            safety = 1 - self.weights.rivalry
            known = self._offers[cell] = []
            for token in lying:
                if token not in self.view.locked:
                    motif = MOTIF_OF.get(token)
                    rivals = sum(motif not in slots for slots in filled)
                    known.append(Offer(token, COLOUR_OF[token], motif, owed, safety**rivals))
        return known

    def prospects(self, fleet: Sequence[Cell], ship: int, holding: Holding) -> float:
        """Sum what a fleet may win at its next stops, in this voyage and the next."""
        columns: dict[int, tuple[Cell, ...]] = {}
        for cell in sorted({*fleet}):
            columns[cell[0]] = (*columns.get(cell[0], ()), cell)
        ahead = [cells for column, cells in columns.items() if ship < column < OFF_BOARD]
        later = [cells for column, cells in columns.items() if not ship < column < OFF_BOARD]
        known = self._stops.setdefault(holding, {})
        wanted = holding.missing
        total, left = 0.0, 1.0
        for cells in (*ahead, (), *later):
            if not cells:
                left *= self.weights.voyage
                continue
            stop = known.get((cells, wanted))
            if stop is None:
                stop = known[cells, wanted] = self._stop(cells, holding, wanted)
            total += left * stop[0]
            wanted = stop[1]
            left *= self.weights.patience
        return total * self.weights.future

    def _stop(self, cells: Sequence[Cell], holding: Holding, wanted: frozenset[Motif]) -> Stop:
        """Evaluate a stop above some own cells, either to lift there or to move on."""
        value, left = self._lifted(cells, holding, wanted)
        if self.weights.onward:
            lying = self._lying_about(holding)
            onward = self.weights.onward * sum(self._best_beyond(cell, lying) for cell in cells)
            if onward > value:
                value, left = onward, wanted
        return self.weights.stop + value, left

    def _best_beyond(self, cell: Cell, lying: Mapping[Cell, float]) -> float:
        """Evaluate the best cell to move to.

        The ship can follow to the right in the same voyage, otherwise only in the next.
        """
        wait = self.weights.voyage
        return max(lying[to] * (1.0 if to[0] > cell[0] else wait) for to in REACH[cell])

    def _lying_about(self, holding: Holding) -> Mapping[Cell, float]:
        """Evaluate by cell what can be lifted from that cell alone."""
        known = self._lying.get(holding)
        if known is None:
            known = self._lying[holding] = {
                cell: self._lifted((cell,), holding, holding.missing)[0] for cell in CELLS
            }
        return known

    def _lifted(self, cells: Sequence[Cell], holding: Holding, wanted: frozenset[Motif]) -> Stop:
        """Evaluate what can be lifted from some cells in one turn."""
        offers = [offer for cell in cells for offer in self.offers(cell)]
        if not offers:
            return 0.0, wanted
        card, weights, odds = self.card_value(holding), self.weights, self._odds
        crossed: set[Motif] = set()
        hand, taken, has_joker = list(holding.hand), holding.taken, bool(holding.jokers)
        means = holding.pile + len(hand) - 1
        values: list[float] = []
        for token, colour, motif, owed, safety in offers:
            if token in taken:
                continue
            gain = 1.0 if motif in wanted and motif not in crossed else weights.joker
            value = gain - card * (1 + owed) - weights.gift * owed if owed <= means else 0.0
            if colour in hand:
                hand.remove(colour)
            else:
                value *= odds[colour]
            if has_joker and motif:
                value = max(value, gain - weights.joker)
            if value <= 0.0:
                continue
            value *= safety
            if motif and value > weights.joker:
                crossed.add(motif)
            values.append(value)
        values.sort(reverse=True)
        likely = 0.0
        for value, share in zip(values, weights.in_turn, strict=False):
            likely += value * share
        return likely, wanted - crossed

    def harvest(self, column: int, holding: Holding) -> tuple[list[Lift], Holding]:
        """Lift from a column what is worth it, the best first; return the lifts and the holding."""
        lifts: list[Lift] = []
        while True:
            best = max(self.lifts(column, holding), key=attrgetter("value"), default=None)
            if best is None or best.value <= 0:
                return lifts, holding
            lifts.append(best)
            holding = self.after(holding, best)
            if best.value > self.weights.decisive / 2:
                return lifts, holding

    def lifts(self, column: int, holding: Holding) -> Iterator[Lift]:
        """Yield the ways to lift a token of a column, by card and by one joker of each kind."""
        barred = self.view.fresh + holding.gained if self._patient else ()
        jokers = {joker in MOTIF_OF: joker for joker in holding.jokers if joker not in barred}
        for cell in sorted({cell for cell in self.fleet if cell[0] == column}):
            for token, colour, motif, owed, _ in self.offers(cell):
                if token in holding.taken:
                    continue
                if colour in holding.hand and owed < holding.cards():
                    yield self._evaluated(column, holding, Lift(0, token, owed, None))
                if motif:
                    for joker in jokers.values():
                        yield self._evaluated(column, holding, Lift(0, token, 0, joker))

    def _evaluated(self, column: int, holding: Holding, lift: Lift) -> Lift:
        """Evaluate a lift: its gain, its cost, and whether it ends the game."""
        weights, motif = self.weights, MOTIF_OF.get(lift.token)
        value = 1.0 if motif in holding.missing else weights.joker
        if lift.joker is None:
            value -= self.card_value(holding) * (1 + lift.owed) + weights.gift * lift.owed
        else:
            value -= weights.joker + (weights.recoverable if lift.joker in MOTIF_OF else 0.0)
        after = self.after(holding, lift)
        if not after.missing:
            value += weights.decisive
        elif motif and not self._treasures(column, after):
            value += weights.decisive if after.key() >= self._best_rival else -weights.decisive
        return lift._replace(value=value)

    def _treasures(self, column: int, holding: Holding) -> int:
        """Count the treasures left in a column (SUB-56)."""
        lying = [token for cell in self.view.cells[column - 1] for token in cell]
        return holding.laid + sum(
            token in MOTIF_OF and token not in holding.taken for token in lying
        )

    def after(self, holding: Holding, lift: Lift) -> Holding:
        """Return the holding after a lift."""
        hand, pile, jokers, missing, taken, gained, laid = holding
        motif = MOTIF_OF.get(lift.token)
        if lift.joker is None:
            hand = without(hand, COLOUR_OF[lift.token])
            short = max(0, lift.owed - pile)
            hand, pile = hand[: len(hand) - short], pile - lift.owed + short
        else:
            jokers = without(jokers, lift.joker)
            laid += lift.joker in MOTIF_OF
        if motif in missing:
            missing = missing - {motif}
        else:
            jokers += (lift.token,)
            gained += (lift.token,)
        return Holding(hand, pile, jokers, missing, (*taken, lift.token), gained, laid)

    def card_value(self, holding: Holding) -> float:
        """Evaluate a card: the more means a seat has for its missing motifs, the less."""
        means = holding.cards() + len(holding.jokers)
        return self.weights.card * min(1.5, (len(holding.missing) + 1) / (means + 1))

    def with_another_card(self, ship: int, put: Colour) -> float:
        """Return the average prospects over the cards that a swap of `put` may bring."""
        rest = without(self.holding.hand, put)
        total = 0.0
        for colour, share in self._shares.items():
            if share:
                # Sorted, so that equal hands are evaluated once.
                hand = tuple(sorted((*rest, colour)))
                total += share * self.prospects(self.fleet, ship, self.holding._replace(hand=hand))
        return total


def _shares(view: View, seat: int) -> dict[Colour, float]:
    """Return each colour's share of the cards that the seat does not see."""
    unseen = Counter(CARDS)
    unseen.subtract(view.discard + view.hand[seat])
    total = max(1, unseen.total())
    return {colour: count / total for colour, count in unseen.items()}
