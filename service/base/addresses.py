"""Addresses to which the service may connect on behalf of players.

Those inside a network are refused unless the operator allows them: a player could otherwise reach
services that trust their neighbours.
"""

import re
from collections.abc import Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from urllib.parse import urlsplit

from service.base.problems import Problem

Network = IPv4Network | IPv6Network

PLAIN = re.compile(r"[!-\[\]-~]+")
"""Printable ASCII without a backslash, which programs read in different ways."""
USUAL_PORTS = (80, 443)
PORT_MIN = 1024
"""Other ports start here. Those below belong to mail and other services of a machine."""
NAT64 = IPv6Network("64:ff9b::/96")
PROTOCOLS = IPv4Network("192.0.0.0/24")
"""Addresses of protocols (RFC 6890), which some clouds use for the secrets of a machine.

`is_global` refuses them only since Python 3.11.10.
"""
UNICAST = IPv6Network("2000::/3")
"""The only part of IPv6 from which public addresses are assigned."""


def parse_networks(text: str) -> tuple[Network, ...]:
    """Parse networks that are separated by commas; raises `ValueError`."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def is_allowed(address: str, networks: Sequence[Network]) -> bool:
    """Return whether an address is public, or in one of the allowed networks."""
    found = _unwrapped(ip_address(address))
    if any(found in network for network in networks):
        return True
    if isinstance(found, IPv6Address) and found not in UNICAST:
        return False
    if found in PROTOCOLS:
        return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def check_url(url: str, networks: Sequence[Network]) -> None:
    """Raise `Problem` 422 unless a URL may be called. Names are looked up later, at each call."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _bad_url(f"Not a URL: {error}.") from None
    if parts.scheme not in ("http", "https") or not host or not PLAIN.fullmatch(url):
        raise _bad_url(
            "Expected a URL such as https://bot.example/turns, in ASCII and without spaces; a name "
            "with other letters in Punycode."
        )
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise _bad_url("A URL with a user, password or fragment is not supported.")
    if port is not None and port not in USUAL_PORTS and port < PORT_MIN:
        raise _bad_url(f"Port must be 80, 443, or at least {PORT_MIN}, got {port}.")
    try:
        allowed = is_allowed(host, networks)
    except ValueError:
        return
    if not allowed:
        raise _bad_url(f"{host} is not a public address.")


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address within an IPv6 address, if that is how to reach one."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _bad_url(detail: str) -> Problem:
    return Problem(422, "bad-webhook-url", detail).at(pointer="/url")
