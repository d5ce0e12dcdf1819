"""The board of Captain Sonar: the chart of one's own crew, its systems, and what it has heard."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from games.captain_sonar.components import SECTIONS, SYMBOLS, gauge_spaces, sea_of
from service.cli.boards import Speaker
from service.cli.boards.chart import cell_name, chart, column_name, facts

CREWS = frozenset(("crew", "winner_crew"))
CELLS = frozenset(("cell", "target", "origin"))
NAMED = {
    "gauge": "gauges", "direction": "ways", "system": "gauges", "circuit": "circuits",
    "role": "roles", "map": "options.map.values", "mode": "options.mode.values",
}  # fmt: skip
LETTERS = {"torpedo", "trigger", "archer"}


def draw(view: Mapping[str, Any], you: int | None, speaker: Speaker) -> Group:
    """Draw the chart, and the sheets of each crew as far as they are known."""
    shown = [crew for crew in view["crews"] if crew["position"] is not None]
    own = _crew_of(view, you)
    chosen = view["crews"][own] if own is not None else None
    islands = sea_of(view["map"], view["side"]).islands

    def cell(column: int, row: int) -> Text:
        here = [column, row]
        for crew in shown if chosen is None else [chosen]:
            if here == crew["position"]:
                return Text("@", "bold cyan")
            if here in (crew["mines"] or ()):
                return Text("*", "red")
            if here in (crew["route"] or ()):
                return Text("o", "cyan")
        if here in view["archer_mines"]:
            return Text("*", "magenta")
        return Text("#", "green") if (column, row) in islands else Text("·", "dim")

    size = range(view["size"])
    legend = Text("# island  @ boat  o route  * mine", "dim")
    return Group(chart(size, size, cell), legend, facts(_facts(view, own, speaker)))


def value(field: str, value: Any, speaker: Speaker) -> str | None:
    """Name crews, cells, systems and directions."""
    if field in CREWS and isinstance(value, int):
        return _boat(value, speaker)
    if field in CELLS and isinstance(value, list) and len(value) == 2:
        return cell_name(value)
    if field == "symbol" and isinstance(value, str):
        return _symbol(value, speaker)
    if field == "section" and isinstance(value, int):
        return speaker.say(f"sections.{SECTIONS[value].name}")
    if field == "direction" and value == "":
        return speaker.say("ways.none")
    if field == "damage" and isinstance(value, list):
        return " : ".join(map(str, value))
    if field in NAMED and isinstance(value, str) and value:
        return speaker.say(f"{NAMED[field]}.{value}")
    return None


def more(thing: Mapping[str, Any], speaker: Speaker) -> Mapping[str, Any]:
    """Return the variants of sentences."""
    match thing["type"]:
        case "answer_sonar":
            return _two(
                (thing["kind_a"], thing["kind_b"]), (thing["value_a"], thing["value_b"]), speaker
            )
        case "sonar_answered":
            return _two(thing["kinds"], thing["values"], speaker)
        case "run_silent":
            still = {"context": "still"} if thing["distance"] == 0 else {}
            return {**still, "count": thing["distance"]}
        case "turn_started":
            bonus = {"context": "bonus"} if thing.get("bonus") else {}
            return {**bonus, "count": thing.get("turns_left", 0)}
        case "damage_taken":
            return {"cause": speaker.say(f"causes.{thing['cause']}"), "count": thing["amount"]}
        case "drone_launched":
            return {"context": "yes" if thing.get("answer") else "no"}
        case "blast":
            told = [speaker.say(f"impacts.{impact}") for impact in thing["results"]]
            zero, one = (f"{_boat(crew, speaker)}: {how}" for crew, how in enumerate(told))
            return {"zero": zero, "one": one}
        case "course_ordered" | "mine_dropped" | "start_chosen":
            return {"context": "own"} if thing.get("cell") else {}
        case "silence_run":
            known = isinstance(thing.get("distance"), int)
            return {"context": "own", "count": thing["distance"]} if known else {"count": 0}
        case "torpedo_launched":
            return _lost_mine(thing)
        case "repairs_inspected":
            return {"context": "ok" if thing.get("ok") else "bad"}
        case "submarine_destroyed":
            return {"context": "both"} if thing.get("both") else {}
        case _:
            return {}


def _crew_of(view: Mapping[str, Any], you: int | None) -> int | None:
    return next((crew for crew, seats in enumerate(view["crew_seats"]) if you in seats), None)


def _facts(
    view: Mapping[str, Any], own: int | None, speaker: Speaker
) -> Iterator[tuple[str, str | Text]]:
    yield (
        "Damage",
        ", ".join(
            f"{_boat(crew, speaker)} {damage} of 4" for crew, damage in enumerate(view["damage"])
        ),
    )
    spaces = gauge_spaces(view["map"])
    for number, crew in enumerate(view["crews"]):
        boat = _boat(number, speaker)
        yield boat, speaker.say(f"stations.{crew['station']}")
        if crew["gauges"] is not None:
            marks = (
                f"{speaker.say(f'gauges.{name}')} {count}/{spaces[name]}"
                for name, count in crew["gauges"].items()
            )
            yield "  systems", ", ".join(marks)
        yield "  crossed out", ", ".join(crew["crossed"] or ())
        if own in (None, number):
            heard = (_heard(token, speaker) for token in crew["heard"] or ())
            yield "  heard", ", ".join(heard)


def _boat(crew: int, speaker: Speaker) -> str:
    names = speaker.view["options"]["boat_names"] if speaker.view else ()
    return speaker.say(f"boats.{names[crew]}") if 0 <= crew < len(names) else f"Boat {crew + 1}"


def _two(kinds: Sequence[str], values: Sequence[int], speaker: Speaker) -> Mapping[str, str]:
    facts_ = [_fact(kind, value, speaker) for kind, value in zip(kinds, values, strict=True)]
    return dict(zip(("first", "second"), facts_, strict=True))


def _fact(kind: str, value: int, speaker: Speaker) -> str:
    shown = column_name(value) if kind == "column" else value + 1 if kind == "row" else value
    return speaker.say(f"facts.{kind}", value=shown)


def _symbol(name: str, speaker: Speaker) -> str:
    symbol = SYMBOLS[name]
    way, group = speaker.say(f"ways.{name[0]}"), speaker.say(f"groups.{symbol.group}")
    circuit = speaker.say(f"circuits.{symbol.circuit or 'reactor'}")
    return f"{way} {name[1:]}, {group}, {circuit}"


def _lost_mine(thing: Mapping[str, Any]) -> Mapping[str, str]:
    if thing.get("own_mine") or thing.get("enemy_mine"):
        return {"context": "mine"}
    return {"context": "archer"} if thing.get("archer_mine") else {}


def _heard(token: str, speaker: Speaker) -> str:
    kind, _, rest = token.partition(":")
    if len(kind) == 1:
        return speaker.say(f"ways.{kind}")
    if kind in LETTERS:
        return speaker.say(f"heard.{kind}", cell=cell_name([int(n) for n in rest.split(",")]))
    if kind == "sonar":
        told = dict(fact.split("=") for fact in rest.split(","))
        first, second = (_fact(name, int(value), speaker) for name, value in told.items())
        return speaker.say("heard.sonar", first=first, second=second)
    if kind == "drone":
        sector, _, answer = rest.partition(":")
        return speaker.say(f"heard.drone_{answer or 'no'}", sector=sector)
    return speaker.say(f"heard.{kind}", value=rest)
