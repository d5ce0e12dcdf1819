"""The games, by slug: every folder here that has its components in `seeds/<slug>.toml`."""

from importlib import import_module

from games.components import slugs
from games.game import AnyGame

GAMES: dict[str, AnyGame] = {slug: import_module(f"games.{slug}").GAME for slug in slugs()}
