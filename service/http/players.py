"""Players: guests, their names and tokens."""

from typing import Any

import msgspec
from litestar import Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from service.base.problems import forbidden, not_found
from service.http.callers import Callers
from service.play.players import Caller, Name
from service.process.context import Context
from service.process.erasure import erase


class NewPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """A guest to be."""

    name: Name


class Welcome(msgspec.Struct):
    """A player's id and token. The token is shown this once: keep it."""

    player: str
    token: str


class PlayerView(msgspec.Struct):
    """What others see of a player."""

    player: str
    name: str


class Profile(PlayerView):
    """What a player sees of itself."""

    roles: list[str]
    created: str


@post("/players", status_code=201, tags=["players"], operation_id="createPlayer", security=[])
async def create_player(
    request: Request[Any, Any, Any],
    data: JSONBody[NewPlayer],
    callers: NamedDependency[Callers],
    context: NamedDependency[Context],
) -> Welcome:
    """Come in as a guest."""
    await callers.guest(request)
    player, token = await context.players.create(data.name)
    return Welcome(player, token)


@get("/players/me", tags=["players"], operation_id="getMe")
async def get_me(caller: NamedDependency[Caller], context: NamedDependency[Context]) -> Profile:
    """Show the caller's own record."""
    record = await context.players.get(caller.player)
    if record is None:
        raise not_found("player")
    return Profile(caller.player, record.name, list(record.roles), record.created)


@patch("/players/me", tags=["players"], operation_id="renameMe")
async def rename_me(
    data: JSONBody[NewPlayer], caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> PlayerView:
    """Change the caller's name, in all matches at once."""
    await context.players.rename(caller.player, data.name)
    return PlayerView(caller.player, data.name)


@post("/players/me/token", status_code=201, tags=["players"], operation_id="renewToken")
async def renew_token(
    caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> Welcome:
    """End all of the caller's tokens and give a new one."""
    return Welcome(caller.player, await context.players.rotate(caller.player))


@delete("/players/me/token", tags=["players"], operation_id="revokeMyTokens")
async def revoke_my_tokens(
    caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> None:
    """End all of the caller's tokens, this one too. A guest can't come back: only an operator gives a new one."""
    await context.players.revoke(caller.player)


@delete("/players/{player:str}/token", tags=["players"], operation_id="revokeTokens")
async def revoke_tokens(
    player: FromPath[str], caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> None:
    """End all tokens of a player, an officer's too: for operators, when one was stolen."""
    if caller.operator is None:
        raise forbidden("only an operator ends another's tokens")
    await context.players.revoke(player)


@delete("/players/me", tags=["players"], operation_id="eraseMe")
async def erase_me(caller: NamedDependency[Caller], context: NamedDependency[Context]) -> None:
    """Erase the caller's name, identity, tokens and talk, for good. Matches keep the bare id."""
    await erase(context, caller.player)


@delete("/players/{player:str}", tags=["players"], operation_id="erasePlayer")
async def erase_player(
    player: FromPath[str], caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> None:
    """Erase a player's name, identity, tokens and talk, for good: for operators."""
    if caller.operator is None:
        raise forbidden("only operators erase others")
    await erase(context, player)


@get("/players/{player:str}", tags=["players"], operation_id="getPlayer")
async def get_player(
    player: FromPath[str], caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> PlayerView:
    """Show a player's name."""
    names = await context.players.names([player])
    if player not in names:
        raise not_found("player")
    return PlayerView(player, names[player])


HANDLERS = (
    create_player,
    get_me,
    rename_me,
    renew_token,
    revoke_my_tokens,
    revoke_tokens,
    erase_me,
    erase_player,
    get_player,
)
