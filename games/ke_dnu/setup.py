"""The set-up (KED-1 to KED-6): which cards a match has, and how they are dealt."""

from functools import lru_cache

from games.chance import Chance
from games.game import Illegal
from games.ke_dnu import events
from games.ke_dnu.components import CARDS, ICEBERG_CARD, KINDS, LOCKDOWN, SEATS_MOST
from games.ke_dnu.fold import Draft, apply
from games.ke_dnu.model import Options, State
from games.ke_dnu.rules.drawing import shuffled
from games.ke_dnu.rules.rounds import start_turn
from games.ke_dnu.rules.shop import SHOP_SIZE

SEATS = range(2, SEATS_MOST + 1)
SUPPLY_LEAST = 40
REACTIONS = ("bartender", "lifebuoy", "ship_guard", "steward", "teacher")


@lru_cache(maxsize=256)
def supply(options: Options) -> tuple[str, ...]:
    """Return the supply cards of a match (KED-3)."""
    out = {*options.exclude_types, *(REACTIONS if options.no_reactions else ())}
    dealt = {"supply", "option"} if options.include_singer else {"supply"}
    return tuple(card for card, kind in CARDS.items() if kind.dealt in dealt and kind.id not in out)


@lru_cache(maxsize=256)
def census(seats: int, options: Options) -> frozenset[str]:
    """Return all cards of a match."""
    dealt = [card for seat in range(seats) for card in seat_cards(seat)]
    return frozenset((*supply(options), *dealt, ICEBERG_CARD))


def seat_cards(seat: int) -> list[str]:
    """Return the ten cards with which a seat begins (KED-2)."""
    return [
        f"{kind.id}_{number}"
        for kind in KINDS.values()
        if kind.dealt == "seat"
        for number in range(kind.copies * seat + 1, kind.copies * (seat + 1) + 1)
    ]


def initial(seats: int, options: Options) -> State:
    """Return the state before any event."""
    return State(
        options=options,
        deck=[[] for _ in range(seats)],
        hand=[[] for _ in range(seats)],
        water=[[] for _ in range(seats)],
        board=[[] for _ in range(seats)],
        gone=[[] for _ in range(seats)],
        status=["afloat"] * seats,
        score=[None] * seats,
        rearranged=[0] * seats,
    )


def setup(seats: int, options: Options, chance: Chance) -> list[events.Event]:
    """Return the opening events: the deal and the first turn (KED-1 to KED-6)."""
    _refuse_conflicts(seats, options)
    first = chance.randbelow(seats) if options.first_seat == "random" else int(options.first_seat)
    draft = Draft(initial(seats, options), apply, chance)
    decks = tuple(shuffled(draft, seat_cards(seat)) for seat in range(seats))
    cards = shuffled(draft, list(supply(options)))
    removed: tuple[str, ...] = ()
    while any(CARDS[card].id == LOCKDOWN for card in cards[:SHOP_SIZE]):
        removed += cards[:SHOP_SIZE]
        cards = cards[SHOP_SIZE:]
    draft.add(events.Dealt(first, decks, cards[SHOP_SIZE:], cards[:SHOP_SIZE], removed))
    start_turn(draft, first, 0, 1)
    return draft.events


def _refuse_conflicts(seats: int, options: Options) -> None:
    """Refuse options that do not go together."""
    if options.first_seat != "random" and int(options.first_seat) >= seats:
        raise Illegal("bad-option", option="first_seat")
    if len(supply(options)) < SUPPLY_LEAST:
        raise Illegal("bad-option", option="exclude_types")
