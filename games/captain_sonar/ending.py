"""The result of a match (SON-102 to SON-108)."""

from games.captain_sonar.components import DAMAGE_MAX
from games.captain_sonar.model import Result, State


def result(state: State) -> Result | None:
    """Return the result of a finished match; None while it goes on."""
    if state.phase != "over":
        return None
    zero, one = state.damage
    sunk = (zero, one).count(DAMAGE_MAX)
    winner = state.winner
    return Result(
        outcome="draw" if winner is None else "win",
        winner_crew=winner,
        winners=() if winner is None else state.crew_seats[winner],
        losers=() if winner is None else state.crew_seats[1 - winner],
        damage=(zero, one),
        reason=("limit", "sunk", "both_sunk")[sunk],
        turns=state.turn_no,
        courses=state.courses_total,
    )
