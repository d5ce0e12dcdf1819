"""The fold: what each event does to the state."""

from typing import TypeAlias, assert_never

from games import draft
from games.tranquility.components import (
    COLOUR,
    IS_BORDER,
    IS_FINISH,
    IS_WILD,
    LAYOUTS,
    STARTS,
    rank,
)
from games.tranquility.ending import lost, raced, won
from games.tranquility.events import (
    CardFlipped,
    CardsDiscarded,
    CardsDrawn,
    CompassGained,
    CompassUsed,
    Dealt,
    DeckDiscarded,
    DrawsDone,
    DrawsQueued,
    Event,
    Explored,
    FinishBlocked,
    FinishPlaced,
    HandsTurned,
    IslandPlaced,
    ModuleEvent,
    MonsterPlayed,
    PhaseEntered,
    Pledged,
    RaceEnded,
    RocksKept,
    RocksMoved,
    RocksRemoved,
    RowRefilled,
    RowTaken,
    StartPlaced,
    StartsShuffled,
    StormCancelled,
    StormDrawn,
    StormFizzled,
    StormLanded,
    TurnBegun,
    VoyageLost,
    VoyageWon,
    WindowPassed,
)
from games.tranquility.model import Laid, Offer, PendingStorm, Result, State, Storm

Draft: TypeAlias = draft.Draft[State, Event]
"""The events of one command so far, and the table after them."""


def apply(state: State, event: Event) -> None:
    """Fold one event into `state`."""
    match event:
        case PhaseEntered():
            _enter(state, event)
        case CardsDrawn():
            _draw(state, event)
        case DrawsQueued():
            state.draw_queue = list(event.entries)
            state.after_draws = event.purpose
        case DrawsDone():
            del state.draw_queue[0]
        case TurnBegun():
            _begin_turn(state, event)
        case CardsDiscarded():
            _discard(state, event)
        case IslandPlaced():
            state.hands[event.seat].remove(event.card)
            index = LAYOUTS[state.options.variant].index[event.cell]
            state.grid[index] = Laid(event.card, event.number, event.side, event.owner)
        case Pledged():
            state.pledges[event.seat] = Offer(event.count, event.from_deck)
        case StartPlaced():
            state.hands[event.seat].remove(event.card)
            state.start_placed = event.card
        case DeckDiscarded():
            del state.piles[event.seat][: event.count]
            state.discards[event.seat].extend(event.cards)
            state.blind[event.seat].extend(event.cards)
        case FinishBlocked():
            state.finish_tried = True
            state.monster_holders = event.holders
        case FinishPlaced():
            state.hands[event.seat].remove(event.card)
            state.finish_placed = event.card
        case Dealt():
            _deal(state, event)
        case StartsShuffled():
            for seat, slot in enumerate(event.slots):
                state.piles[seat].insert(slot, STARTS[seat])
        case VoyageWon():
            _end(state, won(state))
        case VoyageLost():
            _end(state, lost(state, event.reason))
        case _:
            apply_module(state, event)


def apply_module(state: State, event: ModuleEvent) -> None:
    """Fold an event that only a module or a variant has."""
    match event:
        case RocksMoved():
            state.rocks_row = event.row
            state.revealed = None
        case RocksKept():
            pass
        case RocksRemoved():
            state.rocks_row = -1
            state.rocks_done = True
            state.revealed = None
        case MonsterPlayed():
            _destroy(state, event)
        case StormDrawn():
            _meet_storm(state, event)
        case StormLanded():
            state.pending_storm = None
            state.storms.append(Storm(event.storm, COLOUR[event.storm], event.seat, event.row))
        case StormCancelled() | StormFizzled():
            _remove_storm(state, event.storm)
        case WindowPassed():
            state.passed = tuple(sorted((*state.passed, event.seat)))
        case CompassGained():
            _gain(state, event)
        case CompassUsed():
            wild = event.source in IS_WILD
            (state.hands if wild else state.compasses)[event.seat].remove(event.source)
            state.out.append(event.source)
        case Explored():
            _explore(state, event)
        case CardFlipped():
            _flip(state, event)
        case HandsTurned():
            state.hands_side = event.side
        case RowTaken():
            for card in event.cards:
                state.row.remove(card)
            _take(state.hands[event.seat], event.cards)
        case RowRefilled():
            del state.deck[: len(event.cards)]
            state.row.extend(event.cards)
        case RaceEnded():
            _end(state, raced(state, event.reason, event.scores, event.winners))
        case _:
            assert_never(event)


def _deal(state: State, event: Dealt) -> None:
    state.removed = list(event.removed)
    state.active = event.first_seat
    state.piles = [list(pile) for pile in event.piles]
    state.rocks_row = event.rocks_row
    state.explore = list(event.explore)
    state.deck = list(event.deck)
    state.row = list(event.row)
    for hand, cards in zip(state.hands, event.hands, strict=False):
        _take(hand, cards)


def _take(hand: list[str], cards: tuple[str, ...]) -> None:
    hand.extend(cards)
    hand.sort(key=rank)


def _discard(state: State, event: CardsDiscarded) -> None:
    hand = state.hands[event.seat]
    for card in event.cards:
        hand.remove(card)
    state.discards[event.seat].extend(event.cards)
    if event.why == "start":
        state.paid[event.seat] = True


def _draw(state: State, event: CardsDrawn) -> None:
    del state.piles[event.seat][: event.count]
    _take(state.hands[event.seat], event.cards)
    seat, left = state.draw_queue[0]
    if left >= 0:
        state.draw_queue[0] = (seat, left - event.count)


def _begin_turn(state: State, event: TurnBegun) -> None:
    state.active = event.seat
    state.turn = event.turn
    state.finish_tried = False
    state.pledges = [None] * state.players
    state.paid = [False] * state.players
    state.shares = ()
    state.passed = ()


def _enter(state: State, event: PhaseEntered) -> None:
    phase = event.phase
    state.waiting = event.seats
    if phase == state.phase:
        return
    state.phase = phase
    state.passed = ()
    if phase == "start_pledge":
        state.shares = tuple(state.deck_shares())
    elif phase == "start_pay":
        state.paid = [offer is not None and offer.from_hand == 0 for offer in state.pledges]


def _explore(state: State, event: Explored) -> None:
    del state.explore[0]
    if event.card in IS_FINISH:
        _take(state.hands[event.seat], (event.card,))
    elif event.card in IS_BORDER:
        state.out.append(event.card)
    else:
        state.revealed = event.card


def _meet_storm(state: State, event: StormDrawn) -> None:
    if event.origin == "draw":
        del state.piles[event.seat][0]
    else:
        state.revealed = None
    state.pending_storm = PendingStorm(event.storm, event.seat, event.origin)
    state.passed = ()


def _remove_storm(state: State, card: str) -> None:
    if state.pending_storm is not None and state.pending_storm.card == card:
        state.pending_storm = None
    else:
        state.storms = [storm for storm in state.storms if storm.card != card]
    state.out.append(card)


def _destroy(state: State, event: MonsterPlayed) -> None:
    if state.revealed == event.card:
        state.revealed = None
    else:
        state.hands[event.seat].remove(event.card)
    state.grid[LAYOUTS[state.options.variant].index[event.cell]] = None
    state.out += (event.card, event.destroyed)
    if event.card not in IS_WILD:
        state.monster_holders = tuple(seat for seat in state.monster_holders if seat != event.seat)


def _gain(state: State, event: CompassGained) -> None:
    if state.revealed == event.compass:
        state.revealed = None
    else:
        state.compass_supply.remove(event.compass)
    state.compasses[event.seat].append(event.compass)


def _flip(state: State, event: CardFlipped) -> None:
    index = LAYOUTS[state.options.variant].index[event.cell]
    laid = state.grid[index]
    assert laid is not None, "only a laid card is flipped"
    state.grid[index] = Laid(laid.card, laid.number, event.side, laid.owner)


def _end(state: State, result: Result) -> None:
    state.result = result
    state.phase = "over"
    state.waiting = ()
