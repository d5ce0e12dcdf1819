"""The parts of a process that handlers ask for by name, and how Litestar provides them."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from inspect import signature
from typing import Any

from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.types import ControllerRouterHandler

from projections.profiles import Profiles
from replay.coach import coaches_of
from replay.puzzle import puzzles_of
from replay.tutorial import tutorials_of
from service.http.access import MatchAccess
from service.http.body import AnyRequest
from service.http.callers import Callers, scope_of
from service.http.cards import MatchCards
from service.http.checkpoints import Checkpoints
from service.http.commands import Commands
from service.http.health import Readiness
from service.http.live import Streams
from service.http.matches import MatchViews
from service.http.sites import Sites
from service.http.transfer import Exports, Uploads
from service.play.app_tokens import AppTokens
from service.play.best_moments import BestMoments
from service.play.bot_accounts import BotAccounts
from service.play.caller import Caller
from service.play.devices import Devices
from service.play.featured import Featured
from service.play.identities import Identities
from service.play.identity_provider import Client, IdentityProvider
from service.play.listings import Listings
from service.play.move_codes import MoveCodes
from service.play.open_matches import OpenMatches
from service.play.passkeys import Passkeys
from service.play.recovery_codes import RecoveryCodes
from service.process.context import Context

Part = Callable[[Context], Any]


def _access(context: Context) -> MatchAccess:
    return MatchAccess(context.cache, context.keys, context.invitations)


def _identities(context: Context) -> Identities:
    settings = context.settings
    provider = None
    if settings.oidc_issuer:
        client = Client(
            settings.oidc_issuer,
            settings.oidc_client_id,
            settings.oidc_secret,
            settings.oidc_shown,
        )
        provider = IdentityProvider(client, settings.reachable, context.work)
    return Identities(context.players, context.admission, provider)


PUBLIC_PARTS: dict[str, Part] = {
    "admission": lambda context: context.admission,
    "match_cards": lambda context: MatchCards(_access(context), context.players, context.offered),
    "callers": lambda context: Callers(context.settings, context.players, context.matches.quota),
    "checkpoints": lambda context: Checkpoints(context.published),
    "coached": lambda context: coaches_of(context.offered),
    "devices": lambda context: Devices(context.players, context.notices),
    "identities": _identities,
    "keys": lambda context: context.keys,
    "mailboxes": lambda context: context.mailboxes,
    "move_codes": lambda context: MoveCodes(context.work, context.keys),
    "offered": lambda context: context.offered,
    "passkeys": lambda context: Passkeys(
        context.players, context.keys, context.work, context.settings.public_url
    ),
    "posed": lambda context: puzzles_of(context.offered),
    "readiness": lambda context: Readiness(
        context.store, context.work, context.admission, context.weaknesses, context.draining
    ),
    "recovery_codes": lambda context: RecoveryCodes(context.players, context.keys, context.work),
    "sites": lambda context: Sites(context.settings),
    "taught": lambda context: tutorials_of(context.offered),
}
"""Parts for calls without a token, by the name under which handlers ask for them."""
CALLER_PARTS: dict[str, Part] = {
    "access": _access,
    "commands": lambda context: Commands(_access(context), context.matches, context.receipts),
}
"""Parts for calls with a token, resolved after the caller."""
PARTS: dict[str, Part] = {
    "analyses": lambda context: context.analyses,
    "audience": lambda context: context.audience,
    "best_moments": lambda context: BestMoments(context.work, context.players),
    "app_tokens": lambda context: AppTokens(context.players),
    "bot_accounts": lambda context: BotAccounts(context.players, context.settings.bots_max),
    "blocks": lambda context: context.blocks,
    "cache": lambda context: context.cache,
    "comments": lambda context: context.comments,
    "erasure": lambda context: context.erasure,
    "exports": lambda context: Exports(
        context.readers, context.store, context.keys, context.settings
    ),
    "featured": lambda context: Featured(context.work),
    "invitations": lambda context: context.invitations,
    "jobs": lambda context: context.jobs,
    "listings": lambda context: Listings(context.work),
    "matches": lambda context: context.matches,
    "notices": lambda context: context.notices,
    "open_matches": lambda context: OpenMatches(context.work, context.keys, context.settings),
    "own_data": lambda context: context.own_data,
    "players": lambda context: context.players,
    "readers": lambda context: context.readers,
    "receipts": lambda context: context.receipts,
    "rematches": lambda context: context.rematches,
    "seeks": lambda context: context.seeks,
    "series": lambda context: context.series,
    "showings": lambda context: context.showings,
    "streams": lambda context: Streams(
        context.cache,
        context.players,
        context.receipts,
        context.closing,
        context.settings.streams_max,
    ),
    "talk": lambda context: context.talk,
    "uploads": lambda context: Uploads(
        context.readers, context.keys.ring, context.settings.upload_bytes_max
    ),
    "webhooks": lambda context: context.webhooks,
    "profiles": lambda context: Profiles(context.work),
    "push": lambda context: context.push,
    "views": lambda context: MatchViews(context.readers, context.players),
}
"""Parts for calls with a token, resolved after the access to matches."""


CHAIN = frozenset(("caller", "access"))
"""What the providers of other parts ask for."""


class PartProvider(Provide):
    """Provides a part, and equals only itself.

    Litestar compares the providers of each handler with each other at the start. That takes long if
    their fields are compared.
    """

    def __eq__(self, other: object) -> bool:
        """Return whether the other is this provider."""
        return self is other

    def __hash__(self) -> int:
        """Return the hash of its identity."""
        return id(self)


def dependencies(
    public: Mapping[str, Any], first: Mapping[str, Any], parts: Mapping[str, Any]
) -> dict[str, Provide]:
    """Provide the caller, then the access to matches, then the other part that a handler needs.

    Litestar resolves independent dependencies in a task group, which costs more than the whole
    chain. So each provider asks for the one before.
    """

    async def caller(request: AnyRequest) -> Caller:
        return await public["callers"].caller(
            request.scope, scope_of(request.scope["route_handler"])
        )

    def always(part: Any) -> PartProvider:
        return PartProvider(lambda: part, sync_to_thread=False)

    def after_caller(part: Any) -> PartProvider:
        def provide(caller: NamedDependency[Caller]) -> Any:
            return part

        return PartProvider(provide, sync_to_thread=False)

    def after_access(part: Any) -> PartProvider:
        def provide(access: NamedDependency[MatchAccess]) -> Any:
            return part

        return PartProvider(provide, sync_to_thread=False)

    return {
        **{name: always(part) for name, part in public.items()},
        "caller": PartProvider(caller),
        **{name: after_caller(part) for name, part in first.items()},
        **{name: after_access(part) for name, part in parts.items()},
    }


def provided(
    handlers: Iterable[Any], dependencies: Mapping[str, Provide]
) -> list[ControllerRouterHandler]:
    """Return handlers with the dependencies that they ask for.

    Litestar examines those of the whole application for each handler, which takes long.
    """
    return [_with(handler, dependencies) for handler in handlers]


def _with(handler: Any, dependencies: Mapping[str, Provide]) -> ControllerRouterHandler:
    if not isinstance(handler, BaseRouteHandler):
        return handler
    own = copy(handler)
    asked = signature(handler.fn).parameters.keys() & dependencies.keys()
    own.dependencies = {name: dependencies[name] for name in sorted(asked | CHAIN)}
    return own
