"""`shiplog diff`: show the changes between two versions, in words or as a JSON Patch."""

from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from games.wire import PatchOperation
from replay.diff import diff as difference
from service.cli.options import Json, Log, Seat, Spectator
from service.cli.output import FOUND, out, print_json, say
from service.cli.sources import history_as_seen

COLOURS = {"add": "green", "remove": "red", "replace": "yellow", "move": "cyan"}


def diff(
    log: Log,
    start: Annotated[int, typer.Argument(min=1, help="First version.")],
    end: Annotated[int, typer.Argument(min=1, help="Second version.")],
    *,
    seat: Seat = None,
    spectator: Spectator = False,
    patch: Annotated[bool, typer.Option("--patch", help="Print a JSON Patch (RFC 6902).")] = False,
    json: Json = False,
) -> None:
    """Show the changes between two versions, of everything or as a viewer saw it.

    Exits with 1 if there are any.
    """
    with history_as_seen(log, seat, spectator=spectator) as (history, sight):
        found = difference(history, sight, start, end)
    if json:
        print_json(found)
    elif patch:
        out.print(table_of(found.patch))
    else:
        for line in found.words:
            say(line)
    if found.patch:
        raise typer.Exit(FOUND)


def table_of(patch: list[PatchOperation]) -> Table:
    """Return a table of a patch: operation, path, value."""
    table = Table("", "path", "value", box=None, pad_edge=False)
    for operation in patch:
        kind = operation["op"]
        value = operation.get("from") if kind == "move" else operation.get("value")
        text = "" if kind == "remove" else msgspec.json.encode(value).decode()
        table.add_row(Text(kind, COLOURS.get(kind, "")), Text(operation["path"]), Text(text))
    return table
