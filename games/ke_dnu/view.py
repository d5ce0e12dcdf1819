"""What a viewer may know of the state and of each event."""

from msgspec.structs import replace

from games.game import HIDDEN, hidden
from games.ke_dnu import events
from games.ke_dnu.components import BOOGEYMAN, CARDS
from games.ke_dnu.events import Event
from games.ke_dnu.model import (
    ActionFrame,
    AnyFrame,
    ReactionFrame,
    Redirect,
    SeatView,
    State,
    StoryFrame,
    View,
    has,
)
from games.ke_dnu.rules.ships import sight
from games.ke_dnu.rules.windows import touches
from games.ke_dnu.turns import waiting
from games.structs import projector

Cards = tuple[str, ...]

_project = projector(State, View)


def view(state: State, viewer: int | None) -> View:
    """Return what `viewer` may know; None is a spectator."""
    over = state.phase == "over"
    return _project(
        state,
        shop_deck_count=len(state.shop_deck),
        shop_deck=tuple(state.shop_deck) if over else None,
        unused=tuple(state.unused) if over else None,
        seats=tuple([_seat_view(state, seat, viewer) for seat in range(len(state.status))]),
        stack=tuple([_frame_view(state, frame, viewer) for frame in state.stack]),
        waiting=tuple(sorted(waiting(state))),
    )


def _seat_view(state: State, seat: int, viewer: int | None) -> SeatView:
    """Return what `viewer` may know of a seat."""
    over = state.phase == "over"
    shown = over or seat == viewer or hand_in_sight(state, seat, viewer)
    board, deck = state.board[seat], state.deck[seat]
    return SeatView(
        status=state.status[seat],
        score=state.score[seat],
        board=tuple(board),
        water=tuple(state.water[seat]),
        hand_count=len(state.hand[seat]),
        deck_count=len(deck),
        rearranged=state.rearranged[seat],
        hand=tuple(state.hand[seat]) if shown else None,
        top=tuple(deck[: sight(board)]) if seat == viewer else (),
        gone=tuple(state.gone[seat]) if over else None,
        deck=tuple(deck) if over else None,
    )


def hand_in_sight(state: State, seat: int, viewer: int | None) -> bool:
    """Return whether a Boogeyman shows the viewer a hand (KED-62)."""
    if viewer is None or state.status[viewer] != "afloat" or state.status[seat] != "afloat":
        return False
    if not has(state.board[viewer], BOOGEYMAN):
        return False
    return viewer == state.active or any(
        isinstance(frame, ActionFrame) and frame.seat == seat and touches(state, frame, viewer)
        for frame in state.stack
    )


def _frame_view(state: State, frame: AnyFrame, viewer: int | None) -> AnyFrame:
    """Return what `viewer` may know of a frame."""
    match frame:
        case ActionFrame():
            return replace(
                frame,
                cards=_own_cards(frame.card, frame.seat, frame.cards, viewer),
                victims=_hand_victims(state, frame.card, frame.seat, frame.victims, viewer),
                redirects=tuple(_redirect_view(redirect, viewer) for redirect in frame.redirects),
            )
        case ReactionFrame(seat=seat, zone=zone) if seat != viewer:
            return replace(
                frame,
                cards=hidden(frame.cards) if zone == "hand" else frame.cards,
                positions=_unplaced(frame.positions),
            )
        case StoryFrame(holder=holder, card=card) if card and holder != viewer:
            return replace(frame, card=HIDDEN)
        case _:
            return frame


def _redirect_view(redirect: Redirect, viewer: int | None) -> Redirect:
    """Return what `viewer` may know of a Steward's choice."""
    if redirect.seat == viewer:
        return redirect
    return replace(
        redirect,
        cards=hidden(redirect.cards) if redirect.zone == "hand" else redirect.cards,
        positions=_unplaced(redirect.positions),
    )


def _unplaced(positions: tuple[int, ...]) -> tuple[int, ...]:
    """Return hidden positions of the same number."""
    return (-1,) * len(positions)


def _own_cards(card: str, seat: int, cards: Cards, viewer: int | None) -> Cards:
    """Return the own cards that an effect names. Hand cards are hidden from others."""
    pick = CARDS[card].pick
    in_hand = pick is not None and pick.zone == "hand"
    return hidden(cards) if in_hand and seat != viewer else cards


def _hand_victims(state: State, card: str, seat: int, victims: Cards, viewer: int | None) -> Cards:
    """Return the named cards of opponents; only holder and acting seat see hand cards."""
    reach = CARDS[card].reach
    if not victims or reach is None or reach.zone != "hand" or seat == viewer:
        return victims
    held = [] if viewer is None else state.hand[viewer]
    return tuple(victim if victim in held else HIDDEN for victim in victims)


def redact(event: Event, viewer: int | None, state: State) -> Event:
    """Return what `viewer` may know of an event. All viewers see that it happened."""
    match event:
        case events.CardsDrawn(seat=seat, cards=cards):
            return event if seat == viewer else replace(event, cards=hidden(cards))
        case events.Moved():
            return event if _sees_move(event, viewer) else replace(event, card=HIDDEN)
        case events.ActionAnnounced(card=card, seat=seat):
            return replace(
                event,
                cards=_own_cards(card, seat, event.cards, viewer),
                victims=_hand_victims(state, card, seat, event.victims, viewer),
            )
        case events.ReactionAnnounced(seat=seat) | events.Redirected(seat=seat):
            if seat == viewer:
                return event
            return replace(
                event,
                cards=hidden(event.cards) if event.zone == "hand" else event.cards,
                positions=_unplaced(event.positions),
            )
        case events.Picked(seat=seat, by=by, cards=cards):
            public = CARDS[f"{event.cause}_1"].drops
            return event if public or viewer in {seat, by} else replace(event, cards=hidden(cards))
        case events.TopRearranged(seat=seat):
            return event if seat == viewer else replace(event, take=-1, put=-1)
        case events.StoryDrawn(seat=seat):
            return event if seat == viewer else replace(event, card=HIDDEN)
        case events.StoryPlaced(seat=seat, where=where):
            seen = seat == viewer or where == "board"
            return event if seen else replace(event, card=HIDDEN)
        case events.WaterShuffled(order=order) | events.DeckShuffled(order=order):
            return replace(event, order=hidden(order))
        case events.SinkingStarted(decks=decks, hands=hands):
            return replace(
                event,
                decks=tuple(map(hidden, decks)),
                hands=tuple(
                    hand if seat == viewer else hidden(hand) for seat, hand in enumerate(hands)
                ),
            )
        case events.Dealt(decks=decks, shop_deck=shop_deck):
            return replace(event, decks=tuple(map(hidden, decks)), shop_deck=hidden(shop_deck))
        case _:
            return event


def _sees_move(event: events.Moved, viewer: int | None) -> bool:
    """Return whether a viewer sees which card moved."""
    if event.zone in {"board", "water"}:
        return True
    if event.zone == "deck":
        return viewer == event.to_seat
    return viewer in {event.seat, event.to_seat}
