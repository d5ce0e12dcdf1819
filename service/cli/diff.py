"""`shiplog diff`: what changed between two versions of a match, as a JSON Patch."""

from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from games import GAMES
from replay.diff import Operation
from replay.diff import diff as patch_between
from service.cli.sources import Json, Log, Seat, Spectator, out, print_json, sight_of, sources

COLOURS = {"add": "green", "remove": "red", "replace": "yellow", "move": "cyan"}


def diff(
    log: Log,
    start: Annotated[int, typer.Argument(min=1, help="Version to start from.")],
    end: Annotated[int, typer.Argument(min=1, help="Version to come to.")],
    *,
    seat: Seat = None,
    spectator: Spectator = False,
    json: Json = False,
) -> None:
    """Show what changed between two versions: of everything, or as a seat or a spectator saw it."""
    with sources() as source:
        lines, _ = source.lines(log)
        sight = sight_of(lines, seat, spectator=spectator)
        patch = patch_between(GAMES, lines, sight, start, end)
    if json:
        print_json(patch)
    else:
        out.print(table_of(patch))


def table_of(patch: list[Operation]) -> Table:
    """Lay out a patch: operation, path, value."""
    table = Table("", "path", "value", box=None, pad_edge=False)
    for operation in patch:
        kind = operation["op"]
        value = operation.get("from") if kind == "move" else operation.get("value")
        text = "" if kind == "remove" else msgspec.json.encode(value).decode()
        table.add_row(Text(kind, COLOURS.get(kind, "")), Text(operation["path"]), Text(text))
    return table
