"""The deal: all chance of a match."""

from collections.abc import Sequence

from games.chance import Chance
from games.draft import Draft
from games.game import Illegal
from games.submarine.components import (
    BOX,
    CARDS,
    COLOURS,
    COLUMNS,
    HARBOUR,
    SHARES,
    SHELLS,
    TREASURES,
    Colour,
)
from games.submarine.events import Dealt, Event, TurnStarted
from games.submarine.fold import apply
from games.submarine.model import Options, State


def initial(seats: int, options: Options) -> State:
    """Return the empty table before the deal."""
    return State(
        players=seats,
        options=options,
        phase="placing",
        active=-1,
        first=-1,
        turn=0,
        voyage=0,
        progress=False,
        quiet=0,
        cells=[((),) * len(BOX.board.levels) for _ in COLUMNS],
        subs=[(None,) * SHARES[seats].submarines for _ in range(seats)],
        ships=[HARBOUR] * seats,
        slots=[{} for _ in range(seats)],
        jokers=[() for _ in range(seats)],
        hand=[() for _ in range(seats)],
        pile=[() for _ in range(seats)],
    )


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Deal, and start the first seat's turn (SUB-2 to SUB-13)."""
    if options.first_player >= seats:
        raise Illegal("no-such-seat", seat=options.first_player)
    layout = list(TREASURES)
    chance.shuffle(layout)
    share = SHARES[seats].cards
    deck, aside = _trimmed(seats, options, chance)
    shells = list(SHELLS)
    chance.shuffle(shells)
    first = chance.randbelow(seats) if options.first_player < 0 else options.first_player
    draft = Draft(initial(seats, options), apply, chance)
    draft.add(
        Dealt(
            players=seats,
            layout=tuple(layout),
            decks=tuple(tuple(deck[seat * share :][:share]) for seat in range(seats)),
            aside=tuple(aside),
            shells=tuple(shells[:seats]),
            first=first,
        )
    )
    draft.add(TurnStarted(first, "placing"))
    return draft.events


def _trimmed(
    seats: int, options: Options, chance: Chance
) -> tuple[Sequence[Colour], Sequence[Colour]]:
    """Return the shuffled deck, and the cards set aside (SUB-8)."""
    used = seats * SHARES[seats].cards
    if options.card_trim == "random":
        deck = list(CARDS)
        chance.shuffle(deck)
        return deck[:used], deck[used:]
    extra = extra_trims(seats)
    aside = even_aside(seats, chance.sample(COLOURS, extra) if extra else ())
    deck = list(CARDS)
    for card in aside:
        deck.remove(card)
    chance.shuffle(deck)
    return deck, aside


def extra_trims(seats: int) -> int:
    """Count the colours that lose one card more than the others in an even trim (SUB-8)."""
    return (len(CARDS) - seats * SHARES[seats].cards) % len(COLOURS)


def even_aside(seats: int, extra: Sequence[Colour]) -> list[Colour]:
    """Return the cards of an even trim in colour order (SUB-8).

    `extra` are the colours that lose one card more.
    """
    each = (len(CARDS) - seats * SHARES[seats].cards) // len(COLOURS)
    return [colour for colour in COLOURS for _ in range(each + (colour in extra))]
