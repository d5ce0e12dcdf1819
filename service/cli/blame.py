"""`shiplog blame`: show which record set a path, by which command and rule."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from games import GAMES
from replay.blame import BadPath, Change
from replay.blame import blame as blamed
from service.cli.options import At, Json, Log, Of, Seat, Spectator
from service.cli.output import FOUND, out, print_json
from service.cli.records import facts_table, kind_of, short, style_of, who
from service.cli.sources import history_as_seen


def blame(
    log: Log,
    path: Annotated[str, typer.Argument(help="JSON Pointer, such as /ships/0.")],
    *,
    at: At = None,
    causes: Annotated[
        bool, typer.Option("--causes", help="Also show what the rule read, and who set that.")
    ] = False,
    of: Of = "game",
    seat: Seat = None,
    spectator: Spectator = False,
    json: Json = False,
) -> None:
    """Show all records that set a path, latest first; undone ones are struck out.

    Exits with 1 if the path never existed.
    """
    with history_as_seen(log, seat, spectator=spectator) as (history, sight):
        try:
            found = blamed(GAMES, history.lines, sight, path, of, at=at, causes=causes)
        except BadPath as error:
            raise typer.BadParameter(str(error)) from None
    if json:
        print_json(found)
    else:
        out.print(table(found.history[::-1], found.set_by))
        if found.facts and found.set_by is not None:
            out.print(f"\nRead by the rule in record {found.set_by.record.v}:")
            out.print(facts_table(found.facts))
    if found.set_by is None:
        raise typer.Exit(FOUND)


def table(history: Sequence[Change], set_by: Change | None) -> Table:
    """Return a table of the history; the present value is marked."""
    laid = Table(
        "", "v", "at", "by", "command", "event", "rules", "value", box=None, pad_edge=False
    )
    for change in history:
        style = style_of(change.record.undone_by)
        mark = "→" if change is set_by else ""
        laid.add_row(mark, *(Text(text, style) for text in _row(change)))
    return laid


def _row(change: Change) -> Iterator[str]:
    record = change.record
    yield str(record.v)
    yield record.at[11:23]
    yield who(record.by)
    yield "" if record.command is None else short(record.command)
    yield "" if change.event is None else kind_of(change.event)
    yield " ".join(change.rules)
    yield msgspec.json.encode(change.value).decode() if change.there else "(nothing)"
