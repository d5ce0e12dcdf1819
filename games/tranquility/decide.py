"""Which command leads to which events: shared refusals, then dispatch."""

from typing import assert_never

from games.game import Illegal
from games.tranquility.commands import (
    Action,
    Answer,
    Command,
    DiscardHand,
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.components import IS_WILD
from games.tranquility.events import Phase
from games.tranquility.fold import Draft
from games.tranquility.model import State
from games.tranquility.rules import actions, laying, race, rocks, start, storms
from games.tranquility.rules.hands import must_start
from games.tranquility.rules.turn import draw_up, pending_storm


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command, or raise `Illegal`."""
    state = draft.state
    if state.result is not None:
        raise Illegal("game-over")
    if not 0 <= seat < state.players:
        raise Illegal("not-a-seat", seat=seat)
    if isinstance(command, Action):
        _act(draft, seat, command)
    else:
        _answer(draft, seat, command)


def _act(draft: Draft, seat: int, command: Action) -> None:
    state = draft.state
    _own_turn(state, seat, "action")
    if must_start(state, seat) and not (type(command) is PlayStart and command.card not in IS_WILD):
        raise Illegal("start-must-be-played")
    match command:
        case PlayCard():
            _held(state, seat, (command.card, *command.discards))
            laying.play_card(draft, command)
        case DiscardTwo():
            _held(state, seat, command.cards)
            actions.discard_two(draft, command)
        case DiscardHand():
            actions.discard_hand(draft)
        case PlayStart():
            _held(state, seat, (command.card,))
            start.play_start(draft, command)
        case PlayFinish():
            _held(state, seat, (command.card,))
            actions.play_finish(draft, command)
        case PlayMonster():
            _held(state, seat, (command.card,))
            actions.play_monster(draft, command)
        case FlipCard():
            _held(state, seat, (command.card,))
            actions.flip_card(draft, command)
        case _:
            assert_never(command)


def _answer(draft: Draft, seat: int, command: Answer) -> None:
    state = draft.state
    match command:
        case Pledge():
            _phase(state, "start_pledge")
            start.pledge(draft, seat, command)
        case PayStart():
            _phase(state, "start_pay")
            _held(state, seat, command.cards)
            start.pay_start(draft, seat, command)
        case MoveRocks():
            _own_turn(state, seat, "rocks")
            rocks.move_rocks(draft, command)
        case KeepRocks():
            _own_turn(state, seat, "rocks")
            _held(state, seat, command.cards)
            rocks.keep_rocks(draft, command)
        case UseCompass():
            storms.use_compass(draft, seat, command)
        case LetPass():
            _phase(state, "storm_window", "rescue")
            storms.let_pass(draft, seat)
        case PlaceStorm():
            _drawer(state, seat, "storm_row")
            storms.place_storm(draft, command)
        case ShedToLimit():
            _drawer(state, seat, "storm_discard")
            _held(state, seat, command.cards)
            storms.shed_to_limit(draft, command)
        case FeedMonster():
            _own_turn(state, seat, "explore_monster")
            laying.feed_monster(draft, command)
        case SetRocks():
            _own_turn(state, seat, "explore_rocks")
            laying.set_rocks(draft, command)
        case TakeCards():
            _own_turn(state, seat, "take")
            _once(command.cards)
            race.take_cards(draft, command)
        case EndTurn():
            _own_turn(state, seat, "confirm")
            draw_up(draft)
        case _:
            assert_never(command)


def _phase(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise Illegal("wrong-phase", phase=state.phase)


def _own_turn(state: State, seat: int, phase: Phase) -> None:
    _phase(state, phase)
    if seat != state.active:
        raise Illegal("not-your-turn", active=state.active)


def _drawer(state: State, seat: int, phase: Phase) -> None:
    """Refuse a seat that did not draw the pending storm."""
    _phase(state, phase)
    drawer = pending_storm(state).seat
    if seat != drawer:
        raise Illegal("not-your-turn", drawer=drawer)


def _held(state: State, seat: int, cards: tuple[str, ...]) -> None:
    """Refuse cards that are not in the seat's hand, or named twice."""
    hand = state.hands[seat]
    for card in cards:
        if card not in hand:
            raise Illegal("card-not-in-hand", card=card)
    _once(cards)


def _once(cards: tuple[str, ...]) -> None:
    if len(set(cards)) < len(cards):
        raise Illegal("duplicate-card")
