"""Fold each event into the state: in place, for any event, without validation or chance."""

from bisect import insort
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from games import draft
from games.dispatch import by_type
from games.ke_dnu import events
from games.ke_dnu.components import ANCHOR, CARDS, ICEBERG_CARD, MAID, TYCOON, TYPE, is_rose
from games.ke_dnu.events import Event
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
    has,
    weight,
)

Draft: TypeAlias = draft.Draft[State, Event]


def apply(state: State, event: Event) -> None:
    """Fold one event into `state`."""
    FOLDS[type(event)](state, event)


def _dealt(state: State, event: events.Dealt) -> None:
    """Lay out the decks and the shop (KED-2, KED-4)."""
    state.first_seat = event.first_seat
    state.deck = [list(deck) for deck in event.decks]
    state.shop_deck = list(event.shop_deck)
    state.shop = list(event.shop)
    state.removed = list(event.removed)


def _turn_started(state: State, event: events.TurnStarted) -> None:
    """Begin a turn (KED-9): ready the board and set the counters."""
    board = state.board[event.seat]
    for at, place in enumerate(board):
        if place.exhausted:
            board[at] = Berth(place.card, exhausted=False, host=place.host)
    state.phase = event.phase
    state.step = "draw"
    state.active = event.seat
    state.turn_index = event.turn_index
    state.round = event.round
    state.points = 0
    state.drawn = state.draw_begun = False
    state.maid_left = weight(board, MAID)
    state.tycoon_left = 0 if has(board, ANCHOR) else weight(board, TYCOON)
    state.rearranged = [0] * len(state.rearranged)
    state.locked.clear()
    state.no_play.clear()
    state.readied.clear()
    state.end_queue.clear()


def _draw_skipped(state: State, _event: events.DrawSkipped) -> None:
    """Count the draw as made (KED-12)."""
    state.drawn = state.draw_begun = True
    state.tycoon_left = 0


def _draw_ended(state: State, _event: events.DrawEnded) -> None:
    """Go on to the main step."""
    state.step = "main"


def _end_declared(state: State, event: events.EndDeclared) -> None:
    """Queue the cards that act at the end of a turn."""
    state.step = "ending"
    board = state.board[event.seat]
    state.end_queue = [place.card for place in board if CARDS[place.card].ending]


def _limit_reached(state: State, _event: events.LimitReached) -> None:
    """Go on to the step in which cards beyond the limit are discarded."""
    state.step = "limit"


def _turn_ended(state: State, _event: events.TurnEnded) -> None:
    """Drop the points that are left."""
    state.points = 0


def _voyage_ended(state: State, _event: events.VoyageEnded) -> None:
    """Remove the shop and the Iceberg from the game (KED-25, KED-30)."""
    state.removed += state.shop
    if state.iceberg:
        state.removed.append(ICEBERG_CARD)
    state.iceberg = False
    state.shop = []
    state.unused = sorted(state.shop_deck)
    state.shop_deck = []


def _sinking_started(state: State, event: events.SinkingStarted) -> None:
    """Deal the cards of the second part."""
    state.phase = "sinking"
    state.first_seat = event.first_seat
    state.deck = [list(deck) for deck in event.decks]
    state.hand = [sorted(hand) for hand in event.hands]
    state.water = [[] for _ in event.decks]


def _ship_sank(state: State, event: events.ShipSank) -> None:
    """Score a ship and remove its cards (KED-110)."""
    seat = event.seat
    state.status[seat] = "sunk"
    state.score[seat] = event.score
    state.sank_order.append(seat)
    _strip(state, seat)


def _ship_abandoned(state: State, event: events.ShipAbandoned) -> None:
    """Remove a whole ship from the game and drop the stack (KED-115)."""
    seat = event.seat
    for frame in state.stack:
        if isinstance(frame, StoryFrame) and frame.card:
            state.deck[frame.holder].append(frame.card)
    _drop_stack(state)
    state.status[seat] = "abandoned"
    state.score[seat] = 0
    _strip(state, seat)
    board = [place.card for place in state.board[seat]]
    state.gone[seat] = sorted([*state.gone[seat], *board])
    state.board[seat] = []


def _game_over(state: State, event: events.GameOver) -> None:
    """End the match."""
    state.phase = "over"
    state.result = event.result
    _drop_stack(state)


def _jettisoned(state: State, event: events.Jettisoned) -> None:
    """Move a discarded card to the water, or Rose to the board (KED-40, KED-42)."""
    seat, card = event.seat, event.card
    _take_out(state, seat, card, event.zone)
    if is_rose(card):
        state.board[seat].append(Berth(card))
    else:
        state.water[seat].append(card)
    state.points += event.points


def _cards_drawn(state: State, event: events.CardsDrawn) -> None:
    """Move the top of a deck to the hand."""
    seat = event.seat
    del state.deck[seat][: len(event.cards)]
    for card in event.cards:
        insort(state.hand[seat], card)
    if event.cause == "turn":
        state.drawn = state.draw_begun = True


def _moved(state: State, event: events.Moved) -> None:
    """Move a card without discarding it."""
    card, to_seat = event.card, event.to_seat
    _take_out(state, event.seat, card, event.zone)
    if event.to_zone == "hand":
        insort(state.hand[to_seat], card)
    elif event.to_zone == "deck_top":
        state.deck[to_seat].insert(0, card)
    else:
        state.deck[to_seat].append(card)
    if event.locked:
        state.locked.append(card)
    if event.cause == MAID:
        state.maid_left -= 1


def _card_bought(state: State, event: events.CardBought) -> None:
    """Move a shop card or the Iceberg to the buyer's water (KED-21, KED-26)."""
    if event.card == ICEBERG_CARD:
        state.iceberg = False
    else:
        state.shop.remove(event.card)
    state.water[event.seat].append(event.card)
    state.points -= event.price


def _shop_revealed(state: State, event: events.ShopRevealed) -> None:
    """Move the top of the supply to the shop."""
    _reveal(state, event.cards)


def _lockdown_struck(state: State, event: events.LockdownStruck) -> None:
    """Replace the whole shop."""
    state.shop.clear()
    state.removed.extend(event.removed)
    _reveal(state, event.revealed)


def _points_gained(state: State, event: events.PointsGained) -> None:
    """Add points of the turn."""
    state.points += event.points


def _water_shuffled(state: State, event: events.WaterShuffled) -> None:
    """Put the water under the deck."""
    state.water[event.seat].clear()
    state.deck[event.seat].extend(event.order)


def _deck_shuffled(state: State, event: events.DeckShuffled) -> None:
    """Put a deck into another order."""
    state.deck[event.seat] = list(event.order)


def _top_rearranged(state: State, event: events.TopRearranged) -> None:
    """Move a card that is in sight within a deck (KED-61)."""
    deck = state.deck[event.seat]
    deck.insert(event.put, deck.pop(event.take))
    state.rearranged[event.seat] += 1


def _card_readied(state: State, event: events.CardReadied) -> None:
    """Ready a card, once a turn."""
    _set_exhausted(state.board[event.seat], event.card, exhausted=False)
    state.readied.append(event.card)


def _card_placed(state: State, event: events.CardPlaced) -> None:
    """Move a card from the water to the board."""
    state.water[event.seat].remove(event.card)
    state.board[event.seat].append(Berth(event.card, event.exhausted, event.host))


def _only_told(_state: State, _event: events.BandHeld | events.Picked) -> None:
    """Fold what changes nothing by itself."""


def _play_announced(state: State, event: events.PlayAnnounced) -> None:
    """Push a card that is to be laid."""
    _push(
        state,
        PlayFrame(event.seat, event.card, event.price, event.board_seat, event.host, event.via),
    )


def _card_played(state: State, event: events.CardPlayed) -> None:
    """Put an announced card on its board (KED-32)."""
    _pop(state)
    if event.via == "hand":
        state.hand[event.seat].remove(event.card)
        state.points -= event.price
    else:
        next(water for water in state.water if event.card in water).remove(event.card)
    state.board[event.board_seat].append(Berth(event.card, event.exhausted, event.host))


def _action_announced(state: State, event: events.ActionAnnounced) -> None:
    """Push an announced effect (KED-34, KED-43, KED-96, KED-100)."""
    card = event.card
    if event.source == "exhaust":
        _set_exhausted(state.board[event.seat], card, exhausted=True)
    elif event.source == "flapper":
        below = state.stack[-1]
        if isinstance(below, DiscardFrame):
            state.stack[-1] = replace(below, flappers=below.flappers[1:])
    elif TYPE[card] == TYCOON:
        state.tycoon_left -= 1
        state.draw_begun = True
    elif card in state.end_queue:
        state.end_queue = state.end_queue[state.end_queue.index(card) + 1 :]
    _push(
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


def _reaction_announced(state: State, event: events.ReactionAnnounced) -> None:
    """Exhaust the card that reacts, and push it."""
    _set_exhausted(state.board[event.seat], event.card, exhausted=True)
    _push(state, ReactionFrame(event.seat, event.card, event.zone, event.cards, event.positions))


def _discards_opened(state: State, event: events.DiscardsOpened) -> None:
    """Push cards that may be claimed."""
    _push(state, DiscardFrame(event.cards, event.holders, event.flappers))


def _choice_opened(state: State, event: events.ChoiceOpened) -> None:
    """Push a choice."""
    _push(state, ChoiceFrame(event.cause, event.need))


def _story_opened(state: State, event: events.StoryOpened) -> None:
    """Push the frame of a Storyteller."""
    _push(state, StoryFrame(event.seat, event.seats))


def _resolved(state: State, _event: events.Resolved | events.Closed) -> None:
    """Pop the frame that is dealt with."""
    _pop(state)


def _blocked(state: State, event: events.Blocked) -> None:
    """Pop a reaction and the frame that it blocks."""
    _pop(state)
    if isinstance(_pop(state), PlayFrame):
        state.no_play.append(event.card)


def _steered(state: State, event: events.Shielded | events.Redirected) -> None:
    """Pop a reaction, and change the effect below."""
    _pop(state)
    state.stack[-1] = _changed(state.stack[-1], event)


def _answered(state: State, event: events.Passed | events.FlapperSpent | events.Chosen) -> None:
    """Note an answer on the top frame."""
    state.stack[-1] = _changed(state.stack[-1], event)


def _story_told(state: State, event: events.StoryEvent) -> None:
    """Go on with a Storyteller (KED-93)."""
    state.stack[-1] = _story(state, state.stack[-1], event)


def _strip(state: State, seat: int) -> None:
    """Remove the hand, deck and water of a ship from the game (KED-110)."""
    state.gone[seat] = sorted([*state.hand[seat], *state.deck[seat], *state.water[seat]])
    state.hand[seat], state.deck[seat], state.water[seat] = [], [], []


def _set_exhausted(board: list[Berth], card: str, *, exhausted: bool) -> None:
    """Exhaust or ready a card."""
    for at, place in enumerate(board):
        if place.card == card:
            board[at] = Berth(card, exhausted, place.host)
            return


def _leave_board(board: list[Berth], card: str) -> None:
    """Remove a card from a board; its Assistant becomes loose."""
    gone = 0
    for at, place in enumerate(board):
        if place.card == card:
            gone = at
        elif place.host == card:
            board[at] = Berth(place.card, place.exhausted)
    del board[gone]


def _take_out(state: State, seat: int, card: str, zone: str) -> None:
    """Remove a card from a zone."""
    if zone == "board":
        _leave_board(state.board[seat], card)
    elif zone == "hand":
        state.hand[seat].remove(card)
    elif zone == "water":
        state.water[seat].remove(card)
    else:
        state.deck[seat].remove(card)


def _reveal(state: State, cards: tuple[str, ...]) -> None:
    """Move the top of the supply to the shop."""
    del state.shop_deck[: len(cards)]
    state.shop.extend(cards)


def _push(state: State, frame: AnyFrame) -> None:
    """Push a frame onto the stack."""
    state.stack.append(frame)
    state.numbers.append(state.frames)
    state.frames += 1


def _pop(state: State) -> AnyFrame:
    """Pop the top frame off the stack."""
    state.numbers.pop()
    return state.stack.pop()


def _drop_stack(state: State) -> None:
    """Drop everything that is pending."""
    state.stack.clear()
    state.numbers.clear()


def _changed(frame: AnyFrame, event: events.StackEvent) -> AnyFrame:
    """Return a frame as changed by an answer."""
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


def _story(state: State, frame: AnyFrame, event: events.StoryEvent) -> AnyFrame:
    """Return a Storyteller's frame after its next event (KED-93)."""
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


FOLDS = by_type(
    Event,
    _dealt,
    _turn_started,
    _draw_skipped,
    _draw_ended,
    _end_declared,
    _limit_reached,
    _turn_ended,
    _voyage_ended,
    _sinking_started,
    _ship_sank,
    _ship_abandoned,
    _game_over,
    _jettisoned,
    _cards_drawn,
    _moved,
    _card_bought,
    _shop_revealed,
    _lockdown_struck,
    _points_gained,
    _water_shuffled,
    _deck_shuffled,
    _top_rearranged,
    _card_readied,
    _card_placed,
    _only_told,
    _play_announced,
    _card_played,
    _action_announced,
    _reaction_announced,
    _discards_opened,
    _choice_opened,
    _story_opened,
    _resolved,
    _blocked,
    _steered,
    _answered,
    _story_told,
)
"""What each type of event does."""
