"""The rules versions that each release supports. An audit of an older log names the release."""

from collections.abc import Mapping

RELEASES: Mapping[str, Mapping[str, frozenset[int]]] = {
    "0.1.0": {
        "captain_sonar": frozenset((1,)),
        "ke_dnu": frozenset((1,)),
        "nautilus": frozenset((1,)),
        "submarine": frozenset((1,)),
        "tranquility": frozenset((1,)),
    },
    "0.2.0": {
        "captain_sonar": frozenset((1,)),
        "ke_dnu": frozenset((1,)),
        "nautilus": frozenset((1, 2)),
        "submarine": frozenset((1,)),
        "tranquility": frozenset((1,)),
    },
}
"""Supported rules versions by release and game, oldest release first. `CHANGELOG.md` lists them.

Games from other packages are not listed: they have releases of their own.
"""


def release_of(slug: str, rules: int) -> str | None:
    """Return the latest release that supports a rules version of a game, or None."""
    found = [name for name, games in RELEASES.items() if rules in games.get(slug, ())]
    return found[-1] if found else None


def is_released(slug: str) -> bool:
    """Return whether a game comes with Shiplog's own releases."""
    return any(slug in games for games in RELEASES.values())
