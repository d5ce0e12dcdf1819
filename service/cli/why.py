"""`shiplog why`: ask a bot why it made a move."""

from typing import Annotated

import typer

from service.cli.options import Json
from service.cli.output import Terminal, print_json
from service.cli.reasons import asked, in_words
from service.cli.remote import RemotePlayer, exiting
from service.cli.scene import speaker_of

console = Terminal()


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
