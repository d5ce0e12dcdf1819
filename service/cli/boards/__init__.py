"""Boards for the terminal: pure functions from a game's view to something that rich can print.

Every game has a module of its name with the functions of `Board`. A game without one, such as that
of another package, has the generic board: the fields of its view.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from rich.console import RenderableType


class Speaker(Protocol):
    """What a board needs to name things (`service.cli.wording.Speaker`)."""

    @property
    def view(self) -> Mapping[str, Any] | None:
        """The game's view in plain form."""
        ...

    def name(self, seat: int, /) -> str:
        """Name a seat."""
        ...

    def say(self, key: str, /, **values: Any) -> str:
        """Return a text of the game's catalogue."""
        ...


class Board(Protocol):
    """The functions of a board module."""

    def draw(self, view: Mapping[str, Any], you: int | None, speaker: Speaker, /) -> RenderableType:
        """Draw a view for a seat, or for a spectator."""
        ...

    def value(self, field: str, value: Any, speaker: Speaker, /) -> str | None:
        """Name a value of a field; None for a value without a name of its own."""
        ...

    def more(self, thing: Mapping[str, Any], speaker: Speaker, /) -> Mapping[str, Any]:
        """Return what the sentence of a command or event needs besides its fields."""
        ...


@cache
def board_of(slug: str) -> Board:
    """Return the board of a game, or the generic one."""
    name = f"{__name__}.{slug}"
    found = slug.isidentifier() and find_spec(name) is not None
    return cast("Board", import_module(name if found else f"{__name__}.generic"))
