"""The engine: what follows by itself after a command (5.3), turn by turn (5.1), to the end (section 11)."""

from typing import Literal, assert_never

from games.ke_dnu import events
from games.ke_dnu.cards import CARDS
from games.ke_dnu.course import Course, board_score
from games.ke_dnu.model import (
    ActionFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    Result,
    State,
    StoryFrame,
)
from games.ke_dnu.operations import carry_out
from games.ke_dnu.ship import berth, everyone, over_limit, times, tycoon_targets
from games.ke_dnu.windows import asked, flapper_holder

SINKING_HAND = 5


def run(course: Course) -> None:
    """Go on until a seat is waited for or the match is over."""
    state = course.state
    while state.phase != "over":
        course.offer()
        if ended(state):
            course.emit(events.GameOver(result_of(course)))
        elif state.stack:
            if asked(state, state.stack[-1]):
                return
            settle(course)
        elif not step_on(course):
            return


def settle(course: Course) -> None:
    """Settle the top frame, which waits for nobody."""
    frame = course.state.stack[-1]
    match frame:
        case PlayFrame():
            arrive(course, frame)
        case ActionFrame(seat=seat, card=card):
            course.emit(events.Resolved(seat, card))
            carry_out(course, frame)
        case ReactionFrame():
            answer(course, frame)
        case DiscardFrame(flappers=flappers):
            if flappers:
                course.emit(events.FlapperSpent(flapper_holder(frame), flappers[0]))
            else:
                course.emit(events.Closed("discard"))
        case ChoiceFrame():
            course.emit(events.Closed("choice"))
        case StoryFrame():
            next_story(course, frame)
        case _:
            assert_never(frame)


def arrive(course: Course, frame: PlayFrame) -> None:
    """Let a laid card reach its board (KED-32, KED-33)."""
    exhausted = course.laid_exhausted(frame.seat, frame.card)
    course.emit(
        events.CardPlayed(
            frame.seat,
            frame.card,
            frame.board_seat,
            exhausted,
            frame.host,
            frame.price,
            frame.via,
        )
    )


def answer(course: Course, frame: ReactionFrame) -> None:
    """Let a reaction happen (KED-81 to KED-84, KED-87)."""
    reaction = CARDS[frame.card].reaction
    if reaction == "shield":
        course.emit(events.Shielded(frame.seat, frame.card))
        if berth(course.state.board[frame.seat], frame.card):
            course.discard_own(frame.seat, frame.card, CARDS[frame.card].id)
    elif reaction == "redirect":
        zone = frame.zone or "board"
        course.emit(events.Redirected(frame.seat, frame.card, zone, frame.cards, frame.positions))
    else:
        below = course.state.stack[-2]
        if isinstance(below, PlayFrame | ActionFrame | ReactionFrame):
            course.emit(events.Blocked(below.seat, below.card, frame.seat, frame.card))


def next_story(course: Course, frame: StoryFrame) -> None:
    """Let the next of a Storyteller's row draw (KED-93)."""
    state = course.state
    if not frame.queue:
        course.emit(events.Closed("story"))
        return
    seat = frame.queue[0]
    if state.status[seat] != "afloat":
        course.emit(events.StorySkipped(seat))
    elif state.deck[seat] or course.refill(seat):
        course.emit(events.StoryDrawn(seat, state.deck[seat][0]))
    else:
        if state.phase == "sinking":
            course.sink(seat)
        course.emit(events.StorySkipped(seat))


def step_on(course: Course) -> bool:
    """Take the next automatic step of a turn; tell whether there was one."""
    state = course.state
    seat = state.active
    if state.status[seat] != "afloat":
        end_turn(course)
    elif state.step == "draw":
        if not state.drawn or tycoon_targets(state):
            return False
        course.emit(events.DrawEnded(seat))
    elif state.step == "main":
        return False
    elif state.step == "ending":
        end_effect(course)
    elif over_limit(state):
        return False
    else:
        end_turn(course)
    return True


def end_effect(course: Course) -> None:
    """Run the next end-of-turn card, or leave the step (KED-99, KED-100)."""
    state = course.state
    seat = state.active
    for card in state.end_queue:
        if berth(state.board[seat], card):
            action = events.ActionAnnounced(
                seat, card, "passive", times(state.board[seat], card), -1, (), (), ""
            )
            course.emit(action)
            return
    if over_limit(state):
        course.emit(events.LimitReached(seat))
    else:
        end_turn(course)


def end_turn(course: Course) -> None:
    """End the turn and begin the next, or the next phase (KED-7, KED-30)."""
    state = course.state
    course.emit(events.TurnEnded(state.active))
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
            course.sink(seat, "limit")
        return
    last = (
        round_over and state.phase == "voyage" and state.round >= state.options.voyage_round_limit
    )
    if last and course.has_dice:
        course.emit(events.VoyageEnded(-1, "limit"))
        start_sinking(course, everyone(state, first)[0])
        return
    start_turn(course, following, state.turn_index + 1, state.round + round_over)


def start_turn(course: Course, seat: int, turn_index: int, number: int) -> None:
    """Begin a turn."""
    phase = "voyage" if course.state.phase == "voyage" else "sinking"
    course.emit(events.TurnStarted(seat, phase, turn_index, number))


def start_sinking(course: Course, first_seat: int) -> None:
    """Shuffle all and deal five cards each (KED-28, KED-29)."""
    state = course.state
    decks: list[tuple[str, ...]] = []
    hands: list[tuple[str, ...]] = []
    for seat in range(len(state.status)):
        cards = sorted([*state.hand[seat], *state.deck[seat], *state.water[seat]])
        order = course.shuffled(cards)
        hands.append(tuple(sorted(order[:SINKING_HAND])))
        decks.append(order[SINKING_HAND:])
    course.emit(events.SinkingStarted(first_seat, tuple(decks), tuple(hands)))
    start_turn(course, first_seat, 0, 1)


def ended(state: State) -> bool:
    """Tell whether the match ends: nobody is afloat, or all others have abandoned (KED-112, KED-115)."""
    afloat = state.status.count("afloat")
    return afloat == 0 or (afloat == 1 and state.status.count("abandoned") == len(state.status) - 1)


def result_of(course: Course) -> Result:
    """Rank the seats (section 11)."""
    state = course.state
    seats = range(len(state.status))
    left = [status == "abandoned" for status in state.status]
    scores = [0 if left[seat] else board_score(state, seat) for seat in seats]
    kept = [score for score, gone in zip(scores, left, strict=True) if not gone]
    ranks = [
        1 + (len(kept) if left[seat] else sum(score > scores[seat] for score in kept))
        for seat in seats
    ]
    return Result(
        winners=tuple(seat for seat in seats if ranks[seat] == 1),
        ranks=tuple(ranks),
        scores=tuple(scores),
        boards=tuple(tuple(place.card for place in board) for board in state.board),
        sank_order=tuple(state.sank_order),
        reason=reason_of(course),
    )


def reason_of(course: Course) -> Literal["all_sunk", "limit", "abandoned"]:
    """Tell why the match ended."""
    last = course.events[-1]
    if isinstance(last, events.ShipSank):
        return "limit" if last.reason == "limit" else "all_sunk"
    return "abandoned" if "sunk" not in course.state.status else "all_sunk"
