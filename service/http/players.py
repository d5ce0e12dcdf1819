"""Players: guests, names, tokens, erasure."""

import msgspec
from litestar import delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from games.wire import Time
from service.base.problems import forbidden, not_found
from service.http.body import AnyRequest
from service.http.callers import Callers
from service.http.user_agent import device_of
from service.play.admission import Admission
from service.play.caller import Caller
from service.play.erasure import Erasure
from service.play.names import Name
from service.play.players import Players


class NewPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a player."""

    name: Name


class Welcome(msgspec.Struct):
    """The id and token of a player. The token is shown only once: keep it."""

    player: str
    token: str


class PlayerView(msgspec.Struct):
    """A player as others see it."""

    player: str
    name: str
    owner: str | None
    """Bot accounts: the player who owns the bot. Null for people."""
    owns_name: bool
    """Whether the name is the player's own: nobody else may take one that looks the same. Players
    who can come back own theirs.
    """


class Profile(PlayerView):
    """A player as it sees itself."""

    roles: list[str]
    created: Time
    has_recovery_code: bool
    """Whether there is a recovery code, with which you can sign in if all devices are lost."""
    passkeys: int
    """Number of passkeys, with which you can sign in too."""
    has_mail: bool
    """Whether there is a confirmed e-mail address, to which a link to sign in can be sent."""
    has_identity: bool
    """Whether you can sign in with an identity provider."""
    suggested_name: str | None
    """A free name to change to, if yours belongs to another player; else null."""


async def view_of(players: Players, player: str) -> PlayerView:
    """Return a player as others see it; raises `Problem` 404."""
    names, record = await players.names([player]), await players.get(player)
    if record is None:
        raise not_found("player")
    return PlayerView(player, names[player], record.owner or None, bool(record.own_name))


@post(
    "/players",
    status_code=201,
    tags=["players"],
    operation_id="createPlayer",
    refuses=("bad-name", "name-taken"),
    secret=True,
)
async def create_player(
    request: AnyRequest,
    data: JSONBody[NewPlayer],
    callers: NamedDependency[Callers],
    admission: NamedDependency[Admission],
) -> Welcome:
    """Create a guest. The name must not be another player's own, nor look like one."""
    await admission.require_room()
    return Welcome(*await callers.create_guest(request.scope, data.name))


@get("/players/me", tags=["players"], operation_id="getMe", refuses=("not-found",))
async def get_me(caller: NamedDependency[Caller], players: NamedDependency[Players]) -> Profile:
    """Return the caller's own player."""
    record = await players.get(caller.player)
    if record is None:
        raise not_found("player")
    return Profile(
        caller.player,
        record.name,
        record.owner or None,
        bool(record.own_name),
        list(record.roles),
        record.created,
        bool(record.code_lead),
        len(record.passkeys),
        record.mailbox is not None and record.mailbox.confirmed,
        record.identity is not None or bool(record.external),
        None if record.own_name else await players.suggested_name(caller.player),
    )


@patch(
    "/players/me",
    tags=["players"],
    operation_id="renameMe",
    scope="account",
    refuses=("not-found", "bad-name", "name-taken"),
)
async def rename_me(
    request: AnyRequest,
    data: JSONBody[NewPlayer],
    caller: NamedDependency[Caller],
    callers: NamedDependency[Callers],
    players: NamedDependency[Players],
) -> PlayerView:
    """Change the caller's name, in all matches at once. If it was the caller's own, it is free now.

    It counts as a new guest, since each name of one's own leaves a mark in the log's Redis.
    """
    callers.count_guest(request.scope)
    await players.rename(caller.player, data.name)
    return await view_of(players, caller.player)


@post(
    "/players/me/token",
    status_code=201,
    tags=["players"],
    operation_id="renewToken",
    scope="account",
    secret=True,
    refuses=("not-found",),
)
async def renew_token(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    players: NamedDependency[Players],
) -> Welcome:
    """End all devices, tokens and other ways to sign in, and return a new token.

    Passkeys, the recovery code, the e-mail address and a linked identity end too: a thief may have
    added them.
    """
    return Welcome(caller.player, await players.rotate(caller.player, device_of(request.scope)))


@delete(
    "/players/me/token",
    tags=["players"],
    operation_id="revokeMyTokens",
    scope="account",
    refuses=("not-found",),
)
async def revoke_my_tokens(
    caller: NamedDependency[Caller], players: NamedDependency[Players]
) -> None:
    """End all devices, tokens and other ways to sign in, this token included.

    After that only an operator can issue another one.
    """
    await players.revoke(caller.player)


@delete(
    "/players/{player:str}/token",
    tags=["players"],
    operation_id="revokeTokens",
    scope="officer",
    refuses=("forbidden", "not-found"),
)
async def revoke_tokens(
    player: FromPath[str], caller: NamedDependency[Caller], players: NamedDependency[Players]
) -> None:
    """End all devices, tokens and other ways to sign in of a player or officer.

    For operators, for example after a theft.
    """
    if caller.operator is None:
        raise forbidden("Only operators may revoke the tokens of others.")
    await players.revoke(player)


@delete(
    "/players/me", tags=["players"], operation_id="eraseMe", scope="account", refuses=("not-found",)
)
async def erase_me(caller: NamedDependency[Caller], erasure: NamedDependency[Erasure]) -> None:
    """Erase the caller's name, identity, e-mail address, tokens and talk for good.

    Devices, passkeys and codes go too. Matches keep only the id.
    """
    await erasure.erase(caller.player)


@delete(
    "/players/{player:str}",
    tags=["players"],
    operation_id="erasePlayer",
    scope="officer",
    refuses=("forbidden", "not-found"),
)
async def erase_player(
    player: FromPath[str], caller: NamedDependency[Caller], erasure: NamedDependency[Erasure]
) -> None:
    """Erase a player's name, identity, tokens and talk for good. For operators."""
    if caller.operator is None:
        raise forbidden("Only operators may erase other players.")
    await erasure.erase(player)


@get("/players/{player:str}", tags=["players"], operation_id="getPlayer", refuses=("not-found",))
async def get_player(
    player: FromPath[str], caller: NamedDependency[Caller], players: NamedDependency[Players]
) -> PlayerView:
    """Return the name of a player, and whose bot it is."""
    return await view_of(players, player)


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
