"""Deliveries of webhooks: the tries of a message, and how a receiver fares.

A message that fails is tried again later and later, and others are sent meanwhile. A webhook that
fails pauses as a whole, so that a receiver that is down costs one try at a time.
"""

from typing import Literal, get_args
from zlib import crc32

import msgspec
from msgspec.structs import replace

from events.record import at_text
from games.match.clocks import SECOND
from games.wire import Time
from projections.notices import DisabledReason
from service.base.clock import DAY_S

RETRY_S = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, DAY_S)
"""Delays before the tries after the first (seconds): three days in all."""
ATTEMPTS = len(RETRY_S) + 1
"""Maximum number of tries of a message."""
PAUSE_MAX_S = 7_200
"""Longest pause of a webhook that fails (seconds)."""
FAILING_S = 3 * DAY_S
"""Time without a success after which a webhook that fails is disabled (seconds)."""
PACE_US = 200_000
"""Shortest time between two rounds of a webhook (microseconds)."""
QUICK_S = 3
"""Time in which a receiver should answer (seconds). A slower one is sent messages in a lane where
it delays only others like it.
"""
TOGETHER = 300
"""Maximum number of webhooks in a job. Receivers that never answer delay a new one by one job."""
GONE = 410
TEST = "test"

Lane = Literal["webhooks", "slow_webhooks", "mails"]
"""Where a receiver waits for its next round."""
LANES: tuple[Lane, ...] = get_args(Lane)
Failure = Literal[
    "no-public-address", "connection-failed", "tls-failed", "timed-out", "answer-broken"
]


class Try(msgspec.Struct, frozen=True):
    """One try to deliver a message."""

    at: Time
    """When the try began."""
    status: int | None
    """HTTP status of the answer; null without an answer. Only 2xx counts as delivered."""
    error: Failure | None
    """Why there was no answer; null if there was one."""
    ms: int
    """How long the try took (milliseconds)."""

    @property
    def succeeded(self) -> bool:
        """Whether the receiver has accepted the message."""
        return self.status is not None and 200 <= self.status < 300


class Delivery(msgspec.Struct, frozen=True):
    """A message to a webhook, and what became of it."""

    id: str
    """`webhook-id` of the message: the same in all tries."""
    type: str
    """Type of the message: that of the notice, or `test`."""
    created: Time
    """When the message was queued."""
    state: Literal["waiting", "delivered", "failed", "dropped"] = "waiting"
    """`failed` after ten tries, or one of a test. `dropped` if too many messages waited, or the
    webhook was disabled.
    """
    tries: tuple[Try, ...] = ()
    """All tries so far, in their order."""
    due: Time | None = None
    """When the message is tried again, at the earliest; null before the first try and at the end.
    """

    def after(self, tried: Try, now: int) -> "Delivery":
        """Return the delivery after a try that ended at a time (microseconds)."""
        tries = (*self.tries, tried)
        if tried.succeeded:
            return replace(self, state="delivered", tries=tries, due=None)
        if self.type == TEST or len(tries) >= ATTEMPTS:
            return replace(self, state="failed", tries=tries, due=None)
        delay_s = RETRY_S[len(tries) - 1] * _spread(f"{self.id} {len(tries)}")
        return replace(self, tries=tries, due=at_text(now + round(delay_s * SECOND)))


class Health(msgspec.Struct, frozen=True):
    """How a webhook has fared lately."""

    quick: bool = False
    """Whether the receiver has accepted the last message, and in time."""
    failures: int = 0
    """Number of failed tries since the last success."""
    since: int = 0
    """Time of the first of them (microseconds)."""
    last: int = 0
    """Time of the last try (microseconds)."""
    disabled: DisabledReason | None = None

    @property
    def lane(self) -> Lane:
        """The lane of the next round. Receivers that may be slow have one of their own."""
        return "webhooks" if self.quick else "slow_webhooks"

    @property
    def soonest_test(self) -> int:
        """Time from which a test may be sent (microseconds)."""
        return self.last + PACE_US

    @property
    def soonest(self) -> int:
        """Time from which other messages may be sent (microseconds)."""
        if not self.failures:
            return self.last + PACE_US
        pause_s = RETRY_S[min(self.failures, len(RETRY_S)) - 1]
        return self.last + min(pause_s, PAUSE_MAX_S) * SECOND

    def after(self, tried: Try, now: int) -> "Health":
        """Return the health after a try that ended at a time (microseconds)."""
        if tried.succeeded:
            return Health(quick=tried.ms <= QUICK_S * 1_000, last=now)
        since = self.since if self.failures else now
        disabled = self.disabled
        if tried.status == GONE:
            disabled = "gone"
        elif disabled is None and now - since > FAILING_S * SECOND:
            disabled = "failing"
        return Health(False, self.failures + 1, since, now, disabled)


def _spread(name: str) -> float:
    """Return a factor of 1 to 1.2, so that not all receivers are tried again at the same time."""
    return 1 + crc32(name.encode()) / 2**32 / 5
