"""Dealing the unseen cards of a sampled world to its slots, and naming what open frames hide."""

from typing import Protocol

from msgspec.structs import replace

from games.chance import Chance
from games.ke_dnu.cards import CARDS, HIDDEN
from games.ke_dnu.model import ActionFrame, ReactionFrame, Redirect, State, StoryFrame
from games.ke_dnu.ship import others


class Slots(Protocol):
    """What is known of the places of unseen cards."""

    def is_slot(self, place: str) -> bool:
        """Tell whether a place holds an unseen card."""
        ...

    def may_be(self, slot: str, card: str) -> bool:
        """Tell whether a slot may hold a card."""
        ...


def deal(state: State, known: Slots, cards: list[str], chance: Chance) -> None:
    """Put an unseen card in the place of every slot."""
    zones = [*state.deck, *state.hand, *state.gone, state.shop_deck, state.unused]
    told = [frame.card for frame in state.stack if isinstance(frame, StoryFrame) and frame.card]
    places = [place for zone in zones for place in zone] + told
    slots = [place for place in places if known.is_slot(place)]
    seen = {place for place in places if not known.is_slot(place)}
    for zone in (*state.water, state.shop, state.removed):
        seen.update(zone)
    seen.update(place.card for board in state.board for place in board)
    if state.iceberg:
        seen.add("iceberg_1")
    unseen = [card for card in cards if card not in seen]
    chance.shuffle(unseen)
    chance.shuffle(slots)
    names = match(slots, unseen, known)
    for zone in zones:
        zone[:] = [names.get(place, place) for place in zone]
    for zone in (*state.hand, *state.gone, state.unused):
        zone.sort()
    state.stack = [
        replace(frame, card=names.get(frame.card, frame.card))
        if isinstance(frame, StoryFrame)
        else frame
        for frame in state.stack
    ]


def match(slots: list[str], cards: list[str], known: Slots) -> dict[str, str]:
    """Deal cards to the slots that may be them; what fits nowhere goes where there is room."""
    fits = {slot: [card for card in cards if known.may_be(slot, card)] for slot in slots}
    holder: dict[str, str] = {}
    for slot in sorted(slots, key=lambda slot: len(fits[slot])):
        claim(slot, fits, holder, set())
    names = {slot: card for card, slot in holder.items()}
    left = [card for card in cards if card not in holder]
    for slot in slots:
        if slot not in names:
            names[slot] = left.pop()
    return names


def claim(slot: str, fits: dict[str, list[str]], holder: dict[str, str], tried: set[str]) -> bool:
    """Give a slot a card, moving others on to their alternatives (an augmenting path)."""
    for card in fits[slot]:
        if card not in holder:
            holder[card] = slot
            return True
    for card in fits[slot]:
        if card not in tried:
            tried.add(card)
            if claim(holder[card], fits, holder, tried):
                holder[card] = slot
                return True
    return False


def fill_frames(state: State, viewer: int | None, chance: Chance) -> None:
    """Name the hand cards and deck positions that open frames keep from the viewer."""
    for at, frame in enumerate(state.stack):
        if isinstance(frame, ActionFrame):
            state.stack[at] = replace(
                frame,
                cards=named(frame.cards, state.hand[frame.seat], chance),
                victims=victims(state, frame, viewer, chance),
                redirects=tuple(redirect(state, shown, chance) for shown in frame.redirects),
            )
        elif isinstance(frame, ReactionFrame):
            state.stack[at] = replace(
                frame,
                cards=named(frame.cards, state.hand[frame.seat], chance),
                positions=placed(frame.positions, len(state.deck[frame.seat]), chance),
            )


def named(cards: tuple[str, ...], pool: list[str], chance: Chance) -> tuple[str, ...]:
    """Choose cards of a pool for the hidden ones."""
    free = chance.sample([card for card in pool if card not in cards], cards.count(HIDDEN))
    return tuple(free.pop() if card == HIDDEN and free else card for card in cards)


def placed(positions: tuple[int, ...], size: int, chance: Chance) -> tuple[int, ...]:
    """Choose positions of a deck for the hidden ones."""
    free = chance.sample(range(size), len(positions))
    return tuple(position if position >= 0 else free.pop() for position in positions)


def victims(
    state: State, frame: ActionFrame, viewer: int | None, chance: Chance
) -> tuple[str, ...]:
    """Choose hand cards for the hidden victims: as many of each hand as the effect hits."""
    if HIDDEN not in frame.victims:
        return frame.victims
    reach = CARDS[frame.card].reach
    aimed = reach is not None and reach.whom == "target"
    pool: list[str] = []
    for seat in others(state, frame.seat):
        if seat != viewer and (not aimed or seat == frame.target):
            pool += chance.sample(state.hand[seat], min(frame.times, len(state.hand[seat])))
    return named(frame.victims, pool, chance)


def redirect(state: State, shown: Redirect, chance: Chance) -> Redirect:
    """Choose what a Steward's holder may have picked."""
    return replace(
        shown,
        cards=named(shown.cards, state.hand[shown.seat], chance),
        positions=placed(shown.positions, len(state.deck[shown.seat]), chance),
    )
