"""How ships sink and how the match ends (KED-110 to KED-115)."""

from typing import Literal

from games.ke_dnu import events
from games.ke_dnu.components import VALUE
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import Result, State


def result(state: State) -> Result | None:
    """Return the result of a match that is over, else None."""
    return state.result


def _board_score(state: State, seat: int) -> int:
    """Return the value of a board (KED-111)."""
    return sum(VALUE[place.card] for place in state.board[seat])


def sink(draft: Draft, seat: int, reason: Literal["empty_deck", "limit"] = "empty_deck") -> None:
    """Sink a ship; its board is its score (KED-110, KED-111)."""
    draft.add(events.ShipSank(seat, _board_score(draft.state, seat), reason))


def has_ended(state: State) -> bool:
    """Return whether nobody is afloat, or all others have abandoned (KED-112, KED-115)."""
    afloat = state.status.count("afloat")
    return afloat == 0 or (afloat == 1 and state.status.count("abandoned") == len(state.status) - 1)


def end(draft: Draft) -> None:
    """Rank the seats and end the match (KED-113)."""
    state = draft.state
    seats = range(len(state.status))
    left = [status == "abandoned" for status in state.status]
    scores = [0 if left[seat] else _board_score(state, seat) for seat in seats]
    kept = [score for score, gone in zip(scores, left, strict=True) if not gone]
    ranks = [
        1 + (len(kept) if left[seat] else sum(score > scores[seat] for score in kept))
        for seat in seats
    ]
    ranking = Result(
        winners=tuple(seat for seat in seats if ranks[seat] == 1),
        ranks=tuple(ranks),
        scores=tuple(scores),
        boards=tuple(tuple(place.card for place in board) for board in state.board),
        sank_order=tuple(state.sank_order),
        reason=_end_reason(draft),
    )
    draft.add(events.GameOver(ranking))


def _end_reason(draft: Draft) -> Literal["all_sunk", "limit", "abandoned"]:
    """Return why the match ends, from the event that ended it."""
    last = draft.events[-1]
    if isinstance(last, events.ShipSank):
        return "limit" if last.reason == "limit" else "all_sunk"
    return "abandoned" if "sunk" not in draft.state.status else "all_sunk"
