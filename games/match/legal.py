"""What may be sent to the match itself, besides the game's own commands.

Candidates are listed here; `decide` itself says which of them it would accept, so that the two
never differ. One command stands for each family that is accepted together: seats are taken without
entropy, orders are given one by one and until cancelled, and an undo goes back to before the
seat's last command (earlier versions are accepted too).
"""

from collections.abc import Iterator

import msgspec

from games.chance import Sealed
from games.game import Illegal, Undo
from games.match import viewers
from games.match.commands import (
    Actor,
    AddBot,
    Answer,
    ComeBack,
    LeaveSeat,
    Pause,
    PlayerCommand,
    ProposeAbandon,
    ProposeUndo,
    RemoveBot,
    Resign,
    Resume,
    SetStandingOrders,
    TakeSeat,
    Undo_,
    WithdrawProposal,
)
from games.match.decide import decide
from games.match.model import Match
from games.match.undo import price


class Takeback(msgspec.Struct, frozen=True):
    """What it needs to take back a seat's last command."""

    to: int
    """The seat's own version to go back to."""
    undo: Undo
    asked: tuple[int, ...]
    """The seats that must accept, ascending."""


def legal(match: Match, actor: Actor, at: int, back: Takeback | None) -> list[PlayerCommand]:
    """List what the actor may send to the match at a time (microseconds).

    `back` is the `takeback` of the actor's seat at that time.
    """
    if actor.seat is None or match.status == "waiting":
        candidates = _before_start(match, actor)
    else:
        candidates = _in_play(match, actor.seat, back)
    return [command for command in candidates if _accepted(match, actor, command, at)]


def takeback(match: Match, seat: int, at: int | None = None) -> Takeback | None:
    """Return what it needs to take back the seat's last command; None if that is impossible.

    Without `at`, the time of the last record that the seat was shown counts.
    """
    last = match.line.last_by(seat)
    if not last or match.status != "running":
        return None
    to = viewers.own_number(match, seat, last - 1)
    try:
        cost = price(match, seat, to, at)
    except Illegal:
        return None
    return Takeback(to, cost.undo, cost.asked)


def _before_start(match: Match, actor: Actor) -> Iterator[PlayerCommand]:
    free = [seat for seat, chair in enumerate(match.chairs) if not chair.taken]
    yield from (TakeSeat(seat) for seat in free)
    if actor.seat is not None:
        yield LeaveSeat()
    yield from (AddBot(seat, level) for seat in free for level in match.game.players.levels)
    yield from (RemoveBot(seat) for seat, chair in enumerate(match.chairs) if chair.bot)


def _in_play(match: Match, seat: int, back: Takeback | None) -> Iterator[PlayerCommand]:
    yield from (Resign(), ProposeAbandon(), Pause(), Resume(), ComeBack())
    yield from (SetStandingOrders((name,)) for name in match.game.orders)
    yield SetStandingOrders()
    if back is not None:
        yield Undo_(back.to) if back.undo == "free" else ProposeUndo(back.to)
    yield ProposeUndo(solve=True)
    yield WithdrawProposal()
    for proposal in match.proposals:
        if viewers.was_shown(match, seat, proposal.version):
            number = viewers.own_number(match, seat, proposal.version)
            yield from (Answer(number, accept=accept) for accept in (True, False))


def _accepted(match: Match, actor: Actor, command: PlayerCommand, at: int) -> bool:
    try:
        decide(match, actor, command, at, b"")
    except Illegal:
        return False
    except Sealed:
        return True  # only what is accepted draws dice
    return True
