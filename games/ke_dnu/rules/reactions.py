"""Reaction cards (KED-80 to KED-84): what they may answer, and what happens by them."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import CARDS
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import ActionFrame, PlayFrame, ReactionFrame, State, berth
from games.ke_dnu.rules.discards import discard_own
from games.ke_dnu.rules.ships import band_held
from games.ke_dnu.rules.windows import applies, hit_count, zone_size


def react(draft: Draft, seat: int, command: commands.React) -> None:
    """Exhaust a reaction card against the top frame (KED-80 to KED-84)."""
    state, card = draft.state, command.card
    place = berth(state.board[seat], card)
    if place is None:
        raise Illegal("card-not-on-board", card=card)
    reaction = CARDS[card].reaction
    if reaction is None:
        raise Illegal("not-applicable", card=card)
    if place.exhausted:
        raise Illegal("card-exhausted", card=card)
    top = state.stack[-1]
    if not applies(state, top, seat, reaction):
        raise Illegal("not-applicable", card=card)
    zone = ""
    if reaction == "redirect" and isinstance(top, ActionFrame):
        _check_redirect(state, top, seat, command)
        reach = CARDS[top.card].reach
        zone = reach.zone if reach is not None else ""
    elif command.cards or command.positions:
        raise Illegal("bad-choice")
    draft.add(events.ReactionAnnounced(seat, card, zone, command.cards, command.positions))


def _check_redirect(state: State, frame: ActionFrame, seat: int, command: commands.React) -> None:
    """Refuse picks of a Steward that are not exactly the hits, in the attacked zone (KED-84)."""
    reach = CARDS[frame.card].reach
    zone = reach.zone if reach is not None else "board"
    cards, positions = command.cards, command.positions
    hits = hit_count(state, frame, seat)
    if zone == "deck":
        size = zone_size(state, seat, zone)
        good = (
            not cards
            and len(positions) == len(set(positions)) == hits
            and all(0 <= at < size for at in positions)
        )
    else:
        good = not positions and len(cards) == hits and _lie_in(state, seat, zone, cards)
    if not good:
        raise Illegal("bad-choice", count=hits)
    if zone != "deck" and discards_hits(state, frame):
        for card in cards:
            if band_held(state.board[seat], card):
                raise Illegal("band-protected", card=card)


def _lie_in(state: State, seat: int, zone: str, cards: tuple[str, ...]) -> bool:
    """Return whether all cards lie on the board or in the hand of a seat."""
    if zone == "board":
        return all(berth(state.board[seat], card) for card in cards)
    return all(card in state.hand[seat] for card in cards)


def discards_hits(state: State, frame: ActionFrame) -> bool:
    """Return whether an attack discards what it hits (KED-84, KED-102)."""
    kind = CARDS[frame.card]
    if kind.reach is not None and kind.reach.whom == "dearest":
        return state.options.arbiter_mode == "discard"
    return kind.drops


def resolve(draft: Draft, frame: ReactionFrame) -> None:
    """Carry out a reaction (KED-81 to KED-84, KED-87)."""
    state, seat, card = draft.state, frame.seat, frame.card
    kind = CARDS[card]
    if kind.reaction == "shield":
        draft.add(events.Shielded(seat, card))
        if berth(state.board[seat], card):
            discard_own(draft, seat, card, kind.id)
    elif kind.reaction == "redirect":
        zone = frame.zone or "board"
        draft.add(events.Redirected(seat, card, zone, frame.cards, frame.positions))
    else:
        below = state.stack[-2]
        if isinstance(below, PlayFrame | ActionFrame | ReactionFrame):
            draft.add(events.Blocked(below.seat, below.card, seat, card))
