"""Damage to both boats at once (SON-25, SON-58, SON-102 to SON-104)."""

from collections.abc import Sequence

from games.captain_sonar.components import DAMAGE_MAX
from games.captain_sonar.events import Cause, DamageTaken, SubmarineDestroyed
from games.captain_sonar.fold import Draft


def deal(draft: Draft, actor: int, amounts: Sequence[int], cause: Cause) -> bool:
    """Damage the boats by amounts per crew, the actor's enemy first; return whether one sank."""
    state, order = draft.state, (1 - actor, actor)
    for crew in order:
        if amounts[crew]:
            total = min(DAMAGE_MAX, state.damage[crew] + amounts[crew])
            draft.add(DamageTaken(crew, amounts[crew], total, cause, ""))
    sunk = [crew for crew in order if state.damage[crew] == DAMAGE_MAX]
    for crew in sunk:
        draft.add(SubmarineDestroyed(crew, len(sunk) > 1))
    return bool(sunk)
