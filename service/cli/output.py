"""What the verbs print, and the statuses with which they exit.

Verbs exit with 0 if all is well, with 1 if there is a finding (tampering, a difference, no such
version), with 2 if they were used wrongly or the log is unreachable, and with 3 if there is no
finding, but no known key signed a log.
"""

import sys
from typing import Any, NoReturn

import msgspec
import typer
from rich.console import Console

FOUND = 1
MISUSED = 2
UNSIGNED = 3

WHOLE = 10_000
"""Columns of output that is not a terminal: a table in a file or pipe has its values whole."""
out = Console(width=None if sys.stdout.isatty() else WHOLE)
err = Console(stderr=True)


def say(text: str) -> None:
    """Print a line as it is."""
    out.print(text, highlight=False, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def stop(status: int, message: str) -> NoReturn:
    """Exit with a message and a status."""
    err.print(f"shiplog: {message}", style="red", highlight=False, soft_wrap=True)
    raise typer.Exit(status)


def why_of(error: OSError) -> str:
    """Return what failed, and the file if the system names it: it does not if a disk is full."""
    named = f"{error.filename}: " if error.filename else ""
    return f"{named}{error.strerror}"
