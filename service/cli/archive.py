"""`shiplog archive`: move finished matches from the log's Redis to the archive."""

from typing import Annotated

import msgspec
import typer
from rich.progress import track

from events.chain import ChainBroken
from events.codec import Unreadable
from events.store import StoreError
from projections.folded import UnknownGame
from service.cli.options import Json
from service.cli.output import FOUND, MISUSED, err, out, print_json, stop
from service.cli.sources import sources
from service.process.archiving import NotOver, retire

Names = Annotated[list[str] | None, typer.Argument(metavar="MATCH…", help="IDs of matches.")]
After = Annotated[
    int | None,
    typer.Option("--after", min=0, metavar="SECONDS", help="How long they must have been over."),
]


class Archived(msgspec.Struct, frozen=True):
    """The output of `--json`."""

    moved: list[str]
    failed: dict[str, str]
    """Reasons, by match that could not be moved."""


def archive(names: Names = None, *, after: After = None, json: Json = False) -> None:
    """Move finished matches, all or the named ones; each is read back before it is removed.

    Without names, move those that have been over for SHIPLOG_ARCHIVE_AFTER_S. The service may run
    meanwhile. Exits with 1 if a match could not be moved.
    """
    with sources() as source:
        context = source.open()
        store = context.store
        if store.archive is None:
            stop(MISUSED, "There is no archive: set SHIPLOG_ARCHIVE.")
        default = 0 if names else context.settings.archive_after_s
        wait = default if after is None else after
        done = Archived([], {})
        chosen = list(names or ()) or source.matches(live=True)
        quiet = len(chosen) < 2 or not err.is_terminal
        for match in track(chosen, "archiving", console=err, transient=True, disable=quiet):
            try:
                if source.run(retire(store, context.keys, match, wait)):
                    done.moved.append(match)
                elif names and not source.run(store.read(match)):
                    done.failed[match] = "no such match"
            except NotOver:
                if names:
                    done.failed[match] = "it is not over"
            except (ChainBroken, StoreError, Unreadable, UnknownGame, ValueError) as error:
                done.failed[match] = str(error)
    if json:
        print_json(done)
    else:
        out.print(f"Moved {len(done.moved)} matches.")
        for match, why in done.failed.items():
            err.print(f"{match}: {why}", style="red")
    if done.failed:
        raise typer.Exit(FOUND)
