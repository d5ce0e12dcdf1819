"""Worlds that fit everything a viewer has seen: unseen cards are dealt to hidden places."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

from games.chance import Chance
from games.game import HIDDEN, Seen
from games.structs import restorer
from games.tranquility.components import (
    IS_EXPLORATION,
    IS_FINISH,
    IS_MONSTER,
    IS_START,
    IS_STORM,
    IS_WILD,
    NUMBER,
    ROCKS,
    STARTS,
    rank,
)
from games.tranquility.model import State, View
from games.tranquility.players.habits import Kind, dead_numbers, next_card, place_of
from games.tranquility.players.memory import Memory
from games.tranquility.rules.hands import discardable, has_action, to_shed
from games.tranquility.setup import census

TRIES = 500
"""Worlds to try before one is accepted in which a seat could not have acted as it did."""
FIRST: dict[Kind, int] = {"hand": 0, "discard": 1}
"""Kinds of places whose cards the seats chose, in the order of filling."""


_restore = restorer(View, State)


class Slot(NamedTuple):
    """A hidden place."""

    kind: Kind
    seat: int
    at: int


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Draw a world with the same view, in which everything that the viewer saw could happen."""
    return worlds(view, seen)(chance)


def worlds(view: View, seen: Seen) -> Callable[[Chance], State]:
    """Return a function that draws such worlds, and has read the records once."""
    return partial(_plausible_world, _Table(view, Memory(seen)))


def _plausible_world(table: "_Table", chance: Chance) -> State:
    world = None
    for _ in range(TRIES):
        world = _World(table, chance).deal() or world
        if world is not None and _plausible(world, table.memory):
            break
    assert world is not None, "the true world fits"
    return world


class _Table:
    """What all worlds share: the hidden places, and the cards that lie there."""

    def __init__(self, view: View, memory: Memory) -> None:
        self.view = view
        self.memory = memory
        self.discards = [
            [mine if shown == HIDDEN else shown for mine, shown in zip(known, cards, strict=True)]
            for known, cards in zip(memory.discards, view.discards, strict=True)
        ]
        self.held = {
            card: (seat, since)
            for seat, cards in enumerate(memory.held)
            for card, since in cards.items()
        }
        self.slots = list(self._slots())
        self.unseen = self._unseen()
        self.dead = dead_numbers([0 if laid is None else laid.number for laid in view.grid])

    def _slots(self) -> Iterator[Slot]:
        view = self.view
        for seat in range(view.players):
            yield from _hidden("hand", seat, view.hands[seat])
            yield from _hidden("pile", seat, view.piles[seat])
            for slot in _hidden("discard", seat, self.discards[seat]):
                blind = slot.at in self.memory.blind[seat]
                yield slot._replace(kind="blind") if blind else slot
        yield from _hidden("removed", -1, view.removed)
        yield from _hidden("explore", -1, view.explore)
        yield from _hidden("deck", -1, view.deck)

    def _unseen(self) -> list[str]:
        view = self.view
        known = {
            card
            for group in (view.hands, view.piles, self.discards)
            for cards in group
            for card in cards
        }
        known.update(view.removed, view.explore, view.deck, view.row, view.out)
        known.update(card for cards in view.compasses for card in cards)
        known.update(storm.card for storm in view.storms)
        known.update(laid.card for laid in view.grid if laid is not None)
        known.update(filter(None, (view.start_placed, view.finish_placed, view.revealed)))
        if view.pending_storm is not None:
            known.add(view.pending_storm.card)
        if view.rocks_row >= 0 or view.rocks_done:
            known.add(ROCKS)
        if view.turn == 0:
            known.update(STARTS)
        return [card for card in census(view.players, view.options) if card not in known]


class _World:
    """A view whose hidden places are being filled."""

    def __init__(self, table: _Table, chance: Chance) -> None:
        view = table.view
        self.view = view
        self.table = table
        self.memory = table.memory
        self.held = table.held
        self.chance = chance
        self.hands = [hand[:] for hand in view.hands]
        self.piles = [pile[:] for pile in view.piles]
        self.discards = [cards[:] for cards in table.discards]
        self.removed = view.removed[:]
        self.explore = view.explore[:]
        self.deck = view.deck[:]
        self.free = table.slots[:]

    def deal(self) -> State | None:
        """Deal the unseen cards, choosy ones first; None if a card finds no place."""
        unseen = self.table.unseen[:]
        self.chance.shuffle(unseen)
        unseen.sort(key=self._choosiness)
        if not self._feed(unseen):
            return None
        islands = [card for card in unseen if card in NUMBER and card not in self.held]
        for card in unseen[: len(unseen) - len(islands)]:
            slots = [slot for slot in self.free if self._admits(slot, card)]
            if not slots:
                return None
            self._put(place_of(card, [(slot.kind, slot) for slot in slots], self.chance), card)
        self._spread(islands)
        return self._state()

    def _spread(self, islands: list[str]) -> None:
        """Deal islands to the remaining places: hands, then discards, by the seats' habits."""
        for slot in sorted(self.free, key=lambda slot: FIRST.get(slot.kind, len(FIRST))):
            self._put(
                slot, islands.pop(next_card(slot.kind, islands, self.table.dead, self.chance))
            )

    def _choosiness(self, card: str) -> tuple[int, int]:
        if card in self.held:
            return 0, -self.held[card][1]
        kinds = (IS_STORM, IS_START, IS_MONSTER)
        for order, kind in enumerate(kinds, 1):
            if card in kind:
                return order, 0
        return (6 if card in NUMBER else 5), 0

    def _admits(self, slot: Slot, card: str) -> bool:
        """Return whether a card may be at a place, as far as the viewer knows."""
        kind, seat, at = slot
        if card in self.held:
            holder, since = self.held[card]
            return seat == holder and (kind == "hand" or (kind == "discard" and at >= since))
        if kind in ("removed", "deck"):
            return card in NUMBER
        if self.view.options.variant == "pyramid" and card in IS_EXPLORATION:
            return kind == "explore"
        if kind == "explore":
            return False
        if kind in ("pile", "blind"):
            return card not in IS_START or card == STARTS[seat]
        if card in IS_START:
            since = self.memory.start_since[seat]
            ready = since is not None and card == STARTS[seat]
            return ready and (kind == "hand" or (self.memory.start_laid and at >= (since or 0)))
        if card in IS_MONSTER:
            held = sum(other in IS_MONSTER for other in self.hands[seat])
            return kind == "hand" and held < self.memory.monsters_max[seat]
        return card not in IS_STORM

    def _feed(self, unseen: list[str]) -> bool:
        """Deal monsters to the seats known to hold some; return whether there are enough."""
        for seat, least in enumerate(self.memory.monsters_min):
            slots = [slot for slot in self.free if slot.kind == "hand" and slot.seat == seat]
            missing = least - sum(card in IS_MONSTER for card in self.hands[seat])
            monsters = [card for card in unseen if card in IS_MONSTER][: max(0, missing)]
            if not slots:
                continue
            if len(monsters) < missing or len(slots) < missing:
                return False
            for slot, card in zip(self.chance.sample(slots, len(monsters)), monsters, strict=True):
                self._put(slot, card)
                unseen.remove(card)
        return True

    def _put(self, slot: Slot, card: str) -> None:
        kind, seat, at = slot
        match kind:
            case "hand":
                self.hands[seat][at] = card
            case "pile":
                self.piles[seat][at] = card
            case "discard" | "blind":
                self.discards[seat][at] = card
            case "removed":
                self.removed[at] = card
            case "explore":
                self.explore[at] = card
            case "deck":
                self.deck[at] = card
        self.free.remove(slot)

    def _state(self) -> State:
        for hand in self.hands:
            hand.sort(key=rank)
        return _restore(
            self.view,
            hands=self.hands,
            piles=self.piles,
            discards=self.discards,
            blind=[
                [cards[at] for at in places]
                for cards, places in zip(self.discards, self.memory.blind, strict=True)
            ],
            removed=self.removed,
            explore=self.explore,
            deck=self.deck,
        )


def _hidden(
    kind: Literal["hand", "pile", "discard", "removed", "explore", "deck"],
    seat: int,
    cards: Sequence[str],
) -> Iterator[Slot]:
    return (Slot(kind, seat, at) for at, card in enumerate(cards) if card == HIDDEN)


def _plausible(world: State, memory: Memory) -> bool:
    """Return whether this phase and the Finishes tried are possible with these hands."""
    match world.phase:
        case "action":
            possible = has_action(world)
        case "rescue":
            possible = not has_action(world)
        case "storm_discard":
            pending = world.pending_storm
            possible = pending is not None and to_shed(world, pending.seat) > 0
        case "start_pledge" | "start_pay":
            possible = _can_pay(world)
        case _:
            possible = True
    return possible and all(
        since is None or _finisher(world, seat, since)
        for seat, since in enumerate(memory.finish_since)
    )


def _can_pay(world: State) -> bool:
    able = [len(discardable(world, seat)) for seat in range(world.players)]
    if world.phase == "start_pledge" and sum(able) + 2 * len(world.shares) < 8:
        return False
    return all(
        offer is None or world.paid[seat] or offer.from_hand <= able[seat]
        for seat, offer in enumerate(world.pledges)
    )


def _finisher(world: State, seat: int, since: int) -> bool:
    """Return whether a seat that tried to finish had a card for it (TRA-45)."""
    kept = world.hands[seat]
    if not (world.finish_tried and seat == world.active and world.phase == "action"):
        kept = [*kept, *world.discards[seat][since:]]
    return any(card in IS_FINISH or card in IS_WILD for card in kept)
