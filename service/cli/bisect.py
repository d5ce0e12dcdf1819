"""`shiplog bisect`: find the first version where a condition holds, in one match or in many."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer
from rich.progress import track
from rich.table import Table
from rich.text import Text

from games import GAMES
from replay.bisect import Bisected, Turning
from replay.bisect import bisect as bisected
from replay.condition import BadCondition, Condition
from service.cli.options import Json, Of, Seat, Spectator
from service.cli.output import FOUND, err, out, print_json
from service.cli.records import short, style_of, who
from service.cli.sources import sight_of, sources


class Hit(msgspec.Struct, frozen=True):
    """A log in which a condition held, in the output of `--json`."""

    log: str
    found: Bisected


def bisect(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG… WHEN",
            help="IDs of matches or exported files, then a condition in JMESPath.",
        ),
    ],
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Every version where it changes, not only the first.")
    ] = False,
    store: Annotated[
        bool, typer.Option("--store", help="All matches in the service's log.")
    ] = False,
    of: Of = "game",
    seat: Seat = None,
    spectator: Spectator = False,
    json: Json = False,
) -> None:
    """Find where a condition holds, such as 'damage[0] > `2`'. Exits with 1 if it never does."""
    *names, when = words
    if store == bool(names):
        raise typer.BadParameter("Name logs before the condition, or use --store.")
    hits: list[Hit] = []
    with sources() as source:
        try:
            Condition(when)
            chosen = source.matches() if store else names
            for name in track(
                chosen, "looking", console=err, transient=True, disable=len(chosen) < 2
            ):
                lines, _ = source.lines(name)
                sight = sight_of(lines, seat, spectator=spectator)
                found = bisected(GAMES, lines, sight, when, subject=of, every=every)
                if found.first is not None:
                    hits.append(Hit(name, found))
        except BadCondition as error:
            raise typer.BadParameter(str(error)) from None
    if json:
        print_json(hits)
    else:
        out.print(table(hits))
    if not hits:
        raise typer.Exit(FOUND)


def table(hits: Sequence[Hit]) -> Table:
    """Return a table of the versions where a condition began or ceased to hold."""
    laid = Table("log", "v", "at", "by", "command", "holds", box=None, pad_edge=False)
    for hit in hits:
        first = [] if hit.found.first is None else [hit.found.first]
        for turning in hit.found.changes or first:
            style = style_of(turning.record.undone_by)
            laid.add_row(*(Text(text, style) for text in _row(hit.log, turning)))
    return laid


def _row(log: str, turning: Turning) -> tuple[str, ...]:
    record = turning.record
    command = "" if record.command is None else short(record.command)
    holds = "yes" if turning.holds else "no"
    return log, str(record.v), record.at[11:23], who(record.by), command, holds
