"""Answers to frames other than by a reaction: to pass, to choose a card, to place a story card."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import RATS, TYPE
from games.ke_dnu.ending import sink
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import ChoiceFrame, DiscardFrame, StoryFrame, berth
from games.ke_dnu.rules.discards import check_discard, check_in_hand, discard
from games.ke_dnu.rules.drawing import refill
from games.ke_dnu.rules.laying import arrival, check_arrival_host, check_no_host
from games.ke_dnu.rules.ships import free_cards
from games.ke_dnu.rules.windows import flapper_holder, in_choice_board


def decline(draft: Draft, seat: int) -> None:
    """Pass a frame, or leave a Flapper unused (KED-43, KED-87)."""
    top = draft.state.stack[-1]
    if isinstance(top, DiscardFrame) and top.flappers:
        draft.add(events.FlapperSpent(flapper_holder(top), top.flappers[0]))
    else:
        draft.add(events.Passed(seat))


def choose_card(draft: Draft, seat: int, command: commands.ChooseCard) -> None:
    """Choose a card for a Janitor or Proletarian (KED-94)."""
    state, card = draft.state, command.card
    frame = state.stack[-1]
    assert isinstance(frame, ChoiceFrame), "the step allows choices only in such a frame"
    if in_choice_board(frame):
        if berth(state.board[seat], card) is None:
            raise Illegal("card-not-on-board", card=card)
        draft.add(events.Chosen(seat, card))
        draft.add(events.Moved(seat, card, "board", seat, "deck_bottom", frame.cause, locked=False))
        return
    if free_cards(state, seat):
        check_discard(state, seat, card)
    check_in_hand(state, seat, card)
    draft.add(events.Chosen(seat, card))
    if card not in state.locked:
        discard(draft, seat, card, "hand", frame.cause)


def place_story(draft: Draft, seat: int, command: commands.PlaceStory) -> None:
    """Put the card drawn for a Storyteller on the board or under the deck (KED-93)."""
    frame = draft.state.stack[-1]
    assert isinstance(frame, StoryFrame), "the step allows placing only in such a frame"
    card = frame.card
    if command.where == "deck":
        check_no_host(command.host)
        draft.add(events.StoryPlaced(seat, card, "deck", "", exhausted=False))
        return
    if TYPE[card] == RATS:
        raise Illegal("cannot-board")
    check_arrival_host(draft.state, seat, (card,), command.host)
    exhausted, host = arrival(draft.state, seat, card, command.host)
    draft.add(events.StoryPlaced(seat, card, "board", host, exhausted))


def next_story(draft: Draft, frame: StoryFrame) -> None:
    """Draw a card for the next seat of a Storyteller's row (KED-93)."""
    state = draft.state
    if not frame.queue:
        draft.add(events.Closed("story"))
        return
    seat = frame.queue[0]
    if state.status[seat] != "afloat":
        draft.add(events.StorySkipped(seat))
    elif state.deck[seat] or refill(draft, seat):
        draft.add(events.StoryDrawn(seat, state.deck[seat][0]))
    else:
        if state.phase == "sinking":
            sink(draft, seat)
        draft.add(events.StorySkipped(seat))
