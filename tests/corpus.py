"""The recorded matches in `seeds/matches/<slug>/`: where they are, what they show, and what a game's must show."""

import importlib
import typing
from pathlib import Path
from typing import Any, Literal

import msgspec

from events import file
from games.game import AnyGame
from games.match.commands import PlayerCommand
from games.match.events import MatchEvent
from projections.folded import Folded
from tests.games.laws import laws_of

MATCHES = Path(__file__).resolve().parent.parent / "seeds" / "matches"


def recorded(slug: str = "*") -> list[Path]:
    """Find the recorded matches of a game, or of all."""
    return sorted(MATCHES.glob(f"{slug}/*.jsonl"))


def reasons_of(game: AnyGame) -> frozenset[str]:
    """Give the reasons for which a game can end.

    They are the `REASONS` of `tests/games/<slug>/laws.py` where it has any; else the literals of the field `reason`
    or `reasons` of the game's result, as `Game.result` or the state declares it.
    """
    laws = importlib.import_module(f"tests.games.{game.slug}.laws")
    if (reasons := getattr(laws, "REASONS", None)) is not None:
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
    raise AssertionError(f"{game.slug}: no literal reasons in its result: add REASONS to its laws")


def _literals(hint: Any) -> list[str]:
    args = typing.get_args(hint)
    if typing.get_origin(hint) is Literal:
        return [arg for arg in args if isinstance(arg, str)]
    return [literal for arg in args for literal in _literals(arg)]


ORDERS = frozenset(("type:set_standing_orders", "type:standing_orders_set", "type:follow_orders"))
"""What only a game with standing orders shows."""


def needed(game: AnyGame) -> frozenset[str]:
    """Name what the recorded matches of a game must show between them."""
    return frozenset(
        {f"reason:{reason}" for reason in reasons_of(game)}
        | _types(MatchEvent)
        | _types(PlayerCommand)
        | {"type:follow_orders"}
        | {"ending:finished", "ending:by-consent", "ending:by-operator"}
        | {f"seats:{seats}" for seats in game.seats}
    ) - (frozenset() if game.orders else ORDERS)


def wished(game: AnyGame) -> frozenset[str]:
    """Name what they should show besides, as far as it comes up."""
    tables = laws_of(game.slug).tables
    options = {f"option:{name}={value}" for _, raw in tables for name, value in raw.items()}
    kinds = {option for option in options if not option.endswith(("=True", "=False"))}
    return frozenset({"ending:by-leaving"} | kinds | _types(game.Command) | _types(game.Event))


def _types(union: Any) -> frozenset[str]:
    kinds = typing.get_args(union) or (union,)
    return frozenset(f"type:{kind.__struct_config__.tag}" for kind in kinds)


def shown(games: dict[str, AnyGame], lines: list[bytes]) -> frozenset[str]:
    """Name what one log shows."""
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
    """Give the game's own reasons for the end of a match; none if people ended it."""
    match = folded.match
    own = None if match.state is None else match.game.result(match.state)
    if own is None:
        return []
    return list(getattr(own, "reasons", ())) or [own.reason]  # type: ignore[attr-defined]


def ending(folded: Folded, last: dict[str, Any]) -> str:
    """Say who ended the match: the game (`finished`), those who left, all together, or an operator."""
    if folded.match.status == "finished":
        own = folded.match.game.result(folded.match.state)
        return "finished" if own is not None else "by-leaving"
    if folded.match.status == "abandoned":
        return "by-operator" if "operator" in last["by"] else "by-consent"
    return folded.match.status


def load(path: Path) -> list[bytes]:
    """Read the records of an exported file."""
    return file.read(path.read_bytes())[0]
