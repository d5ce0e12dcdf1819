"""The quotas of a caller, in the fields of the IETF draft on RateLimit headers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Quota(NamedTuple):
    """A limit on calls, and what is left of it."""

    name: str
    amount: int
    """Number of calls that are allowed in a window."""
    window_s: int
    left: int
    reset_s: int
    """Time until the window ends (seconds)."""


def fields(quotas: Sequence[Quota]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers that describe quotas."""
    policies = (f'"{each.name}";q={each.amount};w={each.window_s}' for each in quotas)
    states = (f'"{each.name}";r={each.left};t={each.reset_s}' for each in quotas)
    yield b"ratelimit-policy", ", ".join(policies).encode()
    yield b"ratelimit", ", ".join(states).encode()
