"""The rules version of new matches: the newest, or an older one during an upgrade."""

from collections.abc import Mapping

from games.game import AnyGame
from service.base.settings import BadSetting


def offered_games(text: str, games: Mapping[str, AnyGame]) -> dict[str, AnyGame]:
    """Return the games with the rules versions of new matches; raises `BadSetting`."""
    chosen = dict(games)
    for part in filter(None, (part.strip() for part in text.split(","))):
        slug, _, version = part.partition("=")
        newest = games.get(slug)
        if newest is None:
            raise BadSetting(f"SHIPLOG_RULES: Unknown game {slug!r}.")
        game = newest.under(int(version)) if version.isdecimal() else None
        if game is None:
            here = sorted(one.version for one in (newest, *newest.earlier))
            raise BadSetting(
                f"SHIPLOG_RULES: No rules version {part!r}; this release has {here} of {slug}."
            )
        chosen[slug] = game
    return chosen
