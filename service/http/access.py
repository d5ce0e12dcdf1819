"""Who may see which match, and as which viewer."""

import hmac
from typing import Literal, NamedTuple

from projections.folded import Folded, Viewer
from replay.solve import agreed
from replay.travel import Sight
from service.base.keys import Keys
from service.base.problems import forbidden, malformed, no_such_seat, not_found
from service.play.caller import Caller
from service.play.invitations import Invitations
from service.play.match_cache import CachedMatch, MatchCache

FULL: Literal["full"] = "full"
SPECTATOR = "spectator"
JOIN_CODE_CHARS = 10


class FoundMatch(NamedTuple):
    """A match, and the viewer as whom the caller sees it."""

    cached: CachedMatch
    viewer: Viewer

    @property
    def folded(self) -> Folded:
        """The fold of the match."""
        return self.cached.folded


class MatchAccess:
    """Finds matches on behalf of callers."""

    def __init__(self, cache: MatchCache, keys: Keys, invitations: Invitations) -> None:
        """Find matches in a cache; the keys derive the join codes."""
        self._cache = cache
        self._keys = keys
        self._invitations = invitations

    async def find(
        self, match: str, caller: Caller, code: str | None, *, fresh: bool = True
    ) -> FoundMatch:
        """Return a match as the caller may see it now; raises `Problem` 404, 503.

        To strangers without the join code or an invitation, a private match does not exist. To
        spectators of a match with a delay, its latest records do not exist.
        """
        cached, seat = await self._open(match, caller, code, fresh=fresh)
        return FoundMatch(await self._cache.shown(cached, caller), seat)

    async def find_whole(self, match: str, caller: Caller, code: str | None) -> CachedMatch:
        """Return a match as cached, with all of its records, for a command.

        Raises `Problem` 404, 503.
        """
        return (await self._open(match, caller, code, fresh=False)).cached

    async def _open(
        self, match: str, caller: Caller, code: str | None, *, fresh: bool
    ) -> FoundMatch:
        """Return a match with all of its records; raises `Problem` 404, 503."""
        cached = await (self._cache.get(match) if fresh else self._cache.known(match))
        header = cached.match.header
        seat = cached.folded.players.get(caller.player)
        if header.private and seat is None and header.creator != caller.player and not caller.roles:
            given = (code or "").encode()
            known = hmac.compare_digest(given, self.join_code(match).encode())
            if not known and not await self._is_invited(cached, caller):
                raise not_found("match")
        if not caller.roles and await self._cache.is_closed(cached):
            raise not_found("match")
        return FoundMatch(cached, seat)

    async def _is_invited(self, cached: CachedMatch, caller: Caller) -> bool:
        """Return whether the caller is invited to a match that still waits for players."""
        match = cached.match
        waiting = match.status == "waiting"
        return waiting and await self._invitations.is_invited(match.header.match, caller.player)

    def join_code(self, match: str) -> str:
        """Return the code that opens a private match."""
        return self._keys.derive("join", match).hex()[:JOIN_CODE_CHARS]


def sees_all(found: FoundMatch, caller: Caller) -> bool:
    """Return whether the caller may see everything: officers always, others once it is over."""
    return caller.sees_all or found.cached.match.over


def may_solve(found: FoundMatch, caller: Caller) -> bool:
    """Return whether the caller may search for the best version to go back to.

    Allowed for callers who see everything, and for a seat once all seats have agreed.
    """
    match, seat = found.cached.match, found.viewer
    if match.state is None:
        return False
    return sees_all(found, caller) or (seat is not None and agreed(match, seat))


def sight_of(found: FoundMatch, caller: Caller, view: str | None) -> Sight:
    """Return the sight that the caller asked for, its own by default; raises `Problem` 403, 422."""
    if view is None:
        return found.viewer
    sight: Sight = FULL if view == FULL else viewer_of(view, found.cached.match.header.seats)
    if sight != found.viewer:
        require_over(found, caller, "The views of others are")
    return sight


def require_over(found: FoundMatch, caller: Caller, what: str) -> None:
    """Refuse a caller who may not see everything yet; raises `Problem` 403."""
    if not sees_all(found, caller):
        raise forbidden(f"{what} available once the match is over.")


def viewer_of(text: str, seats: int) -> Viewer:
    """Parse a viewer: `spectator` or the number of a seat; raises `Problem` 400, 422."""
    if text == SPECTATOR:
        return None
    if not text.isdecimal():
        raise malformed(f"Expected a seat or {SPECTATOR!r}, got {text!r}.")
    if (seat := int(text)) >= seats:
        raise no_such_seat(seat, seats)
    return seat


def parse_version(text: str | None, header: str) -> int | None:
    """Parse an ETag or a Last-Event-ID as a version; raises `Problem` 400."""
    if text is None:
        return None
    digits = text.removeprefix("W/").strip('" ')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise malformed(f"Version must be a number, got {text!r}.").at(header=header)
    return int(digits)


def is_known(etag: str, if_none_match: str | None) -> bool:
    """Return whether the client has what an ETag stands for. Proxies make ETags weak (RFC 9110)."""
    given = [one.strip().removeprefix("W/") for one in (if_none_match or "").split(",")]
    return etag in given or given == ["*"]
