"""`shiplog serve`: run the HTTP service."""

import sys

import typer
import uvloop

from events.folder import NoSuchPlace
from events.store import NotDurable, Unavailable
from service.base import logs
from service.base.keys import BadSecrets
from service.base.settings import BadSetting, load
from service.embedded.servers import NoServer
from service.http.server import serve as serve_http


def serve() -> None:
    """Serve the API until SIGTERM. Settings come from the environment (docs/settings.md)."""
    try:
        settings = load()
        logs.configure(settings.log_level)
        uvloop.run(
            serve_http(settings, lambda url: typer.echo(f"Shiplog is at {url}", file=sys.stdout))
        )
    except (BadSetting, BadSecrets, NoSuchPlace, NotDurable, NoServer, Unavailable) as error:
        typer.echo(f"shiplog: {error}", err=True)
        raise typer.Exit(2) from None
