"""Decks: the commands of the draw step, draws of every kind, and reordering."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import MAID, TYCOON, TYPE
from games.ke_dnu.ending import sink
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import ActionFrame, has
from games.ke_dnu.rules.discards import check_in_hand
from games.ke_dnu.rules.ships import (
    REARRANGE_LIMIT,
    anchored,
    others,
    own_draw,
    rearranges,
    reserve,
    sight,
)
from games.ke_dnu.rules.windows import steerable


def shuffled(draft: Draft, cards: list[str]) -> tuple[str, ...]:
    """Return the cards in random order."""
    order = cards[:]
    draft.chance.shuffle(order)
    return tuple(order)


def refill(draft: Draft, seat: int) -> bool:
    """Make a new deck of the water in the Voyage (KED-14); return whether there is one."""
    water = draft.state.water[seat]
    if draft.state.phase != "voyage" or not water:
        return False
    draft.add(events.WaterShuffled(seat, shuffled(draft, water)))
    return True


def draw_cards(draft: Draft, seat: int, count: int, cause: str) -> bool:
    """Draw from the own deck; return False if the seat must sink instead (KED-15)."""
    state = draft.state
    if state.phase == "sinking" and count > len(state.deck[seat]):
        return False
    left = count
    while left:
        some = tuple(state.deck[seat][:left])
        if some:
            draft.add(events.CardsDrawn(seat, some, cause))
            left -= len(some)
        if left and not refill(draft, seat):
            break
    return True


def steal(draft: Draft, seat: int, by: int, count: int, cause: str) -> None:
    """Draw from another seat's deck (KED-16)."""
    deck = draft.state.deck
    for _ in range(count):
        if not deck[seat] and not refill(draft, seat):
            return
        draft.add(events.Moved(seat, deck[seat][0], "deck", by, "hand", cause, locked=False))


def maid(draft: Draft, seat: int, command: commands.Maid) -> None:
    """Move a hand card under the deck before any draw (KED-97)."""
    state = draft.state
    if not has(state.board[seat], MAID):
        raise Illegal("no-maid")
    if state.draw_begun:
        raise Illegal("draw-begun")
    if not state.maid_left:
        raise Illegal("maid-spent")
    check_in_hand(state, seat, command.card)
    draft.add(events.Moved(seat, command.card, "hand", seat, "deck_bottom", MAID, locked=False))


def draw(draft: Draft, seat: int) -> None:
    """Make the own draw of the turn, or sink (KED-12, KED-13, KED-15)."""
    state = draft.state
    if state.drawn:
        raise Illegal("already-drawn")
    if anchored(state.board[seat]):
        draft.add(events.DrawSkipped(seat, "anchor"))
    elif not draw_cards(draft, seat, own_draw(state, seat), "turn"):
        sink(draft, seat)
    elif not state.drawn:
        draft.add(events.CardsDrawn(seat, (), "turn"))


def tycoon(draft: Draft, seat: int, command: commands.Tycoon) -> None:
    """Draw a Tycoon's card from an opponent's deck (KED-96)."""
    state = draft.state
    card = next((p.card for p in state.board[seat] if TYPE[p.card] == TYCOON), "")
    if not card or not state.tycoon_left:
        raise Illegal("no-tycoon")
    if command.target not in others(state, seat):
        raise Illegal("bad-target", target=command.target)
    if not reserve(state, command.target):
        raise Illegal("target-empty", target=command.target)
    draft.add(events.ActionAnnounced(seat, card, "passive", 1, command.target, (), (), ""))


def rearrange_top(draft: Draft, seat: int, command: commands.RearrangeTop) -> None:
    """Move a card in sight of the own deck (KED-60, KED-61).

    In a window the deck must be touched and not redirected.
    """
    state = draft.state
    top = state.stack[-1] if state.stack else None
    if isinstance(top, ActionFrame) and not steerable(state, top, seat):
        raise Illegal("rearrange-unavailable")
    if not rearranges(state.board[seat]):
        raise Illegal("rearrange-unavailable")
    if state.rearranged[seat] >= REARRANGE_LIMIT:
        raise Illegal("rearrange-spent")
    seen = min(sight(state.board[seat]), len(state.deck[seat]))
    take, put = command.take, command.put
    if not (0 <= take < seen and 0 <= put < seen and take != put):
        raise Illegal("bad-index", take=take, put=put, seen=seen)
    draft.add(events.TopRearranged(seat, take, put))
