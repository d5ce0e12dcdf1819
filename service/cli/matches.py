"""`shiplog matches`: list the matches in the log by age, player and size, and abandon some."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer
from rich.table import Column, Table

from events.chain import ChainBroken
from events.codec import Unreadable
from events.record import at_text
from events.store import StoreError
from games import GAMES
from games.game import Illegal
from games.match.clocks import SECOND
from games.match.commands import Abandon, Actor
from games.match.model import Match, Status
from projections.folded import Folded, UnknownGame
from service.base.clock import now_micros
from service.base.problems import Problem
from service.cli.options import Json
from service.cli.output import FOUND, err, out, print_json
from service.cli.sources import sources
from service.play.matches import Submission
from service.process.context import Context

HOUR_S = 3_600
OPERATOR = Actor(operator="p_console")
"""The operator who abandons matches here. Nobody has a token of this player."""

app = typer.Typer(no_args_is_help=True, add_completion=False)


class LoggedMatch(msgspec.Struct, frozen=True):
    """A match in the log."""

    match: str
    game: str
    status: Status
    creator: str
    opened: str
    records: int
    bytes: int
    """Size of its records."""


class Filter(msgspec.Struct, frozen=True):
    """Which matches to list."""

    status: Status | None
    player: str | None
    """ID of a player who created it or has a seat."""
    opened_until: int
    """Latest time of its creation (microseconds since 1970)."""
    bytes_min: int

    def fits(self, found: Match) -> bool:
        """Return whether a match is to be listed, apart from its size."""
        players = {found.header.creator, *(chair.player for chair in found.chairs)}
        return (
            self.status in (None, found.status)
            and (self.player is None or self.player in players)
            and found.opened <= self.opened_until
        )


@app.callback()
def matches() -> None:
    """List the matches in the log by age, player and size, and abandon some."""


@app.command("list")
def list_(
    *,
    waiting: Annotated[
        bool, typer.Option("--waiting", help="Only matches that wait for players.")
    ] = False,
    running: Annotated[bool, typer.Option("--running", help="Only running matches.")] = False,
    player: Annotated[
        str | None,
        typer.Option(
            "--player", metavar="ID", help="Only matches that this player created or sits in."
        ),
    ] = None,
    older: Annotated[
        float, typer.Option(min=0, metavar="HOURS", help="Only matches created before that time.")
    ] = 0,
    larger: Annotated[
        int, typer.Option(min=0, metavar="BYTES", help="Only matches of at least this size.")
    ] = 0,
    json: Json = False,
) -> None:
    """List the matches in the log, the largest first. Archived ones are not in the log."""
    if waiting and running:
        raise typer.BadParameter("Use one of --waiting, --running.")
    status: Status | None = "waiting" if waiting else "running" if running else None
    until = now_micros() - int(older * HOUR_S * SECOND)
    with sources() as source:
        context = source.open()
        found = source.run(listed(context, Filter(status, player, until, larger)))
    if json:
        print_json(msgspec.to_builtins(found))
    else:
        _print(found)


@app.command()
def abandon(
    names: Annotated[list[str], typer.Argument(metavar="MATCH...", help="IDs of matches.")],
    *,
    reason: Annotated[str, typer.Option(help="Why; it is recorded in the log of the match.")],
    running: Annotated[
        bool, typer.Option("--running", help="Also abandon matches that have started.")
    ] = False,
) -> None:
    """Abandon matches that wait for players. They leave the log when they are archived.

    Exits with 1 if some were not abandoned.
    """
    if not reason.strip() or len(reason) > 200:
        raise typer.BadParameter("--reason must have 1 to 200 characters.")
    refused = False
    with sources() as source:
        context = source.open()
        for name in names:
            try:
                why = source.run(_abandon(context, name, reason.strip(), running=running))
            except (Illegal, Problem, StoreError) as error:
                why = str(error)
            refused = refused or bool(why)
            out.print(f"{name}: {why or 'abandoned'}")
    if refused:
        raise typer.Exit(FOUND)


async def listed(context: Context, chosen: Filter) -> list[LoggedMatch]:
    """List the matches in the log that fit, the largest first; raises `Unavailable`.

    They are read from the log itself, so that this works without the work Redis. Logs that this
    release cannot fold are left to the audit.
    """
    live = context.store.live
    found: dict[str, LoggedMatch] = {}
    async for name in live.matches():
        lines = await live.read(name)
        size = sum(map(len, lines))
        if not lines or size < chosen.bytes_min:
            continue
        try:
            match = Folded.of(GAMES, lines).match
        except (UnknownGame, Unreadable, ChainBroken) as error:
            err.print(f"{name}: {error}")
            continue
        if chosen.fits(match):
            creator, opened = match.header.creator, at_text(match.opened)
            found[name] = LoggedMatch(
                name, match.game.slug, match.status, creator, opened, len(lines), size
            )
    return sorted(found.values(), key=lambda one: (-one.bytes, one.match))


async def _abandon(context: Context, match: str, reason: str, *, running: bool) -> str:
    """Abandon a match. Return why it was not, or an empty text."""
    cached = await context.cache.get(match)
    status = cached.match.status
    if status == "running" and not running:
        return "has started; abandon it with --running"
    if status not in ("waiting", "running"):
        return f"is {status} already"
    version = cached.folded.version
    sent = Submission(OPERATOR, f"console-{version}", Abandon(reason))
    done = await context.matches.play_at(cached, sent, version)
    return "" if done else "has changed meanwhile; try again"


def _print(found: Sequence[LoggedMatch]) -> None:
    names = ("match", "game", "status", "creator", "opened", "records", "bytes")
    table = Table(*(Column(name, no_wrap=True) for name in names))
    for one in found:
        table.add_row(*map(str, msgspec.structs.astuple(one)))
    out.print(table)
    out.print(f"{len(found)} matches, {sum(one.bytes for one in found):,} bytes")
