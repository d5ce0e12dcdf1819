"""`shiplog secrets`: create a secret file, for machines that do not create their own."""

import typer

from service.base.keys import fresh


def secrets() -> None:
    """Print a new secret file. Keep it safe, and use the same for all processes."""
    typer.echo(fresh(), nl=False)
