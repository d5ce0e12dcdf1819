"""What the terminal shows of a match: the board, what happened, and how it ended."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from service.cli.boards import board_of
from service.cli.outcome import outcome_of
from service.cli.remote import RemotePlayer
from service.cli.wording import Speaker

BOT_NAMES = {
    "beginner": "Shrimp",
    "easy": "Crab",
    "medium": "Otter",
    "hard": "Dolphin",
    "expert": "Shark",
    "heuristic": "Gull",
    "strong": "Walrus",
}
"""Names of bots by their level, as on the page."""
AUTOMATIC = "moved automatically."
"""Of a player who has left: the moves are made at once, as if time had run out."""


def speaker_of(match: Mapping[str, Any]) -> Speaker:
    """Return the speaker for a match as its viewer sees it."""
    return Speaker(match["game"], match["view"], [_name(seat) for seat in match["seats"]])


def show_board(console: Console, match: Mapping[str, Any]) -> None:
    """Draw the board of a match that has started."""
    if match["view"] is not None:
        drawn = board_of(match["game"]).draw(match["view"], match["you"], speaker_of(match))
        console.print(drawn)


def show_news(console: Console, player: RemotePlayer, match: Mapping[str, Any], told: int) -> int:
    """Print what happened since a version; return the last version."""
    speaker = speaker_of(match)
    answer = player.get(f"/matches/{match['match']}/events?after={told}")
    departed = _departures(match, answer["records"])
    for record in answer["records"]:
        for event in record["events"]:
            left = departed.get(event["seat"]) if event["type"] == "timed_out" else None
            if left is not None and left <= record["v"]:
                line = f"{speaker.name(event['seat'])} {AUTOMATIC}"
            else:
                line = speaker.event(event)
            if line:
                console.print(Text.assemble((f"{record['v']:4} ", "dim"), line))
    return answer["version"]


def show_end(console: Console, match: Mapping[str, Any]) -> None:
    """Print how a match ended."""
    console.print(outcome_of(match, speaker_of(match)))


def _departures(
    match: Mapping[str, Any], records: Iterable[Mapping[str, Any]]
) -> Mapping[int, int]:
    """Return the version at which each player left, by seat; 0 if it was before the records."""
    before = {seat["seat"]: 0 for seat in match["seats"] if seat["left"]}
    return before | {
        event["seat"]: record["v"]
        for record in records
        for event in record["events"]
        if event["type"] == "seat_resigned"
    }


def _name(seat: Mapping[str, Any]) -> str:
    level, number = seat["bot"], seat["seat"] + 1
    return seat["name"] or f"{BOT_NAMES.get(level, 'Bot') if level else 'Seat'} {number}"
