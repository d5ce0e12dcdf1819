"""How an activation is carried out, and whose turn comes next."""

from collections.abc import Sequence

from games.captain_sonar.board import GAUGE_GROUPS, GROUPS
from games.captain_sonar.crews import spaces
from games.captain_sonar.events import (
    Cause,
    DamageTaken,
    Event,
    LimitReached,
    Resumed,
    StopCalled,
    SubmarineDestroyed,
    TurnEnded,
    TurnStarted,
)
from games.captain_sonar.model import Crew, State
from games.game import Illegal

DAMAGE_MAX = 4
TURNS_WHILE_SURFACED = 3


def broken(boat: Crew, gauge: str) -> bool:
    """Tell whether a symbol of a system's group is crossed (SON-28, SON-29)."""
    return not GROUPS[GAUGE_GROUPS[gauge]].isdisjoint(boat.crossed)


def full(state: State, boat: Crew, gauge: str) -> bool:
    """Tell whether a gauge is in use and full (SON-37)."""
    return boat.gauges.get(gauge) == spaces(state).get(gauge, -1)


def ready(state: State, boat: Crew, gauge: str) -> bool:
    """Tell whether a system can be activated once its crew may."""
    return full(state, boat, gauge) and not broken(boat, gauge)


def check_activation(state: State, boat: Crew, gauge: str) -> None:
    """Refuse an activation without a course before, a full gauge or a whole system."""
    check_moved(boat)
    if not full(state, boat, gauge):
        raise Illegal("system-not-ready")
    check_whole(boat, gauge)


def check_moved(boat: Crew) -> None:
    """SON-40 to SON-42; in turns the phase sees to it."""
    if not boat.may_activate:
        raise Illegal("must-move-first")


def check_whole(boat: Crew, gauge: str) -> None:
    """SON-28 to SON-30."""
    if broken(boat, gauge):
        raise Illegal("system-broken")


def stop_called(state: State, seat: int, crew: int, system: str) -> list[Event]:
    """Stop both crews in real time (SON-43)."""
    if state.mode == "turns":
        return []
    by = "captain" if "captain" in state.roles[seat] else "first_mate"
    return [StopCalled(crew, by, system)]


def resolved(state: State, crew: int) -> list[Event]:
    """Go on after an activation: the next turn, or the stop is lifted (SON-43, SON-46)."""
    return turn_over(state, surfaced=False) if state.mode == "turns" else [Resumed(crew)]


def turn_over(state: State, *, surfaced: bool) -> list[Event]:
    """End the active crew's turn (SON-46, SON-82, SON-83, SON-107)."""
    crew = state.active_crew
    if state.turn_no == state.options.max_turns:
        return [TurnEnded(crew), LimitReached()]
    enemy = 1 - crew
    if surfaced and (not state.bonus or state.options.bonus_surface == "three"):
        started = TurnStarted(enemy, TURNS_WHILE_SURFACED, True)
    elif not surfaced and state.turns_left > 1:
        started = TurnStarted(crew, state.turns_left - 1, state.bonus)
    else:
        started = TurnStarted(enemy, 1, False)
    return [TurnEnded(crew), started]


def damaged(
    state: State, actor: int, amounts: Sequence[int], cause: Cause
) -> tuple[list[Event], bool]:
    """Deal damage to both boats at once, the actor's enemy first; tell whether one is sunk.

    SON-25, SON-58, SON-102 to SON-104.
    """
    totals = [min(DAMAGE_MAX, state.damage[crew] + amounts[crew]) for crew in (0, 1)]
    order = (1 - actor, actor)
    events: list[Event] = [
        DamageTaken(crew, amounts[crew], totals[crew], cause, "") for crew in order if amounts[crew]
    ]
    sunk = [crew for crew in order if totals[crew] == DAMAGE_MAX]
    events.extend(SubmarineDestroyed(crew, len(sunk) > 1) for crew in sunk)
    return events, bool(sunk)
