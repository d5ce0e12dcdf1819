"""Commands: the one way to change a match."""

from functools import cache
from typing import Annotated, Any, Union

import msgspec
from litestar import Request, Response, post
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter

from games.game import AnyGame
from games.match.commands import PlayerCommand
from service.base.problems import malformed
from service.http.access import MatchAccess, parse_version
from service.http.body import UNDECODABLE, encoded
from service.http.matches import ETAG, RECEIPT, JoinCode, Key, receipt_header
from service.play.match_cache import CachedMatch
from service.play.matches import Accepted, Matches
from service.play.players import Caller
from service.play.receipts import Receipts

MINIMAL = "return=minimal"
ENCODER = msgspec.json.Encoder()


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
    ) -> tuple[Accepted, CachedMatch]:
        """Decode and decide a command, for one version only if one is given; raises `Problem`."""
        cached = (await self._access.find(match, caller, code, fresh=False)).cached
        try:
            command = decoder(cached.match.game).decode(body)
        except UNDECODABLE as error:
            raise malformed(str(error)) from None
        return await self._matches.play(cached, caller, command, key, version), cached

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
    scope="play",
    response_description="The command's record is on disk.",
    response_headers=[
        ETAG,
        RECEIPT,
        ResponseHeader(
            name="Preference-Applied",
            documentation_only=True,
            description=f"`{MINIMAL}` if the view was left out.",
        ),
    ],
    refuses=("malformed", "too-large", "not-a-seat", "not-at-the-table", "stale-version", "rules"),
)
async def send_command(
    request: Request[Any, Any, Any],
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
            description=f"`{MINIMAL}` leaves the view out of the answer (RFC 7240). Other "
            "preferences are ignored.",
        ),
    ] = None,
    join_code: JoinCode = None,
) -> Response[Accepted]:
    """Decide a command, and answer once its record is on disk.

    The body is a command of the game or one that every match has; `type` tells them apart.
    """
    accepted, cached = await commands.send(
        match,
        caller,
        await request.body(),
        key=idempotency_key,
        version=None if if_match in (None, "*") else parse_version(if_match),
        code=join_code,
    )
    receipt = await commands.receipt(cached, caller, accepted)
    headers = {"ETag": f'"{accepted.version}"'} | receipt_header(receipt)
    if prefers_minimal(prefer):
        accepted = msgspec.structs.replace(accepted, view=msgspec.UNSET)
        headers["Preference-Applied"] = MINIMAL
    return encoded(ENCODER.encode(accepted), **headers)


def prefers_minimal(prefer: str | None) -> bool:
    """Return whether a Prefer field asks for a minimal answer; its first `return` counts."""
    for preference in (prefer or "").lower().split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip() == "return":
            return value.strip().strip('"') == "minimal"
    return False


HANDLERS = (send_command,)
