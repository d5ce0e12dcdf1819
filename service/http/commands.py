"""Commands: the one way to change a match."""

from functools import cache
from typing import Annotated, Any, Union

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter

from games.game import AnyGame
from games.match.commands import PlayerCommand
from service.base.decoding import decode
from service.http.access import MatchAccess, parse_version
from service.http.body import AnyRequest, encoded
from service.http.matches import ETAG, RECEIPT, JoinCode, Key
from service.http.preferences import (
    MINIMAL,
    PREFERENCE_APPLIED,
    WITH_RECEIPT,
    headers_of,
    preferred,
)
from service.play.caller import Caller, Need
from service.play.match_cache import CachedMatch
from service.play.matches import Accepted, Matches
from service.play.receipts import Receipts

ENCODER = msgspec.json.Encoder()
SCOPE: Need = "play"
"""The scope that a token needs for commands."""


@cache
def decoder(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """Return the decoder of the commands that clients may send to a match of a game."""
    commands: Any = Union[PlayerCommand, game.Command]  # noqa: UP007 - a value
    return msgspec.json.Decoder(commands)


class Commands:
    """Takes commands. One part with all that the most frequent call needs."""

    def __init__(self, access: MatchAccess, matches: Matches, receipts: Receipts) -> None:
        """Find matches for callers, play their commands, and sign receipts."""
        self._access = access
        self._matches = matches
        self._receipts = receipts

    async def send(
        self,
        match: str,
        caller: Caller,
        body: bytes | msgspec.Raw,
        *,
        key: str | None,
        version: int | None,
        code: str | None,
        within: str = "",
    ) -> tuple[Accepted, CachedMatch]:
        """Decode and decide a command, for one version only if one is given; raises `Problem`.

        `within` points to the command in what the client has sent.
        """
        cached = await self._access.find_whole(match, caller, code)
        command = decode(decoder(cached.match.game), body, within)
        return await self._matches.play(cached, caller, command, key, version), cached

    async def answer(
        self,
        match: str,
        caller: Caller,
        body: bytes,
        *,
        key: str | None,
        if_match: str | None,
        prefer: str | None,
        code: str | None = None,
    ) -> tuple[bytes, dict[str, str]]:
        """Decide a command; return the body and the headers of its answer. Raises `Problem`."""
        version = None if if_match in (None, "*") else parse_version(if_match, "If-Match")
        accepted, cached = await self.send(match, caller, body, key=key, version=version, code=code)
        preferences = preferred(prefer)
        minimal = MINIMAL in preferences
        receipt = None
        if WITH_RECEIPT in preferences:
            receipt = await self.receipt(cached, caller, accepted)
        if minimal:
            accepted = msgspec.structs.replace(accepted, view=msgspec.UNSET)
        headers = {"ETag": f'"{accepted.version}"'} | headers_of(receipt, minimal=minimal)
        return ENCODER.encode(accepted), headers

    async def receipt(self, cached: CachedMatch, caller: Caller, accepted: Accepted) -> str | None:
        """Return the receipt for an accepted command in JSON, or None if there is none now.

        The caller may have left its seat with it, and is then told what a spectator is.
        """
        folded, version = cached.folded, accepted.version
        for viewer in (folded.players.get(caller.player), None):
            known = 0 < version <= folded.number(viewer)
            if known and folded.receipt(viewer, version) == accepted.head:
                return await self._receipts.json(folded, viewer, version)
        return None


@post(
    "/matches/{match:str}/commands",
    status_code=200,
    tags=["matches"],
    operation_id="sendCommand",
    scope=SCOPE,
    response_description="The command's record is on disk.",
    response_headers=[ETAG, RECEIPT, PREFERENCE_APPLIED],
    refuses=(
        "too-large",
        "too-slow",
        "not-a-seat",
        "not-at-the-table",
        "stale-version",
        "rules",
    ),
)
async def send_command(
    request: AnyRequest,
    match: FromPath[str],
    caller: NamedDependency[Caller],
    commands: NamedDependency[Commands],
    idempotency_key: Key = None,
    if_match: Annotated[
        str | None,
        HeaderParameter(
            name="If-Match", description="ETag of the only version that the command is meant for."
        ),
    ] = None,
    prefer: Annotated[
        str | None,
        HeaderParameter(
            name="Prefer",
            description=f"`{MINIMAL}` leaves the view out of the answer, `{WITH_RECEIPT}` asks for "
            "a receipt (RFC 7240). Other preferences are ignored.",
        ),
    ] = None,
    join_code: JoinCode = None,
) -> Response[Accepted]:
    """Decide a command, and answer once its record is on disk.

    The body is a command of the game or one that every match has; `type` tells them apart.
    """
    body, headers = await commands.answer(
        match,
        caller,
        await request.body(),
        key=idempotency_key,
        if_match=if_match,
        prefer=prefer,
        code=join_code,
    )
    return encoded(body, **headers)


HANDLERS = (send_command,)
