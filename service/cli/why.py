"""`shiplog why`: ask a bot why it made a move."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from service.cli.options import Json
from service.cli.output import print_json
from service.cli.remote import RemotePlayer, exiting
from service.cli.scene import speaker_of
from service.cli.wording import Speaker

CHOICES = {
    "only": "It had no other move.",
    "best": "Its rules of thumb know nothing better.",
    "softer": "A weaker move, as this level plays at times. Better: {better}.",
    "looked-ahead": "It looked ahead. Its rules of thumb would prefer: {better}.",
}

console = Console()


def why(
    match: Annotated[str, typer.Argument(help="ID of the match.")],
    version: Annotated[int, typer.Argument(help="Version of the move, as `watch` prints it.")],
    token: Annotated[
        str, typer.Option(help="Ask as the player with this token, by default as a spectator.")
    ] = "",
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
    *,
    json: Json = False,
) -> None:
    """Ask a bot why it made a move, as far as you may know it."""
    with exiting(console, url):
        player = RemotePlayer(url, "Spectator", token)
        answer = asked(player, match, version)
        if json:
            print_json(answer)
        else:
            console.print(in_words(answer, speaker_of(player.get(f"/matches/{match}"))))


def asked(player: RemotePlayer, match: str, version: int) -> dict[str, Any]:
    """Return why a bot made the move of a version; raises `RequestRefused`."""
    return player.get(f"/matches/{match}/why?version={version}")


def in_words(answer: Mapping[str, Any], speaker: Speaker) -> Text:
    """Return the answer as one line."""
    better = answer["better"] and speaker.command(answer["better"])
    compared = CHOICES.get(answer["choice"] or "", "").format(better=better)
    name = (f"{speaker.name(answer['seat'])}: ", "bold")
    return Text.assemble(name, answer["reason"]["words"], f" {compared}" if compared else "")
