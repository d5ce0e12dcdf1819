"""Sampled worlds: known cards stay in place, unseen cards are shuffled into the other places."""

from collections import Counter
from itertools import combinations
from math import prod

from games.chance import Chance
from games.game import HIDDEN, Seen
from games.structs import restorer
from games.submarine.components import CARDS, COLOURS, Cards, Colour, in_colour_order
from games.submarine.model import Options, State, View
from games.submarine.players.trace import Trace, traces
from games.submarine.setup import even_aside, extra_trims

_restore = restorer(View, State)


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Draw a world that fits everything that the viewer has seen."""
    if view.phase == "over":
        return _world(view, seen.options, view.hand, view.pile, view.aside)
    own = {} if seen.viewer is None else {seen.viewer: view.hand[seen.viewer]}
    for trace in traces(seen, chance):
        if (world := _filled(view, seen.options, trace.replaced(own, {}), chance)) is not None:
            return world
    lengths_only = Trace(view.hand, view.pile, view.aside)
    world = _filled(view, seen.options, lengths_only, chance)
    assert world is not None, "a view without a history can always be filled"
    return world


def _filled(view: View, options: Options, trace: Trace, chance: Chance) -> State | None:
    """Shuffle the unseen cards into the unknown places.

    None if the trace contains more cards of a colour than there are.
    """
    unseen = Counter(CARDS)
    for cards in (view.discard, *trace.hand, *trace.pile, trace.aside):
        unseen.subtract(cards)
    del unseen[HIDDEN]
    trimmed = _trimmed(view.players, options, unseen, chance)
    if trimmed is None:
        return None
    pool = list((unseen - Counter(trimmed)).elements())
    chance.shuffle(pool)
    deal = iter(pool)

    def shown(marks: Cards) -> Cards:
        return tuple(next(deal) if mark == HIDDEN else mark for mark in marks)

    hands = tuple(in_colour_order(shown(hand)) for hand in trace.hand)
    piles = tuple(shown(pile) for pile in trace.pile)
    aside = trimmed + shown(trace.aside[len(trimmed) :])
    for start, end in trace.hands_aside:
        aside = aside[:start] + in_colour_order(aside[start:end]) + aside[end:]
    return _world(view, options, hands, piles, aside)


def _trimmed(seats: int, options: Options, unseen: Counter[Colour], chance: Chance) -> Cards | None:
    """Draw the cards that an even trim set aside, weighted by the worlds that each leaves (SUB-8).

    Empty for a random trim. None if no set fits.
    """
    if any(count < 0 for count in unseen.values()):
        return None
    if options.card_trim == "random":
        return ()
    rest = unseen.copy()
    rest.subtract(even_aside(seats, ()))
    if any(count < 0 for count in rest.values()):
        return None
    choices = list(combinations(COLOURS, extra_trims(seats)))
    weights = [prod(rest[colour] for colour in extra) for extra in choices]
    if not any(weights):
        return None
    at = chance.randbelow(sum(weights))
    for extra, weight in zip(choices, weights, strict=True):
        if at < weight:
            return tuple(even_aside(seats, extra))
        at -= weight
    raise AssertionError("a weight was drawn beyond their sum")


def _world(
    view: View,
    options: Options,
    hands: tuple[Cards, ...],
    piles: tuple[Cards, ...],
    aside: Cards,
) -> State:
    """Return the state that shows the view, with these cards in the hidden places."""
    return _restore(view, options=options, hand=list(hands), pile=list(piles), aside=aside)
