"""The deal, and which options go together."""

from games.chance import Chance
from games.game import Illegal
from games.tranquility.components import (
    BOX,
    COMPASSES,
    EXPLORATION,
    FINISHES,
    HAND_LIMIT,
    ISLANDS,
    LAYOUTS,
    MONSTERS,
    ROW_SIZE,
    STARTS,
    STORMS,
    WILDS,
    rank,
)
from games.tranquility.events import Dealt, DrawsQueued, Event
from games.tranquility.fold import Draft, apply
from games.tranquility.model import Options, State
from games.tranquility.rules.turn import begin_turn, draw

CLOCK_SECONDS_MIN = 5


def census(seats: int, options: Options) -> list[str]:
    """List all cards of a match, in card order."""
    cards = list(ISLANDS)
    if options.variant == "competitive":
        return cards
    cards += (*STARTS[:seats], *WILDS[: options.wilds])
    if options.variant == "pyramid":
        cards += EXPLORATION
    else:
        cards += (*FINISHES, *MONSTERS[: options.monsters])
        cards += STORMS if options.storms else ()
    return sorted(cards, key=rank)


def initial(seats: int, options: Options) -> State:
    """Return the table before the deal."""
    return State(
        players=seats,
        options=options,
        grid=[None] * len(LAYOUTS[options.variant].cells),
        hands=[[] for _ in range(seats)],
        piles=[[] for _ in range(seats)],
        discards=[[] for _ in range(seats)],
        blind=[[] for _ in range(seats)],
        pledges=[None] * seats,
        paid=[False] * seats,
        compasses=[[] for _ in range(seats)],
        compass_supply=list(COMPASSES) if options.storms else [],
        hands_side="sun" if options.variant == "day_night" else "",
    )


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Deal and draw the first hands. Raises `Illegal` for options that do not go together."""
    _refuse_conflicts(seats, options)
    draft = Draft(initial(seats, options), apply, chance)
    if options.variant == "competitive":
        draft.add(_deal_race(options, chance))
        begin_turn(draft, draft.state.active)
        return draft.events
    draft.add(_deal(seats, options, chance))
    first = draft.state.active
    order = (*range(first, seats), *range(first))
    draft.add(DrawsQueued(tuple((seat, -1) for seat in order), "opening"))
    draw(draft)
    return draft.events


def _refuse_conflicts(seats: int, options: Options) -> None:
    """Refuse options that do not go together."""
    for name in ("turn_seconds", "pledge_seconds", "reaction_seconds"):
        if 0 < getattr(options, name) < CLOCK_SECONDS_MIN:
            raise Illegal("bad-option", option=name)
    if options.variant == "competitive" and seats != 2:
        raise Illegal("bad-player-count", players=seats)
    admitted = BOX.modules[options.variant]
    for module in ("rocks", "monsters", "storms", "wilds"):
        if getattr(options, module) and module not in admitted:
            raise Illegal("option-conflict", option=module, variant=options.variant)


def _deal(seats: int, options: Options, chance: Chance) -> Dealt:
    pyramid = options.variant == "pyramid"
    removed, cards = _remove_islands(options, chance)
    if not pyramid:
        cards += FINISHES
    cards += MONSTERS[: options.monsters]
    cards += STORMS if options.storms else ()
    cards += WILDS[: options.wilds]
    chance.shuffle(cards)
    deal_from = chance.randbelow(seats)
    first = (deal_from + len(cards) % seats) % seats
    if options.first_player == "random":
        first = chance.randbelow(seats)
    explore = list(EXPLORATION) if pyramid else []
    chance.shuffle(explore)
    return Dealt(
        players=seats,
        removed=removed,
        deal_from=deal_from,
        first_seat=first,
        piles=tuple(tuple(cards[(seat - deal_from) % seats :: seats]) for seat in range(seats)),
        rocks_row=chance.randbelow(len(LAYOUTS[options.variant].rows)) if options.rocks else -1,
        explore=tuple(explore),
        deck=(),
        row=(),
        hands=(),
    )


def _deal_race(options: Options, chance: Chance) -> Dealt:
    removed, cards = _remove_islands(options, chance)
    hands = tuple(tuple(cards[seat * HAND_LIMIT : (seat + 1) * HAND_LIMIT]) for seat in range(2))
    rest = cards[2 * HAND_LIMIT :]
    return Dealt(
        players=2,
        removed=removed,
        deal_from=-1,
        first_seat=chance.randbelow(2),
        piles=((), ()),
        rocks_row=-1,
        explore=(),
        deck=tuple(rest[ROW_SIZE:]),
        row=tuple(rest[:ROW_SIZE]),
        hands=hands,
    )


def _remove_islands(options: Options, chance: Chance) -> tuple[tuple[str, ...], list[str]]:
    """Shuffle the islands and set some aside unseen (TRA-7); return those and the rest."""
    islands = list(ISLANDS)
    chance.shuffle(islands)
    count = BOX.removed[options.difficulty]
    return tuple(islands[:count]), islands[count:]
