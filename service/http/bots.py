"""Bot accounts: a player creates, lists, renames and erases bots, and renews their tokens."""

import msgspec
from litestar import delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from games.wire import Time
from service.http.body import AnyRequest
from service.http.callers import Callers
from service.http.players import PlayerView, Welcome, view_of
from service.play.admission import Admission
from service.play.bot_accounts import BotAccounts
from service.play.caller import Caller
from service.play.erasure import Erasure
from service.play.names import Name
from service.play.players import Players


class NewBot(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a bot account."""

    name: Name


class BotView(PlayerView):
    """A bot account as its owner sees it."""

    created: Time


@post(
    "/bots",
    status_code=201,
    tags=["players"],
    operation_id="createBot",
    scope="bots",
    refuses=("forbidden", "bad-name", "name-taken", "not-found", "too-many-bots"),
    secret=True,
)
async def create_bot(
    request: AnyRequest,
    data: JSONBody[NewBot],
    caller: NamedDependency[Caller],
    callers: NamedDependency[Callers],
    admission: NamedDependency[Admission],
    bot_accounts: NamedDependency[BotAccounts],
) -> Welcome:
    """Create a bot account: a player of your own for a program, marked as a bot everywhere."""
    await admission.require_room()
    callers.count_guest(request.scope)
    return Welcome(*await bot_accounts.create(caller.player, data.name))


@get("/bots", tags=["players"], operation_id="listBots", scope="bots")
async def list_bots(
    caller: NamedDependency[Caller], bot_accounts: NamedDependency[BotAccounts]
) -> list[BotView]:
    """List your bot accounts, oldest first."""
    found = await bot_accounts.of(caller.player)
    return [
        BotView(bot, one.name, one.owner, bool(one.own_name), one.created) for bot, one in found
    ]


@patch(
    "/bots/{bot:str}",
    tags=["players"],
    operation_id="renameBot",
    scope="bots",
    refuses=("not-found", "bad-name", "name-taken"),
)
async def rename_bot(
    request: AnyRequest,
    bot: FromPath[str],
    data: JSONBody[NewBot],
    caller: NamedDependency[Caller],
    callers: NamedDependency[Callers],
    bot_accounts: NamedDependency[BotAccounts],
    players: NamedDependency[Players],
) -> PlayerView:
    """Change the name of a bot of yours, in all matches at once.

    It counts as a new guest, since each name of its own leaves a mark in the log's Redis.
    """
    callers.count_guest(request.scope)
    await bot_accounts.require(caller.player, bot)
    await players.rename(bot, data.name)
    return await view_of(players, bot)


@post(
    "/bots/{bot:str}/token",
    status_code=201,
    tags=["players"],
    operation_id="renewBotToken",
    scope="bots",
    refuses=("not-found",),
    secret=True,
)
async def renew_bot_token(
    bot: FromPath[str],
    caller: NamedDependency[Caller],
    bot_accounts: NamedDependency[BotAccounts],
    players: NamedDependency[Players],
) -> Welcome:
    """Revoke all tokens of a bot of yours and return a new one."""
    await bot_accounts.require(caller.player, bot)
    return Welcome(bot, await players.rotate(bot))


@delete(
    "/bots/{bot:str}/token",
    tags=["players"],
    operation_id="revokeBotTokens",
    scope="bots",
    refuses=("not-found",),
)
async def revoke_bot_tokens(
    bot: FromPath[str],
    caller: NamedDependency[Caller],
    bot_accounts: NamedDependency[BotAccounts],
    players: NamedDependency[Players],
) -> None:
    """Revoke all tokens of a bot of yours. It can be given another one later."""
    await bot_accounts.require(caller.player, bot)
    await players.revoke(bot)


@delete(
    "/bots/{bot:str}",
    tags=["players"],
    operation_id="eraseBot",
    scope="bots",
    refuses=("not-found",),
)
async def erase_bot(
    bot: FromPath[str],
    caller: NamedDependency[Caller],
    bot_accounts: NamedDependency[BotAccounts],
    erasure: NamedDependency[Erasure],
) -> None:
    """Erase the name, tokens and talk of a bot of yours for good. Matches keep only the id."""
    await bot_accounts.require(caller.player, bot)
    await erasure.erase(bot)


HANDLERS = (create_bot, list_bots, rename_bot, renew_bot_token, revoke_bot_tokens, erase_bot)
