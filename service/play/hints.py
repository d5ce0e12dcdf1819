"""Hints for a seat, from what that seat knows."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.game import AnyGame, Illegal, Seen
from games.match.model import Match
from games.search import Hint, advise, never
from games.search.rollout import Stop
from projections.folded import Viewer
from projections.seen import seen

BUDGET = 160
"""Default number of playouts for a hint."""
BUDGET_MAX = 2_000


class HintInput(NamedTuple):
    """Everything that a hint may be based on."""

    game: AnyGame
    view: Any
    seen: Seen
    legal: list[Any]

    def hints(self, budget: int, cancelled: Stop = never) -> Iterator[Hint]:
        """Yield the rules' hint at once, then better ones; raises what `cancelled` raises."""
        return advise(self.game, self.view, self.seen, self.legal, budget, cancelled)


def hint_input(match: Match, viewer: Viewer) -> HintInput:
    """Return what a hint for a seat may use; raises `Illegal` unless the seat is to move.

    In a branch, `recall` must have told what the seat had seen before.
    """
    legal = advisable(match, viewer)
    return HintInput(match.game, match.game.view(match.state, viewer), seen(match, viewer), legal)


def is_advised(match: Match, seat: int | None) -> bool:
    """Return whether a seat that has legal commands may ask for a hint."""
    return seat is not None and _objection(match, seat) is None


def advisable(match: Match, viewer: Viewer) -> list[Any]:
    """Return the commands of a seat that may be advised now; raises `Illegal` if it may not."""
    if viewer is None:
        raise Illegal("not-a-seat")
    if (objection := _objection(match, viewer)) is not None:
        raise objection
    legal = match.game.legal(match.state, viewer)
    if not legal:
        raise Illegal("not-your-turn")
    return legal


def _objection(match: Match, seat: int) -> Illegal | None:
    """Return why a seat gets no hint, if it is not for want of a legal command."""
    game = match.game
    if game.players.blueprint is None:
        return Illegal("no-hints", game=game.slug)
    if not game.players.advised(match.options):
        return Illegal("hints-off")
    if match.status == "waiting":
        return Illegal("match-not-started")
    if match.status != "running":
        return Illegal("game-over")
    if match.chairs[seat].left:
        return Illegal("seat-left")
    if match.paused is not None:
        return Illegal("match-paused")
    if seat not in game.awaited(match.state, seat):
        return Illegal("not-your-turn")
    return None
