"""How a match ends."""

from games.template.model import Result, State


def result(state: State) -> Result | None:
    """Return the result; None while the game goes on."""
    return state.result
