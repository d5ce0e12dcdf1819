"""The fold: what each event does to the state."""

from typing import TypeAlias

from games import draft
from games.dispatch import by_type
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
    FOLDS[type(event)](state, event)


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


def _queue(state: State, event: DrawsQueued) -> None:
    state.draw_queue = list(event.entries)
    state.after_draws = event.purpose


def _draw(state: State, event: CardsDrawn) -> None:
    del state.piles[event.seat][: event.count]
    _take(state.hands[event.seat], event.cards)
    seat, left = state.draw_queue[0]
    if left >= 0:
        state.draw_queue[0] = (seat, left - event.count)


def _dequeue(state: State, _event: DrawsDone) -> None:
    del state.draw_queue[0]


def _begin_turn(state: State, event: TurnBegun) -> None:
    state.active = event.seat
    state.turn = event.turn
    state.finish_tried = False
    state.pledges = [None] * state.players
    state.paid = [False] * state.players
    state.shares = ()
    state.passed = ()


def _discard(state: State, event: CardsDiscarded) -> None:
    hand = state.hands[event.seat]
    for card in event.cards:
        hand.remove(card)
    state.discards[event.seat].extend(event.cards)
    if event.why == "start":
        state.paid[event.seat] = True


def _place_island(state: State, event: IslandPlaced) -> None:
    state.hands[event.seat].remove(event.card)
    index = LAYOUTS[state.options.variant].index[event.cell]
    state.grid[index] = Laid(event.card, event.number, event.side, event.owner)


def _pledge(state: State, event: Pledged) -> None:
    state.pledges[event.seat] = Offer(event.count, event.from_deck)


def _place_start(state: State, event: StartPlaced) -> None:
    state.hands[event.seat].remove(event.card)
    state.start_placed = event.card


def _discard_deck(state: State, event: DeckDiscarded) -> None:
    del state.piles[event.seat][: event.count]
    state.discards[event.seat].extend(event.cards)
    state.blind[event.seat].extend(event.cards)


def _block_finish(state: State, event: FinishBlocked) -> None:
    state.finish_tried = True
    state.monster_holders = event.holders


def _place_finish(state: State, event: FinishPlaced) -> None:
    state.hands[event.seat].remove(event.card)
    state.finish_placed = event.card


def _shuffle_starts(state: State, event: StartsShuffled) -> None:
    for seat, slot in enumerate(event.slots):
        state.piles[seat].insert(slot, STARTS[seat])


def _win(state: State, _event: VoyageWon) -> None:
    _end(state, won(state))


def _lose(state: State, event: VoyageLost) -> None:
    _end(state, lost(state, event.reason))


def _end_race(state: State, event: RaceEnded) -> None:
    _end(state, raced(state, event.reason, event.scores, event.winners))


def _move_rocks(state: State, event: RocksMoved) -> None:
    state.rocks_row = event.row
    state.revealed = None


def _keep_rocks(_state: State, _event: RocksKept) -> None:
    pass


def _remove_rocks(state: State, _event: RocksRemoved) -> None:
    state.rocks_row = -1
    state.rocks_done = True
    state.revealed = None


def _destroy(state: State, event: MonsterPlayed) -> None:
    if state.revealed == event.card:
        state.revealed = None
    else:
        state.hands[event.seat].remove(event.card)
    state.grid[LAYOUTS[state.options.variant].index[event.cell]] = None
    state.out += (event.card, event.destroyed)
    if event.card not in IS_WILD:
        state.monster_holders = tuple(seat for seat in state.monster_holders if seat != event.seat)


def _meet_storm(state: State, event: StormDrawn) -> None:
    if event.origin == "draw":
        del state.piles[event.seat][0]
    else:
        state.revealed = None
    state.pending_storm = PendingStorm(event.storm, event.seat, event.origin)
    state.passed = ()


def _land_storm(state: State, event: StormLanded) -> None:
    state.pending_storm = None
    state.storms.append(Storm(event.storm, COLOUR[event.storm], event.seat, event.row))


def _remove_storm(state: State, event: StormCancelled | StormFizzled) -> None:
    card = event.storm
    if state.pending_storm is not None and state.pending_storm.card == card:
        state.pending_storm = None
    else:
        state.storms = [storm for storm in state.storms if storm.card != card]
    state.out.append(card)


def _pass_window(state: State, event: WindowPassed) -> None:
    state.passed = tuple(sorted((*state.passed, event.seat)))


def _gain(state: State, event: CompassGained) -> None:
    if state.revealed == event.compass:
        state.revealed = None
    else:
        state.compass_supply.remove(event.compass)
    state.compasses[event.seat].append(event.compass)


def _use_compass(state: State, event: CompassUsed) -> None:
    wild = event.source in IS_WILD
    (state.hands if wild else state.compasses)[event.seat].remove(event.source)
    state.out.append(event.source)


def _explore(state: State, event: Explored) -> None:
    del state.explore[0]
    if event.card in IS_FINISH:
        _take(state.hands[event.seat], (event.card,))
    elif event.card in IS_BORDER:
        state.out.append(event.card)
    else:
        state.revealed = event.card


def _flip(state: State, event: CardFlipped) -> None:
    index = LAYOUTS[state.options.variant].index[event.cell]
    laid = state.grid[index]
    assert laid is not None, "only a laid card is flipped"
    state.grid[index] = Laid(laid.card, laid.number, event.side, laid.owner)


def _turn_hands(state: State, event: HandsTurned) -> None:
    state.hands_side = event.side


def _take_row(state: State, event: RowTaken) -> None:
    for card in event.cards:
        state.row.remove(card)
    _take(state.hands[event.seat], event.cards)


def _refill_row(state: State, event: RowRefilled) -> None:
    del state.deck[: len(event.cards)]
    state.row.extend(event.cards)


def _take(hand: list[str], cards: tuple[str, ...]) -> None:
    hand.extend(cards)
    hand.sort(key=rank)


def _end(state: State, result: Result) -> None:
    state.result = result
    state.phase = "over"
    state.waiting = ()


FOLDS = by_type(
    Event,
    _deal,
    _enter,
    _queue,
    _draw,
    _dequeue,
    _begin_turn,
    _discard,
    _place_island,
    _pledge,
    _place_start,
    _discard_deck,
    _block_finish,
    _place_finish,
    _shuffle_starts,
    _win,
    _lose,
    _end_race,
    _move_rocks,
    _keep_rocks,
    _remove_rocks,
    _destroy,
    _meet_storm,
    _land_storm,
    _remove_storm,
    _pass_window,
    _gain,
    _use_compass,
    _explore,
    _flip,
    _turn_hands,
    _take_row,
    _refill_row,
)
"""What each type of event does."""
