"""Which command leads to which events (section 6 of the rules): the refusals all share, then one function each."""

from typing import assert_never

from games.chance import Chance
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
from games.tranquility.events import Event
from games.tranquility.model import Phase, State
from games.tranquility.rules import actions, storms
from games.tranquility.rules.sea import must_start
from games.tranquility.rules.turn import Batch, draw_up


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """Turn a command into events or raise `Illegal`; `state` stays as it was."""
    if state.result is not None:
        raise Illegal("game-over")
    if not 0 <= seat < state.players:
        raise Illegal("not-a-seat", seat=seat)
    batch = Batch(state, chance)
    if isinstance(command, Action):
        _act(batch, seat, command)
    else:
        _answer(batch, seat, command)
    return batch.events


def _act(batch: Batch, seat: int, command: Action) -> None:
    state = batch.state
    _own_turn(state, seat, "action")
    if must_start(state, seat) and not (
        isinstance(command, PlayStart) and command.card not in IS_WILD
    ):
        raise Illegal("start-must-be-played")
    match command:
        case PlayCard():
            _named(state, seat, (command.card, *command.discards))
            actions.play_card(batch, command)
        case DiscardTwo():
            _named(state, seat, command.cards)
            actions.discard_two(batch, command)
        case DiscardHand():
            actions.discard_hand(batch)
        case PlayStart():
            _named(state, seat, (command.card,))
            actions.play_start(batch, command)
        case PlayFinish():
            _named(state, seat, (command.card,))
            actions.play_finish(batch, command)
        case PlayMonster():
            _named(state, seat, (command.card,))
            actions.play_monster(batch, command)
        case FlipCard():
            _named(state, seat, (command.card,))
            actions.flip_card(batch, command)
        case _:
            assert_never(command)


def _answer(batch: Batch, seat: int, command: Answer) -> None:
    state = batch.state
    match command:
        case Pledge():
            _phase(state, "start_pledge")
            storms.pledge(batch, seat, command)
        case PayStart():
            _phase(state, "start_pay")
            _named(state, seat, command.cards)
            storms.pay_start(batch, seat, command)
        case MoveRocks():
            _own_turn(state, seat, "rocks")
            storms.move_rocks(batch, command)
        case KeepRocks():
            _own_turn(state, seat, "rocks")
            _named(state, seat, command.cards)
            storms.keep_rocks(batch, command)
        case UseCompass():
            storms.use_compass(batch, seat, command)
        case LetPass():
            _phase(state, "storm_window", "rescue")
            storms.let_pass(batch, seat)
        case PlaceStorm():
            _drawer(state, seat, "storm_row")
            storms.place_storm(batch, command)
        case ShedToLimit():
            _drawer(state, seat, "storm_discard")
            _named(state, seat, command.cards)
            storms.shed_to_limit(batch, command)
        case FeedMonster():
            _own_turn(state, seat, "explore_monster")
            storms.feed_monster(batch, command)
        case SetRocks():
            _own_turn(state, seat, "explore_rocks")
            storms.set_rocks(batch, command)
        case TakeCards():
            _own_turn(state, seat, "take")
            _once(command.cards)
            storms.take_cards(batch, command)
        case EndTurn():
            _own_turn(state, seat, "confirm")
            draw_up(batch)
        case _:
            assert_never(command)


def waiting(state: State) -> frozenset[int]:
    """Give the seats on the clock (section 5)."""
    return frozenset(state.waiting)


def teams(state: State) -> list[frozenset[int]]:
    """Put the crew into one team; the two of a race are rivals."""
    if state.options.variant == "competitive":
        return [frozenset((seat,)) for seat in range(state.players)]
    return [frozenset(range(state.players))]


def _phase(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise Illegal("wrong-phase", phase=state.phase)


def _own_turn(state: State, seat: int, phase: Phase) -> None:
    _phase(state, phase)
    if seat != state.active:
        raise Illegal("not-your-turn", active=state.active)


def _drawer(state: State, seat: int, phase: Phase) -> None:
    _phase(state, phase)
    pending = state.pending_storm
    assert pending is not None, "a storm is being resolved"
    if seat != pending.seat:
        raise Illegal("not-your-turn", drawer=pending.seat)


def _named(state: State, seat: int, cards: tuple[str, ...]) -> None:
    """Refuse cards that are not in hand, or named twice."""
    hand = state.hands[seat]
    for card in cards:
        if card not in hand:
            raise Illegal("card-not-in-hand", card=card)
    _once(cards)


def _once(cards: tuple[str, ...]) -> None:
    if len(set(cards)) < len(cards):
        raise Illegal("duplicate-card")
