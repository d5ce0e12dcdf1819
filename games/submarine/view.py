"""What a viewer may know of a state and of events."""

from games.game import HIDDEN, hidden
from games.structs import projector
from games.submarine.components import HAND, TOP, Token
from games.submarine.events import CardsDrawn, CardSwapped, CompensationPaid, Dealt, Event
from games.submarine.model import State, View
from games.submarine.rules.compensation import owed
from games.submarine.rules.salvage import rows_in_reach

_project = projector(State, View)


def view(state: State, viewer: int | None) -> View:
    """Hide all hands but the viewer's own, the piles and the cards set aside (SUB-64)."""
    over = state.phase == "over"
    return _project(
        state,
        hand=tuple(
            hand if over or seat == viewer else hidden(hand) for seat, hand in enumerate(state.hand)
        ),
        pile=tuple(pile if over else hidden(pile) for pile in state.pile),
        aside=state.aside if over else hidden(state.aside),
        owed=_owed(state),
    )


def redact(event: Event, viewer: int | None, state: State) -> Event | None:
    """Hide the cards of an event that the viewer may not see. The state is not read."""
    match event:
        case CardsDrawn(seat=seat, cards=cards, cause=cause) if seat != viewer:
            return CardsDrawn(seat, hidden(cards), cause)
        case CompensationPaid(seat=payer, to=to, from_pile=pile, from_hand=hand, cards=cards):
            shown = cards[pile:] if payer == viewer else hidden(cards[pile:])
            return CompensationPaid(payer, to, pile, hand, hidden(cards[:pile]) + shown)
        case CardSwapped(seat=seat) if seat != viewer:
            return CardSwapped(seat, HIDDEN, HIDDEN)
        case Dealt():
            return _dealt(event, viewer)
        case _:
            return event


def _dealt(event: Dealt, viewer: int | None) -> Dealt:
    decks = tuple(
        deck[:HAND] + hidden(deck[HAND:]) if seat == viewer else hidden(deck)
        for seat, deck in enumerate(event.decks)
    )
    return Dealt(event.players, event.layout, decks, hidden(event.aside), event.shells, event.first)


def _owed(state: State) -> tuple[tuple[Token, int, int], ...]:
    """List (token, payee, cards) for each token that the active seat's submarines reach."""
    if state.phase != "act":
        return ()
    seat = state.active
    ship = state.ships[seat]
    return tuple(
        (token, payee, count)
        for row in rows_in_reach(state, seat)
        for token in state.cells[ship - 1][row - TOP]
        for payee, count in owed(state, seat, (ship, row))
    )
