"""What first mate and engineer owe for a move (SON-20 to SON-36)."""

from typing import Literal

from games.captain_sonar.board import (
    CIRCUITS,
    GAUGE_GROUPS,
    PANEL_OF,
    PANELS,
    RADIATION,
    SYMBOLS,
    Circuit,
)
from games.captain_sonar.commands import CrossSymbol, MarkGauge
from games.captain_sonar.crews import spaces
from games.captain_sonar.events import (
    BreakdownsCleared,
    CircuitRepaired,
    DamageTaken,
    Event,
    GaugeMarked,
    GaugeReady,
    SubmarineDestroyed,
    SymbolCrossed,
)
from games.captain_sonar.model import Crew, State
from games.captain_sonar.turns import DAMAGE_MAX
from games.game import Illegal


def markable(state: State, boat: Crew) -> list[str]:
    """List the gauges that the owed mark may go to (SON-20, SON-21, SON-76)."""
    return [
        gauge
        for gauge, count in spaces(state).items()
        if boat.gauges[gauge] < count and gauge != boat.mark_excluded
    ]


def crossable(boat: Crew) -> list[str]:
    """List the symbols of the owed panel that aren't crossed (SON-26)."""
    return [symbol for symbol in PANELS[boat.need_symbol] if symbol not in boat.crossed]


def mark_gauge(state: State, crew: int, command: MarkGauge) -> list[Event]:
    """SON-20 to SON-24, SON-76."""
    boat, gauge = state.crews[crew], command.gauge
    if not boat.need_mark:
        raise Illegal("nothing-to-mark")
    if gauge not in GAUGE_GROUPS:
        raise Illegal("gauge-unknown")
    if gauge not in boat.gauges:
        raise Illegal("gauge-not-in-scenario")
    if gauge == boat.mark_excluded:
        raise Illegal("gauge-excluded")
    marks = boat.gauges[gauge] + 1
    if marks > spaces(state)[gauge]:
        raise Illegal("gauge-full")
    events: list[Event] = [GaugeMarked(crew, gauge, marks)]
    if marks == spaces(state)[gauge]:
        events.append(GaugeReady(crew, gauge))
    return events


def cross_symbol(state: State, crew: int, command: CrossSymbol) -> list[Event]:
    """SON-26 to SON-36."""
    boat, symbol = state.crews[crew], command.symbol
    if not boat.need_symbol:
        raise Illegal("nothing-to-cross")
    if symbol not in SYMBOLS:
        raise Illegal("symbol-unknown")
    if PANEL_OF[symbol] != boat.need_symbol:
        raise Illegal("symbol-wrong-panel")
    if symbol in boat.crossed:
        raise Illegal("symbol-already-crossed")
    events: list[Event] = [SymbolCrossed(crew, symbol)]
    circuit, breakdown = crossing(boat.crossed, symbol, damage_first=state.options.damage_first)
    if circuit:
        events.append(CircuitRepaired(crew, circuit))
    if breakdown:
        total = min(DAMAGE_MAX, state.damage[crew] + 1)
        events.append(DamageTaken(crew, 1, total, "breakdown", breakdown))
        events.append(BreakdownsCleared(crew))
        if total == DAMAGE_MAX:
            events.append(SubmarineDestroyed(crew, False))
    return events


def crossing(
    crossed: list[str], symbol: str, *, damage_first: bool
) -> tuple[Circuit | None, Literal["", "radiation", "area", "both"]]:
    """Tell which circuit a crossing repairs and which breakdown it causes (SON-31 to SON-35)."""
    after = {*crossed, symbol}
    area = after.issuperset(PANELS[PANEL_OF[symbol]])
    circuit = SYMBOLS[symbol].circuit
    if circuit and after >= CIRCUITS[circuit] and not (area and damage_first):
        return circuit, ""
    radiation = symbol in RADIATION and after >= RADIATION
    if area and radiation:
        return None, "both"
    return None, "area" if area else "radiation" if radiation else ""
