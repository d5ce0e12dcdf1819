"""What a seat decides outside its action: pledges, payment, rocks, storms, exploring, taking (section 6)."""

from games.game import Illegal
from games.tranquility.commands import (
    FeedMonster,
    KeepRocks,
    MoveRocks,
    PayStart,
    PlaceStorm,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.components import IS_START, IS_WILD, ROW_SIZE, START_PRICE
from games.tranquility.events import (
    CardsDiscarded,
    CompassUsed,
    DeckDiscarded,
    MonsterPlayed,
    Pledged,
    RocksKept,
    RocksMoved,
    RowRefilled,
    RowTaken,
    StormLanded,
    VoyageLost,
    WindowPassed,
)
from games.tranquility.fold import hand_share
from games.tranquility.legal import to_take, wild_may_cancel
from games.tranquility.model import State
from games.tranquility.rules.actions import exactly, laid_at, no_monster
from games.tranquility.rules.sea import (
    discardable,
    layout,
    rows_open,
    to_shed,
    undecided_holders,
)
from games.tranquility.rules.turn import (
    Batch,
    after_action,
    after_rocks,
    ask_pledges,
    begin_turn,
    cancel_storm,
    enter,
    go_on,
    owing,
    window,
)


def pledge(batch: Batch, seat: int, command: Pledge) -> None:
    """Promise cards for the Start; all together they bind at eight (TRA-26, TRA-51)."""
    state = batch.state
    if command.from_deck and seat not in state.shares:
        raise Illegal("no-deck-share")
    if not 0 <= command.count <= START_PRICE or command.count < 2 * command.from_deck:
        raise Illegal("bad-count", count=command.count)
    most = len(discardable(state, seat)) + 2 * command.from_deck
    if command.count > most:
        raise Illegal("pledge-too-high", most=most)
    batch.add(Pledged(seat, command.count, command.from_deck))
    offers = [offer for offer in state.pledges if offer is not None]
    if len(offers) < state.players or sum(offer.count for offer in offers) != START_PRICE:
        ask_pledges(batch)
        return
    for at, offer in enumerate(offers):
        if offer.from_deck and hand_share(offer) == 0:
            _discard_deck(batch, at)
    enter(batch, "start_pay", *owing(state))


def pay_start(batch: Batch, seat: int, command: PayStart) -> None:
    """Discard what was promised (TRA-25, TRA-27)."""
    state = batch.state
    offer = state.pledges[seat]
    assert offer is not None, "everyone pledged"
    if state.paid[seat]:
        raise Illegal("already-paid")
    exactly(command.cards, hand_share(offer))
    no_monster(command.cards)
    if offer.from_deck:
        _discard_deck(batch, seat)
    batch.add(CardsDiscarded(seat, command.cards, len(command.cards), "start"))
    if seats := owing(state):
        enter(batch, "start_pay", *seats)
    else:
        after_action(batch)


def _discard_deck(batch: Batch, seat: int) -> None:
    """Give the two top cards of a pile unseen (TRA-51)."""
    batch.add(DeckDiscarded(seat, tuple(batch.state.piles[seat][:2]), 2))


def move_rocks(batch: Batch, command: MoveRocks) -> None:
    """Move the rocks to another row with a free cell (TRA-37)."""
    state = batch.state
    _row_exists(state, command.row)
    if command.row == state.rocks_row:
        raise Illegal("same-row", row=command.row)
    _row_open(state, command.row)
    batch.add(RocksMoved(state.active, command.row))
    after_rocks(batch)


def keep_rocks(batch: Batch, command: KeepRocks) -> None:
    """Discard two cards to leave the rocks (TRA-37)."""
    exactly(command.cards, 2)
    no_monster(command.cards)
    batch.add(CardsDiscarded(batch.state.active, command.cards, 2, "rocks"))
    batch.add(RocksKept(batch.state.active))
    after_rocks(batch)


def use_compass(batch: Batch, seat: int, command: UseCompass) -> None:
    """Cancel a storm (TRA-54, TRA-64)."""
    state = batch.state
    wild = command.source in IS_WILD and command.source in state.hands[seat]
    if not wild and command.source not in state.compasses[seat]:
        raise Illegal("compass-not-held", source=command.source)
    if wild and not wild_may_cancel(state, seat, command.storm):
        raise Illegal("wild-not-now")
    pending = state.pending_storm
    lying = any(storm.card == command.storm for storm in state.storms)
    if not lying and (pending is None or pending.card != command.storm):
        raise Illegal("no-such-storm", storm=command.storm)
    batch.add(CompassUsed(seat, command.source, command.storm))
    cancel_storm(batch, command.storm)


def let_pass(batch: Batch, seat: int) -> None:
    """Use no compass in this window (TRA-54) or for this rescue (TRA-35)."""
    state = batch.state
    if seat in state.passed:
        raise Illegal("already-passed")
    if not state.compasses[seat]:
        raise Illegal("compass-not-held")
    batch.add(WindowPassed(seat))
    if state.phase == "storm_window":
        window(batch)
    elif seats := undecided_holders(state):
        enter(batch, "rescue", *seats)
    else:
        batch.add(VoyageLost(state.active, "no-action"))


def place_storm(batch: Batch, command: PlaceStorm) -> None:
    """Lay a purple storm on a row with a free cell (TRA-52)."""
    state = batch.state
    pending = state.pending_storm
    assert pending is not None, "a storm is being resolved"
    _row_exists(state, command.row)
    _row_open(state, command.row)
    batch.add(StormLanded(pending.card, -1, command.row))
    go_on(batch, pending.origin)


def shed_to_limit(batch: Batch, command: ShedToLimit) -> None:
    """Discard down to three cards (TRA-49, TRA-50)."""
    state = batch.state
    pending = state.pending_storm
    assert pending is not None, "a storm is being resolved"
    exactly(command.cards, to_shed(state, pending.seat))
    no_monster(command.cards)
    if state.start_placed is None and not IS_START.isdisjoint(command.cards):
        raise Illegal("start-cannot-be-discarded")
    batch.add(CardsDiscarded(pending.seat, command.cards, len(command.cards), "storm"))
    batch.add(StormLanded(pending.card, pending.seat, -1))
    go_on(batch, pending.origin)


def feed_monster(batch: Batch, command: FeedMonster) -> None:
    """Let an explored monster destroy an island (TRA-72)."""
    state = batch.state
    laid = laid_at(state, command.cell)
    assert state.revealed is not None, "a monster was explored"
    batch.add(MonsterPlayed(state.active, state.revealed, command.cell, laid.card))
    after_action(batch)


def set_rocks(batch: Batch, command: SetRocks) -> None:
    """Set explored rocks on a row; they move from the next turn on (TRA-72)."""
    state = batch.state
    _row_exists(state, command.row)
    _row_open(state, command.row)
    batch.add(RocksMoved(state.active, command.row))
    after_rocks(batch)


def take_cards(batch: Batch, command: TakeCards) -> None:
    """Take cards from the face-up row and refill it (TRA-81)."""
    state = batch.state
    for card in command.cards:
        if card not in state.row:
            raise Illegal("not-in-row", card=card)
    expected = to_take(state, state.active)
    if len(command.cards) != expected:
        raise Illegal("wrong-take-count", expected=expected)
    batch.add(RowTaken(state.active, command.cards))
    if refill := state.deck[: ROW_SIZE - len(state.row)]:
        batch.add(RowRefilled(tuple(refill)))
    begin_turn(batch, 1 - state.active)


def _row_exists(state: State, row: int) -> None:
    if not 0 <= row < len(layout(state).rows):
        raise Illegal("no-such-row", row=row)


def _row_open(state: State, row: int) -> None:
    if row not in rows_open(state):
        raise Illegal("row-full", row=row)
