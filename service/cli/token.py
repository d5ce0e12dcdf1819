"""`shiplog token`: players with a role, made by whoever has the secrets."""

import asyncio
from typing import Annotated

import typer

from service.context import opened
from service.players import Role
from service.settings import load


def token(
    role: Annotated[list[str], typer.Option(help="operator or auditor; may be given twice.")],
    name: Annotated[str, typer.Option(help="Who it is for.")] = "officer",
) -> None:
    """Make a player with roles; prints its id and token."""
    known: dict[str, Role] = {"operator": "operator", "auditor": "auditor"}
    if unknown := set(role) - known.keys():
        raise typer.BadParameter(f"no such role: {', '.join(sorted(unknown))}")
    player, made = asyncio.run(_make(name, tuple(known[one] for one in role)))
    typer.echo(f"{player} {made}")


async def _make(name: str, roles: tuple[Role, ...]) -> tuple[str, str]:
    async with opened(load()) as context:
        return await context.players.create(name, roles=roles)
