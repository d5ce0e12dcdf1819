"""The board of any game: the fields of its view."""

import json
from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from service.cli.boards import Speaker

HIDDEN = "?"


def draw(view: Mapping[str, Any], _you: int | None, _speaker: Speaker) -> Table:
    """Draw the fields that have a value, except the options."""
    table = Table(show_header=False)
    for field, value in view.items():
        if value not in (None, [], {}, "") and field != "options":
            text = json.dumps(_counted(value), ensure_ascii=False)
            table.add_row(Text(field.replace("_", " ")), Text(text))
    return table


def value(_field: str, _value: Any, _speaker: Speaker) -> str | None:
    """Name nothing in a way of its own."""
    return None


def more(_thing: Mapping[str, Any], _speaker: Speaker) -> Mapping[str, Any]:
    """Add nothing."""
    return {}


def _counted(value: Any) -> Any:
    """Replace lists of hidden things by their number."""
    if not isinstance(value, list):
        return value
    parts: list[Any] = value
    if parts and all(part == HIDDEN for part in parts):
        return f"{len(parts)} hidden"
    return [_counted(part) for part in parts]
