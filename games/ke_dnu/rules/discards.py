"""Discards (KED-40 to KED-47): what may be discarded, by which commands, and their offer."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import ANCHOR, FLAPPER, SEAL, TEACHER, TYPE, WORTH, Zone, is_rose
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import DiscardFrame, State, berth, has
from games.ke_dnu.rules.ships import band_held, struck
from games.ke_dnu.rules.windows import bystanders, claimable, copyable_cards


class Offers:
    """A draft, and the number of its events whose discards were already offered."""

    __slots__ = ("_draft", "_offered")

    def __init__(self, draft: Draft) -> None:
        """Begin at the end of a draft."""
        self._draft = draft
        self._offered = len(draft.events)

    def open(self) -> None:
        """Offer the discards since the last offer to Flappers and Teachers (KED-43, KED-86)."""
        draft, state = self._draft, self._draft.state
        if len(draft.events) == self._offered:
            return
        discarded = [
            (event.card, event.seat)
            for event in draft.events[self._offered :]
            if type(event) is events.Jettisoned and not is_rose(event.card)
        ]
        self._offered = len(draft.events)
        if not discarded:
            return
        cards, holders = zip(*discarded, strict=True)
        flappers = tuple(
            card
            for card, holder in discarded
            if TYPE[card] == FLAPPER and copyable_cards(state, holder)
        )
        frame = DiscardFrame(cards, holders, flappers)
        if flappers or any(
            has(state.board[seat], TEACHER) and claimable(state, frame, seat)
            for seat in bystanders(state, ())
        ):
            draft.add(events.DiscardsOpened(cards, holders, flappers))


def discard(draft: Draft, seat: int, card: str, zone: Zone, cause: str, points: int = 0) -> None:
    """Discard a card, unless it is a Band that stays (KED-40, KED-41, KED-42)."""
    if band_held(draft.state.board[seat], card):
        draft.add(events.BandHeld(seat, card, zone))
    else:
        draft.add(events.Jettisoned(seat, card, zone, cause, points))


def discard_own(draft: Draft, seat: int, card: str, cause: str) -> None:
    """Discard a card from its own board, or its Assistant instead (KED-71)."""
    discard(draft, seat, struck(draft.state.board[seat], card), "board", cause)


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


def jettison(draft: Draft, seat: int, command: commands.Jettison) -> None:
    """Discard a hand card for its points (KED-20)."""
    check_discard(draft.state, seat, command.card)
    discard(draft, seat, command.card, "hand", "jettison", WORTH[command.card])


def jettison_pair(draft: Draft, seat: int, command: commands.JettisonPair) -> None:
    """Discard a Seal with another hand card, which gives double points (KED-45)."""
    state, seal, card = draft.state, command.seal, command.card
    check_in_hand(state, seat, seal)
    check_in_hand(state, seat, card)
    if TYPE[seal] != SEAL:
        raise Illegal("not-a-seal", card=seal)
    if seal == card:
        raise Illegal("seal-with-itself", card=card)
    check_discard(state, seat, seal)
    check_discard(state, seat, card)
    discard(draft, seat, seal, "hand", "pair")
    discard(draft, seat, card, "hand", "pair", 2 * WORTH[card])


def discard_down(draft: Draft, seat: int, command: commands.DiscardDown) -> None:
    """Discard a card over the hand limit (KED-18)."""
    check_discard(draft.state, seat, command.card)
    discard(draft, seat, command.card, "hand", "limit")


def discard_anchor(draft: Draft, seat: int, command: commands.DiscardAnchor) -> None:
    """Discard an Anchor from the own board (KED-47, KED-72)."""
    if berth(draft.state.board[seat], command.card) is None:
        raise Illegal("card-not-on-board", card=command.card)
    if TYPE[command.card] != ANCHOR:
        raise Illegal("not-an-anchor", card=command.card)
    discard_own(draft, seat, command.card, ANCHOR)
