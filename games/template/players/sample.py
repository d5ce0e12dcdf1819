"""Worlds that fit what a viewer has seen: nothing is hidden, so there is one."""

from games.chance import Chance
from games.game import Seen
from games.structs import restorer
from games.template.model import State, View

_restore = restorer(View, State)


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Return a state that shows the view."""
    return _restore(view, options=seen.options)
