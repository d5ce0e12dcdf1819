"""Reasons for commands, shown with hints."""

from games.submarine.commands import (
    Command,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.components import MOTIF_OF, MOTIFS, OFF_BOARD
from games.submarine.model import View

REASONS = {
    "near-needed-tokens": "It lies beside tokens that are still needed.",
    "best-stop": "The ship's submarines below have the most to gain at this stop.",
    "next-voyage": "The next voyage promises more than any stop that is left.",
    "completes-card": "It fills the last slot, and wins at once.",
    "fills-slot": "It fills a slot that is still empty.",
    "gains-joker": "The slot of this motif is full: it becomes a joker.",
    "joker-saves-cards": "A joker lifts it without a card, and nobody is paid.",
    "other-colour": "Another colour would serve better than this card.",
    "nothing-to-gain": "Nothing else is worth what it costs.",
}


def reason(view: View, seat: int, command: Command) -> str:
    """Return the code of the reason for a good command."""
    match command:
        case PlaceSub() | MoveSub():
            return "near-needed-tokens"
        case MoveShip(to=to):
            return "next-voyage" if to == OFF_BOARD else "best-stop"
        case Salvage(token=token) | SalvageWithJoker(token=token):
            missing = set(MOTIFS) - view.slots[seat].keys()
            if MOTIF_OF.get(token) not in missing:
                return "gains-joker"
            if len(missing) == 1:
                return "completes-card"
            return "fills-slot" if isinstance(command, Salvage) else "joker-saves-cards"
        case SwapCard():
            return "other-colour"
        case _:
            return "nothing-to-gain"
