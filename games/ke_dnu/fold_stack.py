"""The fold of the stack: what pushes, changes or pops a frame (5.3)."""

from typing import assert_never

from msgspec.structs import replace

from games.ke_dnu import events
from games.ke_dnu.cards import TYCOON
from games.ke_dnu.fold_zones import set_exhausted
from games.ke_dnu.model import (
    ActionFrame,
    AnyFrame,
    Berth,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    Redirect,
    State,
    StoryFrame,
)
from games.ke_dnu.ship import TYPE


def fold_stack(state: State, event: events.StackEvent) -> None:
    """Fold an event of the stack."""
    match event:
        case events.PlayAnnounced(seat=seat, card=card, price=price, board_seat=board_seat):
            push(state, PlayFrame(seat, card, price, board_seat, event.host, event.via))
        case events.CardPlayed():
            card_played(state, event)
        case events.ActionAnnounced():
            action_announced(state, event)
        case events.ReactionAnnounced(seat=seat, card=card):
            set_exhausted(state.board[seat], card, exhausted=True)
            push(state, ReactionFrame(seat, card, event.zone, event.cards, event.positions))
        case events.DiscardsOpened(cards=cards, holders=holders, flappers=flappers):
            push(state, DiscardFrame(cards, holders, flappers))
        case events.ChoiceOpened(cause=cause, need=need):
            push(state, ChoiceFrame(cause, need))
        case events.StoryOpened(seat=seat, seats=seats):
            push(state, StoryFrame(seat, seats))
        case events.Resolved() | events.Closed():
            pop(state)
        case events.Blocked(card=card):
            pop(state)
            if isinstance(pop(state), PlayFrame):
                state.no_play.append(card)
        case events.Shielded() | events.Redirected():
            pop(state)
            state.stack[-1] = changed(state.stack[-1], event)
        case events.StoryDrawn() | events.StorySkipped() | events.StoryPlaced():
            state.stack[-1] = story(state, state.stack[-1], event)
        case events.Passed() | events.FlapperSpent() | events.Chosen():
            state.stack[-1] = changed(state.stack[-1], event)
        case _:
            assert_never(event)


def push(state: State, frame: AnyFrame) -> None:
    """Lay a frame on the stack."""
    state.stack.append(frame)
    state.numbers.append(state.frames)
    state.frames += 1


def pop(state: State) -> AnyFrame:
    """Take the top frame off the stack."""
    state.numbers.pop()
    return state.stack.pop()


def drop_stack(state: State) -> None:
    """Forget all that is pending."""
    state.stack.clear()
    state.numbers.clear()


def changed(
    frame: AnyFrame,
    event: events.Passed
    | events.Shielded
    | events.Redirected
    | events.FlapperSpent
    | events.Chosen,
) -> AnyFrame:
    """Give a frame as an answer changes it."""
    match frame, event:
        case ((PlayFrame() | ActionFrame() | ReactionFrame() | DiscardFrame()), events.Passed()):
            return replace(frame, passed=(*frame.passed, event.seat))
        case ActionFrame(), events.Shielded():
            return replace(frame, shields=(*frame.shields, event.seat))
        case ActionFrame(), events.Redirected():
            redirect = Redirect(event.seat, event.zone, event.cards, event.positions)
            return replace(frame, redirects=(*frame.redirects, redirect))
        case DiscardFrame(), events.FlapperSpent():
            return replace(frame, flappers=frame.flappers[1:])
        case ChoiceFrame(need=need), events.Chosen(seat=chooser):
            left = tuple(count - (seat == chooser) for seat, count in enumerate(need))
            return replace(frame, need=left)
        case _:
            return frame


def card_played(state: State, event: events.CardPlayed) -> None:
    """Let an announced card arrive (KED-32)."""
    pop(state)
    if event.via == "hand":
        state.hand[event.seat].remove(event.card)
        state.points -= event.price
    else:
        next(water for water in state.water if event.card in water).remove(event.card)
    state.board[event.board_seat].append(Berth(event.card, event.exhausted, event.host))


def action_announced(state: State, event: events.ActionAnnounced) -> None:
    """Begin an effect (KED-34, KED-43, KED-96, KED-100)."""
    card = event.card
    if event.source == "exhaust":
        set_exhausted(state.board[event.seat], card, exhausted=True)
    elif event.source == "flapper":
        below = state.stack[-1]
        if isinstance(below, DiscardFrame):
            state.stack[-1] = replace(below, flappers=below.flappers[1:])
    elif TYPE[card] == TYCOON:
        state.tycoon_left -= 1
        state.draw_begun = True
    elif card in state.end_queue:
        state.end_queue = state.end_queue[state.end_queue.index(card) + 1 :]
    push(
        state,
        ActionFrame(
            event.seat,
            card,
            event.source,
            event.times,
            event.target,
            event.cards,
            event.victims,
            event.host,
        ),
    )


def story(
    state: State,
    frame: AnyFrame,
    event: events.StoryDrawn | events.StorySkipped | events.StoryPlaced,
) -> AnyFrame:
    """Go on in a Storyteller's row (KED-93)."""
    if not isinstance(frame, StoryFrame):
        return frame
    match event:
        case events.StoryDrawn(seat=seat, card=card):
            del state.deck[seat][:1]
            return StoryFrame(frame.seat, frame.queue[1:], seat, card)
        case events.StorySkipped():
            return StoryFrame(frame.seat, frame.queue[1:])
        case events.StoryPlaced(seat=seat, card=card):
            if event.where == "board":
                state.board[seat].append(Berth(card, event.exhausted, event.host))
            else:
                state.deck[seat].append(card)
            return StoryFrame(frame.seat, frame.queue)
        case _:
            assert_never(event)
