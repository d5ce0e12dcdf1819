"""`shiplog inspect`: show a record, the state or a view at a version of a match."""

from typing import Annotated, Any

import jmespath
import msgspec
import typer
from jmespath.exceptions import JMESPathError
from rich.json import JSON

from games import GAMES
from replay.condition import in_words
from replay.history import History
from replay.travel import NoSuchVersion, Sight, steps
from service.cli.options import At, Json, Log, Seat, Spectator
from service.cli.output import out, print_json
from service.cli.sources import history_as_seen

Path = Annotated[str | None, typer.Option("--path", help="Part to show, in JMESPath.")]


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
    """Show the match at a version: everything, or as a viewer saw it."""
    with history_as_seen(log, seat, spectator=spectator) as (history, sight):
        number = history.last(sight) if at is None else at
        shown = _record(history, sight, number) if record else history.plain(sight, number)
    if path is not None:
        shown = _part(shown, path)
    if json:
        print_json(shown)
    else:
        out.print(JSON.from_data(shown))


def _record(history: History, sight: Sight, number: int) -> Any:
    """Return the record at a version, as redacted for the viewer."""
    for step in steps(GAMES, history.lines, sight):
        if step.told.v == number:
            return msgspec.to_builtins(step.record if sight == "full" else step.told)
    raise NoSuchVersion(number, history.last(sight))


def _part(value: Any, path: str) -> Any:
    try:
        return jmespath.search(path, value)
    except JMESPathError as error:
        raise typer.BadParameter(in_words(error, path)) from None
