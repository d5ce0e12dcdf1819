"""What a game's tests tell the laws: `tests/games/<slug>/laws.py` fills in this form as `LAWS`."""

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.chance import Chance
from games.playout import Ply


def _identity(_state: Any, _seat: int, command: Any) -> Any:
    return command


def _nothing(_state: Any, _seat: int, _chance: Chance) -> Iterable[Any]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Laws:
    """The game's own part of the laws."""

    tables: Sequence[tuple[int, dict[str, Any]]]
    """(seats, options as JSON) pairs; together they cover every seat count, variant and option."""
    records_max: int
    """No random playout is longer."""
    census: Callable[[Any], Any]
    """(state) -> all components, wherever they are, as a comparable value: the same at every event after the set-up."""
    twins: Callable[[Any, int | None, Chance], Iterable[Any]]
    """(state, viewer, chance) -> other states that differ only in what the viewer cannot know."""
    rehistory: Callable[[Sequence[Ply], int | None, Chance], Sequence[Ply] | None]
    """(plies, viewer, chance) -> the same playout with what the viewer can't know exchanged throughout; None if there is nothing to exchange."""
    canonical: Callable[[Any, int, Any], Any] = field(default=_identity)
    """(state, seat, command) -> the representative of the command's family in `legal`."""
    probes: Callable[[Any, int, Chance], Iterable[Any]] = field(default=_nothing)
    """(state, seat, chance) -> more commands, legal or nearly so, to hold `legal` against `decide`: members of families too."""


def laws_of(slug: str) -> Laws:
    """Find a game's laws."""
    return importlib.import_module(f"tests.games.{slug}.laws").LAWS
