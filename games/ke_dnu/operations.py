"""The operations of effects (6.1), each written once for all the cards that have it."""

from typing import Literal, assert_never

from games.ke_dnu import events
from games.ke_dnu.cards import (
    CARDS,
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
from games.ke_dnu.course import Course
from games.ke_dnu.model import ActionFrame
from games.ke_dnu.ship import VALUE, WORTH, berth, struck
from games.ke_dnu.windows import (
    board_hits,
    dearest,
    deck_hits,
    fullest,
    redirect_of,
    touched,
)


class Deed:
    """An effect being carried out: whom it hits is told before its first operation."""

    __slots__ = ("afloat", "cause", "course", "frame", "hit", "kind", "moved")

    def __init__(self, course: Course, frame: ActionFrame) -> None:
        """Take a resolved action."""
        state = course.state
        self.course = course
        self.frame = frame
        self.kind = CARDS[frame.card]
        self.cause = self.kind.id
        self.hit = touched(state, frame)
        self.afloat = state.status[frame.seat] == "afloat"
        self.moved = 0

    @property
    def zone(self) -> str:
        """Give the zone of other seats that is hit, or ""."""
        return self.kind.reach.zone if self.kind.reach is not None else ""

    @property
    def dearest(self) -> bool:
        """Tell whether the dearest cards of all boards are hit (KED-99)."""
        return self.kind.reach is not None and self.kind.reach.whom == "dearest"

    @property
    def own_zone(self) -> Literal["hand", "board", "water"]:
        """Give the own zone that `cards` names."""
        return self.kind.pick.zone if self.kind.pick is not None else "hand"

    def concerned(self) -> list[int]:
        """List the acting seat and those hit, clockwise (KED-53)."""
        return [self.frame.seat, *self.hit] if self.afloat else self.hit


def carry_out(course: Course, frame: ActionFrame) -> None:
    """Let a resolved effect happen."""
    deed = Deed(course, frame)
    for step in deed.kind.effect:
        operate(deed, step)


def operate(deed: Deed, step: AnyOperation) -> None:
    """Do one operation."""
    match step:
        case Drop():
            drop(deed)
        case Take(to=to):
            take(deed, to)
        case Draw():
            draw(deed)
        case Gain(points=points):
            if pays(deed):
                gained = points * deed.frame.times
                deed.course.emit(events.PointsGained(deed.frame.seat, gained, deed.cause))
        case DropSelf():
            if aboard(deed, deed.frame.card):
                deed.course.discard_own(deed.frame.seat, deed.frame.card, deed.cause)
        case MoveSelf(to=to):
            move_self(deed, to)
        case MoveCards(to=to):
            move_cards(deed, to)
        case DropCards(paid=paid):
            drop_cards(deed, paid=paid)
        case Redraw():
            redraw(deed)
        case Ready():
            ready(deed)
        case Place():
            place(deed)
        case Choose():
            choose(deed)
        case Tell():
            if row := tuple(deed.concerned()) * deed.frame.times:
                deed.course.emit(events.StoryOpened(deed.frame.seat, row))
        case _:
            assert_never(step)


def pays(deed: Deed) -> bool:
    """Tell whether the acting seat gets points: only in its own turn (6.1)."""
    return deed.afloat and deed.frame.seat == deed.course.state.active


def aboard(deed: Deed, card: str) -> bool:
    """Tell whether a card still lies on the acting seat's board, which must not be saved."""
    return deed.afloat and berth(deed.course.state.board[deed.frame.seat], card) is not None


def drop(deed: Deed) -> None:
    """Discard what is hit; an Arbiter by option returns it (KED-99, KED-102)."""
    course, frame = deed.course, deed.frame
    if deed.zone == "deck":
        for seat in deed.hit:
            for card in deck_cards(deed, seat):
                course.discard(seat, card, "deck", deed.cause)
    elif deed.zone == "hand":
        for seat in deed.hit:
            for card in hand_cards(deed, seat):
                course.discard(seat, card, "hand", deed.cause)
    elif deed.dearest:
        top = dearest(course.state)
        own = [p.card for p in course.state.board[frame.seat] if VALUE[p.card] == top]
        by_seat = {seat: board_hits(course.state, frame, seat) for seat in deed.hit}
        for seat in deed.concerned():
            strike(deed, seat, by_seat.get(seat, own))
    else:
        for seat in deed.hit:
            strike(deed, seat, board_hits(course.state, frame, seat))


def strike(deed: Deed, seat: int, cards: list[str]) -> None:
    """Discard cards of a board, or return them to the hand in the Arbiter's other mode."""
    course = deed.course
    home = deed.dearest and course.state.options.arbiter_mode == "hand"
    for card in cards:
        board = course.state.board[seat]
        if berth(board, card) is None:
            continue
        target = struck(board, card)
        if home:
            course.emit(events.Moved(seat, target, "board", seat, "hand", deed.cause, locked=False))
        else:
            course.discard(seat, target, "board", deed.cause)


def deck_cards(deed: Deed, seat: int) -> list[str]:
    """List the deck cards that are hit, from the top (KED-51, KED-95)."""
    deck = deed.course.state.deck[seat]
    redirect = redirect_of(deed.frame, seat)
    if redirect is None:
        return deck[: deck_hits(deed.frame)]
    return [deck[at] for at in sorted(redirect.positions) if at < len(deck)]


def hand_cards(deed: Deed, seat: int) -> list[str]:
    """List the hand cards that are hit: as a Steward chose, as named, or random ones (KED-66)."""
    course, frame = deed.course, deed.frame
    hand = course.state.hand[seat]
    redirect = redirect_of(frame, seat)
    if redirect is not None:
        return [card for card in redirect.cards if card in hand]
    if frame.victims:
        return [card for card in frame.victims if card in hand]
    cards = course.chance.sample(hand, min(frame.times, len(hand)))
    course.emit(events.Picked(seat, frame.seat, tuple(cards), deed.cause))
    return cards


def take(deed: Deed, to: str) -> None:
    """Move what is hit to the acting seat's hand, or to its holder's."""
    course, frame = deed.course, deed.frame
    if to == "actor" and not deed.afloat:
        return
    for seat in deed.hit:
        by = frame.seat if to == "actor" else seat
        if deed.zone == "hand":
            for card in hand_cards(deed, seat):
                course.emit(events.Moved(seat, card, "hand", by, "hand", deed.cause, locked=False))
        elif deed.zone == "board":
            for card in board_hits(course.state, frame, seat):
                take_aboard(deed, seat, card, by)
        elif redirect_of(frame, seat) is None:
            course.steal(seat, by, deck_hits(frame), deed.cause)
        else:
            for card in deck_cards(deed, seat):
                course.emit(events.Moved(seat, card, "deck", by, "hand", deed.cause, locked=False))


def take_aboard(deed: Deed, seat: int, card: str, by: int) -> None:
    """Move a card of a board to a hand; taken exhausted it is locked (KED-46, KED-52)."""
    board = deed.course.state.board[seat]
    if berth(board, card) is None:
        return
    target = struck(board, card)
    found = berth(board, target)
    locked = by != seat and found is not None and found.exhausted
    deed.course.emit(events.Moved(seat, target, "board", by, "hand", deed.cause, locked))


def draw(deed: Deed) -> None:
    """Draw; where everyone does, all draw before any sinks (KED-92)."""
    course = deed.course
    times = deed.frame.times
    sinking = [seat for seat in deed.concerned() if not course.draw(seat, times, deed.cause)]
    for seat in sinking:
        course.sink(seat)


def move_self(deed: Deed, to: str) -> None:
    """Move the acting card under its deck, or to the hand of the seat that was hit."""
    course, seat, card = deed.course, deed.frame.seat, deed.frame.card
    if not aboard(deed, card):
        return
    if to == "deck_bottom":
        course.emit(
            events.Moved(seat, card, "board", seat, "deck_bottom", deed.cause, locked=False)
        )
    elif deed.hit:
        course.emit(
            events.Moved(seat, card, "board", deed.hit[0], "hand", deed.cause, locked=False)
        )


def picked_cards(deed: Deed) -> list[str]:
    """List the named cards that still lie in their zone (KED-54)."""
    state, seat = deed.course.state, deed.frame.seat
    if deed.own_zone == "board":
        return [card for card in deed.frame.cards if aboard(deed, card)]
    cards = state.hand[seat] if deed.own_zone == "hand" else state.water[seat]
    return [card for card in deed.frame.cards if card in cards]


def move_cards(deed: Deed, to: Literal["deck_top", "deck_bottom"]) -> None:
    """Move the named cards to the own deck."""
    seat = deed.frame.seat
    for card in picked_cards(deed):
        deed.course.emit(
            events.Moved(seat, card, deed.own_zone, seat, to, deed.cause, locked=False)
        )
        deed.moved += 1


def drop_cards(deed: Deed, *, paid: bool) -> None:
    """Discard the named cards, for points or as a cost (KED-72, KED-95)."""
    course, seat = deed.course, deed.frame.seat
    for card in deed.frame.cards:
        if card not in picked_cards(deed):
            continue
        on_board = deed.own_zone == "board"
        target = struck(course.state.board[seat], card) if on_board else card
        points = WORTH[target] if paid and pays(deed) else 0
        course.discard(seat, target, deed.own_zone, deed.cause, points)


def redraw(deed: Deed) -> None:
    """Shuffle the deck and draw as many cards as went into it (KED-90)."""
    course, seat = deed.course, deed.frame.seat
    if deed.moved:
        course.emit(events.DeckShuffled(seat, course.shuffled(course.state.deck[seat])))
        course.draw(seat, deed.moved, deed.cause)


def ready(deed: Deed) -> None:
    """Ready the named cards (KED-91)."""
    course, seat = deed.course, deed.frame.seat
    for card in picked_cards(deed):
        found = berth(course.state.board[seat], card)
        if found is not None and found.exhausted:
            course.emit(events.CardReadied(seat, card))


def place(deed: Deed) -> None:
    """Lay the named cards of the water on the board, free (KED-37)."""
    course, frame = deed.course, deed.frame
    for card in picked_cards(deed):
        exhausted, host = course.arrival(frame.seat, card, frame.host)
        course.emit(events.CardPlaced(frame.seat, card, exhausted, host, deed.cause))


def choose(deed: Deed) -> None:
    """Let the seats concerned choose (KED-94)."""
    state = deed.course.state
    need = [0] * len(state.status)
    most = fullest(state)
    for seat in deed.concerned():
        if deed.zone == "board":
            need[seat] = min(deed.frame.times, len(state.board[seat]))
        elif len(state.hand[seat]) == most:
            need[seat] = min(deed.frame.times, most)
    if any(need):
        deed.course.emit(events.ChoiceOpened(deed.cause, tuple(need)))
