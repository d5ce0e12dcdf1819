"""What a viewer may know."""

from games.structs import projector
from games.template.events import Event
from games.template.model import State, View

_project = projector(State, View)


def view(state: State, viewer: int | None) -> View:
    """Build what a viewer may know. Fields that are not `Public` would be given by keyword here."""
    return _project(state)


def redact(event: Event, viewer: int | None, state: State) -> Event | None:
    """Return what a viewer may know of an event. A game that hides cards replaces them here."""
    return event
