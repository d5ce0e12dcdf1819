"""`shiplog inspect`: a record, and the state or view, at a version of a match."""

from typing import Annotated, Any

import jmespath
import msgspec
import typer
from jmespath.exceptions import JMESPathError
from rich.json import JSON

from games import GAMES
from replay.travel import NoSuchVersion, Sight, Step, as_of, plain, steps
from service.cli.sources import Json, Log, Seat, Spectator, out, print_json, sight_of, sources

At = Annotated[int | None, typer.Option("--at", min=1, help="Version; the last if left out.")]
Path = Annotated[str | None, typer.Option("--path", help="Only this part of it, in JMESPath.")]


def inspect(
    log: Log,
    at: At = None,
    *,
    seat: Seat = None,
    spectator: Spectator = False,
    record: Annotated[bool, typer.Option("--record", help="Show the record instead.")] = False,
    path: Path = None,
    json: Json = False,
) -> None:
    """Show the match at a version: everything, or as a seat or a spectator saw it."""
    with sources() as source:
        lines, _ = source.lines(log)
        sight = sight_of(lines, seat, spectator=spectator)
        shown = _record(lines, sight, at) if record else _picture(lines, sight, at)
    if path is not None:
        shown = _part(shown, path)
    if json:
        print_json(shown)
    else:
        out.print(JSON.from_data(shown))


def _picture(lines: list[bytes], sight: Sight, at: int | None) -> dict[str, Any]:
    number = len(lines) if at is None else at
    return plain(as_of(GAMES, lines, "full" if at is None else sight, number), sight)


def _record(lines: list[bytes], sight: Sight, at: int | None) -> Any:
    """Give the record at a version, or the last one that the sight is shown."""
    step: Step | None = None
    for step in steps(GAMES, lines, sight):
        if step.told.v == at:
            break
    if step is None or at not in (None, step.told.v):
        raise NoSuchVersion(at or 0, 0 if step is None else step.told.v)
    return msgspec.to_builtins(step.record if sight == "full" else step.told)


def _part(value: Any, path: str) -> Any:
    try:
        return jmespath.search(path, value)
    except JMESPathError as error:
        raise typer.BadParameter(str(error)) from None
