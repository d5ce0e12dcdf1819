"""`shiplog rebuild`: build new projections from the logs, and switch to them."""

import asyncio
from functools import partial
from typing import Annotated

import typer
from redis.exceptions import RedisError
from rich.progress import Progress
from rich.table import Table

from games import GAMES
from projections.rebuild import Busy, Rebuilt, RowDifference
from projections.rebuild import rebuild as rebuild_rows
from projections.refold import Stopped
from projections.rows import Rows
from service.base import logs
from service.base.settings import Settings
from service.cli.output import FOUND, MISUSED, err, out, stop
from service.cli.progress import COLUMNS
from service.cli.sources import UNREACHABLE, of_service
from service.process.context import opened
from service.process.errata import all_errata


def rebuild(
    *,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Compare the old ones with the new; exit with 1 if they differ."
        ),
    ] = False,
) -> None:
    """Fold all logs into new projections, and switch to them. Play continues meanwhile."""
    try:
        settings = of_service()
        logs.configure("warning")
        rebuilt = asyncio.run(_rebuild(settings, verify=verify))
    except Stopped as error:
        stop(FOUND, f"{str(error).removesuffix('.')}. The projections were not changed.")
    except Busy:
        stop(MISUSED, "Another rebuild is under way. Wait for its end.")
    except RedisError as error:
        stop(MISUSED, f"Cannot connect to the work Redis: {error}. Is the service running?")
    except UNREACHABLE as error:
        stop(MISUSED, error)
    out.print(f"Folded {rebuilt.matches} matches.")
    if verify:
        _report(rebuilt.differences)


async def _rebuild(settings: Settings, *, verify: bool) -> Rebuilt:
    async with opened(settings) as context:
        with Progress(*COLUMNS, console=err) as bar:
            task = bar.add_task("matches", total=None)

            def show(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            errata = partial(all_errata, context)
            rows = Rows(context.work)
            return await rebuild_rows(context.store, GAMES, rows, show, errata, verify=verify)


def _report(differences: list[RowDifference]) -> None:
    if not differences:
        out.print("The old projections were the same.")
        return
    table = Table("index", "entry", title="differences in the old projections")
    for difference in differences:
        table.add_row(difference.key, difference.field)
    out.print(table)
    raise typer.Exit(FOUND)
