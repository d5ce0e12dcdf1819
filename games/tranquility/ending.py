"""How a voyage ends: results and scores."""

from collections.abc import Sequence

from games.tranquility.components import BOX
from games.tranquility.events import Reason
from games.tranquility.model import Outcome, Result, State


def result(state: State) -> Result | None:
    """Return how the voyage ended; None while it goes on."""
    return state.result


def won(state: State) -> Result:
    """Return the result when all seats win (TRA-31)."""
    score = _filled(state) + 10 + _cards_left(state) + BOX.removed[state.options.difficulty]
    everybody = list(range(state.players))
    return _result(state, "won", "finish-placed", everybody, [score] * state.players)


def lost(state: State, reason: Reason) -> Result:
    """Return the result when all seats lose (TRA-33)."""
    return _result(state, "lost", reason, [], [_filled(state)] * state.players)


def raced(state: State, reason: Reason, scores: Sequence[int], winners: Sequence[int]) -> Result:
    """Return the result of the race of two (TRA-83)."""
    return _result(state, "race", reason, list(winners), list(scores))


def race_scores(state: State) -> list[int]:
    """Count three points per laid card, less one per discarded card (TRA-80, TRA-84)."""
    scores = [
        3 * laid - len(discards)
        for laid, discards in zip(_laid_by(state), state.discards, strict=True)
    ]
    if state.options.house == "balanced":
        scores[_second_seat(state)] += BOX.second_seat
    return scores


def _second_seat(state: State) -> int:
    """Return the seat that had the second turn of the race of two."""
    return (state.active + state.turn) % state.players


def race_winners(state: State, scores: Sequence[int]) -> list[int]:
    """List the seats with the highest score and, among equals, the fewest discards (TRA-83).

    In the house set `balanced` the second seat comes before the discards (TRA-84).
    """
    favoured = _second_seat(state) if state.options.house == "balanced" else -1
    standing = [
        (score, seat == favoured, -len(discards))
        for seat, (score, discards) in enumerate(zip(scores, state.discards, strict=True))
    ]
    best = max(standing)
    return [seat for seat, place in enumerate(standing) if place == best]


def _filled(state: State) -> int:
    """Count the laid islands."""
    return len(state.grid) - state.grid.count(None)


def _cards_left(state: State) -> int:
    """Count the cards in hands and piles."""
    return sum(map(len, state.hands)) + sum(map(len, state.piles))


def _laid_by(state: State) -> list[int]:
    """Count the cards on the sea that each seat laid."""
    owners = [laid.owner for laid in state.grid if laid is not None]
    return [owners.count(seat) for seat in range(state.players)]


def _result(
    state: State, outcome: Outcome, reason: Reason, winners: list[int], scores: list[int]
) -> Result:
    return Result(
        outcome=outcome,
        reason=reason,
        winners=winners,
        scores=scores,
        filled=_filled(state),
        cells=len(state.grid),
        laid=_laid_by(state),
        discarded=[len(discards) for discards in state.discards],
        cards_left=_cards_left(state),
        turns=state.turn,
        difficulty=state.options.difficulty,
        variant=state.options.variant,
    )
