"""`shiplog serve`: run the HTTP service."""

import socket
import sys
from typing import Annotated

import typer
import uvloop

from events.folder import NoSuchPlace
from events.store import NotDurable, Unavailable
from games import GAMES, BadGame
from replay.files import check_files
from service.base import logs
from service.base.environment import load
from service.base.keys import BadSecrets
from service.base.settings import BadSetting
from service.cli.processes import serve_in_processes
from service.embedded.servers import NoServer
from service.http.server import listen
from service.http.server import serve as serve_http

Count = Annotated[
    int | None,
    typer.Option(
        "--processes",
        min=1,
        help="Number of processes behind one port. SIGHUP restarts them one by one.",
    ),
]


def serve(
    *,
    processes: Count = None,
    listener: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Serve the API until SIGTERM. Settings come from the environment (docs/settings.md).

    `listener` is the descriptor of a socket that listens, from a process that starts several.
    """
    try:
        settings = load()
        check_files(GAMES)
        logs.configure(settings.log_level)
        if processes is not None:
            raise typer.Exit(serve_in_processes(settings, processes, _tell))
        if listener is None:
            opened = listen(settings.host, settings.port)
        else:
            opened = socket.socket(fileno=listener)
        uvloop.run(serve_http(settings, opened, _tell, shared=listener is not None))
    except (
        BadGame,
        BadSetting,
        BadSecrets,
        NoSuchPlace,
        NotDurable,
        NoServer,
        Unavailable,
    ) as error:
        typer.echo(f"shiplog: {error}", err=True)
        raise typer.Exit(2) from None


def _tell(url: str) -> None:
    typer.echo(f"Shiplog is at {url}", file=sys.stdout)
