"""`shiplog watch`: follow a match in the terminal."""

from contextlib import suppress
from typing import Annotated

import typer

from service.cli.output import Terminal
from service.cli.remote import OVER, RemotePlayer, exiting
from service.cli.scene import show_board, show_end, show_news

console = Terminal()


def watch(
    match: Annotated[str, typer.Argument(help="ID of the match.")],
    token: Annotated[
        str, typer.Option(help="Watch as the player with this token, by default as a spectator.")
    ] = "",
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
) -> None:
    """Follow a match in the terminal until it is over."""
    told = 0
    with suppress(KeyboardInterrupt), exiting(console, url):
        player = RemotePlayer(url, "Spectator", token)
        for shown in player.changes(match):
            told = show_news(console, player, shown, told)
            show_board(console, shown)
            if shown["status"] in OVER:
                show_end(console, shown)
