"""Results, leaving, abandoning; the seed's reveal."""

from dataclasses import replace

import pytest

from games.chance import Sealed
from games.match.commands import Abandon, Actor, Answer, ProposeAbandon, Resign
from games.match.decide import decide
from games.match.dice import dice_of
from games.match.ending import EndedByLeaving
from games.match.events import MatchAbandoned, MatchFinished, ProposalClosed, SeatResigned
from tests.games.match.table import SERVICE_SEED, Table
from tests.games.match.toy import TOY, Count, Counted, Deserted, Result


def test_the_record_with_the_result_reveals_the_seed():
    table = Table(2, options={"goal": 1})
    finished = MatchFinished(SERVICE_SEED.hex(), "finished", (0,), (1, 2), (), Result([0]))
    assert table.send(0, Count(1)) == [Counted(0, 1), finished]
    assert table.match.status == "finished"
    assert table.code(1, Count(1)) == "game-over"
    assert table.code(1, Resign()) == "game-over"


def test_when_one_team_is_left_the_match_is_over_and_leavers_come_last():
    table = Table(3)
    assert table.send(1, Resign()) == [SeatResigned(1), Deserted(1)]
    assert table.code(1, Count(1)) == "seat-left"
    left = EndedByLeaving("resigned", [2], [2, 3, 1])
    finished = MatchFinished(SERVICE_SEED.hex(), "resigned", (2,), (2, 3, 1), (), left)
    assert table.send(0, Resign()) == [SeatResigned(0), Deserted(0), finished]
    assert table.match.ending.places == (2, 3, 1)


def test_what_follows_from_leaving_may_need_the_records_dice():
    def rolls(draft, seat):
        draft.add(Counted(seat, draft.chance.randbelow(99)))

    roll = replace(TOY, leave_on=rolls)
    table = Table(3, game=roll, options={"goal": 100})
    rolled = dice_of(table.match, SERVICE_SEED).randbelow(99)
    with pytest.raises(Sealed):
        decide(table.match, Actor(seat=1), Resign(), table.at, b"")
    assert table.send(1, Resign()) == [SeatResigned(1), Counted(1, rolled)]


def test_a_crew_is_left_while_one_of_it_stays():
    table = Table(4, options={"crews": True})
    table.send(0, Resign())
    assert table.match.status == "running"
    table.send(2, Resign())
    assert table.match.status == "finished"


def test_alone_a_match_ends_with_its_player():
    table = Table(1)
    left = EndedByLeaving("resigned", [], [1])
    finished = MatchFinished(SERVICE_SEED.hex(), "resigned", (), (1,), (), left)
    assert table.send(0, Resign()) == [SeatResigned(0), finished]


def test_people_abandon_by_consent_bots_are_not_asked():
    table = Table(3, bots=[2])
    (made,) = table.send(0, ProposeAbandon())
    assert made.asked == (1,)
    events = table.send(1, Answer(table.number(1), accept=True))
    assert events[1:] == [ProposalClosed("accepted"), MatchAbandoned(SERVICE_SEED.hex())]
    assert table.match.status == "abandoned"


def test_an_operator_abandons_any_match_nobody_else_does():
    table = Table(2)
    assert table.code(0, Abandon()) == "not-an-operator"
    assert table.send(Actor(operator="o"), Abandon()) == [MatchAbandoned(SERVICE_SEED.hex())]
    assert table.code(Actor(operator="o"), Abandon()) == "game-over"
