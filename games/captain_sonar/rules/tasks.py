"""The tasks that first mate and engineer owe for a move (SON-20 to SON-36)."""

from typing import Literal

from games.captain_sonar.commands import CrossSymbol, MarkGauge
from games.captain_sonar.components import (
    CIRCUITS,
    DAMAGE_MAX,
    GAUGE_GROUPS,
    PANEL_OF,
    PANELS,
    RADIATION,
    SYMBOLS,
    Circuit,
)
from games.captain_sonar.events import (
    BreakdownsCleared,
    CircuitRepaired,
    DamageTaken,
    GaugeMarked,
    GaugeReady,
    SubmarineDestroyed,
    SymbolCrossed,
)
from games.captain_sonar.fold import Draft
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.crews import spaces
from games.game import Illegal


def markable(state: State, boat: Crew) -> list[str]:
    """List the gauges that can take the owed mark (SON-20, SON-21, SON-76)."""
    return [
        gauge
        for gauge, count in spaces(state).items()
        if boat.gauges[gauge] < count and gauge != boat.mark_excluded
    ]


def crossable(boat: Crew) -> list[str]:
    """List the uncrossed symbols of the owed panel (SON-26)."""
    return [symbol for symbol in PANELS[boat.need_symbol] if symbol not in boat.crossed]


def mark_gauge(draft: Draft, crew: int, command: MarkGauge) -> None:
    """Mark a space of a gauge (SON-20 to SON-24, SON-76)."""
    state, gauge = draft.state, command.gauge
    boat = state.crews[crew]
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
    draft.add(GaugeMarked(crew, gauge, marks))
    if marks == spaces(state)[gauge]:
        draft.add(GaugeReady(crew, gauge))


def cross_symbol(draft: Draft, crew: int, command: CrossSymbol) -> None:
    """Cross a symbol; repair a circuit or suffer a breakdown with it (SON-26 to SON-36)."""
    state, symbol = draft.state, command.symbol
    boat = state.crews[crew]
    if not boat.need_symbol:
        raise Illegal("nothing-to-cross")
    if symbol not in SYMBOLS:
        raise Illegal("symbol-unknown")
    if PANEL_OF[symbol] != boat.need_symbol:
        raise Illegal("symbol-wrong-panel")
    if symbol in boat.crossed:
        raise Illegal("symbol-already-crossed")
    circuit, breakdown = crossing(boat.crossed, symbol, damage_first=state.options.damage_first)
    draft.add(SymbolCrossed(crew, symbol))
    if circuit:
        draft.add(CircuitRepaired(crew, circuit))
    if breakdown:
        total = min(DAMAGE_MAX, state.damage[crew] + 1)
        draft.add(DamageTaken(crew, 1, total, "breakdown", breakdown))
        draft.add(BreakdownsCleared(crew))
        if total == DAMAGE_MAX:
            draft.add(SubmarineDestroyed(crew, False))


def crossing(
    crossed: list[str], symbol: str, *, damage_first: bool
) -> tuple[Circuit | None, Literal["", "radiation", "area", "both"]]:
    """Return the circuit that a crossing repairs and the breakdown it causes (SON-31 to SON-35)."""
    after = {*crossed, symbol}
    area = after.issuperset(PANELS[PANEL_OF[symbol]])
    circuit = SYMBOLS[symbol].circuit
    if circuit and after >= CIRCUITS[circuit] and not (area and damage_first):
        return circuit, ""
    radiation = symbol in RADIATION and after >= RADIATION
    if area and radiation:
        return None, "both"
    return None, "area" if area else "radiation" if radiation else ""
