"""Tokens: `player.id.mac`. A forged one is recognised without a look-up.

The id is that of a device (`d_…`) or of a token for an app (`t_…`), and the token is valid as long
as the player's record lists the id. Earlier releases wrote a generation in place of the id. A
stolen store contains no token.
"""

import hmac
import re

from cachetools import LRUCache

from service.base.keys import Keys
from service.base.problems import revoked, unauthenticated
from service.play.caller import Caller
from service.play.player_record import Player

WHICH = re.compile(r"[1-9]\d{0,8}|[dt]_[A-Za-z0-9_-]{1,32}", re.ASCII)
KNOWN_MAX = 50_000


class Tokens:
    """The tokens of a service."""

    def __init__(self, keys: Keys) -> None:
        """Use the service's keys."""
        self._keys = keys
        self._genuine: LRUCache[str, None] = LRUCache(KNOWN_MAX)
        """Recent tokens with a valid MAC. The player's record tells whether they are revoked."""

    def token(self, player: str, which: str) -> str:
        """Return the token of a player's device, or of an app, by its id."""
        return f"{player}.{which}.{self._mac(player, which)}"

    def parse(self, token: str) -> tuple[str, str]:
        """Return the player of a genuine token, and the id in it. Raises `Problem` 401."""
        player, _, rest = token.partition(".")
        which, _, mac = rest.partition(".")
        if token not in self._genuine:
            if not WHICH.fullmatch(which):
                raise unauthenticated("This is not a token of this service.")
            if not hmac.compare_digest(mac.encode(), self._mac(player, which).encode()):
                raise unauthenticated("This is not a token of this service.")
            self._genuine[token] = None
        return player, which

    def _mac(self, player: str, which: str) -> str:
        return self._keys.derive("token", player, which).hex()[:43]


def caller_of(player: str, record: Player, which: str) -> Caller:
    """Return the caller with a genuine token, by the id in it. Raises `Problem` 401."""
    if not which.startswith("t_"):
        if not _is_signed_in(record, which):
            raise revoked()
        return Caller(player, record.roles, which)
    app = next((one for one in record.tokens if one.id == which), None)
    if app is None:
        raise revoked()
    if app.has_expired():
        raise unauthenticated("This token has expired. Make another one.")
    roles = record.roles if "officer" in app.scopes else ()
    return Caller(player, roles, app=which, scopes=app.scopes)


def is_valid(record: Player, caller: Caller) -> bool:
    """Return whether the token of an earlier call is still valid. Identities have none."""
    if record.erased:
        return False
    if caller.app:
        return any(one.id == caller.app and not one.has_expired() for one in record.tokens)
    return not caller.device or _is_signed_in(record, caller.device)


def _is_signed_in(record: Player, device: str) -> bool:
    if device.isdigit():
        return record.generation == int(device)
    return record.device(device) is not None
