"""Reasons for commands, for hints."""

from games.tranquility.commands import (
    Command,
    DiscardHand,
    DiscardTwo,
    FeedMonster,
    FlipCard,
    KeepRocks,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    UseCompass,
)
from games.tranquility.model import View

REASONS = {
    "fits-the-gap": "What stays open around it can best be filled by cards to come.",
    "least-missed": "Of all cards these will be missed least.",
    "fair-share": "It is a fair share of what is missing.",
    "opens-the-way": "The start has to lie before the finish can.",
    "finishes": "All islands lie: it ends the voyage.",
    "clears-the-worst": "That cell is better free, or on its other side.",
    "least-harm": "There it does the least harm.",
    "stills-the-storm": "This storm would cost more than the compass.",
    "lets-others": "Others can do more with it.",
}


def reason(view: View, seat: int, command: Command) -> str:
    """Return the code of the reason for a good command."""
    match command:
        case PlayCard():
            return "fits-the-gap"
        case DiscardTwo() | DiscardHand() | PayStart() | ShedToLimit() | KeepRocks():
            return "least-missed"
        case Pledge():
            return "fair-share"
        case PlayStart():
            return "opens-the-way"
        case PlayFinish():
            return "finishes"
        case PlayMonster() | FeedMonster() | FlipCard():
            return "clears-the-worst"
        case MoveRocks() | SetRocks() | PlaceStorm():
            return "least-harm"
        case UseCompass():
            return "stills-the-storm"
        case _:
            return "lets-others"
