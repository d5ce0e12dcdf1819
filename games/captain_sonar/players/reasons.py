"""Reasons for commands, for hints."""

from games.captain_sonar.commands import (
    AnswerSonar,
    ChooseStart,
    Command,
    CrossSymbol,
    DropMine,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.model import View

REASONS = {
    "open-water": "From here every course is open.",
    "room-and-range": (
        "It leaves room to steer, a whole board, and the enemy at the right distance."
    ),
    "likely-hit": "The enemy is likely enough to be there, and the boat is far enough away.",
    "break-contact": "The enemy knows too well where the boat is.",
    "find-the-enemy": "It rules out much of where the enemy can be.",
    "bar-the-way": "The enemy is likely to pass there.",
    "repair": "There is no course, or the board needs repair and the enemy is far.",
    "most-wanted": "It is the system that is needed next.",
    "whole-board": "It leaves the most systems whole.",
    "tells-least": "It leaves the enemy the most cells to search.",
    "due": "It is due, or nothing else is worth doing.",
}


def reason(view: View, seat: int, command: Command) -> str:
    """Return the code of the reason for a good command."""
    match command:
        case ChooseStart():
            return "open-water"
        case OrderCourse():
            return "room-and-range"
        case LaunchTorpedo() | TriggerMine() | TriggerArcherMine():
            return "likely-hit"
        case RunSilent():
            return "break-contact"
        case LaunchDrone() | PingSonar():
            return "find-the-enemy"
        case DropMine():
            return "bar-the-way"
        case Surface():
            return "repair"
        case MarkGauge():
            return "most-wanted"
        case CrossSymbol():
            return "whole-board"
        case AnswerSonar():
            return "tells-least"
        case _:
            return "due"
