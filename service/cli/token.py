"""`shiplog token`: players with a role, and the ends of tokens, by whoever has the secrets."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from service.base import logs
from service.base.problems import Problem
from service.base.settings import load
from service.cli.sources import MISUSED, UNREACHABLE, stop
from service.play.players import Players, Role
from service.process.context import opened

T = TypeVar("T")

ROLES: dict[str, Role] = {"operator": "operator", "auditor": "auditor"}


def token(
    role: Annotated[
        list[str] | None, typer.Option(help="operator or auditor; may be given twice.")
    ] = None,
    name: Annotated[str, typer.Option(help="Who it is for.")] = "officer",
    rotate: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="End a player's tokens; print a new one.")
    ] = None,
    revoke: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="End a player's tokens.")
    ] = None,
) -> None:
    """Make a player with roles, and print its id and token; or end a player's tokens."""
    if sum(map(bool, (role, rotate, revoke))) != 1:
        raise typer.BadParameter("give one of --role, --rotate, --revoke")
    if unknown := set(role or ()) - ROLES.keys():
        raise typer.BadParameter(f"no such role: {', '.join(sorted(unknown))}")
    if role:
        roles: tuple[Role, ...] = tuple(ROLES[one] for one in role)
        player, made = _with_players(lambda players: players.create(name, roles=roles))
        typer.echo(f"{player} {made}")
    elif rotate:
        typer.echo(f"{rotate} {_with_players(lambda players: players.rotate(rotate))}")
    elif revoke:
        _with_players(lambda players: players.revoke(revoke))
        typer.echo(f"{revoke} has no tokens any more")


def _with_players(work: Callable[[Players], Awaitable[T]]) -> T:
    async def run() -> T:
        async with opened(load()) as context:
            return await work(context.players)

    logs.configure("warning")
    try:
        return asyncio.run(run())
    except (*UNREACHABLE, Problem) as error:
        stop(MISUSED, str(error))
