"""The radio operator's notes (SON-98, SON-99)."""

from games.captain_sonar.commands import SetOverlay, WipeOverlay
from games.captain_sonar.crews import sea
from games.captain_sonar.events import Event, OverlaySet, OverlayWiped
from games.captain_sonar.model import State
from games.game import Illegal


def set_overlay(state: State, crew: int, command: SetOverlay) -> list[Event]:
    """SON-98."""
    if state.options.radio_assist == "none":
        raise Illegal("overlay-disabled")
    if not sea(state).on_map(command.origin):
        raise Illegal("overlay-off-map")
    return [OverlaySet(crew, command.origin)]


def wipe_overlay(state: State, crew: int, command: WipeOverlay) -> list[Event]:
    """SON-99."""
    return [OverlayWiped(crew)]
