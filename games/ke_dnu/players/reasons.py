"""The reasons for commands, for hints."""

from games.ke_dnu import commands
from games.ke_dnu.commands import Command
from games.ke_dnu.components import ICEBERG_CARD
from games.ke_dnu.model import View

REASONS = {
    "ends-the-voyage": "With a lead, or late in the voyage, let the ships sink.",
    "worth-its-price": "The card is worth more than what pays for it.",
    "counts-at-the-end": "On the board its value counts, and it acts.",
    "action-gains": "The effect gains more than it costs.",
    "saves-more": "It saves more than it is worth.",
    "not-worth-an-answer": "An answer would cost more than it saves.",
    "pays-for-a-plan": "Its points pay for something that is worth more.",
    "least-missed": "It is what will be missed least.",
    "cards-are-life": "Every card helps.",
    "nothing-to-gain": "Nothing else is worth what it costs.",
}


def reason(view: View, seat: int, command: Command) -> str:
    """Return the code of the reason for a good command."""
    match command:
        case commands.Buy(card=card):
            return "ends-the-voyage" if card == ICEBERG_CARD else "worth-its-price"
        case commands.Play() | commands.PlaceStory():
            return "counts-at-the-end"
        case commands.Activate() | commands.UseFlapper() | commands.Claim():
            return "action-gains"
        case commands.React():
            return "saves-more"
        case commands.Pass():
            return "not-worth-an-answer"
        case commands.Jettison() | commands.JettisonPair():
            return "pays-for-a-plan"
        case commands.DiscardDown() | commands.ChooseCard() | commands.Maid():
            return "least-missed"
        case commands.Draw() | commands.Tycoon():
            return "cards-are-life"
        case _:
            return "nothing-to-gain"
