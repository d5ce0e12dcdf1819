"""The games, by slug: every game that an installed package declares.

A package declares a game by an entry point in the group `shiplog.games`, whose value is a `Game` or
a function that returns one. The games in this folder are declared in the same way, in
`pyproject.toml`. `GAMES` is loaded when it is first asked for.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeGuard, Union, get_args

import msgspec

from games.game import AnyGame, Game, Tagged
from games.match.commands import SEATS_MAX, MatchCommand
from games.match.events import MatchEvent

GROUP = "shiplog.games"
SLUG = re.compile(r"[a-z][a-z_]{0,31}")
GAMES: dict[str, AnyGame]


class BadGame(Exception):
    """A game that is declared cannot be served, or none is declared."""


def load_games(declared: Iterable[EntryPoint]) -> dict[str, AnyGame]:
    """Load games from their entry points, by slug; raises `BadGame`."""
    games: dict[str, AnyGame] = {}
    for entry in sorted(declared, key=lambda entry: entry.name):
        game = _load(entry)
        if game.slug in games:
            raise BadGame(f"Two installed packages declare the game {game.slug!r}. Uninstall one.")
        games[game.slug] = game
    if not games:
        raise BadGame(
            f"No installed package declares a game (entry point group {GROUP}). "
            "Install Shiplog itself with pip: a bare copy of its files is not enough."
        )
    return dict(sorted(games.items()))


def _load(entry: EntryPoint) -> AnyGame:
    origin = f"Entry point {entry.name} = {entry.value} in the group {GROUP}"
    try:
        found: Any = entry.load()
        game: Any = found if _is_game(found) else found()
    except Exception as error:
        raise BadGame(f"{origin} cannot be loaded: {type(error).__name__}: {error}") from error
    if not _is_game(game):
        raise BadGame(f"{origin} must give a Game, but gave a {type(game).__name__}.")
    for flaw in _flaws(game):
        raise BadGame(f"{origin} {flaw}.")
    return game


def _flaws(game: AnyGame) -> Iterator[str]:
    """Yield why a game cannot be served, as far as its declaration shows it."""
    spelling = "a lower-case letter, then up to 31 lower-case letters and underscores"
    if not SLUG.fullmatch(game.slug):
        yield f"has the slug {game.slug!r}. A slug is {spelling}"
    if game.version < 1:
        yield f"has the rules version {game.version}. The first version is 1"
    if "en" not in game.titles:
        yield 'has no English title: add "en" to `titles`'
    if not game.seats or not 1 <= min(game.seats) <= max(game.seats) <= SEATS_MAX:
        yield f"has {game.seats} seats. A match has 1 to {SEATS_MAX}"
    for level in game.players.levels:
        if not SLUG.fullmatch(level):
            yield f"has the bot level {level!r}. A level is {spelling}"
    try:
        game.Options()
    except TypeError as error:
        yield f"has an option without a default: {error}"
    for former in game.earlier:
        if former.slug != game.slug or not 1 <= former.version < game.version:
            yield (
                f"has version {former.version} of {former.slug!r} in `earlier`. Expected lower "
                f"versions of {game.slug!r} than {game.version}: raise `version` after a change"
            )
    recommended = {**game.recommended, **game.recommended_with_bots}
    try:
        msgspec.convert(recommended, game.Options)
    except msgspec.ValidationError as error:
        yield f"recommends options that it does not have: {error}"
    for name, own, shared in (
        ("Command", game.Command, MatchCommand),
        ("Event", game.Event, MatchEvent),
    ):
        for kind in get_args(own) or (own,):
            if not (isinstance(kind, type) and issubclass(kind, Tagged)):
                yield f"has {kind!r} in its `{name}`: derive it from `games.game.Tagged`"
        try:
            msgspec.json.Decoder(Union[shared, own])  # noqa: UP007 - a value
        except TypeError as error:
            yield f"has a `{name}` that cannot be told from those of all matches: {error}"


def _is_game(value: object) -> TypeGuard[AnyGame]:
    return isinstance(value, Game)


def __getattr__(name: str) -> Any:
    if name != "GAMES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    games = globals()["GAMES"] = load_games(entry_points(group=GROUP))
    return games
