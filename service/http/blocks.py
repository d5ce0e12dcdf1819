"""Blocked players, and matches whose talk is muted."""

from litestar import delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath

from service.http.access import MatchAccess
from service.http.matches import JoinCode
from service.http.players import PlayerView, view_of
from service.play.blocks import Blocks
from service.play.caller import Caller
from service.play.invitations import Invitations
from service.play.players import Players
from service.play.seeks import Seeks


@get(
    "/players/me/blocks",
    tags=["account"],
    operation_id="listBlocks",
    scope="account",
    refuses=("not-found",),
)
async def list_blocks(
    caller: NamedDependency[Caller],
    blocks: NamedDependency[Blocks],
    players: NamedDependency[Players],
) -> list[PlayerView]:
    """List the players whom you have blocked, in that order. Nobody else sees the list."""
    return [await view_of(players, one) for one in (await blocks.of(caller.player)).blocks]


@put(
    "/blocks/{player:str}",
    status_code=204,
    tags=["account"],
    operation_id="block",
    scope="account",
    refuses=("not-found", "own-block", "too-many-blocks"),
)
async def block(
    player: FromPath[str],
    caller: NamedDependency[Caller],
    blocks: NamedDependency[Blocks],
    invitations: NamedDependency[Invitations],
    seeks: NamedDependency[Seeks],
) -> None:
    """Block a player and that player's bots. They are not told.

    Their invitations, offers of a rematch and messages are not shown to you any more, and neither
    of you can take a place in a seek where the other has one. Seeks that you share now are left.
    """
    await blocks.block(caller.player, player)
    await invitations.drop_blocked(caller.player)
    await seeks.part(caller.player)


@delete(
    "/blocks/{player:str}",
    tags=["account"],
    operation_id="unblock",
    scope="account",
    refuses=("not-found",),
)
async def unblock(
    player: FromPath[str], caller: NamedDependency[Caller], blocks: NamedDependency[Blocks]
) -> None:
    """Unblock a player, if blocked."""
    await blocks.unblock(caller.player, player)


@get(
    "/players/me/mutes",
    tags=["account"],
    operation_id="listMutes",
    scope="account",
    refuses=("not-found",),
)
async def list_mutes(caller: NamedDependency[Caller], blocks: NamedDependency[Blocks]) -> list[str]:
    """List the ids of the matches whose talk you have muted, at most 100."""
    return list((await blocks.of(caller.player)).mutes)


@put(
    "/mutes/{match:str}",
    status_code=204,
    tags=["account"],
    operation_id="mute",
    scope="account",
    refuses=("not-found",),
)
async def mute(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    blocks: NamedDependency[Blocks],
    join_code: JoinCode = None,
) -> None:
    """Mute the talk of a match: no notice tells you of a message in it.

    The 101st muted match unmutes the first.
    """
    found = await access.find(match, caller, join_code)
    await blocks.mute(caller.player, found.cached.match.header.match)


@delete(
    "/mutes/{match:str}",
    tags=["account"],
    operation_id="unmute",
    scope="account",
    refuses=("not-found",),
)
async def unmute(
    match: FromPath[str], caller: NamedDependency[Caller], blocks: NamedDependency[Blocks]
) -> None:
    """Hear the talk of a match again."""
    await blocks.unmute(caller.player, match)


HANDLERS = (list_blocks, block, unblock, list_mutes, mute, unmute)
