"""What a game declares about itself, so that the laws can be tried on it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.chance import Chance
from games.playout import Ply


def _same_command(_state: Any, _seat: int, command: Any) -> Any:
    return command


def _nothing(_state: Any, _seat: int, _chance: Chance) -> Iterable[Any]:
    return ()


def _no_twins(_state: Any, _viewer: int | None, _chance: Chance) -> Iterable[Any]:
    return ()


def _no_history(_plies: Sequence[Ply], _viewer: int | None, _chance: Chance) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Laws:
    """What the laws must know of a game. The defaults fit a game that hides nothing.

    A game with fields of the state that are not `Public` has to give `twins` and `rehistory`.
    """

    tables: Sequence[tuple[int, Mapping[str, Any]]]
    """(seats, options as JSON); together they cover every seat count, variant and option."""
    records_max: int
    """Maximum number of records of a random playout."""
    census: Callable[[Any], Any]
    """(state) -> all components, wherever they are: equal after every event after the set-up."""
    twins: Callable[[Any, int | None, Chance], Iterable[Any]] = field(default=_no_twins)
    """(state, viewer, chance) -> states that differ only in what the viewer cannot know."""
    rehistory: Callable[[Sequence[Ply], int | None, Chance], Sequence[Ply] | None] = field(
        default=_no_history
    )
    """(plies, viewer, chance) -> the same playout with what the viewer cannot know exchanged.

    None if there is nothing to exchange.
    """
    canonical: Callable[[Any, int, Any], Any] = field(default=_same_command)
    """(state, seat, command) -> the command that stands for its family in `legal`."""
    probes: Callable[[Any, int, Chance], Iterable[Any]] = field(default=_nothing)
    """(state, seat, chance) -> more commands, legal or nearly so, on which `legal` is tried."""
    perft: Path | None = None
    """TOML file with positions and the sizes of their legal trees."""
