"""`shiplog schema`: print the OpenAPI document, without a running service."""

import msgspec
import typer

from service.http.documents import encoded_document


def schema() -> None:
    """Print the OpenAPI document as JSON."""
    typer.echo(msgspec.json.format(encoded_document(), indent=2).decode())
