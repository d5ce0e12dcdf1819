"""Decide a command: refusals shared by all commands, then the rules of its type."""

from typing import assert_never

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.commands import Command
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import (
    ActionFrame,
    AnyFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    State,
    StoryFrame,
)
from games.ke_dnu.rules import actions, answers, discards, drawing, laying, reactions, shop
from games.ke_dnu.rules.discards import Offers
from games.ke_dnu.rules.settling import settle
from games.ke_dnu.setup import census
from games.ke_dnu.turns import waiting

STEPS: dict[type[Command], frozenset[str]] = {
    commands.Maid: frozenset(("draw",)),
    commands.Draw: frozenset(("draw",)),
    commands.Tycoon: frozenset(("draw",)),
    commands.Jettison: frozenset(("main",)),
    commands.JettisonPair: frozenset(("main",)),
    commands.Buy: frozenset(("main",)),
    commands.Play: frozenset(("main",)),
    commands.Activate: frozenset(("main",)),
    commands.DiscardAnchor: frozenset(("main",)),
    commands.RearrangeTop: frozenset(("draw", "main", "limit", "action")),
    commands.EndTurn: frozenset(("main",)),
    commands.DiscardDown: frozenset(("limit",)),
    commands.Pass: frozenset(("play", "action", "reaction", "discard", "flapper")),
    commands.React: frozenset(("play", "action", "reaction")),
    commands.Claim: frozenset(("discard",)),
    commands.ChooseCard: frozenset(("choice",)),
    commands.PlaceStory: frozenset(("story",)),
    commands.UseFlapper: frozenset(("flapper",)),
}
"""The steps of a turn and the kinds of frames in which a command may be sent."""

FRAMES: dict[type[AnyFrame], str] = {
    PlayFrame: "play",
    ActionFrame: "action",
    ReactionFrame: "reaction",
    DiscardFrame: "discard",
    ChoiceFrame: "choice",
    StoryFrame: "story",
}

CARD_FIELDS = ("card", "seal", "source", "cards", "victims", "pay", "host")
NAMED: dict[type[Command], tuple[str, ...]] = {
    command: tuple(name for name in CARD_FIELDS if name in command.__struct_fields__)
    for command in STEPS
}
"""The fields of a command that name cards."""


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command and everything that follows, or raise `Illegal`."""
    _refuse_untimely(draft.state, seat, command)
    _refuse_malformed(draft.state, command)
    offers = Offers(draft)
    match command:
        case commands.Draw():
            drawing.draw(draft, seat)
        case commands.Jettison():
            discards.jettison(draft, seat, command)
        case commands.Play():
            laying.play(draft, seat, command)
        case commands.EndTurn():
            draft.add(events.EndDeclared(seat))
        case commands.Buy():
            shop.buy(draft, seat, command)
        case commands.Activate():
            actions.activate(draft, seat, command)
        case commands.JettisonPair():
            discards.jettison_pair(draft, seat, command)
        case commands.DiscardDown():
            discards.discard_down(draft, seat, command)
        case commands.Pass():
            answers.decline(draft, seat)
        case commands.React():
            reactions.react(draft, seat, command)
        case commands.RearrangeTop():
            drawing.rearrange_top(draft, seat, command)
        case commands.Claim():
            laying.claim(draft, seat, command, offers)
        case commands.Maid():
            drawing.maid(draft, seat, command)
        case commands.Tycoon():
            drawing.tycoon(draft, seat, command)
        case commands.ChooseCard():
            answers.choose_card(draft, seat, command)
        case commands.PlaceStory():
            answers.place_story(draft, seat, command)
        case commands.UseFlapper():
            actions.use_flapper(draft, seat, command)
        case commands.DiscardAnchor():
            discards.discard_anchor(draft, seat, command)
        case _:
            assert_never(command)
    settle(draft, offers)


def _refuse_untimely(state: State, seat: int, command: Command) -> None:
    """Refuse a command of any type that is out of place."""
    if state.phase == "over":
        raise Illegal("game-over")
    if state.status[seat] != "afloat":
        raise Illegal("ship-sunk")
    if not state.stack:
        if seat != state.active:
            raise Illegal("not-your-turn")
    elif seat not in waiting(state):
        raise Illegal("not-waiting")
    if _place_of(state) not in STEPS[type(command)]:
        raise Illegal("wrong-step", step=_place_of(state))


def _place_of(state: State) -> str:
    """Return the step of the turn, or the kind of the frame on top."""
    if not state.stack:
        return state.step
    top = state.stack[-1]
    if isinstance(top, DiscardFrame) and top.flappers:
        return "flapper"
    return FRAMES[type(top)]


def _refuse_malformed(state: State, command: Command) -> None:
    """Refuse ids that the match does not have, and lists that name a card twice."""
    known = census(len(state.status), state.options)
    lists: list[tuple[str, ...]] = []
    for name in NAMED[type(command)]:
        value: str | tuple[str, ...] = getattr(command, name)
        if isinstance(value, tuple):
            lists.append(value)
        elif value not in known and (value or name != "host"):
            raise Illegal("unknown-card", card=value)
    for cards in lists:
        for card in cards:
            if card not in known:
                raise Illegal("unknown-card", card=card)
    for cards in lists:
        if len(set(cards)) < len(cards):
            raise Illegal("duplicate-card")
