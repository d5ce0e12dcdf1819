"""Look ahead in any game with a blueprint, from one seat's knowledge alone.

Worlds that fit what the seat has seen are sampled. In each of them the blueprint plays every
candidate on, with the same dice. Effort is counted in playouts, never in seconds, so that the same
question has the same answer anywhere. `docs/bots.md` says how and why.
"""

from games.search.choose import Choice, choose, deliberate
from games.search.evaluate import Estimate, evaluate
from games.search.hint import Hint, Reason, advise
from games.search.levels import LEVELS, softened, with_levels
from games.search.rollout import Cancelled, never
from games.search.shares import Share, share_of_state, win_share

__all__ = (
    "LEVELS",
    "Cancelled",
    "Choice",
    "Estimate",
    "Hint",
    "Reason",
    "Share",
    "advise",
    "choose",
    "deliberate",
    "evaluate",
    "never",
    "share_of_state",
    "softened",
    "win_share",
    "with_levels",
)
