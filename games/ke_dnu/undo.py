"""How a command may be undone."""

from collections.abc import Sequence

from games.game import Undo
from games.ke_dnu import commands, events
from games.ke_dnu.commands import Command
from games.ke_dnu.components import (
    BOOGEYMAN,
    CARDS,
    NAVIGATOR,
    STEERSMAN,
    Choose,
    Draw,
    Kind,
    Redraw,
    Tell,
)
from games.ke_dnu.events import Event
from games.ke_dnu.model import State

SIGHTS = frozenset((NAVIGATOR, STEERSMAN, BOOGEYMAN))


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Return the undo class of a command."""
    if any(map(_reveals, events)):
        return "all"
    match command:
        case commands.Activate(card=card) | commands.UseFlapper(source=card):
            return _undo_action(CARDS[card], events)
        case commands.EndTurn():
            return _undo_end(seat, events)
        case (
            commands.React()
            | commands.Claim()
            | commands.Pass()
            | commands.ChooseCard()
            | commands.PlaceStory()
        ):
            return "consent"
        case _:
            return "free"


def _undo_action(kind: Kind, followed: Sequence[Event]) -> Undo:
    """Return the undo class of an effect: free if everything was in sight and no seat chose."""
    blind = any(isinstance(step, Draw | Redraw | Tell) for step in kind.effect)
    if kind.reach is not None and kind.reach.zone != "board":
        blind = True
    if blind:
        return "all" if any(isinstance(event, events.Resolved) for event in followed) else "consent"
    return "consent" if any(isinstance(step, Choose) for step in kind.effect) else "free"


def _undo_end(seat: int, followed: Sequence[Event]) -> Undo:
    """Return the undo class of ending a turn: consent if end effects concern other seats."""
    waits = sum(
        isinstance(event, events.ActionAnnounced) - isinstance(event, events.Resolved)
        for event in followed
    )
    return "consent" if waits or any(_involves_others(e, seat) for e in followed) else "free"


def _reveals(event: Event) -> bool:
    """Return whether an event shows anyone a hidden card, a random pick or a new sight."""
    match event:
        case events.CardsDrawn(cards=cards):
            return bool(cards)
        case events.Jettisoned(zone=zone):
            return zone == "deck"
        case events.BandHeld(zone=zone):
            return zone == "deck"
        case events.Moved():
            return event.seat != event.to_seat and event.zone in {"deck", "hand"}
        case events.CardPlayed() | events.CardPlaced() | events.StoryPlaced():
            return _new_sight(event.card) or _new_sight(event.host)
        case (
            events.WaterShuffled()
            | events.DeckShuffled()
            | events.ShopRevealed()
            | events.LockdownStruck()
            | events.SinkingStarted()
            | events.StoryDrawn()
            | events.Picked()
        ):
            return True
        case _:
            return False


def _new_sight(card: str) -> bool:
    """Return whether a card, new on a board or newly doubled, shows its seat hidden cards."""
    return card in CARDS and CARDS[card].id in SIGHTS


def _involves_others(event: Event, seat: int) -> bool:
    """Return whether an end effect did something to another seat."""
    match event:
        case events.Jettisoned(seat=other) | events.Moved(seat=other) | events.BandHeld(seat=other):
            return other != seat
        case events.ChoiceOpened(need=need):
            return any(count for other, count in enumerate(need) if other != seat)
        case events.DiscardsOpened():
            return True
        case _:
            return False
