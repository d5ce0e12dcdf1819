"""Name devices after the User-Agent header, in words that a player recognises."""

import re

from litestar.types import HTTPScope

from service.http import safety
from service.play.players import PROGRAM

BROWSERS = (
    (r"Edg(e|A|iOS)?/", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"Chrome/|CriOS/", "Chrome"),
    (r"Safari/", "Safari"),
)
"""Browsers call themselves by the names of earlier ones too: the first that fits is meant."""
SYSTEMS = (
    (r"Android", "Android"),
    (r"iPhone", "iPhone"),
    (r"iPad", "iPad"),
    (r"Windows", "Windows"),
    (r"Mac OS X|Macintosh", "Mac"),
    (r"CrOS", "ChromeOS"),
    (r"Linux|X11", "Linux"),
)
PRODUCT = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,30}(?=/|$)")


def device_of(scope: HTTPScope) -> str:
    """Return the name of the device that calls."""
    return device_name(safety.header(scope, b"user-agent").decode("latin-1"))


def device_name(user_agent: str) -> str:
    """Return "Firefox (Linux)", the product of a program, or "Program"."""
    browser, system = (_first(table, user_agent) for table in (BROWSERS, SYSTEMS))
    if browser and system:
        return f"{browser} ({system})"
    product = PRODUCT.match(user_agent)
    return browser or (product[0] if product else PROGRAM)


def _first(table: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for pattern, name in table if re.search(pattern, text)), "")
