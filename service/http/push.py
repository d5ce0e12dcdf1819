"""Web Push: browsers to which the service pushes what concerns a player."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.wire import Time
from service.play.caller import Caller
from service.play.player_record import Language, Pushed, Subscription
from service.play.push import Push
from service.play.quiet import Quiet

Key = Annotated[str, Meta(max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]


class NewSubscription(msgspec.Struct, forbid_unknown_fields=True):
    """A browser to push to. One with the same endpoint is replaced."""

    endpoint: Annotated[str, Meta(max_length=1_000, pattern="^https?://")]
    """URL at the push service of the browser's maker."""
    p256dh: Key
    """Public key for which messages are encrypted: `keys.p256dh` of the `PushSubscription`."""
    auth: Key
    """Secret of the browser, likewise: `keys.auth`."""
    events: Annotated[tuple[Pushed, ...], Meta(min_length=1, max_length=7)]
    """What to push. A `reminder` comes before your clock runs out."""
    language: Language = "en"
    """Language of the messages."""
    quiet: Quiet | None = None
    """Hours in which nothing is pushed."""


class SubscriptionView(msgspec.Struct):
    """A subscribed browser."""

    id: str
    endpoint: str
    """URL at the push service of the browser's maker."""
    events: tuple[Pushed, ...]
    """What is pushed."""
    language: Language
    """Language of the messages."""
    quiet: Quiet | None
    """Hours in which nothing is pushed."""
    created: Time
    """When the browser was subscribed."""


class PushView(msgspec.Struct):
    """Whether this service pushes, and your subscribed browsers."""

    key: str | None
    """Public key with which a browser subscribes (`applicationServerKey`); null if this service
    does not push.
    """
    subscriptions: list[SubscriptionView]
    """Your browsers, oldest first."""


@get("/players/me/push", tags=["push"], operation_id="getPush", scope="account")
async def get_push(caller: NamedDependency[Caller], push: NamedDependency[Push]) -> PushView:
    """Return the key for subscribing, and your subscribed browsers."""
    return PushView(push.key, [_view(one) for one in await push.of(caller)])


@post(
    "/players/me/push",
    status_code=201,
    tags=["push"],
    operation_id="subscribe",
    scope="account",
    refuses=(
        "push-off",
        "bad-webhook-url",
        "bad-push-keys",
        "unknown-time-zone",
        "too-many-subscriptions",
    ),
)
async def subscribe(
    data: JSONBody[NewSubscription],
    caller: NamedDependency[Caller],
    push: NamedDependency[Push],
) -> SubscriptionView:
    """Subscribe a browser, or change what is pushed to it.

    What you have seen on an open page is not pushed. The subscription ends when your tokens are
    revoked, or when the push service no longer knows the browser.
    """
    events = tuple(sorted(set(data.events)))
    wanted = Subscription(
        "",
        "",
        "",
        data.endpoint,
        data.p256dh,
        data.auth,
        events,
        data.language,
        data.quiet,
    )
    return _view(await push.subscribe(caller, wanted))


@post(
    "/push/{subscription:str}/test",
    status_code=204,
    tags=["push"],
    operation_id="testPush",
    scope="account",
    refuses=("not-found",),
)
async def test_push(
    subscription: FromPath[str], caller: NamedDependency[Caller], push: NamedDependency[Push]
) -> None:
    """Push a test to a browser of yours."""
    await push.test(caller, subscription)


@delete(
    "/push/{subscription:str}",
    tags=["push"],
    operation_id="unsubscribe",
    scope="account",
    refuses=("not-found",),
)
async def unsubscribe(
    subscription: FromPath[str], caller: NamedDependency[Caller], push: NamedDependency[Push]
) -> None:
    """Push nothing more to a browser of yours."""
    await push.unsubscribe(caller, subscription)


HANDLERS = (get_push, subscribe, test_push, unsubscribe)


def _view(one: Subscription) -> SubscriptionView:
    return SubscriptionView(one.id, one.endpoint, one.events, one.language, one.quiet, one.created)
