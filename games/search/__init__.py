"""Look ahead in any game with a blueprint, from one seat's knowledge alone.

Worlds that fit what the seat has seen are sampled. In each of them the blueprint plays every
candidate on, with the same dice. Effort is counted in playouts, never in seconds, so that the same
question has the same answer anywhere. `docs/bots.md` says how and why.
"""

from games.search.choose import Choice, choose, deliberate
from games.search.evaluate import Estimate
from games.search.hint import Hint, Reason, advise
from games.search.levels import LEVELS, softened, with_levels
from games.search.rollout import Cancelled, never

__all__ = (
    "LEVELS",
    "Cancelled",
    "Choice",
    "Estimate",
    "Hint",
    "Reason",
    "advise",
    "choose",
    "deliberate",
    "never",
    "softened",
    "with_levels",
)
