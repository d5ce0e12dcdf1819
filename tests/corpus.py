"""The recorded matches in `seeds/matches/<slug>/`: what they show, and what a game's must show."""

import typing
from pathlib import Path
from typing import Any, Literal

import msgspec

from events import file
from games.game import AnyGame
from games.match.commands import PlayerCommand
from games.match.events import MatchEvent
from projections.folded import Folded
from tests.games.laws import kinds, lacks, laws_module, laws_of

MATCHES = Path(__file__).resolve().parent.parent / "seeds" / "matches"


def recorded(slug: str = "*") -> list[Path]:
    """Find the recorded matches of a game, or of all, by file name."""
    return sorted(MATCHES.glob(f"{slug}/*.jsonl"))


def played_out(slug: str) -> list[Path]:
    """Find the recorded matches of a game that ended by its rules, by file name."""
    return [path for path in recorded(slug) if not path.stem.startswith("by-")]


def recorded_of(slug: str) -> list[Path]:
    """Find the recorded matches of a game, the smallest file first; end the test without any."""
    found = sorted(recorded(slug), key=lambda path: path.stat().st_size)
    return found or lacks(slug, f"recorded match in seeds/matches/{slug}")


def reasons_of(game: AnyGame) -> frozenset[str]:
    """Return the reasons for which a game can end.

    They are the `REASONS` of `tests/games/<slug>/laws.py` if the module has any; otherwise the
    literals of the field `reason` or `reasons` of the game's result, as `Game.result` or the state
    declares it.
    """
    if (reasons := getattr(laws_module(game.slug), "REASONS", None)) is not None:
        return frozenset(reasons)
    declared = (
        typing.get_type_hints(game.result).get("return"),
        typing.get_type_hints(game.State).get("result"),
    )
    for kind in (kind for union in declared for kind in typing.get_args(union)):
        hints = typing.get_type_hints(kind)
        for name in ("reason", "reasons"):
            if found := _literals(hints.get(name)):
                return frozenset(found)
    raise AssertionError(f"{game.slug}: the result has no literal reasons. Add REASONS to laws.py.")


def _literals(hint: Any) -> list[str]:
    args = typing.get_args(hint)
    if typing.get_origin(hint) is Literal:
        return [arg for arg in args if isinstance(arg, str)]
    return [literal for arg in args for literal in _literals(arg)]


ORDERS = frozenset(("type:set_standing_orders", "type:standing_orders_set", "type:follow_orders"))
"""Shown only by a game with standing orders."""


def needed(game: AnyGame) -> frozenset[str]:
    """Return what the recorded matches of a game, taken together, must show."""
    return frozenset(
        {f"reason:{reason}" for reason in reasons_of(game)}
        | _types(MatchEvent)
        | _types(PlayerCommand)
        | {"type:follow_orders"}
        | {"ending:finished", "ending:by-consent", "ending:by-operator"}
        | {f"seats:{seats}" for seats in game.seats}
    ) - (frozenset() if game.orders else ORDERS)


def wished(game: AnyGame) -> frozenset[str]:
    """Return what the recorded matches of a game should show besides, if it comes up."""
    tables = laws_of(game.slug).tables
    options = {f"option:{name}={value}" for _, raw in tables for name, value in raw.items()}
    choices = {option for option in options if not option.endswith(("=True", "=False"))}
    return frozenset({"ending:by-leaving"} | choices | _types(game.Command) | _types(game.Event))


def _types(union: Any) -> frozenset[str]:
    return frozenset(f"type:{kind.__struct_config__.tag}" for kind in kinds(union))


def shown(games: dict[str, AnyGame], lines: list[bytes]) -> frozenset[str]:
    """Return what one log shows."""
    folded = Folded.of(games, lines)
    records = [msgspec.json.decode(line) for line in lines]
    types = {event["type"] for record in records for event in record["events"]}
    types |= {record["command"]["type"] for record in records}
    options = msgspec.to_builtins(folded.match.options).items()
    return frozenset(
        {f"type:{kind}" for kind in types}
        | {f"reason:{reason}" for reason in reasons(folded)}
        | {f"option:{name}={value}" for name, value in options}
        | {f"ending:{ending(folded, records[-1])}", f"seats:{folded.match.header.seats}"}
    )


def reasons(folded: Folded) -> list[str]:
    """Return the game's own reasons for the end of a match; none if people ended it."""
    match = folded.match
    own = None if match.state is None else match.game.result(match.state)
    if own is None:
        return []
    return list(getattr(own, "reasons", ())) or [own.reason]  # type: ignore[attr-defined]


def ending(folded: Folded, last: dict[str, Any]) -> str:
    """Return who ended the match: the game (`finished`), leavers, all players or an operator."""
    if folded.match.status == "finished":
        own = folded.match.game.result(folded.match.state)
        return "finished" if own is not None else "by-leaving"
    if folded.match.status == "abandoned":
        return "by-operator" if "operator" in last["by"] else "by-consent"
    return folded.match.status


def load(path: Path) -> list[bytes]:
    """Read the records of an exported file."""
    return file.read(path.read_bytes())[0]
