"""A solver may look at all cards if all seats agree; what it saw is not taken back unmarked."""

from dataclasses import replace

from games.game import Verdict
from games.match.commands import Answer, ProposeUndo, Undo_, WithdrawProposal
from games.match.events import ProposalAnswered, ProposalClosed, Undone
from tests.games.match.table import Table
from tests.games.match.toy import TOY, Count

SOLVED = replace(
    TOY,
    players=replace(TOY.players, winnable=lambda state, positions: Verdict("not-shown")),
)
ASK = ProposeUndo(solve=True)


def table(seats: int = 3, **more) -> Table:
    return Table(seats, game=SOLVED, **more)


def test_all_other_people_are_asked():
    given = table()
    given.send(0, Count(1))
    (made,) = given.send(0, ASK)
    assert (made.kind, made.asked, made.undo) == ("solve", (1, 2), None)
    assert given.match.solved == 0
    assert given.send(1, Answer(given.number(1), accept=True)) == [ProposalAnswered(1, True)]
    last = given.send(2, Answer(given.number(2) - 1, accept=True))
    assert last == [ProposalAnswered(2, True), ProposalClosed("accepted")]
    assert given.match.solved == given.match.version


def test_one_refusal_is_enough():
    given = table()
    given.send(0, ASK)
    given.send(1, Answer(given.number(1), accept=False))
    assert given.match.solved == 0
    given.send(0, ASK)
    given.send(0, WithdrawProposal())
    assert given.match.solved == 0


def test_one_person_alone_has_agreed_by_asking_and_it_is_in_the_log():
    given = table(2, bots=[1])
    made, closed = given.send(0, ASK)
    assert (made.kind, made.asked, closed) == ("solve", (), ProposalClosed("accepted"))
    assert given.match.solved == given.match.version


def test_what_the_solver_has_seen_is_not_taken_back_unmarked():
    given = table(2, bots=[1])
    to = given.number(0)
    given.send(0, Count(1))
    given.send(0, ASK)
    assert given.refused(0, Undo_(to)).details == {"undo": "all"}
    assert given.send(0, ProposeUndo(to)) == [Undone(to, 0, "all")]


def test_what_comes_later_is_as_free_as_ever():
    given = table(1)
    given.send(0, ASK)
    to = given.number(0)
    given.send(0, Count(1))
    assert given.send(0, Undo_(to)) == [Undone(to, 0, "free")]


def test_a_version_or_the_solver_never_both_or_neither():
    given = table()
    assert given.code(0, ProposeUndo()) == "undo-to-or-solve"
    assert given.code(0, ProposeUndo(3, solve=True)) == "undo-to-or-solve"


def test_a_game_without_solver_and_search_is_not_asked_for():
    assert Table(2).code(0, ASK) == "no-solver"
