"""`legal` is exactly what `decide` accepts: for every actor, status and proposal."""

from contextlib import suppress

import pytest
from msgspec.structs import replace

from games.chance import Chance
from games.game import Illegal
from games.match.commands import (
    Actor,
    AddBot,
    Answer,
    Bank,
    ComeBack,
    LeaveSeat,
    Pause,
    PerMove,
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
from games.match.due import next_due
from games.match.legal import Takeback, legal, takeback
from games.playout import seed_of
from tests.games.match.table import SECOND, SERVICE_SEED, Table
from tests.games.match.toy import Count, Note, Peek

HOST = Actor(player="p_host")
GUEST = Actor(player="p_guest")


def actors(match):
    return [*(Actor(seat=s) for s, chair in enumerate(match.chairs) if chair.player), HOST, GUEST]


def probes(match):
    """List commands of every type: legal ones, near misses, and others of their families."""
    seats = range(-1, match.header.seats + 1)
    versions = range(max(0, match.version - 4), match.version + 2)
    yield from (TakeSeat(seat if seat >= 0 else None, "e") for seat in seats)
    yield from (AddBot(seat if seat >= 0 else None) for seat in seats)
    yield from (RemoveBot(seat) for seat in seats if seat >= 0)
    yield from (LeaveSeat(), Resign(), ComeBack(), Pause(), Resume(), ProposeAbandon())
    yield from (ProposeUndo(solve=True), WithdrawProposal(), ProposeUndo(), AddBot(0, "none"))
    yield from (kind(version) for version in versions for kind in (Undo_, ProposeUndo))
    yield from (Answer(version, accept) for version in versions for accept in (True, False))
    yield from (SetStandingOrders(names) for names in ((), ("one",), ("even", "one"), ("none",)))
    yield SetStandingOrders(("one",), "next_command")


def representative(match, actor, command):
    """Return the command that stands for a family in the list."""
    match command:
        case TakeSeat(seat=seat) | AddBot(seat=seat) if seat is None:
            free = next(s for s, chair in enumerate(match.chairs) if not chair.taken)
            return representative(match, actor, replace(command, seat=free))
        case TakeSeat():
            return replace(command, entropy="")
        case SetStandingOrders(orders=names):
            return SetStandingOrders(names[:1])
        case _:
            return command


def may_send(match, actor, at):
    back = None if actor.seat is None else takeback(match, actor.seat, at)
    return legal(match, actor, at, back)


def check(table):
    """Compare every actor's list with what `decide` accepts."""
    match, at = table.match, table.at + SECOND
    for actor in actors(match):
        listed = may_send(match, actor, at)
        assert len({repr(command) for command in listed}) == len(listed), "listed twice"
        for command in probes(match):
            try:
                decide(match, actor, command, at, SERVICE_SEED)
            except Illegal:
                assert command not in listed, (actor, command)
                continue
            if type(command) not in (Undo_, ProposeUndo) or not isinstance(command.to, int):
                if isinstance(command, SetStandingOrders) and command not in listed:
                    kinds = {type(one) for one in listed}
                    assert SetStandingOrders in kinds, (actor, command)
                else:
                    assert representative(match, actor, command) in listed, (actor, command)
        for command in listed:
            assert decide(match, actor, command, at, SERVICE_SEED), (actor, command)


@pytest.mark.parametrize("bots", [(), (1,)], ids=["people", "bots"])
def test_before_the_start(bots):
    """Free seats are taken, by bots only if someone at the table or the host says so."""
    table = Table(3, seated=False)
    check(table)
    for seat in range(2):
        if seat in bots:
            table.send(HOST, AddBot(seat))
        else:
            table.send(Actor(player=f"p_{seat}"), TakeSeat(seat))
        check(table)


@pytest.mark.parametrize(
    "options", [{}, {"crews": True}, {"crews": True, "blind": True}], ids=["open", "crews", "blind"]
)
@pytest.mark.parametrize("clock", [None, PerMove(60), Bank(600, 5)], ids=["none", "move", "bank"])
def test_in_play(options, clock):
    """Whatever was proposed, answered, paused, ordered, undone or missed before."""
    for seed in range(6):
        dice = Chance(seed_of(seed), 1)
        seats = 4 if options else 2 + dice.randbelow(3)
        table = Table(
            seats, options={"goal": 12, **options}, clock=clock, away_after=1, undo_limit=3
        )
        for _ in range(40):
            check(table)
            match = table.match
            if match.status != "running":
                break
            seat = dice.randbelow(seats)
            due = next_due(match)
            with suppress(Illegal):
                if due is not None and dice.randbelow(8) == 0:
                    table.send(due.actor, due.command, after_s=max(0, due.at - table.at) / SECOND)
                elif dice.randbelow(2):
                    table.send(seat, dice.choice([Count(1), Count(2), Note(3), Peek()]))
                else:
                    able = [c for c in may_send(match, Actor(seat=seat), table.at) if c != Resign()]
                    table.send(seat, dice.choice(able or [Resign()]))


def test_an_open_proposal_allows_no_other():
    table = Table(2)
    table.send(0, Count(1))
    table.send(1, Pause())
    kinds = {type(command) for command in may_send(table.match, Actor(seat=1), table.at)}
    assert WithdrawProposal in kinds
    assert not kinds & {Pause, ProposeAbandon}
    asked = may_send(table.match, Actor(seat=0), table.at)
    number = table.number(0)
    assert [c for c in asked if isinstance(c, Answer)] == [
        Answer(number, accept=True),
        Answer(number, accept=False),
    ]


def test_a_takeback_names_its_class_and_price():
    table = Table(2)
    to = table.number(0)
    table.send(0, Count(1))
    assert takeback(table.match, 0, table.at) == Takeback(to, "free", ())
    assert Undo_(to) in may_send(table.match, Actor(seat=0), table.at)
    table.send(1, Count(1))
    assert takeback(table.match, 0, table.at) == Takeback(to, "consent", (1,))
    assert ProposeUndo(to) in may_send(table.match, Actor(seat=0), table.at)


def test_nothing_is_left_to_send_after_the_end():
    table = Table(2, options={"goal": 1})
    table.send(0, Count(1))
    assert [may_send(table.match, actor, table.at) for actor in actors(table.match)] == [
        [],
        [],
        [],
        [],
    ]
