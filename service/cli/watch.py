"""`shiplog watch`: follow a match in the terminal."""

from typing import Annotated

import httpx
import typer
from rich.console import Console

from service.cli.remote import RemotePlayer, RequestRefused
from service.cli.scene import OVER, show_board, show_end, show_news

console = Console()


def watch(
    match: Annotated[str, typer.Argument(help="ID of the match.")],
    token: Annotated[
        str, typer.Option(help="Watch as the player with this token, by default as a spectator.")
    ] = "",
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
) -> None:
    """Follow a match in the terminal until it is over."""
    told = 0
    try:
        player = RemotePlayer(url, "Spectator", token)
        for shown in player.changes(match):
            if shown["version"] == told:
                continue
            told = show_news(console, player, shown, told)
            show_board(console, shown)
            if shown["status"] in OVER:
                show_end(console, shown)
                return
    except RequestRefused as error:
        console.print(f"[red]{error}[/red]")
        raise typer.Exit(1) from None
    except httpx.TransportError as error:
        console.print(f"[red]Cannot connect to {url}: {error}. Is the service running?[/red]")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        return
