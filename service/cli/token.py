"""`shiplog token`: create players with roles, and renew or revoke tokens."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from service.base import logs
from service.base.problems import Problem
from service.base.settings import Settings
from service.cli.output import MISUSED, stop
from service.cli.sources import UNREACHABLE, of_service
from service.play.player_record import Role
from service.play.players import Players
from service.process.context import opened

T = TypeVar("T")

ROLES: dict[str, Role] = {"operator": "operator", "auditor": "auditor"}


def token(
    role: Annotated[
        list[str] | None, typer.Option(help="operator or auditor; may be repeated.")
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the player.")] = "officer",
    rotate: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="Revoke a player's tokens and print a new one."),
    ] = None,
    revoke: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Revoke a player's tokens.")
    ] = None,
) -> None:
    """Create a player with roles and print its id and token; or revoke a player's tokens."""
    if sum(map(bool, (role, rotate, revoke))) != 1:
        raise typer.BadParameter("Use one of --role, --rotate, --revoke.")
    if unknown := set(role or ()) - ROLES.keys():
        raise typer.BadParameter(
            f"Unknown role: {', '.join(sorted(unknown))}. Roles: {', '.join(ROLES)}."
        )
    if role:
        roles: tuple[Role, ...] = tuple(ROLES[one] for one in role)
        player, made = _with_players(lambda players: players.create(name, roles=roles))
        typer.echo(f"{player} {made}")
    elif rotate:
        typer.echo(f"{rotate} {_with_players(lambda players: players.rotate(rotate))}")
    elif revoke:
        _with_players(lambda players: players.revoke(revoke))
        typer.echo(f"Revoked all tokens of {revoke}.")


def _with_players(work: Callable[[Players], Awaitable[T]]) -> T:
    async def run(settings: Settings) -> T:
        async with opened(settings) as context:
            return await work(context.players)

    logs.configure("warning")
    try:
        return asyncio.run(run(of_service()))
    except (*UNREACHABLE, Problem) as error:
        stop(MISUSED, error)
