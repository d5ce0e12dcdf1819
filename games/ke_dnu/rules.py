"""The rules of a command: who may send what when, and what follows; and the small facts of a match."""

from typing import assert_never

from games.chance import Chance
from games.game import Illegal
from games.ke_dnu import answers, commands, events, turn
from games.ke_dnu.commands import Command
from games.ke_dnu.course import Course
from games.ke_dnu.engine import run
from games.ke_dnu.events import Event
from games.ke_dnu.model import (
    ActionFrame,
    AnyFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    Result,
    State,
    StoryFrame,
)
from games.ke_dnu.setup import census
from games.ke_dnu.windows import steerable, waiting

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

CARD_FIELDS = ("card", "seal", "source", "cards", "victims", "pay", "host")
NAMED: dict[type[Command], tuple[str, ...]] = {
    command: tuple(name for name in CARD_FIELDS if name in command.__struct_fields__)
    for command in STEPS
}


FRAMES: dict[type[AnyFrame], str] = {
    PlayFrame: "play",
    ActionFrame: "action",
    ReactionFrame: "reaction",
    DiscardFrame: "discard",
    ChoiceFrame: "choice",
    StoryFrame: "story",
}


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """Turn a command into events or raise `Illegal`; `state` stays as it was."""
    check(state, seat, command)
    course = Course(state, chance)
    enact(course, seat, command)
    run(course)
    return course.events


def check(state: State, seat: int, command: Command) -> None:
    """Refuse what no command may be, in the order of section 6."""
    if state.phase == "over":
        raise Illegal("game-over")
    if state.status[seat] != "afloat":
        raise Illegal("ship-sunk")
    if not state.stack:
        if seat != state.active:
            raise Illegal("not-your-turn")
    elif seat not in waiting(state):
        raise Illegal("not-waiting")
    if place_of(state) not in STEPS[type(command)]:
        raise Illegal("wrong-step", step=place_of(state))
    check_cards(state, command)


def place_of(state: State) -> str:
    """Name the step of the turn, or the kind of the frame on top."""
    if not state.stack:
        return state.step
    top = state.stack[-1]
    if isinstance(top, DiscardFrame) and top.flappers:
        return "flapper"
    return FRAMES[type(top)]


def check_cards(state: State, command: Command) -> None:
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


def enact(course: Course, seat: int, command: Command) -> None:
    """Do what a command says."""
    match command:
        case commands.Draw():
            turn.draw(course, seat)
        case commands.Jettison():
            turn.jettison(course, seat, command)
        case commands.Play():
            turn.play(course, seat, command)
        case commands.EndTurn():
            course.emit(events.EndDeclared(seat))
        case commands.Buy():
            turn.buy(course, seat, command)
        case commands.Activate():
            turn.activate(course, seat, command)
        case commands.JettisonPair():
            turn.jettison_pair(course, seat, command)
        case commands.DiscardDown():
            turn.discard_down(course, seat, command)
        case commands.Pass():
            answers.decline(course, seat)
        case commands.React():
            answers.react(course, seat, command)
        case commands.RearrangeTop():
            rearrange_top(course, seat, command)
        case commands.Claim():
            answers.claim(course, seat, command)
        case commands.Maid():
            turn.maid(course, seat, command)
        case commands.Tycoon():
            turn.tycoon(course, seat, command)
        case commands.ChooseCard():
            answers.choose_card(course, seat, command)
        case commands.PlaceStory():
            answers.place_story(course, seat, command)
        case commands.UseFlapper():
            answers.use_flapper(course, seat, command)
        case commands.DiscardAnchor():
            turn.discard_anchor(course, seat, command)
        case _:
            assert_never(command)


def rearrange_top(course: Course, seat: int, command: commands.RearrangeTop) -> None:
    """In a frame the deck must be touched and not redirected (5.3 d)."""
    state = course.state
    if state.stack:
        top = state.stack[-1]
        if isinstance(top, ActionFrame) and not steerable(state, top, seat):
            raise Illegal("rearrange-unavailable")
    turn.rearrange_top(course, seat, command)


def leave(state: State, seat: int, chance: Chance | None = None) -> list[Event]:
    """Abandon a ship (KED-115). The Voyage's last round may end by it (KED-30); without dice, one more round is played."""
    if state.phase == "over" or state.status[seat] != "afloat":
        return []
    course = Course(state, chance)
    course.emit(events.ShipAbandoned(seat))
    run(course)
    return course.events


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """One clock for a turn; one for each frame that a seat is asked in (section 10)."""
    if state.stack:
        return f"window_{state.numbers[-1]}", state.options.window_seconds
    return f"turn_{state.phase}_{state.turn_index}", state.options.turn_seconds


def teams(state: State) -> list[frozenset[int]]:
    """Every seat for itself."""
    return [frozenset((seat,)) for seat in range(len(state.status))]


def result(state: State) -> Result | None:
    """Give the result, once the match is over."""
    return state.result
