"""Commands as sequences of numbered actions, so that few numbers name every command of a game.

A command is spelled by its type and then by its fields, in order. A field that is a sequence is
spelled item by item and ends with `END`. A number means the same in every state of every match.
"""

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple, get_args

from msgspec.inspect import StructType, VarTupleType, type_info

from games.game import AnyGame, snake_case

END = 0
"""Number of the action that ends a sequence."""


class Vocabulary:
    """The actions of a game: `END`, the types of its commands, and the values of their fields."""

    def __init__(self, game: AnyGame) -> None:
        """Assign a number to each action of a game."""
        types: tuple[type, ...] = get_args(game.Command) or (game.Command,)
        values = dict.fromkeys(game.values)
        self.words: list[Any] = ["end", *map(_tag, types), *values]
        """The meaning of each action."""
        self._types = {kind: number for number, kind in enumerate(types, 1)}
        self._values = {value: number for number, value in enumerate(values, 1 + len(types))}
        self._fields = {kind: _fields(kind) for kind in types}

    def first(self, command: Any) -> int:
        """Return the action that begins a command."""
        return self._types[type(command)]

    def spell(self, command: Any) -> tuple[int, ...]:
        """Return the actions that make up a command. No command's are the beginning of another's.

        Raises `ValueError` if a field holds a value that the game does not declare.
        """
        numbers, spelled = self._values, [self._types[type(command)]]
        try:
            for name, many in self._fields[type(command)]:
                if many:
                    spelled += [numbers[item] for item in getattr(command, name)]
                    spelled.append(END)
                else:
                    spelled.append(numbers[getattr(command, name)])
        except KeyError as error:
            raise ValueError(
                f"{command} holds {error.args[0]!r}, which is none of the game's declared values. "
                "Add it to `values` of the game."
            ) from None
        return tuple(spelled)


@cache
def vocabulary_of(game: AnyGame) -> Vocabulary:
    """Return the actions of a game."""
    return Vocabulary(game)


class Choice(NamedTuple):
    """A command that is being chosen among legal ones."""

    chosen: tuple[int, ...]
    """The actions so far."""
    open: dict[int, list[Any]]
    """The next actions, each with the commands that it leaves."""


def begin(vocabulary: Vocabulary, commands: Sequence[Any]) -> Choice:
    """Return the choice of a command's type."""
    groups: dict[int, list[Any]] = {}
    for command in commands:
        groups.setdefault(vocabulary.first(command), []).append(command)
    return Choice((), groups)


def narrow(vocabulary: Vocabulary, commands: Sequence[Any]) -> Choice:
    """Return the choice at the first place where commands differ."""
    spelled = [vocabulary.spell(command) for command in commands]
    first, last = min(spelled), max(spelled)
    place = next(place for place in count() if first[place] != last[place])
    groups: dict[int, list[Any]] = {}
    for numbers, command in zip(spelled, commands, strict=True):
        groups.setdefault(numbers[place], []).append(command)
    return Choice(first[:place], groups)


def _tag(kind: type) -> str:
    return snake_case(kind.__name__)


def _fields(kind: type) -> list[tuple[str, bool]]:
    info = type_info(kind)
    assert isinstance(info, StructType)
    return [(field.name, isinstance(field.type, VarTupleType)) for field in info.fields]
