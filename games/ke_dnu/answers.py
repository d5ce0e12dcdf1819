"""The commands of windows (section 6): reactions, claims, Flappers and the choices others open."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.cards import ASSISTANT, CARDS, RATS
from games.ke_dnu.choices import Choice, Use, check_arrival_host, check_choice, check_host
from games.ke_dnu.course import Course
from games.ke_dnu.model import (
    ActionFrame,
    ChoiceFrame,
    DiscardFrame,
    State,
    StoryFrame,
)
from games.ke_dnu.ship import (
    TYPE,
    band_held,
    berth,
    best_worth,
    free_cards,
    is_rose,
    price,
)
from games.ke_dnu.turn import check_discard, check_in_hand
from games.ke_dnu.windows import (
    applies,
    copyable_cards,
    flapper_holder,
    hit_count,
    in_choice_board,
    zone_size,
)


def decline(course: Course, seat: int) -> None:
    """`pass`: a frame is not answered, a Flapper not used."""
    top = course.state.stack[-1]
    if isinstance(top, DiscardFrame) and top.flappers:
        course.emit(events.FlapperSpent(flapper_holder(top), top.flappers[0]))
    else:
        course.emit(events.Passed(seat))


def react(course: Course, seat: int, command: commands.React) -> None:
    """KED-80 to KED-84."""
    state, card = course.state, command.card
    place = berth(state.board[seat], card)
    if place is None:
        raise Illegal("card-not-on-board", card=card)
    reaction = CARDS[card].reaction
    if reaction is None:
        raise Illegal("not-applicable", card=card)
    if place.exhausted:
        raise Illegal("card-exhausted", card=card)
    top = state.stack[-1]
    if not applies(state, top, seat, reaction):
        raise Illegal("not-applicable", card=card)
    zone = ""
    if reaction == "redirect" and isinstance(top, ActionFrame):
        check_redirect(state, top, seat, command)
        reach = CARDS[top.card].reach
        zone = reach.zone if reach is not None else ""
    elif command.cards or command.positions:
        raise Illegal("bad-choice")
    course.emit(events.ReactionAnnounced(seat, card, zone, command.cards, command.positions))


def check_redirect(state: State, frame: ActionFrame, seat: int, command: commands.React) -> None:
    """Refuse a Steward's picks that are not exactly the hits, of the attacked zone (KED-84)."""
    reach = CARDS[frame.card].reach
    zone = reach.zone if reach is not None else "board"
    cards, positions = command.cards, command.positions
    hits = hit_count(state, frame, seat)
    if zone == "deck":
        size = zone_size(state, seat, zone)
        good = (
            not cards
            and len(positions) == len(set(positions)) == hits
            and all(0 <= at < size for at in positions)
        )
    else:
        good = not positions and len(cards) == hits and redirect_zone(state, seat, zone, cards)
    if not good:
        raise Illegal("bad-choice", count=hits)
    if zone != "deck" and discards(state, frame):
        for card in cards:
            if band_held(state.board[seat], card):
                raise Illegal("band-protected", card=card)


def redirect_zone(state: State, seat: int, zone: str, cards: tuple[str, ...]) -> bool:
    """Tell whether all cards lie in a zone of a seat."""
    if zone == "board":
        return all(berth(state.board[seat], card) for card in cards)
    return all(card in state.hand[seat] for card in cards)


def discards(state: State, frame: ActionFrame) -> bool:
    """Tell whether an attack discards what it hits (KED-84, KED-102)."""
    kind = CARDS[frame.card]
    if kind.reach is not None and kind.reach.whom == "dearest":
        return state.options.arbiter_mode == "discard"
    return kind.drops


def claim(course: Course, seat: int, command: commands.Claim) -> None:
    """KED-86."""
    state, card = course.state, command.card
    frame = state.stack[-1]
    assert isinstance(frame, DiscardFrame), "told by the step"
    check_claimed(state, frame, seat, card)
    for paid in command.pay:
        check_discard(state, seat, paid)
    if TYPE[card] == ASSISTANT:
        check_host(state, seat, command.host)
    elif command.host:
        raise Illegal("bad-host", host=command.host)
    cost = claim_price(state, seat, card, command.pay)
    worth = best_worth(command.pay)
    if worth < cost:
        raise Illegal("price-not-met", price=cost, points=worth)
    for paid in command.pay:
        course.discard(seat, paid, "hand", "pay")
    course.offer()
    course.emit(events.PlayAnnounced(seat, card, cost, seat, command.host, "teacher"))


def check_claimed(state: State, frame: DiscardFrame, seat: int, card: str) -> None:
    """Refuse a card that is not on offer to a seat."""
    holder = frame.holders[frame.cards.index(card)] if card in frame.cards else -1
    if holder < 0 or card not in state.water[holder]:
        raise Illegal("card-not-in-batch", card=card)
    if holder == seat:
        raise Illegal("own-card", card=card)
    if TYPE[card] == RATS:
        raise Illegal("cannot-board", card=card)
    if card in state.no_play:
        raise Illegal("card-blocked", card=card)


def claim_price(state: State, seat: int, card: str, pay: tuple[str, ...]) -> int:
    """Give the price of a claim: a Rose in the payment is on the board already."""
    return price(state.board[seat], card, more=sum(map(is_rose, pay)))


def choose_card(course: Course, seat: int, command: commands.ChooseCard) -> None:
    """KED-94."""
    state, card = course.state, command.card
    frame = state.stack[-1]
    assert isinstance(frame, ChoiceFrame), "told by the step"
    if in_choice_board(frame):
        if berth(state.board[seat], card) is None:
            raise Illegal("card-not-on-board", card=card)
        course.emit(events.Chosen(seat, card))
        course.emit(
            events.Moved(seat, card, "board", seat, "deck_bottom", frame.cause, locked=False)
        )
        return
    if free_cards(state, seat):
        check_discard(state, seat, card)
    check_in_hand(state, seat, card)
    course.emit(events.Chosen(seat, card))
    if card not in state.locked:
        course.discard(seat, card, "hand", frame.cause)


def place_story(course: Course, seat: int, command: commands.PlaceStory) -> None:
    """KED-93."""
    frame = course.state.stack[-1]
    assert isinstance(frame, StoryFrame), "told by the step"
    card = frame.card
    if command.where == "deck":
        if command.host:
            raise Illegal("bad-host", host=command.host)
        course.emit(events.StoryPlaced(seat, card, "deck", "", exhausted=False))
        return
    if TYPE[card] == RATS:
        raise Illegal("cannot-board")
    check_arrival_host(course.state, seat, (card,), command.host)
    exhausted, host = course.arrival(seat, card, command.host)
    course.emit(events.StoryPlaced(seat, card, "board", host, exhausted))


def use_flapper(course: Course, seat: int, command: commands.UseFlapper) -> None:
    """KED-43."""
    if command.source not in copyable_cards(course.state, seat):
        raise Illegal("not-copyable", card=command.source)
    use = Use(seat, command.source, 1)
    check_choice(course.state, use, Choice(command.target, command.cards, command.victims))
    course.emit(
        events.ActionAnnounced(
            seat,
            command.source,
            "flapper",
            1,
            command.target,
            command.cards,
            command.victims,
            "",
        )
    )
