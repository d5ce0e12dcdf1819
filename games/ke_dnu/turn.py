"""The commands of a turn (section 6): the draw step, the main step, the hand limit."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.cards import (
    ANCHOR,
    ASSISTANT,
    CARDS,
    ICEBERG_CARD,
    KINDS,
    LIFEBOAT,
    LOCKDOWN,
    MAID,
    RATS,
    SEAL,
    STOWAWAY,
    TYCOON,
)
from games.ke_dnu.choices import Choice, Use, check_choice, check_host
from games.ke_dnu.course import Course
from games.ke_dnu.engine import start_sinking
from games.ke_dnu.model import State
from games.ke_dnu.ship import (
    REARRANGE_LIMIT,
    TYPE,
    WORTH,
    anchored,
    band_held,
    berth,
    has,
    others,
    own_draw,
    price,
    rearranges,
    reserve,
    sight,
    struck,
    times,
)

SHOP_SIZE = 5


def maid(course: Course, seat: int, command: commands.Maid) -> None:
    """KED-97."""
    state = course.state
    if not has(state.board[seat], MAID):
        raise Illegal("no-maid")
    if state.draw_begun:
        raise Illegal("draw-begun")
    if not state.maid_left:
        raise Illegal("maid-spent")
    check_in_hand(state, seat, command.card)
    course.emit(events.Moved(seat, command.card, "hand", seat, "deck_bottom", MAID, locked=False))


def draw(course: Course, seat: int) -> None:
    """KED-12, KED-13, KED-15."""
    state = course.state
    if state.drawn:
        raise Illegal("already-drawn")
    if anchored(state.board[seat]):
        course.emit(events.DrawSkipped(seat, "anchor"))
        return
    if not course.draw(seat, own_draw(state, seat), "turn"):
        course.sink(seat)
    elif not state.drawn:
        course.emit(events.CardsDrawn(seat, (), "turn"))


def tycoon(course: Course, seat: int, command: commands.Tycoon) -> None:
    """KED-96."""
    state = course.state
    card = next((p.card for p in state.board[seat] if TYPE[p.card] == TYCOON), "")
    if not card or not state.tycoon_left:
        raise Illegal("no-tycoon")
    if command.target not in others(state, seat):
        raise Illegal("bad-target", target=command.target)
    if not reserve(state, command.target):
        raise Illegal("target-empty", target=command.target)
    course.emit(events.ActionAnnounced(seat, card, "passive", 1, command.target, (), (), ""))


def jettison(course: Course, seat: int, command: commands.Jettison) -> None:
    """KED-20."""
    check_discard(course.state, seat, command.card)
    course.discard(seat, command.card, "hand", "jettison", WORTH[command.card])


def jettison_pair(course: Course, seat: int, command: commands.JettisonPair) -> None:
    """KED-45."""
    state, seal, card = course.state, command.seal, command.card
    check_in_hand(state, seat, seal)
    check_in_hand(state, seat, card)
    if TYPE[seal] != SEAL:
        raise Illegal("not-a-seal", card=seal)
    if seal == card:
        raise Illegal("seal-with-itself", card=card)
    check_discard(state, seat, seal)
    check_discard(state, seat, card)
    course.discard(seat, seal, "hand", "pair")
    course.discard(seat, card, "hand", "pair", 2 * WORTH[card])


def discard_down(course: Course, seat: int, command: commands.DiscardDown) -> None:
    """KED-18."""
    check_discard(course.state, seat, command.card)
    course.discard(seat, command.card, "hand", "limit")


def check_in_hand(state: State, seat: int, card: str) -> None:
    """Refuse a card that is not in the hand."""
    if card not in state.hand[seat]:
        raise Illegal("card-not-in-hand", card=card)


def check_discard(state: State, seat: int, card: str) -> None:
    """Refuse a hand card that may not be discarded (KED-41, KED-46)."""
    check_in_hand(state, seat, card)
    if card in state.locked:
        raise Illegal("card-locked", card=card)
    if band_held(state.board[seat], card):
        raise Illegal("band-held", card=card)


def shop_price(state: State, card: str) -> int:
    """Give the price of a card in the shop (KED-21, KED-24)."""
    kind = CARDS[card]
    if kind is KINDS[LIFEBOAT]:
        return state.options.lifeboat_cost
    return kind.value if kind.printed_cost is None else kind.printed_cost


def buy(course: Course, seat: int, command: commands.Buy) -> None:
    """KED-21 to KED-24, KED-26."""
    state, card = course.state, command.card
    if state.phase != "voyage":
        raise Illegal("no-shop")
    if card not in state.shop and not (card == ICEBERG_CARD and state.iceberg):
        raise Illegal("card-not-in-shop", card=card)
    cost = shop_price(state, card)
    if cost > state.points:
        raise Illegal("not-enough-points", price=cost, points=state.points)
    course.emit(events.CardBought(seat, card, cost))
    if card == ICEBERG_CARD:
        course.emit(events.VoyageEnded(seat, "iceberg"))
        start_sinking(course, seat)
        return
    if state.shop_deck:
        course.emit(events.ShopRevealed((state.shop_deck[0],)))
    while any(TYPE[shown] == LOCKDOWN for shown in state.shop):
        fresh = tuple(state.shop_deck[:SHOP_SIZE])
        course.emit(events.LockdownStruck(tuple(state.shop), fresh))


def play(course: Course, seat: int, command: commands.Play) -> None:
    """KED-31, KED-35 to KED-38."""
    state, card = course.state, command.card
    check_in_hand(state, seat, card)
    if card in state.locked:
        raise Illegal("card-locked", card=card)
    if card in state.no_play:
        raise Illegal("card-blocked", card=card)
    kind = TYPE[card]
    if kind == RATS:
        raise Illegal("cannot-board", card=card)
    allowed = others(state, seat) if kind == STOWAWAY else [-1]
    if command.target not in allowed:
        raise Illegal("bad-target", target=command.target)
    if kind == ASSISTANT:
        check_host(state, seat, command.host)
    elif command.host:
        raise Illegal("bad-host", host=command.host)
    cost = price(state.board[seat], card)
    if cost > state.points:
        raise Illegal("not-enough-points", price=cost, points=state.points)
    board_seat = command.target if kind == STOWAWAY else seat
    course.emit(events.PlayAnnounced(seat, card, cost, board_seat, command.host, "hand"))


def activate(course: Course, seat: int, command: commands.Activate) -> None:
    """KED-34."""
    state, card = course.state, command.card
    place = berth(state.board[seat], card)
    if place is None:
        raise Illegal("card-not-on-board", card=card)
    if not CARDS[card].acts:
        raise Illegal("no-action", card=card)
    if place.exhausted:
        raise Illegal("card-exhausted", card=card)
    use = Use(seat, card, times(state.board[seat], card))
    choice = Choice(command.target, command.cards, command.victims, command.host)
    check_choice(state, use, choice)
    course.emit(
        events.ActionAnnounced(
            seat,
            card,
            "exhaust",
            use.times,
            command.target,
            command.cards,
            command.victims,
            command.host,
        )
    )


def discard_anchor(course: Course, seat: int, command: commands.DiscardAnchor) -> None:
    """KED-47, KED-72."""
    board = course.state.board[seat]
    if berth(board, command.card) is None:
        raise Illegal("card-not-on-board", card=command.card)
    if TYPE[command.card] != ANCHOR:
        raise Illegal("not-an-anchor", card=command.card)
    course.discard(seat, struck(board, command.card), "board", ANCHOR)


def rearrange_top(course: Course, seat: int, command: commands.RearrangeTop) -> None:
    """KED-60, KED-61; that a frame allows it is checked before."""
    state = course.state
    if not rearranges(state.board[seat]):
        raise Illegal("rearrange-unavailable")
    if state.rearranged[seat] >= REARRANGE_LIMIT:
        raise Illegal("rearrange-spent")
    seen = min(sight(state.board[seat]), len(state.deck[seat]))
    take, put = command.take, command.put
    if not (0 <= take < seen and 0 <= put < seen and take != put):
        raise Illegal("bad-index", take=take, put=put, seen=seen)
    course.emit(events.TopRearranged(seat, take, put))
