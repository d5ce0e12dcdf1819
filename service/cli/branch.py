"""`shiplog branch`: a new match that goes on from a version of another."""

import secrets
from typing import Annotated

import msgspec
import typer

from events.chain import follow
from events.codec import unseal_header
from events.store import Taken
from games.match.commands import AddBot, BranchMatch
from projections.views import Lineage, lineage
from service.base.problems import Problem
from service.cli.sources import FOUND, Json, Log, Sources, is_file, out, print_json, sources, stop
from service.http.access import join_code
from service.play.match_cache import Live
from service.play.players import Caller
from service.process.context import Context

Version = Annotated[int, typer.Argument(min=1, help="As the seat counts; without one, the log.")]
Seat = Annotated[
    int | None,
    typer.Option("--seat", min=0, help="Keep what this seat knew, and deal the rest anew."),
]
Bots = Annotated[str | None, typer.Option("--bots", help="Seat bots of this level everywhere.")]
Player = Annotated[str, typer.Option("--player", help="Who opens it, by id.")]


class Branched(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    match: str
    join_code: str | None
    branch: Lineage | None


def branch(
    log: Log,
    version: Version,
    *,
    seat: Seat = None,
    bots: Bots = None,
    private: Annotated[bool, typer.Option("--private", help="Not in the lobby.")] = False,
    player: Player = "operator",
    json: Json = False,
) -> None:
    """Go on from an earlier version in a new match, kept in the service's log.

    Without a seat everything is as it was. The match of a file must be in the service's log: `shiplog import --keep`.
    """
    with sources() as source:
        parent = _kept(source, log)
        command = BranchMatch(parent, version, seat, private=private)
        try:
            made = source.run(_opened(source.open(), command, Caller(player, ("operator",)), bots))
        except Problem as problem:
            stop(FOUND, f"{problem.code}: {problem.detail}")
    if json:
        print_json(made)
    else:
        code = "" if made.join_code is None else f" (join code {made.join_code})"
        out.print(f"{made.match}{code} goes on from {parent}, version {version}", highlight=False)


def _kept(source: Sources, log: str) -> str:
    """Name the match in the service's log; a file's must be the same. Raises `NoLog`, `Taken`."""
    if not is_file(log):
        return log
    lines, _ = source.lines(log)
    list(follow(lines))
    match = unseal_header(lines[0]).events[0].match
    kept, _ = source.lines(match)
    if kept[: len(lines)] != lines:
        raise Taken(f"{match} in the service's log is another than that of {log}")
    return match


async def _opened(
    context: Context, command: BranchMatch, caller: Caller, bots: str | None
) -> Branched:
    parent = await context.lives.get(command.parent)
    _check(parent, command.seat, bots)
    live = await context.matches.branch(caller, parent, command, None)
    header = live.match.header
    for place in range(header.seats if bots else 0):
        await context.matches.play(live, caller, AddBot(place, bots or ""), secrets.token_hex(8))
    code = join_code(context, header.match) if header.private else None
    return Branched(header.match, code, lineage(header))


def _check(parent: Live, seat: int | None, bots: str | None) -> None:
    seats, levels = parent.match.header.seats, list(parent.match.game.bots)
    if seat is not None and seat >= seats:
        raise typer.BadParameter(f"the seats are 0 to {seats - 1}")
    if bots is not None and bots not in levels:
        raise typer.BadParameter(f"the bots' levels are {', '.join(levels)}")
