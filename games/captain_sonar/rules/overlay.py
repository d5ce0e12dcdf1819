"""The radio operator's notes (SON-98, SON-99)."""

from games.captain_sonar.commands import SetOverlay
from games.captain_sonar.events import OverlaySet, OverlayWiped
from games.captain_sonar.fold import Draft
from games.captain_sonar.rules.crews import sea
from games.game import Illegal


def set_overlay(draft: Draft, crew: int, command: SetOverlay) -> None:
    """Lay the heard track on the map from a start (SON-98)."""
    if draft.state.options.radio_assist == "none":
        raise Illegal("overlay-disabled")
    if not sea(draft.state).on_map(command.origin):
        raise Illegal("overlay-off-map")
    draft.add(OverlaySet(crew, command.origin))


def wipe_overlay(draft: Draft, crew: int) -> None:
    """Erase the heard track (SON-99)."""
    draft.add(OverlayWiped(crew))
