"""What follows by itself after a command, until a seat is awaited or the match is over."""

from typing import assert_never

from games.ke_dnu import events
from games.ke_dnu.ending import end, has_ended
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import (
    ActionFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    StoryFrame,
)
from games.ke_dnu.rules import answers, effects, laying, reactions
from games.ke_dnu.rules.discards import Offers
from games.ke_dnu.rules.rounds import step_on
from games.ke_dnu.rules.windows import asked, flapper_holder


def settle(draft: Draft, offers: Offers) -> None:
    """Add everything that follows.

    In each round (1) the discards are offered, (2) the match may end, (3) a top frame that awaits
    nobody is settled, or (4) with an empty stack the next automatic step of a turn is taken.
    """
    state = draft.state
    while state.phase != "over":
        offers.open()
        if has_ended(state):
            end(draft)
        elif state.stack:
            if asked(state, state.stack[-1]):
                return
            _settle_top(draft)
        elif not step_on(draft):
            return


def _settle_top(draft: Draft) -> None:
    """Settle the top frame, which awaits nobody."""
    frame = draft.state.stack[-1]
    match frame:
        case PlayFrame():
            laying.arrive(draft, frame)
        case ActionFrame():
            effects.resolve(draft, frame)
        case ReactionFrame():
            reactions.resolve(draft, frame)
        case DiscardFrame(flappers=flappers):
            if flappers:
                draft.add(events.FlapperSpent(flapper_holder(frame), flappers[0]))
            else:
                draft.add(events.Closed("discard"))
        case ChoiceFrame():
            draft.add(events.Closed("choice"))
        case StoryFrame():
            answers.next_story(draft, frame)
        case _:
            assert_never(frame)
