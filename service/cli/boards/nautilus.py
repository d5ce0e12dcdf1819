"""The board of Nautilus: the chart with modules, submarines and finds, and what each seat holds."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from games.nautilus.components import BOX
from service.cli.boards import Speaker
from service.cli.boards.chart import cell_name, chart, facts

MODULES = frozenset(("module", "modules", "kind"))
PLACE = re.compile(r"base|hab|res")
DEPTHS = {"l": "bright_cyan", "s": "cyan", "d": "blue", "a": "bright_black"}
SEATS = ("yellow", "magenta", "green", "red")
"""Colours of the seats."""


def draw(view: Mapping[str, Any], you: int | None, speaker: Speaker) -> Group:
    """Draw the chart: depths in lower case, hidden finds as question marks."""
    rows = BOX.board.rows
    drawn: dict[tuple[int, int], Text] = {}
    for column, row, _, face in view["hidden"]:
        drawn[column, row] = Text("?" if face == "?" else "!", "yellow")
    for module in view["modules"]:
        drawn[_at(module["cell"])] = Text(_letter(module["id"]), _style(module["owner"]))
    for name, boat in view["submarines"].items():
        drawn[_at(boat["cell"])] = Text(str(int(name[1]) + 1), _style(int(name[1])))

    def cell(column: int, row: int) -> Text:
        depth = rows[row][column].lower()
        return drawn.get((column, row)) or Text(depth, DEPTHS[depth])

    legend = Text(
        "l lagoon  s slope  d deep  a abyss  ? find  B base  H habitation  R research  1-4 boat",
        "dim",
    )
    sea = chart(range(len(rows[0])), range(len(rows)), cell)
    return Group(sea, legend, facts(_facts(view, you, speaker)))


def value(field: str, value: Any, speaker: Speaker) -> str | None:
    """Name cells, modules, finds, researchers and submarines."""
    if _is_cell(value):
        return cell_name(value)
    if not isinstance(value, str):
        return None
    if field == "find":
        return _find(value, speaker)
    if field == "colour":
        return speaker.say(f"colours.f.{value}")
    if field in MODULES or (field == "to" and PLACE.match(value)):
        return _module(value, speaker)
    if field in ("researcher", "submarine"):
        return _placed(value, speaker)
    return None


def more(thing: Mapping[str, Any], speaker: Speaker) -> Mapping[str, Any]:
    """Return the variants of sentences."""
    match thing["type"]:
        case "buy_module" | "module_bought":
            crew = thing["researchers"]
            count = len(crew) if isinstance(crew, list) else crew
            return {"context": "crew" if count > 0 else "lab", "count": count}
        case "game_set_up":
            return {"context": "balanced"} if thing.get("extra") else {}
        case "turn_advanced":
            return {"context": thing["step"] or "over"}
        case "find_covered":
            return {"context": "base"} if thing["seat"] < 0 else {}
        case "researcher_moved":
            path = thing["path"]
            return {
                "researcher": _piece(thing["researcher"], speaker),
                "from": _module(path[0], speaker),
                "to": _module(path[-1], speaker),
            }
        case "submarine_moved":
            return {"to": cell_name(thing["path"][-1]) if thing["path"] else ""}
        case "module_activated":
            rent = thing["rent_to"]
            told = "" if rent < 0 else speaker.say("board.rent", who=speaker.name(rent))
            return {"rent": told} | ({"context": "three"} if thing.get("three_taken") else {})
        case "sonar_used" | "finds_peeked":
            return _looked(thing, speaker)
        case "find_taken":
            return {"context": "chest"} if (thing.get("gain") or 0) > 0 else {}
        case "bonus_skipped":
            return {"bonus": speaker.say(f"bonuses.{thing['bonus']}")}
        case "end_triggered":
            return {"reason": speaker.say(f"reasons.{thing['reason']}")}
        case "pay_mission" | "mission_paid":
            return {"count": thing["count"]}
        case _:
            return {}


def _looked(thing: Mapping[str, Any], speaker: Speaker) -> Mapping[str, Any]:
    cells, faces = thing.get("cells"), thing.get("faces")
    known = isinstance(faces, list)
    return {
        "context": "known" if known else "hidden",
        "count": len(cells) if isinstance(cells, list) else 0,
        "found": ", ".join(_find(face, speaker) for face in faces) if known else "",
    }


def _facts(
    view: Mapping[str, Any], you: int | None, speaker: Speaker
) -> Iterator[tuple[str, str | Text]]:
    for seat in range(view["seats"]):
        label = "You" if seat == you else speaker.name(seat)
        levels = [
            f"{speaker.say(f'colours.f.{colour}')} {level}"
            for colour, level in view["level"][seat].items()
            if level
        ]
        held = [_module(one["module"], speaker) for one in view["hand"][seat] if "module" in one]
        finds = [
            f"{_find(sort, speaker)} {len(names)}"
            for sort, names in view["fields"][seat].items()
            if names
        ]
        parts = [f"{view['money'][seat]} N", *levels, *held, *finds]
        yield f"{seat + 1} {label}", Text(", ".join(parts), _style(seat))
        crew = Counter(
            _module(module, speaker)
            for name, module in view["researchers"].items()
            if name.startswith(f"r{seat}_")
        )
        yield "  researchers", ", ".join(f"{count} in {where}" for where, count in crew.items())


def _at(cell: Sequence[int]) -> tuple[int, int]:
    return cell[0], cell[1]


def _letter(module: str) -> str:
    return {"base": "B", "hab": "H", "res": "R"}[module.partition("_")[0]]


def _style(seat: int) -> str:
    return "bold white" if seat < 0 else f"bold {SEATS[seat]}"


def _module(module: str, speaker: Speaker) -> str:
    family, look, number = [*module.split("_"), "", ""][:3]
    if family == "base":
        return speaker.say("modules.base")
    if family == "hab":
        return speaker.say("modules.hab", kind=look.upper(), number=number).strip()
    return speaker.say("modules.res", colour=speaker.say(f"colours.m.{look}"), number=number)


def _find(find: str, speaker: Speaker) -> str:
    sort = "hidden" if find == "?" else find.partition("_")[0]
    return speaker.say(f"finds.{sort}", number=find.removeprefix("treasure_"))


def _piece(piece: str, speaker: Speaker) -> str:
    kind = "researcher" if piece.startswith("r") else "submarine"
    return speaker.say(f"pieces.{kind}", number=int(piece.partition("_")[2]))


def _placed(piece: str, speaker: Speaker) -> str:
    """Name a researcher or a submarine, and where it is."""
    name, view = _piece(piece, speaker), speaker.view or {}
    if piece in view.get("researchers", {}):
        return f"{name} ({_module(view['researchers'][piece], speaker)})"
    boat = view.get("submarines", {}).get(piece)
    return f"{name} ({cell_name(boat['cell'])})" if boat else name


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)
