"""Sampled worlds that fit everything a viewer has seen."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.chance import Chance
from games.game import HIDDEN, Seen
from games.ke_dnu.components import CARDS, ICEBERG_CARD
from games.ke_dnu.model import ActionFrame, ReactionFrame, Redirect, State, StoryFrame, View
from games.ke_dnu.players.knowledge import Knowledge
from games.ke_dnu.rules.ships import others
from games.ke_dnu.setup import census


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Return a world that fits everything that the viewer has seen.

    The records are folded with slots for unknown cards; then unseen cards are dealt to the slots.
    """
    knowledge = Knowledge(seen.seats, seen.options)
    for record in seen.records:
        for event in record.events:
            knowledge.see(event)
    state = knowledge.state
    if view.phase == "over":
        _uncover(state, view)
        return state
    _look(knowledge, view)
    _deal(knowledge, sorted(census(seen.seats, seen.options)), chance)
    _fill_frames(state, seen.viewer, chance)
    return state


def _look(knowledge: Knowledge, view: View) -> None:
    """Add what the view shows of decks and hands (KED-60, KED-62)."""
    for seat, shown in enumerate(view.seats):
        for at, card in enumerate(shown.top):
            knowledge.show(seat, "deck", card, at)
        if shown.hand is not None:
            knowledge.show_hand(seat, shown.hand)


def _uncover(state: State, view: View) -> None:
    """Set all hidden zones from the view of a match that is over."""
    state.shop_deck = list(view.shop_deck or ())
    state.unused = list(view.unused or ())
    for seat, shown in enumerate(view.seats):
        state.deck[seat] = list(shown.deck or ())
        state.hand[seat] = list(shown.hand or ())
        state.gone[seat] = list(shown.gone or ())


def _deal(knowledge: Knowledge, cards: list[str], chance: Chance) -> None:
    """Replace every slot by an unseen card."""
    state = knowledge.state
    zones = [*state.deck, *state.hand, *state.gone, state.shop_deck, state.unused]
    drawn = [frame.card for frame in state.stack if isinstance(frame, StoryFrame) and frame.card]
    places = [place for zone in zones for place in zone] + drawn
    slots = [place for place in places if knowledge.is_slot(place)]
    seen = {place for place in places if not knowledge.is_slot(place)}
    for zone in (*state.water, state.shop, state.removed):
        seen.update(zone)
    seen.update(place.card for board in state.board for place in board)
    if state.iceberg:
        seen.add(ICEBERG_CARD)
    unseen = [card for card in cards if card not in seen]
    chance.shuffle(unseen)
    chance.shuffle(slots)
    names = _match(slots, unseen, knowledge)

    def dealt(zone: Sequence[str]) -> list[str]:
        return [names.get(place, place) for place in zone]

    state.deck = [dealt(deck) for deck in state.deck]
    state.hand = [sorted(dealt(hand)) for hand in state.hand]
    state.gone = [sorted(dealt(gone)) for gone in state.gone]
    state.shop_deck = dealt(state.shop_deck)
    state.unused = sorted(dealt(state.unused))
    state.stack = [
        replace(frame, card=names.get(frame.card, frame.card))
        if isinstance(frame, StoryFrame)
        else frame
        for frame in state.stack
    ]


def _match(slots: list[str], cards: list[str], knowledge: Knowledge) -> dict[str, str]:
    """Return a card for each slot. A slot that no card is left to fit gets any card."""
    fits = {slot: [card for card in cards if knowledge.may_be(slot, card)] for slot in slots}
    holder: dict[str, str] = {}
    for slot in sorted(slots, key=lambda slot: len(fits[slot])):
        _claim(slot, fits, holder, set())
    names = {slot: card for card, slot in holder.items()}
    left = [card for card in cards if card not in holder]
    for slot in slots:
        if slot not in names:
            names[slot] = left.pop()
    return names


def _claim(slot: str, fits: dict[str, list[str]], holder: dict[str, str], tried: set[str]) -> bool:
    """Assign a card to a slot; other slots may move on (an augmenting path)."""
    for card in fits[slot]:
        if card not in holder:
            holder[card] = slot
            return True
    for card in fits[slot]:
        if card not in tried:
            tried.add(card)
            if _claim(holder[card], fits, holder, tried):
                holder[card] = slot
                return True
    return False


def _fill_frames(state: State, viewer: int | None, chance: Chance) -> None:
    """Set the hand cards and deck positions that open frames hide from the viewer."""
    for at, frame in enumerate(state.stack):
        if isinstance(frame, ActionFrame):
            state.stack[at] = replace(
                frame,
                cards=_named(frame.cards, state.hand[frame.seat], chance),
                victims=_victims(state, frame, viewer, chance),
                redirects=tuple(_redirect(state, shown, chance) for shown in frame.redirects),
            )
        elif isinstance(frame, ReactionFrame):
            state.stack[at] = replace(
                frame,
                cards=_named(frame.cards, state.hand[frame.seat], chance),
                positions=_placed(frame.positions, len(state.deck[frame.seat]), chance),
            )


def _named(cards: tuple[str, ...], pool: list[str], chance: Chance) -> tuple[str, ...]:
    """Return the cards with cards of a pool in place of hidden ones."""
    free = chance.sample([card for card in pool if card not in cards], cards.count(HIDDEN))
    return tuple(free.pop() if card == HIDDEN and free else card for card in cards)


def _placed(positions: tuple[int, ...], size: int, chance: Chance) -> tuple[int, ...]:
    """Return the positions with random ones in place of hidden ones."""
    free = chance.sample(range(size), len(positions))
    return tuple(position if position >= 0 else free.pop() for position in positions)


def _victims(
    state: State, frame: ActionFrame, viewer: int | None, chance: Chance
) -> tuple[str, ...]:
    """Return the victims with as many cards of each hand as the effect hits."""
    if HIDDEN not in frame.victims:
        return frame.victims
    reach = CARDS[frame.card].reach
    aimed = reach is not None and reach.whom == "target"
    pool: list[str] = []
    for seat in others(state, frame.seat):
        if seat != viewer and (not aimed or seat == frame.target):
            pool += chance.sample(state.hand[seat], min(frame.times, len(state.hand[seat])))
    return _named(frame.victims, pool, chance)


def _redirect(state: State, shown: Redirect, chance: Chance) -> Redirect:
    """Return a Steward's choice with possible cards and positions."""
    return replace(
        shown,
        cards=_named(shown.cards, state.hand[shown.seat], chance),
        positions=_placed(shown.positions, len(state.deck[shown.seat]), chance),
    )
