"""The files that come with games, checked before anybody asks for them."""

from collections.abc import Iterator, Mapping
from dataclasses import fields

import msgspec

from games import BadGame
from games.game import AnyGame, Files
from replay.coach import coaches_of
from replay.puzzle import puzzles_of
from replay.tutorial import tutorials_of


def check_files(games: Mapping[str, AnyGame]) -> None:
    """Check that all files are there and fit their games, and play the tutorials.

    Raises `BadGame`.
    """
    for slug, game in games.items():
        for flaw in _flaws(game.files):
            raise BadGame(f"The game {slug} {flaw}.")
    coaches_of(games)
    puzzles_of(games)
    for tutorial in tutorials_of(games).values():
        tutorial.position(1)


def _flaws(files: Files) -> Iterator[str]:
    """Yield which files are missing, and which words are not JSON."""
    for field in fields(files):
        path = getattr(files, field.name)
        if path is not None and not path.exists():
            yield f"names {path} as `{field.name}`, which does not exist"
    for path in [] if files.words is None else sorted(files.words.glob("*.json")):
        try:
            msgspec.json.decode(path.read_bytes())
        except msgspec.DecodeError as error:
            yield f"has words that cannot be read: {path}: {error}"
