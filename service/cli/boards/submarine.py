"""The board of Submarine: the sea with its treasures, the ships, and what each seat holds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from service.cli.boards import Speaker
from service.cli.boards.chart import column_name, facts

CARDS = frozenset(("card", "pay", "cards", "put", "got"))
CELLS = frozenset(("cell", "to", "from"))
TOKENS = frozenset(("token", "joker"))
HARBOUR, OFF = 0, 7
"""Places of a ship before a voyage and after it."""
STYLES = {
    "red": "red", "yellow": "yellow", "green": "green", "blue": "blue", "grey": "bright_black",
}  # fmt: skip


def draw(view: Mapping[str, Any], you: int | None, speaker: Speaker) -> Group:
    """Draw the surface with the ships, the rows below, then what each seat holds."""
    table = Table(show_lines=True, header_style="dim")
    table.add_column("", style="dim")
    for column in range(6):
        table.add_column(column_name(column))
    ships = [_seats("ship", view["ships"], place) for place in range(1, 7)]
    table.add_row("1", *ships)
    for row in range(2, 6):
        cells = [_cell(view, column, row, speaker) for column in range(1, 7)]
        table.add_row(str(row), *cells)
    return Group(table, facts(_facts(view, you, speaker)))


def value(field: str, value: Any, speaker: Speaker) -> str | None:
    """Name cards, tokens, cells, columns and submarines."""
    if field in CARDS and isinstance(value, str):
        return _card(value, speaker)
    if field in TOKENS and isinstance(value, str):
        return _token(value, speaker)
    if field in CELLS and isinstance(value, list):
        return _cell_name(value)
    if field == "column" and isinstance(value, int):
        return column_name(value - 1)
    if field in ("to", "from") and isinstance(value, int):
        return _place(value, speaker)
    if field == "sub" and isinstance(value, int):
        cell = _sub(value, speaker)
        return f"{value + 1} ({_cell_name(cell)})" if cell else str(value + 1)
    return None


def more(thing: Mapping[str, Any], speaker: Speaker) -> Mapping[str, Any]:
    """Return the variants of sentences."""
    match thing["type"]:
        case "move_ship" | "ship_moved":
            return {"context": "off"} if thing["to"] == OFF else {}
        case "move_sub":
            cell = _sub(thing["sub"], speaker)
            return {"context": "known", "from": _cell_name(cell)} if cell else {}
        case "salvage":
            return {"context": "paid"} if thing.get("pay") else {}
        case "compensation_paid":
            return {"to": speaker.name(thing["to"]), "count": len(thing["cards"])}
        case "cards_drawn":
            hidden = "?" in thing["cards"]
            return {"context": "hidden" if hidden else "known", "count": len(thing["cards"])}
        case "card_swapped":
            return {"context": "hidden" if thing["got"] == "?" else "known"}
        case "treasure_salvaged":
            return {"context": thing["into"]}
        case "game_ended":
            return {"reason": speaker.say(f"reasons.{thing['reason']}")}
        case _:
            return {}


def _cell(view: Mapping[str, Any], column: int, row: int, speaker: Speaker) -> Text:
    """Draw the treasures of a cell, and the submarines there by the number of their seat."""
    tokens = view["cells"][column - 1][row - 2]
    lines = [Text(_token(token, speaker), STYLES[token.rpartition("_")[2]]) for token in tokens]
    here = [
        str(seat + 1)
        for seat, fleet in enumerate(view["subs"])
        for cell in fleet
        if cell == [column, row]
    ]
    if here:
        lines.append(Text(f"sub {' '.join(here)}", "bold cyan"))
    return Text("\n").join(lines)


def _facts(
    view: Mapping[str, Any], you: int | None, speaker: Speaker
) -> Iterator[tuple[str, str | Text]]:
    for label, place in (("In the harbour", HARBOUR), ("Off the board", OFF)):
        yield label, _seats("ship", view["ships"], place)
    for seat, hand in enumerate(view["hand"]):
        label = "You" if seat == you else speaker.name(seat)
        cards = Text(", ").join(
            Text(_card(card, speaker), STYLES.get(card, "dim")) for card in hand if card != "?"
        )
        hidden = hand.count("?")
        counts = f"({hidden} hidden, " if hidden else "("
        yield (
            f"{seat + 1} {label}",
            Text.assemble(cards, f" {counts}pile {len(view['pile'][seat])})"),
        )
        held = [_token(token, speaker) for token in view["slots"][seat].values()]
        jokers = [f"{_token(token, speaker)} (joker)" for token in view["jokers"][seat]]
        yield "", ", ".join([*held, *jokers])


def _seats(what: str, places: Sequence[int], place: int) -> str:
    here = [str(seat + 1) for seat, at in enumerate(places) if at == place]
    return f"{what} {' '.join(here)}" if here else ""


def _cell_name(cell: Sequence[int]) -> str:
    return f"{column_name(cell[0] - 1)}{cell[1]}"


def _card(card: str, speaker: Speaker) -> str:
    return speaker.say("hidden") if card == "?" else speaker.say(f"colours.f.{card}")


def _token(token: str, speaker: Speaker) -> str:
    motif, _, colour = token.partition("_")
    gender = speaker.say(f"genders.{motif}")
    return f"{speaker.say(f'colours.{gender}.{colour}')} {speaker.say(f'motifs.{motif}')}"


def _place(place: int, speaker: Speaker) -> str:
    if place == HARBOUR:
        return speaker.say("board.harbour")
    return speaker.say("board.off") if place == OFF else column_name(place - 1)


def _sub(sub: int, speaker: Speaker) -> Sequence[int] | None:
    """Return the cell of a submarine of the seat on turn."""
    view = speaker.view
    if view is None or not 0 <= view["active"] < len(view["subs"]):
        return None
    fleet = view["subs"][view["active"]]
    return fleet[sub] if 0 <= sub < len(fleet) else None
