"""`shiplog secrets`: a new secret file, for machines that don't make their own."""

import typer

from service.base.keys import fresh


def secrets() -> None:
    """Print a new secret file: keep it safe, and give the same to all processes."""
    typer.echo(fresh(), nl=False)
