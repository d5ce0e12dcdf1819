"""Connections to addresses that the service did not choose itself.

A name is looked up once, at the connection. Every address that it has must be allowed, and the
connection goes to one of these, so that a second look-up cannot lead elsewhere. There are no
redirects and no proxies.
"""

import ssl
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from typing import Any

import httpcore

from service.base.addresses import Network, is_allowed

CONNECT_S = 5.0
"""Time limit of a connection to one address (seconds)."""

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name; raises `OSError`."""


class NoPublicAddress(Exception):
    """A name has no address, or one that must not be reached. Nobody is told which."""


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to checked addresses only."""

    def __init__(self, lookup: Lookup, networks: Sequence[Network]) -> None:
        """Allow public addresses, and those of some networks."""
        self._lookup = lookup
        self._networks = networks
        self._plain: Any = httpcore.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *args: Any, **more: Any) -> Any:
        """Connect to an address of a host; raises `NoPublicAddress`, `httpcore.ConnectError`."""
        addresses = await self._checked(host, port)
        for address in addresses[:-1]:
            try:
                return await self._plain.connect_tcp(address, port, *args, **more)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._plain.connect_tcp(addresses[-1], port, *args, **more)

    async def _checked(self, host: str, port: int) -> Sequence[str]:
        try:
            addresses = await self._lookup(host, port)
        except (OSError, UnicodeError):
            addresses = ()
        if not addresses or not all(is_allowed(one, self._networks) for one in addresses):
            raise NoPublicAddress
        return addresses


def checked_pool(
    networks: Sequence[Network], lookup: Lookup, trust: ssl.SSLContext | None = None
) -> httpcore.AsyncConnectionPool:
    """Return a pool that connects to checked addresses, with a connection for each request."""
    return httpcore.AsyncConnectionPool(
        ssl_context=trust or _trust(),
        max_connections=None,
        max_keepalive_connections=0,
        network_backend=CheckedNetwork(lookup, networks),
    )


@cache
def _trust() -> ssl.SSLContext:
    return httpcore.default_ssl_context()
