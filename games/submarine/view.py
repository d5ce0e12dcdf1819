"""What a viewer may know: the view of a state, and the events as told (specification §4, §7, §12)."""

from games.submarine.components import HAND, TOP, UNKNOWN, Cards, Token
from games.submarine.events import CardsDrawn, CardSwapped, CompensationPaid, Dealt, Event
from games.submarine.model import State, View
from games.submarine.rules.compensation import owed
from games.submarine.rules.salvage import rows_in_reach


def view(state: State, viewer: int | None) -> View:
    """SUB-64: all is public but hands, piles and the cards set aside; their lengths are."""
    over = state.phase == "over"
    return View(
        players=state.players,
        phase=state.phase,
        active=state.active,
        first=state.first,
        turn=state.turn,
        voyage=state.voyage,
        progress=state.progress,
        quiet=state.quiet,
        cells=tuple(state.cells),
        subs=tuple(state.subs),
        ships=tuple(state.ships),
        slots=tuple(state.slots),
        jokers=tuple(state.jokers),
        hand=tuple(
            hand if over or seat == viewer else _hidden(hand)
            for seat, hand in enumerate(state.hand)
        ),
        pile=tuple(pile if over else _hidden(pile) for pile in state.pile),
        discard=state.discard,
        aside=state.aside if over else _hidden(state.aside),
        mode=state.mode,
        moved=state.moved,
        locked=state.locked,
        acts=state.acts,
        fresh=state.fresh,
        withdrawn=state.withdrawn,
        result=state.result,
        owed=_owed(state),
    )


def redact(event: Event, viewer: int | None, state: State) -> Event | None:
    """Give what `viewer` may know of an event; it depends on the event and the viewer alone."""
    match event:
        case CardsDrawn(seat=seat, cards=cards, cause=cause) if seat != viewer:
            return CardsDrawn(seat, _hidden(cards), cause)
        case CompensationPaid(seat=payer, to=to, from_pile=pile, from_hand=hand, cards=cards):
            shown = cards[pile:] if payer == viewer else _hidden(cards[pile:])
            return CompensationPaid(payer, to, pile, hand, _hidden(cards[:pile]) + shown)
        case CardSwapped(seat=seat) if seat != viewer:
            return CardSwapped(seat, UNKNOWN, UNKNOWN)
        case Dealt():
            return _dealt(event, viewer)
        case _:
            return event


def _hidden(cards: Cards) -> Cards:
    return (UNKNOWN,) * len(cards)


def _dealt(event: Dealt, viewer: int | None) -> Dealt:
    decks = tuple(
        deck[:HAND] + _hidden(deck[HAND:]) if seat == viewer else _hidden(deck)
        for seat, deck in enumerate(event.decks)
    )
    return Dealt(
        event.players, event.layout, decks, _hidden(event.aside), event.shells, event.first
    )


def _owed(state: State) -> tuple[tuple[Token, int, int], ...]:
    """Specification §12: what each token that the active seat's submarines reach would cost."""
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
