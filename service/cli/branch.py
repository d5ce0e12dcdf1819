"""`shiplog branch`: create a match that continues from a version of another."""

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
from service.cli.options import Json, Log
from service.cli.output import FOUND, out, print_json, stop
from service.cli.sources import Sources, is_file, sources
from service.http.access import MatchAccess
from service.play.caller import Caller
from service.play.match_cache import CachedMatch
from service.process.context import Context

Version = Annotated[
    int, typer.Argument(min=1, help="In the numbers of the seat, or else of the log.")
]
Seat = Annotated[
    int | None,
    typer.Option("--seat", min=0, help="Keep what this seat knew, and deal the rest anew."),
]
Bots = Annotated[str | None, typer.Option("--bots", help="Fill all seats with bots of this level.")]
Player = Annotated[str, typer.Option("--player", help="Creator of the match, by id.")]


class Branched(msgspec.Struct, frozen=True):
    """The output of `--json`."""

    match: str
    join_code: str | None
    branch: Lineage | None


def branch(
    log: Log,
    version: Version,
    *,
    seat: Seat = None,
    bots: Bots = None,
    private: Annotated[bool, typer.Option("--private", help="Keep it out of the lobby.")] = False,
    player: Player = "operator",
    json: Json = False,
) -> None:
    """Continue from an earlier version in a new match in the service's log.

    Without a seat, everything stays as it was. The match of a file must be in the service's log:
    use `shiplog import --keep` first.
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
        out.print(f"{made.match}{code} continues from {parent}, version {version}")


def _kept(source: Sources, log: str) -> str:
    """Return the id of the match in the service's log, after comparing a file with it.

    Raises `NoLog`, `Taken`.
    """
    if not is_file(log):
        return log
    lines, _ = source.lines(log)
    list(follow(lines))
    match = unseal_header(lines[0]).events[0].match
    kept, _ = source.lines(match)
    if kept[: len(lines)] != lines:
        raise Taken(f"The log of {match} in the service differs from {log}.")
    return match


async def _opened(
    context: Context, command: BranchMatch, caller: Caller, bots: str | None
) -> Branched:
    parent = await context.cache.get(command.parent)
    _check(parent, command.seat, bots)
    cached = await context.matches.branch(caller, parent, command, None, context.readers)
    header = cached.match.header
    for place in range(header.seats if bots else 0):
        await context.matches.play(cached, caller, AddBot(place, bots or ""), secrets.token_hex(8))
    access = MatchAccess(context.cache, context.keys, context.invitations)
    code = access.join_code(header.match) if header.private else None
    return Branched(header.match, code, lineage(header))


def _check(parent: CachedMatch, seat: int | None, bots: str | None) -> None:
    seats, players = parent.match.header.seats, parent.match.game.players
    if seat is not None and seat >= seats:
        raise typer.BadParameter(f"Seat must be between 0 and {seats - 1}, got {seat}.")
    if bots is not None and bots not in players.bots:
        raise typer.BadParameter(
            f"Unknown level {bots!r}. Levels of the bots: {', '.join(players.levels)}."
        )
