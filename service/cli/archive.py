"""`shiplog archive`: move matches that are over from the log's Redis to the archive."""

from typing import Annotated

import msgspec
import typer
from rich.progress import track

from events.chain import ChainBroken
from events.codec import Unreadable
from events.store import StoreError
from projections.folded import UnknownGame
from service.cli.sources import FOUND, MISUSED, Json, err, out, print_json, sources, stop
from service.process.archiving import NotOver, retire

Names = Annotated[list[str] | None, typer.Argument(metavar="MATCH…", help="Matches' ids.")]
After = Annotated[
    int | None,
    typer.Option("--after", min=0, metavar="SECONDS", help="How long they must have been over."),
]


class Archived(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    moved: list[str]
    failed: dict[str, str]
    """By match that stays though it is over, the reason."""


def archive(names: Names = None, *, after: After = None, json: Json = False) -> None:
    """Move what is over, or the named matches of it; each is read back before it is removed.

    Without names it takes what has been over for as long as SHIPLOG_ARCHIVE_AFTER_S says. Exits with 1 if a match
    could not be moved. The service may run meanwhile.
    """
    with sources() as source:
        context = source.open()
        store = context.store
        if store.archive is None:
            stop(MISUSED, "no archive is set (SHIPLOG_ARCHIVE)")
        default = 0 if names else context.settings.archive_after_s
        wait = default if after is None else after
        done = Archived([], {})
        chosen = list(names or ()) or source.matches(live=True)
        quiet = len(chosen) < 2 or not err.is_terminal
        for match in track(chosen, "archiving", console=err, transient=True, disable=quiet):
            try:
                if source.run(retire(store, context.keys, match, wait)):
                    done.moved.append(match)
            except NotOver:
                if names:
                    done.failed[match] = "it is not over"
            except (ChainBroken, StoreError, Unreadable, UnknownGame, ValueError) as error:
                done.failed[match] = str(error)
    if json:
        print_json(done)
    else:
        out.print(f"{len(done.moved)} matches moved", highlight=False)
        for match, why in done.failed.items():
            err.print(f"{match}: {why}", style="red", highlight=False, markup=False)
    if done.failed:
        raise typer.Exit(FOUND)
