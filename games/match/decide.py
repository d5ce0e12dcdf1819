"""Decide a match's commands: functions that leave the match as it was, unless asked otherwise."""

from typing import Any, assert_never

from games.draft import Draft
from games.game import AnyGame, Illegal, Tagged
from games.match import orders, proposals, seating
from games.match.clocks import at_once, deadlines
from games.match.commands import (
    Abandon,
    Actor,
    AddBot,
    Answer,
    BranchMatch,
    ComeBack,
    CreateMatch,
    FollowOrders,
    LeaveSeat,
    MatchCommand,
    Pause,
    Phases,
    ProposeAbandon,
    ProposeUndo,
    RemoveBot,
    Resign,
    Resume,
    SeatCommand,
    SetStandingOrders,
    TakeSeat,
    TimeOut,
    Undo_,
    WithdrawProposal,
    is_match_command,
)
from games.match.dice import dice_of
from games.match.ending import finished
from games.match.events import (
    MatchAbandoned,
    MatchResumed,
    SeatAway,
    SeatBack,
    SeatResigned,
    TimedOut,
)
from games.match.model import Match

DEFAULTS_MAX = 1_000
"""Maximum number of defaults in one timeout; more are a bug of the game."""


Outcome = tuple[list[Tagged], Any]
"""The events of a command, and the game's state after them: None unless it is one of the game."""


def decide(
    match: Match, actor: Actor, command: Tagged, at: int, service_seed: bytes
) -> list[Tagged]:
    """Return the events of a command, or raise `Illegal`.

    `at` is the record's time (microseconds). Without a service seed (`b""`), a command that needs
    dice raises `Sealed`.
    """
    return outcome(match, actor, command, at, service_seed)[0]


def outcome(
    match: Match,
    actor: Actor,
    command: Tagged,
    at: int,
    service_seed: bytes,
    *,
    in_place: bool = False,
) -> Outcome:
    """Return the events of a command as `decide` does, and the state that they were drafted to.

    A game's command changes the match's own state if `in_place`, also if it is refused.
    """
    if not is_match_command(command):
        return _play(match, actor, command, at, service_seed, in_place=in_place)
    return _decide(match, actor, command, at, service_seed), None


def _decide(
    match: Match, actor: Actor, command: MatchCommand, at: int, service_seed: bytes
) -> list[Tagged]:
    match command:
        case TakeSeat():
            return seating.take_seat(match, actor, command, service_seed)
        case LeaveSeat():
            return seating.leave_seat(match, actor)
        case AddBot():
            return seating.add_bot(match, actor, command, service_seed)
        case RemoveBot():
            return seating.remove_bot(match, actor, command)
        case TimeOut():
            return _time_out(match, actor, command, at, service_seed)
        case Abandon():
            return _abandon(match, actor, service_seed)
        case CreateMatch() | BranchMatch():
            raise Illegal("match-started")
        case _:
            return _in_play(match, actor, command, at, service_seed)


def _in_play(
    match: Match, actor: Actor, command: SeatCommand | FollowOrders, at: int, service_seed: bytes
) -> list[Tagged]:
    seat = acting_seat(match, actor)
    if actor.clock:
        raise Illegal("not-a-seat")
    match command:
        case Resign():
            return _resign(match, seat, service_seed)
        case ComeBack():
            if not match.chairs[seat].away:
                raise Illegal("not-away")
            return [SeatBack(seat)]
        case Pause():
            return [*proposals.pause(match, seat, at)]
        case Resume():
            if match.paused is None:
                raise Illegal("not-paused")
            return [MatchResumed()]
        case ProposeAbandon():
            return [*proposals.propose_abandon(match, seat, at, service_seed)]
        case ProposeUndo(solve=True, to=None):
            return [*proposals.propose_solve(match, seat, at)]
        case ProposeUndo(solve=False, to=int() as number):
            return [*proposals.propose_undo(match, seat, number, at)]
        case ProposeUndo():
            raise Illegal("undo-to-or-solve")
        case Undo_(to=number):
            return [*proposals.undo(match, seat, number, at)]
        case Answer():
            return [*proposals.answer(match, seat, command, at, service_seed)]
        case WithdrawProposal():
            return [*proposals.withdraw(match, seat)]
        case SetStandingOrders():
            return [*orders.give(match, seat, command)]
        case FollowOrders():
            if (answer := orders.answer(match, seat)) is None:
                raise Illegal("no-standing-order")
            return _play(match, actor, answer, at, service_seed, in_place=False)[0]
        case _:
            assert_never(command)


def acting_seat(match: Match, actor: Actor) -> int:
    """Return the seat of an actor. Raises `Illegal` unless the seat is in a running match."""
    if actor.seat is None:
        raise Illegal("not-a-seat")
    if match.status == "waiting":
        raise Illegal("match-not-started")
    if match.status != "running":
        raise Illegal("game-over")
    if match.chairs[actor.seat].left:
        raise Illegal("seat-left")
    return actor.seat


def _play(
    match: Match, actor: Actor, command: Tagged, at: int, service_seed: bytes, *, in_place: bool
) -> Outcome:
    seat = acting_seat(match, actor)
    if actor.clock and not match.stand_in(seat):
        raise Illegal("not-away")
    if match.paused is not None:
        raise Illegal("match-paused")
    game, state = match.game, match.state
    pace = None if game.timing.pace is None else game.timing.pace(state, seat, command)
    dice = dice_of(match, service_seed)
    draft = Draft(state, game.apply, dice) if in_place else game.draft(state, dice)
    game.decide_on(draft, seat, command)
    if pace is not None:
        bucket, gap_ms = pace
        wait = match.paces.get(bucket, 0) + gap_ms * 1_000 - at
        if wait > 0:
            raise Illegal("too-fast", retry_after_ms=-(-wait // 1_000))
    events = draft.events
    if match.chairs[seat].away and not actor.clock:
        events.insert(0, SeatBack(seat))
    events += _finish(match, draft.state, service_seed)
    return events, draft.state


def _finish(match: Match, after: Any, service_seed: bytes, *leaver: int) -> list[Tagged]:
    if match.game.result(after) is None:
        return []
    return [finished(match, after, service_seed, (*match.leavers, *leaver))]


def _resign(match: Match, seat: int, service_seed: bytes) -> list[Tagged]:
    """Leave for good. With one team left, or none, the match is over."""
    draft = match.game.draft(match.state, dice_of(match, service_seed))
    match.game.leave_on(draft, seat)
    finish = _finish(match, draft.state, service_seed, seat)
    if not finish:
        teams = match.game.teams(match.state)
        stay = [team for team in teams if any(s != seat and not match.chairs[s].left for s in team)]
        if not stay or (len(teams) > 1 and len(stay) == 1):
            leavers = (*match.leavers, seat)
            finish = [finished(match, draft.state, service_seed, leavers)]
    return [SeatResigned(seat), *draft.events, *finish]


def _time_out(
    match: Match, actor: Actor, command: TimeOut, at: int, service_seed: bytes
) -> list[Tagged]:
    """Play the defaults of a seat whose deadline stands and has passed."""
    if actor != Actor(clock=True):
        raise Illegal("not-the-clock")
    if (command.deadline, command.seat) not in deadlines(match) or at < command.deadline:
        raise Illegal("no-such-deadline")
    seat = command.seat
    chair = match.chairs[seat]
    limit = match.header.away_after
    events: list[Tagged] = [TimedOut(seat)]
    if limit and chair.timeouts + 1 >= limit and chair.person and not chair.away:
        events.append(SeatAway(seat))
    whole_phase = isinstance(match.header.clock, Phases) and not at_once(match, seat)
    draft = match.game.draft(match.state, dice_of(match, service_seed))
    play_defaults(match.game, draft, seat, whole_phase=whole_phase)
    return [*events, *draft.events, *_finish(match, draft.state, service_seed)]


def play_defaults(game: AnyGame, draft: Draft[Any, Any], seat: int, *, whole_phase: bool) -> None:
    """Draft the default of a waiting seat.

    With `whole_phase`, defaults follow until the seat's clock has another name or nothing changes.
    """
    state = draft.state
    clock = game.timing.clock(state, seat)
    for _ in range(DEFAULTS_MAX):
        before = state.copy()
        game.decide_on(draft, seat, game.default(state, seat))
        if not whole_phase or seat not in game.waiting(state):
            return
        now = game.timing.clock(state, seat)
        if clock is None or now is None or now[0] != clock[0] or state == before:
            return
    raise AssertionError(f"{game.slug}: the defaults never end the clock {clock}")


def _abandon(match: Match, actor: Actor, service_seed: bytes) -> list[Tagged]:
    if actor.operator is None:
        raise Illegal("not-an-operator")
    if match.status not in ("waiting", "running"):
        raise Illegal("game-over")
    return [MatchAbandoned(service_seed.hex())]
