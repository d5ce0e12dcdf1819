"""Which commands may be undone, and with whose consent."""

from collections.abc import Sequence

from games.game import Undo
from games.tranquility.commands import (
    Command,
    EndTurn,
    FeedMonster,
    LetPass,
    PayStart,
    PlaceStorm,
    PlayFinish,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    UseCompass,
)
from games.tranquility.events import (
    CardsDrawn,
    Event,
    Explored,
    PhaseEntered,
    RaceEnded,
    RowRefilled,
    StormDrawn,
    VoyageLost,
    VoyageWon,
)
from games.tranquility.model import State

ENDS = VoyageWon | VoyageLost | RaceEnded
SHOWS_CARDS = CardsDrawn | StormDrawn | Explored | RowRefilled


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Return the undo class of a command.

    A command that showed new cards needs everyone; one that concerns others needs their consent.
    """
    if any(isinstance(event, ENDS) for event in events):
        return None
    if any(isinstance(event, SHOWS_CARDS) for event in events):
        return "all"
    match command:
        case PlayFinish() | EndTurn():
            return "all"
        case PlayStart() | UseCompass() | LetPass():
            return "consent"
        case PlaceStorm() | ShedToLimit() | FeedMonster() | SetRocks():
            return "consent"
        case Pledge():
            return "consent" if _must_pay(events) else "free"
        case PayStart():
            return "free" if _must_pay(events) else "all"
        case _:
            return "free"


def _must_pay(events: Sequence[Event]) -> bool:
    """Return whether the Start must be paid now."""
    last = events[-1]
    return isinstance(last, PhaseEntered) and last.phase == "start_pay"
