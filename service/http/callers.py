"""Authentication and rate limits: tokens, identity providers, calls and new guests."""

import asyncio
from collections.abc import Sequence
from typing import Literal

import jwt
from limits import parse
from litestar.handlers import BaseRouteHandler
from litestar.types import HTTPScope

from projections.people import BOT_ACCOUNT
from service.base.expiring import Expiring
from service.base.problems import Problem, limited, unauthenticated
from service.base.settings import Settings
from service.http import safety
from service.http.quotas import Limit, Quota, limits_of
from service.http.user_agent import device_of
from service.play.caller import Caller, Need
from service.play.identity_provider import ALGORITHMS
from service.play.log_quota import LogQuota
from service.play.players import Players

JWKS_LIFESPAN_S = 3_600
JWT_SEEN_MAX = 10_000
JWT_SEEN_S = 60
SIGN_INS = parse("600/minute")
"""Attempts to sign in from all addresses together."""
SIGN_INS_FREE = parse("3/minute")
"""Attempts from an address that are allowed while there are too many from all together."""
EVERYBODY = "everybody"
BEARER = b"Bearer "


Counts = Literal["calls", "sign-ins"]


def counts_of(handler: BaseRouteHandler) -> Counts | None:
    """Return as what a call is counted by its address before anything else, if it is."""
    return handler.opt.get("counts")


def scope_of(handler: BaseRouteHandler) -> Need:
    """Return the scope that a call needs: the one in its decorator, or `read`."""
    return handler.opt.get("scope", "read")


class Callers:
    """Authenticates callers, and refuses those that call too often."""

    def __init__(self, settings: Settings, players: Players, quota: LogQuota) -> None:
        """Authenticate callers as players; the quota learns their addresses."""
        self._players = players
        self._quota = quota
        self._calls = limits_of("calls", settings.rate_limit)
        self._guests = limits_of("guests", settings.guest_limit)
        self._sign_ins = limits_of("sign-ins", settings.sign_in_limit)
        self._all_sign_ins = Limit("sign-ins", SIGN_INS)
        self._few_sign_ins = Limit("sign-ins", SIGN_INS_FREE)
        self._proxied = settings.trusted_proxy
        self._audience = settings.jwt_audience
        self._jwks = (
            jwt.PyJWKClient(settings.jwks_url, lifespan=JWKS_LIFESPAN_S)
            if settings.jwks_url
            else None
        )
        self._external: Expiring[Caller] = Expiring(JWT_SEEN_MAX, JWT_SEEN_S)

    async def caller(self, scope: HTTPScope, need: Need) -> Caller:
        """Return the caller of a request that needs a scope; raises `Problem` 401, 403, 429."""
        token = safety.bearer_token(safety.header(scope, b"authorization").decode("latin-1"))
        if not token:
            self.count_address(scope)
            raise unauthenticated()
        try:
            caller = await self._authenticated(token.strip())
        except Problem as problem:
            if problem.status == 401:
                self.count_address(scope)
            raise
        scope["state"]["caller"] = caller.player
        quotas: list[Quota] = scope["state"].setdefault("quotas", [])
        self.admit(caller, need, self.address(scope), quotas)
        return caller

    def recognised(self, authorization: bytes) -> Caller | None:
        """Return the caller with an Authorization field that was valid a moment ago, if any."""
        return self._players.recognised(authorization.removeprefix(BEARER).decode("latin-1"))

    def admit(self, caller: Caller, need: Need, address: str, quotas: list[Quota]) -> None:
        """Count a call, whose quotas are added to a list; raises `Problem` 403, 429."""
        self._quota.note_address(caller.player, address)
        _count(quotas, self._calls, caller.player)
        caller.require(need)

    async def holder(self, token: str, address: str) -> Caller:
        """Return the caller of a frame, which counts as a call; raises `Problem` 401, 403, 429."""
        caller = await self._authenticated(token)
        self.admit(caller, "stream", address, [])
        return caller

    def count_connection(self, address: str) -> None:
        """Count a WebSocket by its address; raises `Problem` 429."""
        _hit(self._calls, address)

    def count_address(self, scope: HTTPScope) -> None:
        """Count a call that needs no token by its address; raises `Problem` 429."""
        self._count_by_address(scope, self._calls)

    async def create_guest(self, scope: HTTPScope, name: str) -> tuple[str, str]:
        """Create a guest and return its id and token; raises `Problem` 429."""
        self.count_guest(scope)
        return await self._players.create(name, device=device_of(scope))

    def count_guest(self, scope: HTTPScope) -> None:
        """Count a new player by its address; raises `Problem` 429."""
        self._count_by_address(scope, self._guests)

    def count_sign_in(self, scope: HTTPScope) -> None:
        """Count an attempt to sign in, by its address and in all; raises `Problem` 429.

        However many others try, each address has a few attempts, or a few strangers could keep
        everybody out.
        """
        address = self._count_by_address(scope, self._sign_ins)
        of_all = self._all_sign_ins.hit(EVERYBODY)
        if self._few_sign_ins.hit(address).is_exceeded:
            _require(of_all)

    def quotas(self, scope: HTTPScope) -> Sequence[Quota]:
        """Return the quotas that a request was counted against, or else those of its address."""
        counted: list[Quota] | None = scope["state"].get("quotas")
        if counted is not None:
            return counted
        address = self.address(scope)
        return [limit.quota(address) for limit in self._calls]

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
                token, key, algorithms=ALGORITHMS, audience=self._audience,
                options={"require": ["exp", "sub", "iss"]},
            )  # fmt: skip
        except jwt.PyJWTError as error:
            raise unauthenticated(
                f"Invalid token of the identity provider: {type(error).__name__}."
            ) from None
        caller = await self._players.external(claims["iss"], claims["sub"], claims.get("name", ""))
        return self._external.put(token, caller)

    def _count_by_address(self, scope: HTTPScope, limits: Sequence[Limit]) -> str:
        """Count a request by its address, and return that; raises `Problem` 429."""
        quotas: list[Quota] = scope["state"].setdefault("quotas", [])
        address = self.address(scope)
        _count(quotas, limits, address)
        return address

    def address(self, scope: HTTPScope) -> str:
        """Return the address of a request, as told by the proxy if that is trusted."""
        return safety.address(scope, dict(scope["headers"]), proxied=self._proxied)


def _count(quotas: list[Quota], limits: Sequence[Limit], who: str) -> None:
    """Count a request, and keep its quotas for the headers of its answer; raises `Problem` 429."""
    start = len(quotas)
    try:
        for limit in limits:
            quotas.append(limit.hit(who))
            _require(quotas[-1])
    finally:
        counted = len(quotas) - start
        quotas += [limit.quota(who) for limit in limits[counted:]]


def _hit(limits: Sequence[Limit], who: str) -> None:
    for limit in limits:
        _require(limit.hit(who))


def _require(quota: Quota) -> None:
    if quota.is_exceeded:
        raise limited(
            quota.limit.kind,
            "rate-limited",
            f"Too many requests (limit: {quota.limit}).",
            retry_after=max(1, quota.reset_s),
        )
