"""What the verbs print, and the statuses with which they exit.

Verbs exit with 0 if all is well, with 1 if there is a finding (tampering, a difference, no such
version), with 2 if they were used wrongly or the log is unreachable, and with 3 if there is no
finding, but no known key signed a log.
"""

import sys
from collections.abc import Iterable
from typing import Any, NoReturn

import msgspec
import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

FOUND = 1
MISUSED = 2
UNSIGNED = 3

WHOLE = 10_000
"""Columns of output that is not a terminal: a table in a file or pipe has its values whole."""
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))}
"""How control characters are printed. Line feeds and tabs are printed as they are."""
del CONTROLS[ord("\n")], CONTROLS[ord("\t")]


class Terminal(Console):
    """Prints texts of logs and players as they are: they neither style nor control a terminal."""

    def __init__(self, *, width: int | None = None, stderr: bool = False) -> None:
        """Print to the standard output or error, by default as wide as the terminal."""
        super().__init__(width=width, stderr=stderr, markup=False, emoji=False, highlight=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render, with the control characters of all texts escaped."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(text.translate(CONTROLS), style)


out = Terminal(width=None if sys.stdout.isatty() else WHOLE)
err = Terminal(stderr=True)


def say(text: str) -> None:
    """Print a line, however long."""
    out.print(text, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def stop(status: int, why: str | Exception) -> NoReturn:
    """Exit with a message and a status."""
    message = why_of(why) if isinstance(why, OSError) else why
    err.print(f"shiplog: {message}", style="red", soft_wrap=True)
    raise typer.Exit(status)


def why_of(error: OSError) -> str:
    """Return what failed, and the file if the system names it: it does not if a disk is full."""
    named = f"{error.filename}: " if error.filename else ""
    return f"{named}{error.strerror or error}"
