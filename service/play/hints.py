"""Hints for a seat: what is asked, from its own knowledge, and the answers."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.game import AnyGame, Illegal, Seen
from games.search import Hint, advise, never
from games.search.rollout import Stop
from projections.folded import Viewer
from projections.seen import seen
from service.play.match_cache import Live

BUDGET = 160
"""Playouts of a hint where nobody asks for more or less."""
BUDGET_MAX = 2_000


class Question(NamedTuple):
    """All that a hint may be made from."""

    game: AnyGame
    view: Any
    seen: Seen
    legal: list[Any]

    def answers(self, budget: int, cancelled: Stop = never) -> Iterator[Hint]:
        """Yield the rules' hint at once, then better ones; raises `Cancelled`, or what `cancelled` raises."""
        return advise(self.game, self.view, self.seen, self.legal, budget, cancelled)


def question(live: Live, viewer: Viewer) -> Question:
    """Ask for a seat that is to act now; raises `Illegal` where there is nothing to advise, or nobody."""
    match = live.match
    game = match.game
    if viewer is None:
        raise Illegal("not-a-seat")
    if game.blueprint is None:
        raise Illegal("no-hints", game=game.slug)
    if not game.advised(match.options):
        raise Illegal("hints-off")
    if match.status == "waiting":
        raise Illegal("match-not-started")
    if match.status != "running":
        raise Illegal("game-over")
    if match.chairs[viewer].left:
        raise Illegal("seat-left")
    if match.paused is not None:
        raise Illegal("match-paused")
    legal = game.legal(match.state, viewer)
    if not legal or viewer not in game.awaited(match.state, viewer):
        raise Illegal("not-your-turn")
    return Question(game, game.view(match.state, viewer), seen(match, viewer), legal)
