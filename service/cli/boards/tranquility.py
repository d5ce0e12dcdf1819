"""The board of Tranquility: the sea, the hands and the piles."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from service.cli.boards import Speaker
from service.cli.boards.chart import cell_name, chart, facts

CARDS = frozenset(
    (
        "card", "cards", "discards", "source", "storm", "destroyed", "compass", "removed",
        "row_cards",
    )
)  # fmt: skip
ISLAND = re.compile(r"island_(\d+)")
SIX = range(6)
COLOURS = ("cyan", "yellow", "magenta", "green", "blue")
"""Colours of the seats."""


def draw(view: Mapping[str, Any], you: int | None, speaker: Speaker) -> Group:
    """Draw the sea from its top row, then the table."""
    laid = dict(zip(_cells(view["options"]["variant"]), view["grid"], strict=True))

    def cell(column: int, row: int) -> str | Text:
        if (column, row) not in laid:
            return ""
        card = laid[column, row]
        if card is None:
            return Text("·", "dim")
        seat = card["owner"]
        return Text(_name(card["card"], speaker, card["number"]), COLOURS[max(seat, 0)])

    top = max(row for _, row in laid)
    return Group(chart(SIX, range(top, -1, -1), cell), facts(_facts(view, you, speaker)))


def value(field: str, value: Any, speaker: Speaker) -> str | None:
    """Name cards, cells and rows."""
    if field in CARDS and isinstance(value, str):
        return _name(value, speaker)
    if field == "cell" and isinstance(value, list):
        return cell_name(value)
    if field == "row" and isinstance(value, int):
        return "-" if value < 0 else str(value + 1)
    if field == "as" and value == 0:
        return speaker.say("asItself")
    return None


def more(thing: Mapping[str, Any], speaker: Speaker) -> Mapping[str, Any]:
    """Return the variants of sentences."""
    match thing["type"]:
        case "play_card":
            return {"context": "paid"} if thing.get("discards") else {}
        case "island_placed":
            wild = _kind(thing["card"]) == "wild"
            return {"context": "wild" if wild else "plain", "count": thing["cost"]}
        case "cards_discarded":
            return {"context": thing["why"]}
        case "storm_landed":
            return {"context": "row" if thing["row"] >= 0 else "seat"}
        case "voyage_lost":
            return {"reason": speaker.say(f"reasons.{thing['reason']}")}
        case "card_flipped" | "hands_turned":
            return {"side": speaker.say(f"sides.{thing['side']}")}
        case _:
            return {}


def _cells(variant: str) -> list[tuple[int, int]]:
    """Return the cells in the order of the view's grid: row by row from the bottom."""
    rows: Sequence[Sequence[int]] = [SIX] * 6
    if variant == "high_arch":
        rows = [[0, 1, 4, 5]] * 6 + [SIX]
    elif variant == "pyramid":
        rows = [SIX[:count] for count in (6, 5, 4, 3, 2, 1)]
    return [(column, row) for row, columns in enumerate(rows) for column in columns]


def _facts(
    view: Mapping[str, Any], you: int | None, speaker: Speaker
) -> Iterator[tuple[str, str | Text]]:
    for label, placed in (("Start", "start_placed"), ("Finish", "finish_placed")):
        if view[placed] is not None:
            yield label, "on the table"
    if view["rocks_row"] >= 0:
        yield "Rocks", f"row {view['rocks_row'] + 1}"
    yield "Row", _listed(view["row"], speaker)
    for seat, hand in enumerate(view["hands"]):
        counts = f"pile {len(view['piles'][seat])}, discards {len(view['discards'][seat])}"
        cards = _listed(hand, speaker)
        label = "You" if seat == you else speaker.name(seat)
        yield label, Text.assemble((cards or "no cards", COLOURS[seat]), f"  ({counts})")
        yield "", _listed(view["compasses"][seat], speaker)


def _listed(cards: Sequence[str], speaker: Speaker) -> str:
    """Name cards; hidden ones are counted."""
    hidden = Counter(cards)["?"]
    shown = [_name(card, speaker) for card in cards if card != "?"]
    return ", ".join([*shown, *([f"{hidden} hidden"] if hidden else [])])


def _name(card: str, speaker: Speaker, number: int = 0) -> str:
    """Name an island by its number, any other card by its kind. A wild card has a number too."""
    if found := ISLAND.fullmatch(card):
        return found[1]
    name = speaker.say(f"cards.{_kind(card)}")
    return f"{name} {number}" if number > 0 else name


def _kind(card: str) -> str:
    return "hidden" if card == "?" else re.sub(r"_\d+$", "", card)
