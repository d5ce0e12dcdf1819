"""Taking back: free, by consent, marked; never what is over."""

import dataclasses
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.captain_sonar.commands import ChooseStart, CrossSymbol, EndTurn, MarkGauge, OrderCourse
from games.game import Timing
from games.match import states
from games.match.clocks import deadlines
from games.match.commands import (
    Actor,
    Answer,
    Bank,
    PerMove,
    Phases,
    ProposeUndo,
    TimeOut,
    Undo_,
    WithdrawProposal,
)
from games.match.events import ProposalAnswered, ProposalClosed, Undone
from games.match.legal import takeback
from projections.views import match_view
from tests.games.match.table import SECOND, Table
from tests.games.match.toy import TOY, Count, Note, Peek, Peeked

LONG = dataclasses.replace(
    TOY,
    timing=Timing(clock=lambda state, seat: (f"turn:{state.total}", 60)),
    undo=lambda before, seat, command, events: "free",
)
"""Time to think, and all is free to take back."""


def test_own_commands_are_free_to_take_back_while_no_other_follows():
    table = Table(2)
    to = table.number(0)
    before = msgspec.json.encode(table.match.state)
    table.send(0, Count(2))
    assert table.send(0, Undo_(to)) == [Undone(to, 0, "free")]
    assert msgspec.json.encode(table.match.state) == before
    assert table.number(0) == to + 2, "numbers only grow"


def test_after_another_seats_record_consent_is_needed():
    table = Table(2)
    to = table.number(0)
    table.send(0, Count(1))
    table.send(1, Count(1))
    error = table.refused(0, Undo_(to))
    assert (error.code, error.details) == ("undo-needs-consent", {"undo": "consent"})
    (made,) = table.send(0, ProposeUndo(to))
    assert (made.asked, made.undo, made.to) == ((1,), "consent", to)
    assert table.code(0, Answer(table.number(0), accept=True)) == "not-asked"
    events = table.send(1, Answer(table.number(1), accept=True))
    assert events == [
        ProposalAnswered(1, True),
        ProposalClosed("accepted"),
        Undone(to, 0, "consent"),
    ]
    assert table.match.state.total == 0


def test_what_showed_hidden_things_needs_everyone_and_is_marked():
    table = Table(3)
    to = table.number(0)
    table.send(0, Peek())
    (made,) = table.send(0, ProposeUndo(to))
    assert (made.asked, made.undo) == ((1, 2), "all")
    number = table.number(1)
    assert table.send(1, Answer(number, accept=True)) == [ProposalAnswered(1, True)]
    assert table.send(2, Answer(number, accept=True))[-1] == Undone(to, 0, "all")


def test_a_refusal_or_its_maker_ends_a_proposal_and_so_does_the_games_going_on():
    table = Table(2)
    table.send(0, Count(1))
    to = table.number(0)
    table.send(1, Count(1))
    table.send(0, ProposeUndo(to))
    assert table.code(1, ProposeUndo(to)) == "proposal-open"
    assert table.code(1, WithdrawProposal()) == "no-such-proposal"
    assert table.send(1, Answer(table.number(1), accept=False))[-1] == ProposalClosed("refused")
    table.send(0, ProposeUndo(to))
    assert table.send(0, WithdrawProposal()) == [ProposalClosed("withdrawn")]
    table.send(0, ProposeUndo(to))
    number = table.number(1)
    table.send(0, Count(1))
    assert table.code(1, Answer(number, accept=True)) == "no-such-proposal"


def test_a_proposal_expires():
    table = Table(2)
    table.send(0, Count(1))
    to = table.number(0)
    table.send(1, Count(1))
    (made,) = table.send(0, ProposeUndo(to))
    table.at = made.expires
    assert table.code(1, Answer(table.number(1), accept=True)) == "no-such-proposal"
    assert table.send(0, ProposeUndo(to))


def test_with_only_bots_to_ask_it_is_done_and_marked():
    table = Table(2, bots=[1])
    to = table.number(0)
    table.send(0, Peek())
    assert table.send(0, ProposeUndo(to)) == [Undone(to, 0, "all")]


@pytest.mark.parametrize(("number", "code"), [(99, "no-such-version"), (1, "undo-never")])
def test_versions_that_cant_be_gone_back_to(number, code):
    table = Table(2)
    table.send(0, Count(1))
    assert table.code(0, Undo_(number)) == code
    assert table.code(0, Undo_(table.number(0))) == "nothing-to-undo"


def test_a_match_may_limit_undos():
    table = Table(2, undo_limit=1)
    to = table.number(0)
    table.send(0, Count(1))
    table.send(0, Undo_(to))
    table.send(0, Count(1))
    error = table.refused(0, Undo_(table.number(0) - 1))
    assert (error.code, error.details) == ("undo-limit", {"limit": 1})


def test_what_the_clock_played_needs_everyone():
    table = Table(2, clock=PerMove(30))
    to = table.number(0)
    deadline = deadlines(table.match)[0]
    table.at = deadline.at
    table.send(Actor(clock=True), TimeOut(0, deadline.at), after_s=0)
    assert table.refused(0, Undo_(to)).details == {"undo": "all"}


def test_an_undo_restarts_the_clock_and_gives_no_time_back():
    table = Table(2, clock=Bank(100))
    to = table.number(0)
    table.send(0, Count(1), after_s=40)
    table.send(0, Undo_(to), after_s=10)
    assert deadlines(table.match) == [(table.at + 60 * SECOND, 0)]


def test_what_the_clock_played_is_final_where_the_command_is():
    final = dataclasses.replace(TOY, undo=lambda before, seat, command, events: None)
    table = Table(2, game=final, clock=PerMove(30))
    to = table.number(0)
    deadline = deadlines(table.match)[0]
    table.at = deadline.at
    table.send(Actor(clock=True), TimeOut(0, deadline.at), after_s=0)
    assert table.code(0, ProposeUndo(to)) == "undo-never"


@pytest.mark.parametrize("clock", [PerMove(60), Bank(60, 5), Phases()])
def test_what_is_free_to_take_back_buys_no_time(clock):
    """Else one seat alone could play and take back for ever."""
    table = Table(1, game=LONG, options={"goal": 99}, clock=clock)
    end = deadlines(table.match)
    to = table.number(0)
    for _ in range(3):
        table.send(0, Count(1), after_s=10)
        table.send(0, Undo_(to), after_s=5)
        assert deadlines(table.match) == end
        to = table.number(0)


def test_nor_where_another_seat_was_asked_meanwhile():
    table = Table(2, options={"goal": 99}, clock=PerMove(60))
    to = table.number(0)
    table.send(0, Count(1), after_s=20)
    table.send(0, Undo_(to), after_s=30)
    assert deadlines(table.match) == [(table.at + 40 * SECOND, 0)], (
        "the other's time is not its own"
    )


def test_with_its_time_used_up_an_undo_takes_consent():
    """The clock of the next command still runs, but that of the one taken back does not."""
    table = Table(2, game=LONG, options={"goal": 99}, clock=PerMove(60))
    to = table.number(0)
    table.send(0, Peek(), after_s=50)
    table.send(0, Peek(), after_s=20)
    assert table.code(0, Undo_(to)) == "undo-needs-consent"
    assert table.send(0, Undo_(to + 1), after_s=0), "the second one's time is not over"
    table.send(0, ProposeUndo(to))
    assert table.match.proposals[0].made.asked == (1,)
    table.send(1, Answer(table.number(1), accept=True))
    assert deadlines(table.match) == [(table.at + 60 * SECOND, 0)], "with consent it starts anew"


def test_what_an_undo_is_shown_to_cost_tells_of_no_hidden_time():
    """As of the last record that the seat was shown: whatever came since."""
    table = Table(4, game=LONG, options={"crews": True, "blind": True}, clock=PerMove(60))
    table.send(0, Peek(), after_s=50)
    shown = takeback(table.match, 0)
    assert shown.undo == "free"
    table.send(1, Note(1), after_s=20)
    assert takeback(table.match, 0) == shown


def test_the_asked_and_the_told_are_those_to_whom_an_undone_record_counts():
    """A note counts for its crew alone: the other crew is neither asked nor told."""
    table = Table(4, options={"crews": True})
    to = table.number(0)
    others = table.number(1), table.number(None)
    table.send(0, Note(7))
    table.send(2, Note(8))
    (made,) = table.send(0, ProposeUndo(to))
    assert made.asked == (2,)
    table.send(2, Answer(table.number(2), accept=True))
    assert (table.number(1), table.number(None)) == others
    assert table.told[0][-1] == Undone(to, 0, "consent")
    assert table.told[1] == []


def test_any_earlier_state_comes_back_byte_equal():
    """Over checkpoints too."""
    table = Table(2, options={"goal": 500})
    states = {table.number(0): msgspec.json.encode(table.match.state)}
    for turn in range(100):
        table.send(turn % 2, Count(1 + turn % 2))
        states[table.number(0)] = msgspec.json.encode(table.match.state)
    for to in sorted(states, reverse=True)[1::9]:
        table.send(0, ProposeUndo(to))
        table.send(1, Answer(table.number(1), accept=True))
        assert msgspec.json.encode(table.match.state) == states[to]


@pytest.fixture
def crews():
    """Return a match of two crews and their last versions before."""
    table = Table(4, options={"crews": True, "blind": True}, clock=PerMove(30))
    table.send(0, Count(1))
    return table


def test_what_a_rival_did_in_hiding_costs_nothing_and_stays(crews):
    """Otherwise an undo that needs consent, or takes back more, would reveal a hidden record."""
    to = crews.number(0)
    crews.send(0, Note(7))
    crews.send(1, Note(9))
    others = crews.number(1), crews.number(3), crews.number(None)
    deadline = deadlines(crews.match)
    (undone,) = crews.send(0, Undo_(to))
    assert (undone.undo, undone.kept) == ("free", (crews.match.version - 1,))
    assert crews.told[0] == [Undone(to, 0, "free")], "nobody is told what stays"
    assert crews.match.state.notes == [9]
    assert (crews.number(1), crews.number(3), crews.number(None)) == others
    assert deadlines(crews.match) == deadline, "nor by a clock"
    assert crews.code(0, Undo_(crews.number(0))) == "nothing-to-undo"


def test_what_does_not_follow_without_what_is_taken_back_goes_too(crews):
    to = crews.number(0)
    crews.send(0, Note(7))
    crews.send(1, Note(-1))
    assert crews.refused(0, Undo_(to)).details == {"undo": "consent"}
    (made,) = crews.send(0, ProposeUndo(to))
    assert made.asked == (1, 2, 3), "one of the two counts for each of them"


def test_a_proposal_outlasts_what_a_rival_does_in_hiding(crews):
    """Its end would tell of it; what was done stays when the undo is accepted."""
    to = crews.number(0)
    crews.send(0, Note(7))
    crews.send(2, Note(8))
    (made,) = crews.send(0, ProposeUndo(to))
    assert made.asked == (2,)
    crews.send(1, Note(9))
    assert crews.match.proposals
    crews.send(2, Answer(crews.number(2), accept=True))
    assert crews.match.state.notes == [9]


def test_a_proposal_is_overtaken_by_what_can_not_stay(crews):
    to = crews.number(0)
    crews.send(0, Note(7))
    crews.send(2, Note(8))
    crews.send(0, ProposeUndo(to))
    crews.send(1, Note(-1))
    events = crews.send(2, Answer(crews.number(2), accept=True))
    assert events == [ProposalAnswered(2, True), ProposalClosed("overtaken")]
    assert crews.match.state.notes == [7, 8, 8]
    assert crews.match.proposals == []


def test_a_proposal_shows_each_seat_what_it_would_take_back_and_hide_again():
    """In that seat's redaction: who looked sees what it saw, the others that it looked."""
    table = Table(3)
    to = table.number(0)
    table.send(0, Peek())
    table.send(0, Count(2))
    table.send(0, ProposeUndo(to))
    secret = table.match.state.secret
    for viewer, seen in ((0, secret), (1, -1), (None, -1)):
        preview = match_view(table.match, viewer, "", {}).proposal.preview
        assert [(taken.version, taken.seat) for taken in preview.takes_back] == [
            (to + 1, 0),
            (to + 2, 0),
        ]
        assert preview.takes_back[0].events == [Peeked(0, seen)]
        assert {"op": "replace", "path": "/total", "value": 0} in preview.changes


def test_a_preview_tells_nothing_that_others_did_in_secret():
    """The rival crew was busy then. That it has crossed its symbol by now is its own business."""
    table = Table(2, game=GAMES["captain_sonar"], options={"first_crew": 0})

    def first(seat: int, kind: type) -> Any:
        legal = table.match.game.legal(table.match.state, seat)
        return next(command for command in legal if isinstance(command, kind))

    for seat in (0, 1):
        table.send(seat, first(seat, ChooseStart))
    table.send(0, first(0, OrderCourse))
    to = table.number(1)
    for kind in (MarkGauge, CrossSymbol, EndTurn):
        table.send(0, first(0, kind))
    for kind in (OrderCourse, MarkGauge, CrossSymbol, EndTurn):
        table.send(1, first(1, kind))
    table.send(0, first(0, OrderCourse))
    table.send(1, ProposeUndo(to))
    before, number = match_view(table.match, 1, "", {}), table.number(1)
    table.send(0, first(0, CrossSymbol))
    assert table.number(1) == number
    assert match_view(table.match, 1, "", {}) == before


def test_the_time_for_proposals_is_an_option():
    table = Table(2, proposal_seconds=60)
    table.send(0, Count(1))
    table.send(1, Count(1))
    (made,) = table.send(0, ProposeUndo(table.number(0) - 1))
    assert made.expires == table.at + 60 * SECOND


def test_what_was_looked_at_is_remembered():
    """Where the game says so: also over another undo, and in states that are folded again."""
    remembering = dataclasses.replace(TOY, recall=remember)
    table = Table(2, game=remembering)
    start = table.number(0)
    table.send(0, Count(1))
    table.send(0, Note(4))
    table.send(0, ProposeUndo(start))
    assert table.match.state.deserted == [4]
    table.send(0, Count(1))
    table.send(0, Undo_(table.number(0) - 1))
    assert table.match.state.deserted == [4]
    assert states.state_after(table.match, len(table.match.line)) == table.match.state


def remember(state, before):
    state.deserted = sorted({*before.deserted, *before.notes})
