"""Why a bot made a move: asked of the service, and put into words."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from service.cli.remote import RemotePlayer
from service.cli.wording import Speaker

CHOICES = {
    "only": "It had no other move.",
    "best": "Its rules of thumb know nothing better.",
    "softer": "A weaker move, as this level plays at times. Better: {better}.",
    "looked-ahead": "It looked ahead. Its rules of thumb would prefer: {better}.",
}


def asked(player: RemotePlayer, match: str, version: int) -> dict[str, Any]:
    """Return why a bot made the move of a version; raises `RequestRefused`."""
    return player.get(f"/matches/{match}/why?version={version}")


def in_words(answer: Mapping[str, Any], speaker: Speaker) -> Text:
    """Return the answer as one line."""
    better = answer["better"] and speaker.command(answer["better"])
    compared = CHOICES.get(answer["choice"] or "", "").format(better=better)
    name = (f"{speaker.name(answer['seat'])}: ", "bold")
    return Text.assemble(name, answer["reason"]["words"], f" {compared}" if compared else "")
