"""How a match ended, in words and figures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.cli.boards import board_of
from service.cli.wording import Speaker, catalogue

LEFT = (
    "Everybody left the match.",
    "All but the winner left the match.",
    "All but the winners left the match.",
)
"""By the number of winners: none, one, more."""


def outcome_of(match: Mapping[str, Any], speaker: Speaker) -> RenderableType:
    """Return who won and why, and the figures of the result that the game has words for."""
    result = match["result"]
    if result is None:
        return Text(f"The match was {match['status']}.", "bold")
    draw = result.get("outcome") == "draw"
    who = ", ".join(map(speaker.name, result["winners"])) or "Nobody"
    said = " ".join(("A draw." if draw else f"{who} won.", *_reasons(result, speaker, draw)))
    columns, rest = _figures(result, speaker)
    lines = [
        Text(f"{speaker.say(f'figures.{name}')}: {speaker.value(name, value)}")
        for name, value in rest.items()
    ]
    return Group(Text(said, "bold"), *lines, *([_table(columns, speaker)] if columns else []))


def _reasons(result: Mapping[str, Any], speaker: Speaker, draw: bool) -> Iterator[str]:
    reason = result.get("reason")
    for one in [reason] if reason else result.get("reasons", ()):
        if one == "resigned":
            yield LEFT[min(len(result["winners"]), 2)]
        else:
            yield speaker.say(f"reasons.{one}", context="draw" if draw else None)


def _figures(
    result: Mapping[str, Any], speaker: Speaker
) -> tuple[Mapping[str, Sequence[int]], Mapping[str, Any]]:
    """Return the figures that have words: those with a number for each seat, and the others."""
    known = catalogue(speaker.slug).get("figures", {})
    told = {name: value for name, value in result.items() if name in known and value is not None}
    columns = {name: value for name, value in told.items() if _is_by_seat(name, value, speaker)}
    seats: Sequence[Mapping[str, Any]] = result.get("seats", ())
    fields = [field for field in (seats[0] if seats else ()) if field in known]
    by_seat = {field: [seat[field] for seat in seats] for field in fields}
    return columns | by_seat, {name: told[name] for name in told if name not in columns}


def _is_by_seat(name: str, value: Any, speaker: Speaker) -> bool:
    return (
        isinstance(value, list)
        and len(value) == len(speaker.names)
        and all(isinstance(one, int) for one in value)
        and board_of(speaker.slug).value(name, value, speaker) is None
    )


def _table(columns: Mapping[str, Sequence[int]], speaker: Speaker) -> Table:
    grid = Table("", *(speaker.say(f"figures.{name}") for name in columns))
    for seat, name in enumerate(speaker.names):
        grid.add_row(name, *(str(values[seat]) for values in columns.values()))
    return grid
