"""Why a command is a good one, for hints."""

from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    Command,
    LaunchSubmarine,
    MoveResearcher,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    UseSonar,
)
from games.nautilus.model import View

REASONS = {
    "worth-its-price": "There is a site where the module is worth more than it costs.",
    "best-site": "No other site serves the researchers and submarines better.",
    "work-waits": "A researcher comes nearer to a module that is worth staffing.",
    "near-finds": "Good finds lie within reach of this harbour.",
    "nearer-to-finds": "The submarine reaches finds that are worth more than those where it is.",
    "look-first": "What the sonar shows will pay for it.",
    "know-your-waters": "These finds are nearest to the submarines.",
    "mission-pays": "Points of the mission are worth more than the money.",
    "nothing-to-gain": "Nothing else is worth what it costs.",
}


def reason(view: View, seat: int, command: Command) -> str:
    """Return the code of the reason for a command."""
    match command:
        case BuyModule():
            return "worth-its-price"
        case PlaceModule():
            return "best-site"
        case MoveResearcher() | BonusMoveResearcher():
            return "work-waits"
        case LaunchSubmarine():
            return "near-finds"
        case MoveSubmarine() | BoostSubmarine():
            return "nearer-to-finds"
        case UseSonar():
            return "look-first"
        case PeekFinds():
            return "know-your-waters"
        case PayMission():
            return "mission-pays"
        case _:
            return "nothing-to-gain"
