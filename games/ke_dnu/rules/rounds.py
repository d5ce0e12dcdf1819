"""The automatic steps of turns, rounds and phases."""

from games.ke_dnu import events
from games.ke_dnu.components import FIRST_POINTS
from games.ke_dnu.ending import sink
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import berth
from games.ke_dnu.rules.drawing import shuffled
from games.ke_dnu.rules.ships import everyone, over_limit, times, tycoon_targets

SINKING_HAND = 5


def step_on(draft: Draft) -> bool:
    """Take the next automatic step of a turn; return whether there was one."""
    state = draft.state
    seat = state.active
    if state.status[seat] != "afloat":
        _end_turn(draft)
    elif state.step == "draw":
        if not state.drawn or tycoon_targets(state):
            return False
        draft.add(events.DrawEnded(seat))
    elif state.step == "main":
        return False
    elif state.step == "ending":
        _end_effect(draft)
    elif over_limit(state):
        return False
    else:
        _end_turn(draft)
    return True


def _end_effect(draft: Draft) -> None:
    """Announce the next end-of-turn card, or leave the step (KED-99, KED-100)."""
    state = draft.state
    seat = state.active
    board = state.board[seat]
    for card in state.end_queue:
        if berth(board, card):
            number = times(board, card)
            draft.add(events.ActionAnnounced(seat, card, "passive", number, -1, (), (), ""))
            return
    if over_limit(state):
        draft.add(events.LimitReached(seat))
    else:
        _end_turn(draft)


def _end_turn(draft: Draft) -> None:
    """End the turn and begin the next turn, or the next phase (KED-7, KED-30)."""
    state = draft.state
    draft.add(events.TurnEnded(state.active))
    seats = len(state.status)
    following = next(
        seat
        for step in range(1, seats + 1)
        if state.status[seat := (state.active + step) % seats] == "afloat"
    )
    first = state.first_seat
    round_over = (following - first) % seats <= (state.active - first) % seats
    if round_over and state.phase == "sinking" and state.round >= state.options.sinking_round_limit:
        for seat in everyone(state, first):
            sink(draft, seat, "limit")
        return
    last = (
        round_over and state.phase == "voyage" and state.round >= state.options.voyage_round_limit
    )
    if last and draft.has_dice:
        draft.add(events.VoyageEnded(-1, "limit"))
        start_sinking(draft, everyone(state, first)[0])
        return
    start_turn(draft, following, state.turn_index + 1, state.round + round_over)


def start_turn(draft: Draft, seat: int, turn_index: int, number: int) -> None:
    """Begin a turn in the round of that number."""
    state = draft.state
    phase = "voyage" if state.phase == "voyage" else "sinking"
    draft.add(events.TurnStarted(seat, phase, turn_index, number))
    if phase == "voyage" and number == 1 and state.options.house == "balanced":
        by_place = FIRST_POINTS[len(state.status)]
        if points := by_place[(seat - state.first_seat) % len(by_place)]:
            draft.add(events.PointsGained(seat, points, "house"))


def start_sinking(draft: Draft, first_seat: int) -> None:
    """Shuffle all cards of each seat and deal five (KED-28, KED-29)."""
    state = draft.state
    decks: list[tuple[str, ...]] = []
    hands: list[tuple[str, ...]] = []
    for seat in range(len(state.status)):
        cards = sorted([*state.hand[seat], *state.deck[seat], *state.water[seat]])
        order = shuffled(draft, cards)
        hands.append(tuple(sorted(order[:SINKING_HAND])))
        decks.append(order[SINKING_HAND:])
    draft.add(events.SinkingStarted(first_seat, tuple(decks), tuple(hands)))
    start_turn(draft, first_seat, 0, 1)
