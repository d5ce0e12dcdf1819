"""Which version of its rules a new match is opened under: the newest, or an earlier one while older processes run."""

from collections.abc import Mapping

from games.game import AnyGame
from service.base.settings import BadSetting


def openings(text: str, games: Mapping[str, AnyGame]) -> dict[str, AnyGame]:
    """Give the games as new matches get them, by SHIPLOG_RULES; raises `BadSetting`."""
    chosen = dict(games)
    for part in filter(None, (part.strip() for part in text.split(","))):
        slug, _, version = part.partition("=")
        newest = games.get(slug)
        if newest is None:
            raise BadSetting(f"SHIPLOG_RULES: no game {slug!r}")
        game = newest.under(int(version)) if version.isdecimal() else None
        if game is None:
            here = sorted(one.version for one in (newest, *newest.earlier))
            raise BadSetting(f"SHIPLOG_RULES: {part}: of {slug} there are versions {here}")
        chosen[slug] = game
    return chosen
