"""Authentication and rate limits: tokens, identity providers, calls and new guests."""

import asyncio
import math
from typing import Any

import jwt
from cachetools import TTLCache
from limits import RateLimitItem, parse_many
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter
from litestar import Request
from litestar.handlers import BaseRouteHandler

from games.match.clocks import SECOND
from projections.people import BOT_ACCOUNT
from service.base.clock import local_micros
from service.base.metrics import LIMITED
from service.base.problems import Problem, unauthenticated
from service.base.settings import Settings
from service.http import safety
from service.http.quotas import Quota
from service.play.players import Caller, Need, Players

JWKS_LIFESPAN_S = 3_600
JWT_SEEN_MAX = 10_000
JWT_SEEN_S = 60


def scope_of(handler: BaseRouteHandler) -> Need:
    """Return the scope that a call needs: the one in its decorator, or `read`."""
    return handler.opt.get("scope", "read")


class Callers:
    """Authenticates callers, and refuses those that call too often."""

    def __init__(self, settings: Settings, players: Players) -> None:
        """Authenticate callers as players."""
        self._players = players
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._limit = parse_many(settings.rate_limit)
        self._guest_limit = parse_many(settings.guest_limit)
        self._proxied = settings.trusted_proxy
        self._audience = settings.jwt_audience
        self._jwks = (
            jwt.PyJWKClient(settings.jwks_url, lifespan=JWKS_LIFESPAN_S)
            if settings.jwks_url
            else None
        )
        self._external: TTLCache[str, Caller] = TTLCache(JWT_SEEN_MAX, JWT_SEEN_S)

    async def caller(self, request: Request[Any, Any, Any]) -> Caller:
        """Return the caller of a request; raises `Problem` 401, 403, 429."""
        header = request.headers.get("authorization", "")
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token:
            await self._count(request, self._limit, self.address(request))
            raise unauthenticated()
        try:
            caller = await self._authenticated(token.strip())
        except Problem as problem:
            if problem.status == 401:
                await self._count(request, self._limit, self.address(request))
            raise
        request.scope["state"]["caller"] = caller.player
        await self._count(request, self._limit, caller.player)
        caller.require(scope_of(request.route_handler))
        return caller

    async def holder(self, token: str, need: Need) -> Caller:
        """Return the caller of a frame, which counts as a call; raises `Problem` 401, 403, 429."""
        caller = await self._authenticated(token)
        await self._hit(self._limit, caller.player, "calls")
        caller.require(need)
        return caller

    async def count_connection(self, address: str) -> None:
        """Count a WebSocket by its address; raises `Problem` 429."""
        await self._hit(self._limit, address, "calls")

    async def count_address(self, request: Request[Any, Any, Any]) -> None:
        """Count a call that needs no token by its address; raises `Problem` 429."""
        await self._count(request, self._limit, self.address(request))

    async def create_guest(self, request: Request[Any, Any, Any], name: str) -> tuple[str, str]:
        """Create a guest and return its id and token; raises `Problem` 429."""
        await self.count_guest(request)
        return await self._players.create(name)

    async def count_guest(self, request: Request[Any, Any, Any]) -> None:
        """Count a new player by its address; raises `Problem` 429."""
        who = f"guest {self.address(request)}"
        await self._count(request, self._guest_limit, who, "guests")

    async def quotas(self, request: Request[Any, Any, Any]) -> list[Quota]:
        """Return the quotas that a request was counted against, or else those of its address."""
        counted: list[Quota] | None = request.state.get("quotas")
        if counted is not None:
            return counted
        address = self.address(request)
        return [await self._quota(limit, address, "calls") for limit in self._limit]

    async def _authenticated(self, token: str) -> Caller:
        if self._jwks is None or token.startswith(("p_", BOT_ACCOUNT)):
            return await self._players.caller(token)
        return await self._by_provider(token)

    async def _by_provider(self, token: str) -> Caller:
        """Accept a token of the configured identity provider; each subject is a player."""
        known = self._external.get(token)
        if known is not None and not await self._players.is_erased(known.player):
            return known
        assert self._jwks is not None, "a provider is configured"
        try:
            key = await asyncio.to_thread(self._jwks.get_signing_key_from_jwt, token)
            claims = jwt.decode(
                token, key, algorithms=["RS256", "ES256", "EdDSA"], audience=self._audience,
                options={"require": ["exp", "sub", "iss"]},
            )  # fmt: skip
        except jwt.PyJWTError as error:
            raise unauthenticated(
                f"Invalid token of the identity provider: {type(error).__name__}."
            ) from None
        caller = await self._players.external(claims["iss"], claims["sub"], claims.get("name", ""))
        self._external[token] = caller
        return caller

    async def _count(
        self,
        request: Request[Any, Any, Any],
        limits: list[RateLimitItem],
        who: str,
        kind: str = "calls",
    ) -> None:
        quotas: list[Quota] = request.state.setdefault("quotas", [])
        try:
            await self._hit(limits, who, kind)
        finally:
            quotas += [await self._quota(limit, who, kind) for limit in limits]

    async def _hit(self, limits: list[RateLimitItem], who: str, kind: str) -> None:
        for limit in limits:
            if not await self._limiter.hit(limit, who):
                LIMITED.labels(kind).inc()
                wait = max(1, (await self._quota(limit, who, kind)).reset_s)
                raise Problem(
                    429, "rate-limited", f"Too many requests (limit: {limit}).", retry_after=wait
                )

    async def _quota(self, limit: RateLimitItem, who: str, kind: str) -> Quota:
        window_s = limit.get_expiry()
        reset, left = await self._limiter.get_window_stats(limit, who)
        reset_s = math.ceil(reset - local_micros() / SECOND)
        return Quota(f"{kind}-{window_s}s", limit.amount, window_s, left, max(0, reset_s))

    def address(self, request: Request[Any, Any, Any]) -> str:
        """Return the address of a request, as told by the proxy if that is trusted."""
        scope = request.scope
        return safety.address(scope, dict(scope["headers"]), proxied=self._proxied)
