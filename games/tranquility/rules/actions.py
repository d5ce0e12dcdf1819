"""The actions of a turn that lay no island: discards, Finish, monsters, flips (TRA-12)."""

from games.game import Illegal
from games.tranquility.commands import DiscardTwo, FlipCard, PlayFinish, PlayMonster
from games.tranquility.components import IS_FINISH, IS_MONSTER, IS_WILD, Side
from games.tranquility.events import (
    CardFlipped,
    CardsDiscarded,
    FinishBlocked,
    FinishPlaced,
    HandsTurned,
    MonsterPlayed,
    VoyageLost,
    VoyageWon,
)
from games.tranquility.fold import Draft
from games.tranquility.rules.hands import is_monster
from games.tranquility.rules.refusals import exactly, laid_at, no_monster
from games.tranquility.rules.sea import blocked_rows, loses_by_sides, sea_full
from games.tranquility.rules.turn import after_action, gain_compass, look_for_action

HAND_MIN = 3
"""Least number of cards for `discard_hand` (TRA-57)."""


def discard_two(draft: Draft, command: DiscardTwo) -> None:
    """Discard two cards (TRA-13), perhaps turning all hands (TRA-78)."""
    state = draft.state
    exactly(command.cards, 2)
    no_monster(command.cards)
    if command.turn_hands and state.options.variant != "day_night":
        raise Illegal("no-sides-here")
    draft.add(CardsDiscarded(state.active, command.cards, 2, "pass"))
    if command.turn_hands:
        draft.add(HandsTurned(_other(state.hands_side)))
    after_action(draft)


def discard_hand(draft: Draft) -> None:
    """Discard the whole hand for a compass (TRA-56, TRA-57)."""
    state = draft.state
    cards = tuple(state.hands[state.active])
    if not state.options.storms:
        raise Illegal("no-compass-rule")
    if len(cards) < HAND_MIN:
        raise Illegal("hand-too-small", least=HAND_MIN)
    no_monster(cards)
    draft.add(CardsDiscarded(state.active, cards, len(cards), "hand"))
    gain_compass(draft, "hand")
    after_action(draft)


def play_finish(draft: Draft, command: PlayFinish) -> None:
    """Lay a Finish card and win, unless another seat's monster blocks it (TRA-31, TRA-45).

    A card that faces the wrong way turns the win into a loss (TRA-76).
    """
    state = draft.state
    seat = state.active
    if command.card not in IS_FINISH and command.card not in IS_WILD:
        raise Illegal("not-a-finish", card=command.card)
    if not sea_full(state):
        raise Illegal("sea-not-full")
    if state.start_placed is None:
        raise Illegal("start-not-placed")
    if not IS_MONSTER.isdisjoint(state.hands[seat]):
        raise Illegal("monster-in-own-hand")
    if state.finish_tried:
        raise Illegal("finish-blocked")
    holders = [at for at, hand in enumerate(state.hands) if not IS_MONSTER.isdisjoint(hand)]
    if holders:
        draft.add(FinishBlocked(seat, tuple(holders)))
        look_for_action(draft)
        return
    draft.add(FinishPlaced(seat, command.card))
    if loses_by_sides(state):
        draft.add(VoyageLost(seat, "wrong-side-up"))
    else:
        draft.add(VoyageWon(seat))


def play_monster(draft: Draft, command: PlayMonster) -> None:
    """Destroy an island with a monster (TRA-42)."""
    state = draft.state
    if not is_monster(state, command.card):
        raise Illegal("not-a-monster", card=command.card)
    laid = laid_at(state, command.cell)
    if command.cell[1] in blocked_rows(state):
        raise Illegal("row-blocked", row=command.cell[1])
    draft.add(MonsterPlayed(state.active, command.card, command.cell, laid.card))
    after_action(draft)


def flip_card(draft: Draft, command: FlipCard) -> None:
    """Discard a card to flip a laid one (TRA-77)."""
    state = draft.state
    if state.options.variant != "day_night":
        raise Illegal("no-sides-here")
    laid = laid_at(state, command.cell)
    no_monster((command.card,))
    draft.add(CardFlipped(state.active, command.cell, _other(laid.side)))
    draft.add(CardsDiscarded(state.active, (command.card,), 1, "flip"))
    after_action(draft)


def _other(side: Side) -> Side:
    return "moon" if side == "sun" else "sun"
