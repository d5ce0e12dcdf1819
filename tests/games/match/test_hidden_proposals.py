"""Only those whom a proposal concerns learn of it: by no open, refused or ended proposal."""

import pytest

from games.match.commands import (
    Answer,
    Pause,
    ProposeAbandon,
    ProposeUndo,
    Undo_,
    WithdrawProposal,
)
from games.match.events import MatchPaused, ProposalClosed, ProposalMade
from projections.summary import summary
from projections.views import match_view
from tests.games.match.table import Table
from tests.games.match.toy import Count, Note


@pytest.fixture
def crews():
    """Return a match of two crews in which crew 0 proposes to itself to take back a note."""
    table = Table(4, options={"crews": True, "blind": True})
    table.send(0, Count(1))
    note(table, 0, 2)
    return table


def note(table: Table, seat: int, other: int) -> ProposalMade:
    """Play a note by each of two crewmates; the first then proposes to take both back."""
    to = table.number(seat)
    table.send(seat, Note(7))
    table.send(other, Note(8))
    (made,) = table.send(seat, ProposeUndo(to))
    return made


def shown(table: Table, viewer: int | None):
    return match_view(table.match, viewer, "", {}).proposal


def test_who_is_not_shown_a_proposal_may_make_one(crews):
    assert shown(crews, 0).kind == "undo"
    assert shown(crews, 1) is None
    assert crews.code(2, Pause()) == "proposal-open"
    (made,) = crews.send(1, Pause())
    assert made.kind == "pause"


def test_a_later_proposal_that_all_of_them_see_ends_it(crews):
    number = crews.number(2)
    crews.send(1, ProposeAbandon())
    assert [shown(crews, viewer).kind for viewer in range(4)] == ["abandon"] * 4
    assert crews.code(2, Answer(number, accept=True)) == "no-such-proposal"
    assert crews.code(0, WithdrawProposal()) == "no-such-proposal"


def test_each_crew_asks_itself_at_the_same_time(crews):
    made = note(crews, 1, 3)
    assert (made.seat, made.asked) == (1, (3,))
    assert [shown(crews, viewer).seat for viewer in range(4)] == [0, 1, 0, 1]
    assert shown(crews, None) is None
    events = crews.send(2, Answer(shown(crews, 2).proposal, accept=True))
    assert events[-1].seat == 0
    assert crews.match.state.notes == [7, 8], "the other crew's"
    assert [shown(crews, viewer) is None for viewer in range(4)] == [True, False, True, False]
    assert crews.send(1, WithdrawProposal()) == [ProposalClosed("withdrawn")]
    assert crews.match.proposals == []


def test_the_outcome_is_told_to_whom_it_was_proposed_and_nobody_else(crews):
    """Also where a rival has done something in hiding since: that is not what the undo is about."""
    crews.send(1, Note(9))
    others = crews.number(1), crews.number(3), crews.number(None)
    crews.send(2, Answer(crews.number(2), accept=True))
    assert crews.told[0], "its own crew is told"
    assert [crews.told[viewer] for viewer in (1, 3, None)] == [[], [], []]
    assert (crews.number(1), crews.number(3), crews.number(None)) == others


def test_what_a_rival_takes_back_in_hiding_ends_no_proposal(crews):
    to = crews.number(1)
    crews.send(1, Note(9))
    crews.send(1, Undo_(to))
    assert shown(crews, 2).kind == "undo"
    crews.send(2, Answer(shown(crews, 2).proposal, accept=True))
    assert crews.match.state.notes == []


def test_nor_one_that_everybody_sees():
    table = Table(4, options={"crews": True, "blind": True})
    to = table.number(1)
    table.send(1, Note(9))
    table.send(0, Pause())
    table.send(1, Undo_(to))
    assert shown(table, 0).kind == "pause"
    for seat in (1, 2):
        table.send(seat, Answer(shown(table, seat).proposal, accept=True))
    assert table.send(3, Answer(shown(table, 3).proposal, accept=True))[-1] == MatchPaused()


def test_no_bot_holds_still_for_a_proposal_that_it_is_not_shown():
    """Otherwise a crew could halt the bots of the other, whose people would learn that it asks."""
    table = Table(4, options={"crews": True, "blind": True}, bots=[3])
    for seat in (0, 1, 2):
        table.send(seat, Count(1))
    before = summary(table.match).bots_from
    note(table, 0, 2)
    assert summary(table.match).bots_from == before
