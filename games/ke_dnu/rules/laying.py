"""Laying cards on boards (KED-31 to KED-38), from the hand or by a Teacher (KED-86)."""

from collections.abc import Sequence

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import ASSISTANT, CARDS, CARETAKER, RATS, STOWAWAY, TYPE, is_rose
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import DiscardFrame, PlayFrame, State, has
from games.ke_dnu.rules.discards import Offers, check_discard, check_in_hand, discard
from games.ke_dnu.rules.ships import best_worth, hosts, others, price


def play(draft: Draft, seat: int, command: commands.Play) -> None:
    """Announce a hand card that is to be laid (KED-31, KED-35 to KED-38)."""
    state, card = draft.state, command.card
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
    _check_laid_host(state, seat, card, command.host)
    cost = price(state.board[seat], card)
    if cost > state.points:
        raise Illegal("not-enough-points", price=cost, points=state.points)
    board_seat = command.target if kind == STOWAWAY else seat
    draft.add(events.PlayAnnounced(seat, card, cost, board_seat, command.host, "hand"))


def claim(draft: Draft, seat: int, command: commands.Claim, offers: Offers) -> None:
    """Pay for another seat's discard and announce it (KED-86)."""
    state, card = draft.state, command.card
    frame = state.stack[-1]
    assert isinstance(frame, DiscardFrame), "the step allows claims only in such a frame"
    _check_claimed(state, frame, seat, card)
    for paid in command.pay:
        check_discard(state, seat, paid)
    _check_laid_host(state, seat, card, command.host)
    cost = claim_price(state, seat, card, command.pay)
    worth = best_worth(command.pay)
    if worth < cost:
        raise Illegal("price-not-met", price=cost, points=worth)
    for paid in command.pay:
        discard(draft, seat, paid, "hand", "pay")
    offers.open()
    draft.add(events.PlayAnnounced(seat, card, cost, seat, command.host, "teacher"))


def _check_claimed(state: State, frame: DiscardFrame, seat: int, card: str) -> None:
    """Refuse a card that is not offered to a seat."""
    holder = frame.holders[frame.cards.index(card)] if card in frame.cards else -1
    if holder < 0 or card not in state.water[holder]:
        raise Illegal("card-not-in-batch", card=card)
    if holder == seat:
        raise Illegal("own-card", card=card)
    if TYPE[card] == RATS:
        raise Illegal("cannot-board", card=card)
    if card in state.no_play:
        raise Illegal("card-blocked", card=card)


def claim_price(state: State, seat: int, card: str, pay: tuple[str, ...]) -> int:
    """Return the price of a claim. A Rose in the payment is on the board already."""
    return price(state.board[seat], card, more=sum(map(is_rose, pay)))


def arrive(draft: Draft, frame: PlayFrame) -> None:
    """Put a laid card on its board (KED-32, KED-33)."""
    seat, card = frame.seat, frame.card
    caretaker = has(draft.state.board[seat], CARETAKER)
    exhausted = CARDS[card].arrives_exhausted and not caretaker
    draft.add(
        events.CardPlayed(
            seat, card, frame.board_seat, exhausted, frame.host, frame.price, frame.via
        )
    )


def arrival(state: State, seat: int, card: str, host: str) -> tuple[bool, str]:
    """Return whether a card that is not laid arrives exhausted, and its host (KED-33, KED-38)."""
    joins = TYPE[card] == ASSISTANT and host in hosts(state.board[seat])
    return CARDS[card].arrives_exhausted, host if joins else ""


def arrival_hosts(state: State, seat: int, cards: Sequence[str]) -> list[str]:
    """List the hosts that may be named for cards that arrive without being laid."""
    if any(TYPE[card] == ASSISTANT for card in cards):
        return hosts(state.board[seat]) or [""]
    return [""]


def check_arrival_host(state: State, seat: int, cards: Sequence[str], host: str) -> None:
    """Refuse a wrong host for cards that arrive without being laid (KED-38)."""
    if all(TYPE[card] != ASSISTANT for card in cards):
        check_no_host(host)
    elif host or hosts(state.board[seat]):
        _check_host(state, seat, host)


def _check_laid_host(state: State, seat: int, card: str, host: str) -> None:
    """Refuse a wrong host for a card that is laid (KED-38)."""
    if TYPE[card] == ASSISTANT:
        _check_host(state, seat, host)
    else:
        check_no_host(host)


def _check_host(state: State, seat: int, host: str) -> None:
    """Refuse a host that an Assistant cannot join (KED-38)."""
    board = state.board[seat]
    free = hosts(board)
    if not free:
        raise Illegal("no-host")
    if any(place.host == host for place in board if host):
        raise Illegal("host-taken", host=host)
    if host not in free:
        raise Illegal("bad-host", host=host)


def check_no_host(host: str) -> None:
    """Refuse a host unless an Assistant is to join it."""
    if host:
        raise Illegal("bad-host", host=host)
