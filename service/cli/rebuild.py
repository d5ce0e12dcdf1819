"""`shiplog rebuild`: build the projections anew from the logs, beside those that are read, and switch to them."""

import asyncio
from typing import Annotated

import typer
from redis.exceptions import RedisError
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from games import GAMES
from projections.rebuild import Busy, Rebuilt, RowDifference, Stopped
from projections.rebuild import rebuild as rebuild_rows
from projections.rows import Rows
from service import logs
from service.cli.sources import FOUND, MISUSED, UNREACHABLE, err, out, stop
from service.context import opened
from service.settings import Settings, load

COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
)


def rebuild(
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare the old with the new; 1 if they differ.")
    ] = False,
) -> None:
    """Fold all logs into new projections, and switch to them. Play goes on meanwhile."""
    try:
        settings = load()
        logs.configure("warning")
        rebuilt = asyncio.run(_rebuild(settings, verify=verify))
    except Stopped as error:
        stop(FOUND, f"{error}; everything is as it was")
    except Busy:
        stop(MISUSED, "another rebuild is under way")
    except RedisError as error:
        stop(MISUSED, f"the work Redis can't be reached: {error}")
    except UNREACHABLE as error:
        stop(MISUSED, str(error))
    out.print(f"{rebuilt.matches} matches folded")
    if verify:
        _report(rebuilt.differences)


async def _rebuild(settings: Settings, *, verify: bool) -> Rebuilt:
    async with opened(settings) as context:
        with Progress(*COLUMNS, console=err) as bar:
            task = bar.add_task("matches", total=None)

            def show(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            return await rebuild_rows(context.store, GAMES, Rows(context.work), show, verify=verify)


def _report(differences: list[RowDifference]) -> None:
    if not differences:
        out.print("the old projections were the same")
        return
    table = Table("index", "entry", title="what was otherwise before")
    for difference in differences:
        table.add_row(difference.key, difference.field)
    out.print(table)
    raise typer.Exit(FOUND)
