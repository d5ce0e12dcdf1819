"""What all activations share: conditions, the stop, and the turn that follows."""

from games.captain_sonar.components import GAUGE_GROUPS, GROUPS
from games.captain_sonar.events import LimitReached, Resumed, StopCalled, TurnEnded, TurnStarted
from games.captain_sonar.fold import Draft
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.crews import spaces
from games.game import Illegal

TURNS_WHILE_SURFACED = 3


def broken(boat: Crew, gauge: str) -> bool:
    """Return whether a symbol of a system's group is crossed (SON-28, SON-29)."""
    return not GROUPS[GAUGE_GROUPS[gauge]].isdisjoint(boat.crossed)


def _full(state: State, boat: Crew, gauge: str) -> bool:
    """Return whether a gauge is in use and full (SON-37)."""
    return boat.gauges.get(gauge) == spaces(state).get(gauge, -1)


def ready(state: State, boat: Crew, gauge: str) -> bool:
    """Return whether a system can be activated as soon as the crew may activate one."""
    return _full(state, boat, gauge) and not broken(boat, gauge)


def check_activation(state: State, boat: Crew, gauge: str) -> None:
    """Refuse an activation without a move before it, a full gauge or an unbroken system."""
    check_moved(boat)
    if not _full(state, boat, gauge):
        raise Illegal("system-not-ready")
    check_unbroken(boat, gauge)


def check_moved(boat: Crew) -> None:
    """Refuse a second activation without a move (SON-40 to SON-42); in turns the phase does so."""
    if not boat.may_activate:
        raise Illegal("must-move-first")


def check_unbroken(boat: Crew, gauge: str) -> None:
    """Refuse to use a broken system (SON-28 to SON-30)."""
    if broken(boat, gauge):
        raise Illegal("system-broken")


def call_stop(draft: Draft, seat: int, crew: int, system: str) -> None:
    """Stop both crews in real time (SON-43)."""
    if draft.state.mode == "real_time":
        role = "captain" if "captain" in draft.state.roles[seat] else "first_mate"
        draft.add(StopCalled(crew, role, system))


def resolve(draft: Draft, crew: int) -> None:
    """End an activation: the next turn starts, or the stop is lifted (SON-43, SON-46)."""
    if draft.state.mode == "turns":
        end_turn(draft, surfaced=False)
    else:
        draft.add(Resumed(crew))


def end_turn(draft: Draft, *, surfaced: bool) -> None:
    """End the active crew's turn and start the next one (SON-46, SON-82, SON-83, SON-107)."""
    state = draft.state
    crew, enemy = state.active_crew, 1 - state.active_crew
    draft.add(TurnEnded(crew))
    if state.turn_no == state.options.max_turns:
        draft.add(LimitReached())
    elif surfaced and (not state.bonus or state.options.bonus_surface == "three"):
        draft.add(TurnStarted(enemy, TURNS_WHILE_SURFACED, True))
    elif not surfaced and state.turns_left > 1:
        draft.add(TurnStarted(crew, state.turns_left - 1, state.bonus))
    else:
        draft.add(TurnStarted(enemy, 1, False))
