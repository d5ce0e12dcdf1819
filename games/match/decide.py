"""Decide a match's commands: pure, and the match stays as it was."""

from typing import Any

from games.chance import Chance
from games.game import AnyGame, Illegal
from games.match import orders, proposals, seating
from games.match.clocks import at_once, deadlines
from games.match.commands import (
    MATCH_COMMAND_TYPES,
    Abandon,
    AddBot,
    Answer,
    BranchMatch,
    By,
    ComeBack,
    CreateMatch,
    FollowOrders,
    LeaveSeat,
    Pause,
    Phases,
    ProposeAbandon,
    ProposeUndo,
    RemoveBot,
    Resign,
    Resume,
    SetStandingOrders,
    TakeSeat,
    TimeOut,
    Undo_,
    WithdrawProposal,
)
from games.match.events import (
    MatchAbandoned,
    MatchFinished,
    MatchResumed,
    SeatAway,
    SeatBack,
    SeatResigned,
    TimedOut,
)
from games.match.model import Match
from games.match.seed import dice

DEFAULTS_MAX = 1_000
"""More defaults than this in one timeout are a bug of the game."""


def decide(match: Match, by: By, command: Any, at: int, part: bytes) -> list[Any]:
    """Turn a command into events, or raise `Illegal`.

    `at` is the record's time in microseconds, `part` the service's part of the seed. With the part
    unknown (`b""`) what needs dice raises `Sealed`.
    """
    if type(command) not in MATCH_COMMAND_TYPES:
        return _play(match, by, command, at, part)
    match command:
        case TakeSeat():
            return seating.take_seat(match, by, command, part)
        case LeaveSeat():
            return seating.leave_seat(match, by)
        case AddBot():
            return seating.add_bot(match, by, command, part)
        case RemoveBot():
            return seating.remove_bot(match, by, command)
        case TimeOut():
            return _time_out(match, by, command, at, part)
        case Abandon():
            return _abandon(match, by, part)
        case CreateMatch() | BranchMatch():
            raise Illegal("match-started")
        case _:
            return _in_play(match, by, command, at, part)


def _in_play(match: Match, by: By, command: Any, at: int, part: bytes) -> list[Any]:
    seat = _acting_seat(match, by)
    if by.clock:
        raise Illegal("not-a-seat")
    match command:
        case Resign():
            return _resign(match, seat, part)
        case ComeBack():
            if not match.chairs[seat].away:
                raise Illegal("not-away")
            return [SeatBack(seat)]
        case Pause():
            return proposals.pause(match, seat, at)
        case Resume():
            if match.paused is None:
                raise Illegal("not-paused")
            return [MatchResumed()]
        case ProposeAbandon():
            return proposals.propose_abandon(match, seat, at, part)
        case ProposeUndo(solve=True, to=None):
            return proposals.propose_solve(match, seat, at)
        case ProposeUndo(solve=False, to=int() as number):
            return proposals.propose_undo(match, seat, number, at)
        case ProposeUndo():
            raise Illegal("undo-to-or-solve")
        case Undo_(to=number):
            return proposals.undo(match, seat, number, at)
        case Answer():
            return proposals.answer(match, seat, command, at, part)
        case WithdrawProposal():
            return proposals.withdraw(match, seat)
        case SetStandingOrders():
            return orders.give(match, seat, command)
        case FollowOrders():
            if (answer := orders.answer(match, seat)) is None:
                raise Illegal("no-standing-order")
            return _play(match, by, answer, at, part)
        case _:
            raise AssertionError(command)


def _acting_seat(match: Match, by: By) -> int:
    if by.seat is None:
        raise Illegal("not-a-seat")
    if match.status == "waiting":
        raise Illegal("match-not-started")
    if match.status != "running":
        raise Illegal("game-over")
    if match.chairs[by.seat].left:
        raise Illegal("seat-left")
    return by.seat


def _play(match: Match, by: By, command: Any, at: int, part: bytes) -> list[Any]:
    seat = _acting_seat(match, by)
    if by.clock and not match.stand_in(seat):
        raise Illegal("not-away")
    if match.paused is not None:
        raise Illegal("match-paused")
    events = match.game.decide(match.state, seat, command, dice_of(match, part))
    if (pace := match.game.timing.pace(match.state, seat, command)) is not None:
        bucket, gap_ms = pace
        wait = match.paces.get(bucket, 0) + gap_ms * 1_000 - at
        if wait > 0:
            raise Illegal("too-fast", retry_after_ms=-(-wait // 1_000))
    back = [SeatBack(seat)] if match.chairs[seat].away and not by.clock else []
    after = match.state.copy()
    for event in events:
        match.game.apply(after, event)
    return [*back, *events, *_finish(match, after, part)]


def dice_of(match: Match, part: bytes) -> Chance:
    """Give the dice of the next record."""
    return dice(part, tuple([chair.entropy for chair in match.chairs]), match.version + 1)


def _finish(match: Match, after: Any, part: bytes) -> list[Any]:
    return [] if match.game.result(after) is None else [MatchFinished(part.hex())]


def _resign(match: Match, seat: int, part: bytes) -> list[Any]:
    """Leave for good. With one team left, or none, the match is over."""
    events = match.game.leave(match.state, seat, dice_of(match, part))
    after = match.state.copy()
    for event in events:
        match.game.apply(after, event)
    finish = _finish(match, after, part)
    if not finish:
        teams = match.game.teams(match.state)
        stay = [team for team in teams if any(s != seat and not match.chairs[s].left for s in team)]
        if not stay or (len(teams) > 1 and len(stay) == 1):
            finish = [MatchFinished(part.hex())]
    return [SeatResigned(seat), *events, *finish]


def _time_out(match: Match, by: By, command: TimeOut, at: int, part: bytes) -> list[Any]:
    """Play the defaults of a seat whose deadline still stands and has come."""
    if by != By(clock=True):
        raise Illegal("not-the-clock")
    if (command.deadline, command.seat) not in deadlines(match) or at < command.deadline:
        raise Illegal("no-such-deadline")
    seat = command.seat
    chair = match.chairs[seat]
    limit = match.header.away_after
    events: list[Any] = [TimedOut(seat)]
    if limit and chair.timeouts + 1 >= limit and chair.person and not chair.away:
        events.append(SeatAway(seat))
    after, played = _defaults(match, seat, part)
    return [*events, *played, *_finish(match, after, part)]


def _defaults(match: Match, seat: int, part: bytes) -> tuple[Any, list[Any]]:
    """Play a seat's default: under `phases` for as long as its clock is meant for."""
    whole_phase = isinstance(match.header.clock, Phases) and not at_once(match, seat)
    after = match.state.copy()
    return after, play_defaults(match.game, after, seat, dice_of(match, part), whole_phase)


def play_defaults(
    game: AnyGame, state: Any, seat: int, chance: Chance, whole_phase: bool
) -> list[Any]:
    """Play the default of a waiting seat in place, once or until its clock has another name or nothing changes."""
    clock = game.timing.clock(state, seat)
    played: list[Any] = []
    for _ in range(DEFAULTS_MAX):
        before = state.copy()
        events = game.decide(state, seat, game.default(state, seat), chance)
        for event in events:
            game.apply(state, event)
        played += events
        if not whole_phase or seat not in game.waiting(state):
            return played
        now = game.timing.clock(state, seat)
        if clock is None or now is None or now[0] != clock[0] or state == before:
            return played
    raise AssertionError(f"{game.slug}: the defaults never end the clock {clock}")


def _abandon(match: Match, by: By, part: bytes) -> list[Any]:
    if by.operator is None:
        raise Illegal("not-an-operator")
    if match.status not in ("waiting", "running"):
        raise Illegal("game-over")
    return [MatchAbandoned(part.hex())]
