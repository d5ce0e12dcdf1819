"""`shiplog schema`: the OpenAPI document, without a service to run."""

import msgspec
import typer

from service.http.app import document


def schema() -> None:
    """Print the OpenAPI document as JSON."""
    typer.echo(msgspec.json.format(msgspec.json.encode(document()), indent=2).decode())
