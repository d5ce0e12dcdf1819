"""Which release decides which version of a game's rules: an audit of an older log names it."""

from collections.abc import Mapping

RELEASES: Mapping[str, Mapping[str, frozenset[int]]] = {
    "0.1.0": {
        "captain_sonar": frozenset((1,)),
        "ke_dnu": frozenset((1,)),
        "nautilus": frozenset((1,)),
        "submarine": frozenset((1,)),
        "tranquility": frozenset((1,)),
    },
}
"""By release, oldest first, the versions that it can decide. `CHANGELOG.md` says the same."""


def release_of(
    slug: str, rules: int, releases: Mapping[str, Mapping[str, frozenset[int]]] = RELEASES
) -> str | None:
    """Name the latest release that decides a version of a game's rules; None if none does."""
    found = [name for name, games in releases.items() if rules in games.get(slug, ())]
    return found[-1] if found else None
