"""The operations of effects, each written once for all cards that have it."""

from typing import Literal, assert_never

from games.ke_dnu import events
from games.ke_dnu.components import (
    CARDS,
    VALUE,
    WORTH,
    AnyOperation,
    Choose,
    Draw,
    Drop,
    DropCards,
    DropSelf,
    Gain,
    MoveCards,
    MoveSelf,
    Place,
    Ready,
    Redraw,
    Take,
    Tell,
)
from games.ke_dnu.ending import sink
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import ActionFrame, berth
from games.ke_dnu.rules.discards import discard, discard_own
from games.ke_dnu.rules.drawing import draw_cards, shuffled, steal
from games.ke_dnu.rules.laying import arrival
from games.ke_dnu.rules.ships import struck
from games.ke_dnu.rules.windows import (
    board_hits,
    dearest,
    deck_hits,
    fullest,
    redirect_of,
    touched,
)


class Effect:
    """An effect that is carried out. Its hits are determined before its first operation."""

    __slots__ = ("afloat", "cause", "draft", "frame", "hit", "kind", "moved")

    def __init__(self, draft: Draft, frame: ActionFrame) -> None:
        """Determine which seats a resolved action hits."""
        state = draft.state
        self.draft = draft
        self.frame = frame
        self.kind = CARDS[frame.card]
        self.cause = self.kind.id
        self.hit = touched(state, frame)
        self.afloat = state.status[frame.seat] == "afloat"
        self.moved = 0

    @property
    def zone(self) -> str:
        """Zone of other seats that is hit, or ""."""
        return self.kind.reach.zone if self.kind.reach is not None else ""

    @property
    def dearest(self) -> bool:
        """Whether the cards of the highest value on all boards are hit (KED-99)."""
        return self.kind.reach is not None and self.kind.reach.whom == "dearest"

    @property
    def own_zone(self) -> Literal["hand", "board", "water"]:
        """Own zone from which `cards` are named."""
        return self.kind.pick.zone if self.kind.pick is not None else "hand"

    def concerned(self) -> list[int]:
        """List the acting seat and the seats hit, clockwise (KED-53)."""
        return [self.frame.seat, *self.hit] if self.afloat else self.hit


def resolve(draft: Draft, frame: ActionFrame) -> None:
    """Carry out an effect."""
    draft.add(events.Resolved(frame.seat, frame.card))
    effect = Effect(draft, frame)
    for step in effect.kind.effect:
        _operate(effect, step)


def _operate(effect: Effect, step: AnyOperation) -> None:
    """Carry out one operation."""
    match step:
        case Drop():
            _drop(effect)
        case Take(to=to):
            _take(effect, to)
        case Draw():
            _draw(effect)
        case Gain(points=points):
            if _pays(effect):
                gained = points * effect.frame.times
                effect.draft.add(events.PointsGained(effect.frame.seat, gained, effect.cause))
        case DropSelf():
            if _aboard(effect, effect.frame.card):
                discard_own(effect.draft, effect.frame.seat, effect.frame.card, effect.cause)
        case MoveSelf(to=to):
            _move_self(effect, to)
        case MoveCards(to=to):
            _move_cards(effect, to)
        case DropCards(paid=paid):
            _drop_cards(effect, paid=paid)
        case Redraw():
            _redraw(effect)
        case Ready():
            _ready(effect)
        case Place():
            _place(effect)
        case Choose():
            _choose(effect)
        case Tell():
            if row := tuple(effect.concerned()) * effect.frame.times:
                effect.draft.add(events.StoryOpened(effect.frame.seat, row))
        case _:
            assert_never(step)


def _pays(effect: Effect) -> bool:
    """Return whether the acting seat gets points: only in its own turn."""
    return effect.afloat and effect.frame.seat == effect.draft.state.active


def _aboard(effect: Effect, card: str) -> bool:
    """Return whether a card still lies on the acting seat's board and the seat is afloat."""
    return effect.afloat and berth(effect.draft.state.board[effect.frame.seat], card) is not None


def _drop(effect: Effect) -> None:
    """Discard the hits. By option an Arbiter returns them (KED-99, KED-102)."""
    draft, frame = effect.draft, effect.frame
    if effect.zone == "deck":
        for seat in effect.hit:
            for card in _deck_cards(effect, seat):
                discard(draft, seat, card, "deck", effect.cause)
    elif effect.zone == "hand":
        for seat in effect.hit:
            for card in _hand_cards(effect, seat):
                discard(draft, seat, card, "hand", effect.cause)
    elif effect.dearest:
        top = dearest(draft.state)
        own = [p.card for p in draft.state.board[frame.seat] if VALUE[p.card] == top]
        by_seat = {seat: board_hits(draft.state, frame, seat) for seat in effect.hit}
        for seat in effect.concerned():
            _strike(effect, seat, by_seat.get(seat, own))
    else:
        for seat in effect.hit:
            _strike(effect, seat, board_hits(draft.state, frame, seat))


def _strike(effect: Effect, seat: int, cards: list[str]) -> None:
    """Discard cards of a board, or return them to the hand by option (KED-102)."""
    draft = effect.draft
    home = effect.dearest and draft.state.options.arbiter_mode == "hand"
    for card in cards:
        board = draft.state.board[seat]
        if berth(board, card) is None:
            continue
        target = struck(board, card)
        if home:
            draft.add(events.Moved(seat, target, "board", seat, "hand", effect.cause, locked=False))
        else:
            discard(draft, seat, target, "board", effect.cause)


def _deck_cards(effect: Effect, seat: int) -> list[str]:
    """List the deck cards that are hit, from the top (KED-51, KED-95)."""
    deck = effect.draft.state.deck[seat]
    redirect = redirect_of(effect.frame, seat)
    if redirect is None:
        return deck[: deck_hits(effect.frame)]
    return [deck[at] for at in sorted(redirect.positions) if at < len(deck)]


def _hand_cards(effect: Effect, seat: int) -> list[str]:
    """List the hand cards that are hit: chosen by a Steward, named, or random (KED-66)."""
    draft, frame = effect.draft, effect.frame
    hand = draft.state.hand[seat]
    redirect = redirect_of(frame, seat)
    if redirect is not None:
        return [card for card in redirect.cards if card in hand]
    if frame.victims:
        return [card for card in frame.victims if card in hand]
    cards = draft.chance.sample(hand, min(frame.times, len(hand)))
    draft.add(events.Picked(seat, frame.seat, tuple(cards), effect.cause))
    return cards


def _take(effect: Effect, to: str) -> None:
    """Move the hits to the hand of the acting seat, or of their holder."""
    draft, frame = effect.draft, effect.frame
    if to == "actor" and not effect.afloat:
        return
    for seat in effect.hit:
        by = frame.seat if to == "actor" else seat
        if effect.zone == "hand":
            for card in _hand_cards(effect, seat):
                draft.add(events.Moved(seat, card, "hand", by, "hand", effect.cause, locked=False))
        elif effect.zone == "board":
            for card in board_hits(draft.state, frame, seat):
                _take_aboard(effect, seat, card, by)
        elif redirect_of(frame, seat) is None:
            steal(draft, seat, by, deck_hits(frame), effect.cause)
        else:
            for card in _deck_cards(effect, seat):
                draft.add(events.Moved(seat, card, "deck", by, "hand", effect.cause, locked=False))


def _take_aboard(effect: Effect, seat: int, card: str, by: int) -> None:
    """Move a board card to a hand. Taken exhausted, it is locked (KED-46, KED-52)."""
    board = effect.draft.state.board[seat]
    if berth(board, card) is None:
        return
    target = struck(board, card)
    found = berth(board, target)
    locked = by != seat and found is not None and found.exhausted
    effect.draft.add(events.Moved(seat, target, "board", by, "hand", effect.cause, locked))


def _draw(effect: Effect) -> None:
    """Draw cards. If every seat draws, all draw before any sinks (KED-92)."""
    draft = effect.draft
    times = effect.frame.times
    sinking = [
        seat for seat in effect.concerned() if not draw_cards(draft, seat, times, effect.cause)
    ]
    for seat in sinking:
        sink(draft, seat)


def _move_self(effect: Effect, to: str) -> None:
    """Move the acting card under its deck, or to the hand of the seat that was hit."""
    draft, seat, card = effect.draft, effect.frame.seat, effect.frame.card
    if not _aboard(effect, card):
        return
    if to == "deck_bottom":
        draft.add(
            events.Moved(seat, card, "board", seat, "deck_bottom", effect.cause, locked=False)
        )
    elif effect.hit:
        draft.add(
            events.Moved(seat, card, "board", effect.hit[0], "hand", effect.cause, locked=False)
        )


def _picked_cards(effect: Effect) -> list[str]:
    """List the named cards that still lie in their zone (KED-54)."""
    state, seat = effect.draft.state, effect.frame.seat
    if effect.own_zone == "board":
        return [card for card in effect.frame.cards if _aboard(effect, card)]
    cards = state.hand[seat] if effect.own_zone == "hand" else state.water[seat]
    return [card for card in effect.frame.cards if card in cards]


def _move_cards(effect: Effect, to: Literal["deck_top", "deck_bottom"]) -> None:
    """Move the named cards to the own deck."""
    seat = effect.frame.seat
    for card in _picked_cards(effect):
        effect.draft.add(
            events.Moved(seat, card, effect.own_zone, seat, to, effect.cause, locked=False)
        )
        effect.moved += 1


def _drop_cards(effect: Effect, *, paid: bool) -> None:
    """Discard the named cards, for points or as a cost (KED-72, KED-95)."""
    draft, seat = effect.draft, effect.frame.seat
    for card in effect.frame.cards:
        if card not in _picked_cards(effect):
            continue
        on_board = effect.own_zone == "board"
        target = struck(draft.state.board[seat], card) if on_board else card
        points = WORTH[target] if paid and _pays(effect) else 0
        discard(draft, seat, target, effect.own_zone, effect.cause, points)


def _redraw(effect: Effect) -> None:
    """Shuffle the deck and draw as many cards as went into it (KED-90)."""
    draft, seat = effect.draft, effect.frame.seat
    if effect.moved:
        draft.add(events.DeckShuffled(seat, shuffled(draft, draft.state.deck[seat])))
        draw_cards(draft, seat, effect.moved, effect.cause)


def _ready(effect: Effect) -> None:
    """Ready the named cards (KED-91)."""
    draft, seat = effect.draft, effect.frame.seat
    for card in _picked_cards(effect):
        found = berth(draft.state.board[seat], card)
        if found is not None and found.exhausted:
            draft.add(events.CardReadied(seat, card))


def _place(effect: Effect) -> None:
    """Put the named cards of the water on the board for free (KED-37)."""
    draft, frame = effect.draft, effect.frame
    for card in _picked_cards(effect):
        exhausted, host = arrival(draft.state, frame.seat, card, frame.host)
        draft.add(events.CardPlaced(frame.seat, card, exhausted, host, effect.cause))


def _choose(effect: Effect) -> None:
    """Open the choice of the seats concerned (KED-94)."""
    state = effect.draft.state
    need = [0] * len(state.status)
    most = fullest(state)
    for seat in effect.concerned():
        if effect.zone == "board":
            need[seat] = min(effect.frame.times, len(state.board[seat]))
        elif len(state.hand[seat]) == most:
            need[seat] = min(effect.frame.times, most)
    if any(need):
        effect.draft.add(events.ChoiceOpened(effect.cause, tuple(need)))
