"""The fold: what each event does to the state. Total, in place; it checks nothing and draws nothing."""

from typing import assert_never

from games.ke_dnu import events
from games.ke_dnu.cards import CARDS, ICEBERG_CARD, MAID, TYCOON
from games.ke_dnu.events import Event
from games.ke_dnu.fold_stack import drop_stack, fold_stack
from games.ke_dnu.fold_zones import fold_zones
from games.ke_dnu.model import Berth, State, StoryFrame
from games.ke_dnu.ship import anchored, weight


def apply(state: State, event: Event) -> None:
    """Fold one event into `state`."""
    if isinstance(event, events.ZoneEvent):
        fold_zones(state, event)
    elif isinstance(event, events.StackEvent):
        fold_stack(state, event)
    else:
        fold_turn(state, event)


def fold_turn(state: State, event: events.TurnEvent) -> None:
    """Fold an event of the turns of a match."""
    match event:
        case events.TurnStarted():
            turn_started(state, event)
        case events.DrawSkipped():
            state.drawn = state.draw_begun = True
            state.tycoon_left = 0
        case events.DrawEnded():
            state.step = "main"
        case events.EndDeclared(seat=seat):
            state.step = "ending"
            board = state.board[seat]
            state.end_queue = [place.card for place in board if CARDS[place.card].ending]
        case events.LimitReached():
            state.step = "limit"
        case events.TurnEnded():
            state.points = 0
        case events.Dealt():
            dealt(state, event)
        case events.VoyageEnded():
            voyage_ended(state)
        case events.SinkingStarted():
            state.phase = "sinking"
            state.first_seat = event.first_seat
            state.deck = [list(deck) for deck in event.decks]
            state.hand = [sorted(hand) for hand in event.hands]
            state.water = [[] for _ in event.decks]
        case events.ShipSank(seat=seat, score=score):
            state.status[seat] = "sunk"
            state.score[seat] = score
            state.sank_order.append(seat)
            strip(state, seat)
        case events.ShipAbandoned(seat=seat):
            abandoned(state, seat)
        case events.GameOver(result=result):
            state.phase = "over"
            state.result = result
            drop_stack(state)
        case _:
            assert_never(event)


def dealt(state: State, event: events.Dealt) -> None:
    """Set up (section 4)."""
    state.first_seat = event.first_seat
    state.deck = [list(deck) for deck in event.decks]
    state.shop_deck = list(event.shop_deck)
    state.shop = list(event.shop)
    state.removed = list(event.removed)


def turn_started(state: State, event: events.TurnStarted) -> None:
    """Begin a turn (5.1): the board is ready, the counters are set."""
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
    state.tycoon_left = 0 if anchored(board) else weight(board, TYCOON)
    state.rearranged = [0] * len(state.rearranged)
    state.locked.clear()
    state.no_play.clear()
    state.readied.clear()
    state.end_queue.clear()


def voyage_ended(state: State) -> None:
    """Clear the shop away (KED-25, KED-30)."""
    state.removed += state.shop
    if state.iceberg:
        state.removed.append(ICEBERG_CARD)
    state.iceberg = False
    state.shop = []
    state.unused = sorted(state.shop_deck)
    state.shop_deck = []


def strip(state: State, seat: int) -> None:
    """Take hand, deck and water of a ship out of the game (KED-110)."""
    state.gone[seat] = sorted([*state.hand[seat], *state.deck[seat], *state.water[seat]])
    state.hand[seat], state.deck[seat], state.water[seat] = [], [], []


def abandoned(state: State, seat: int) -> None:
    """Take a whole ship out of the game, and drop the stack (KED-115)."""
    for frame in state.stack:
        if isinstance(frame, StoryFrame) and frame.card:
            state.deck[frame.holder].append(frame.card)
    drop_stack(state)
    state.status[seat] = "abandoned"
    state.score[seat] = 0
    strip(state, seat)
    board = [place.card for place in state.board[seat]]
    state.gone[seat] = sorted([*state.gone[seat], *board])
    state.board[seat] = []
