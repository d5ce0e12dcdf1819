"""Other states that differ only in what a viewer cannot know."""

from collections.abc import Iterator

from games.captain_sonar.components import GROUPS, SYMBOLS
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.crews import sea, spaces
from games.chance import Chance

TWINS = 2


def twins(state: State, viewer: int | None, chance: Chance) -> Iterator[State]:
    """Yield states with the secrets of the enemy exchanged.

    With strict stations, secrets of the own crew that bind no command are exchanged as well.
    """
    if state.phase == "over" or not state.roles:
        return
    for _ in range(TWINS):
        twin = state.copy()
        for crew in (0, 1):
            if viewer is None or viewer not in state.crew_seats[crew]:
                exchange_crew(twin, crew, chance)
            elif state.options.strict_stations:
                exchange_sheets(twin, crew, state.roles[viewer], chance)
        yield twin


def exchange_crew(twin: State, crew: int, chance: Chance) -> None:
    """Exchange everything that outsiders do not know of a crew."""
    boat = twin.crews[crew]
    exchange_captain(twin, boat, chance)
    exchange_gauges(twin, boat, chance)
    boat.crossed = symbols(chance)
    exchange_tasks(boat, chance)
    exchange_notes(boat, chance)
    boat.may_activate = bool(chance.randbelow(2))
    if boat.station == "surfaced":
        seats = twin.crew_seats[crew]
        boat.traces = [(1 + n, chance.choice(seats), True) for n in range(chance.randbelow(4))]
    pads = list(twin.pads)
    starts = list(twin.default_starts)
    pads[crew] = tuple(chance.randbelow(65536) for _ in range(64))
    starts[crew] = chance.choice(sea(twin).cells)
    twin.pads, twin.default_starts = tuple(pads), tuple(starts)


def exchange_sheets(twin: State, crew: int, roles: tuple[str, ...], chance: Chance) -> None:
    """Exchange the sheets of other roles of a crew. What its seats may do stays as it is."""
    boat = twin.crews[crew]
    if "captain" not in roles:
        exchange_captain(twin, boat, chance)
    if not {"captain", "first_mate"} & set(roles):
        exchange_gauges(twin, boat, chance)
    if roles == ("radio_operator",):
        boat.crossed = symbols(chance)
    if "radio_operator" not in roles:
        exchange_notes(boat, chance)


def exchange_captain(twin: State, boat: Crew, chance: Chance) -> None:
    cells = sea(twin).cells
    if boat.position is not None:
        boat.position = chance.choice(cells)
        boat.route = [boat.position]
    boat.mines = sorted(set(chance.sample(cells, chance.randbelow(3))) - set(boat.route))


def exchange_gauges(twin: State, boat: Crew, chance: Chance) -> None:
    boat.gauges = {gauge: chance.randbelow(room + 1) for gauge, room in spaces(twin).items()}


def exchange_tasks(boat: Crew, chance: Chance) -> None:
    if boat.station not in ("tasks", "silent"):
        return
    owed = chance.choice(["mark", "symbol", "both"])
    boat.need_mark = owed != "symbol"
    boat.need_symbol = "" if owed == "mark" else chance.choice("nesw")
    if boat.station == "silent" and chance.randbelow(2):
        boat.need_mark, boat.need_symbol = False, ""
    boat.mark_excluded = "silence" if boat.need_mark and boat.station == "silent" else ""


def exchange_notes(boat: Crew, chance: Chance) -> None:
    boat.heard = boat.heard[chance.randbelow(len(boat.heard) + 1) :]
    boat.overlay = (chance.randbelow(10), chance.randbelow(10)) if chance.randbelow(2) else None


def symbols(chance: Chance) -> list[str]:
    """Draw some crossed symbols that complete nothing."""
    return sorted(chance.sample(sorted(SYMBOLS.keys() - GROUPS["weapon"]), chance.randbelow(5)))
