"""Can this table still be won, if everyone knew all cards? A line, a proof, or neither (section 14 of the rules).

Chance ends with the deal, so a cooperative voyage is a puzzle for one. A line is a certificate: sent to the rules as
it stands it wins. A proof is a bound that the table misses, or a search that left nothing out. Everything is counted
in positions, never in seconds: equal tables and budgets get equal verdicts. A proof's word is a `Refutation`, `over` for a
voyage that has ended, or `exhausted` for a search that left nothing out.
"""

from games.chance import Sealed
from games.game import Verdict
from games.tranquility.model import State
from games.tranquility.solver.beam import beam
from games.tranquility.solver.exhaust import Exhaust, OutOfBudget
from games.tranquility.solver.lines import Course, Line
from games.tranquility.solver.puzzle import Move, Puzzle, fits
from games.tranquility.solver.refute import refutation
from games.tranquility.solver.replays import Reach, replay

BUDGET = 120_000
"""Positions that are looked at: some three seconds of one core if nothing is found."""
DECISION = 8
"""A decision by the real rules counts as so many positions: it takes as long."""
BEAMS = (
    *((4, 0.0), (8, 0.0), (8, 0.7), (8, 1.5)),
    *((24, 0.0), (24, 1.0), (60, 0.0), (60, 1.5), (120, 1.0)),
)
"""Width and noise, in this order (section 14 of the rules: by turns, ever wider)."""
SMALL = 14
"""Free cells up to which everything is searched before wider beams are tried."""
BEAM_SHARE = 0.7
"""Part of the budget after which no further beam is sent out."""
REPLAY_SHARE = 0.7
"""Part of the budget for bots; the rest is for trying every command."""


def winnable(state: State, budget: int = BUDGET) -> Verdict:
    """Tell whether a table can still be won when all cards are known; a race of two is nobody's alone to win."""
    if state.result is not None:
        won = state.result.outcome == "won"
        return Verdict("line") if won else Verdict("proof", proof="over")
    if state.options.variant == "competitive":
        return Verdict("not-shown")
    if (reason := refutation(state)) is not None:
        return Verdict("proof", proof=reason)
    course = Course(state)
    if course.state.result is not None:
        return _lost_at_end(course)
    if fits(course.state):
        return _puzzled(state, Puzzle(course.state), budget)
    return _tried(state, budget)


def _lost_at_end(course: Course) -> Verdict:
    """Judge a table whose turn only had to be ended."""
    assert not course.won, "the end of a turn wins nothing"
    return Verdict("proof", proof="over")


def _puzzled(state: State, puzzle: Puzzle, budget: int) -> Verdict:
    """Solve a table without modules: ever wider beams, and everything where few cells are free or nothing else is left."""
    spent = 0
    exhaust = Exhaust(puzzle)
    small = sum(gap.end - gap.first for gap in puzzle.root.gaps) <= SMALL
    for at, (width, noise) in enumerate(BEAMS):
        moves, looked = beam(puzzle, width, noise, budget - spent)
        spent += looked
        if moves is not None:
            return Verdict("line", _certified(state, moves), spent=spent)
        if small and at == 0 and (verdict := _exhausted(state, exhaust, spent, budget // 2)):
            return verdict
        if spent + exhaust.spent >= BEAM_SHARE * budget:
            break
    left = budget - spent - exhaust.spent
    return _exhausted(state, exhaust, spent, left) or Verdict("not-shown", spent=budget)


def _exhausted(state: State, search: Exhaust, before: int, budget: int) -> Verdict | None:
    try:
        moves = search.search(budget)
    except OutOfBudget:
        return None
    spent = before + search.spent
    if moves is None:
        return Verdict("proof", proof="exhausted", spent=spent)
    return Verdict("line", _certified(state, moves), spent=spent)


def _certified(state: State, moves: list[Move]) -> Line:
    """Send the moves to the rules: what comes out wins."""
    course = Course(state)
    for move in moves:
        course.play(move)
    assert course.won, "a line found is won by the rules"
    return course.line


def _tried(state: State, budget: int) -> Verdict:
    """Try a table with modules: bots first, then everything."""
    spent, attempt = 0, 0
    while spent < budget * REPLAY_SHARE:
        try:
            line, decisions = replay(state, attempt, (budget - spent) // DECISION)
        except Sealed:
            return Verdict("not-shown", spent=spent)
        spent += DECISION * max(1, decisions)
        attempt += 1
        if line is not None:
            return Verdict("line", line, spent=spent)
    search = Reach((budget - spent) // DECISION)
    line = search.search(state)
    spent += DECISION * search.spent
    if line is not None:
        return Verdict("line", line, spent=spent)
    if search.complete:
        return Verdict("proof", proof="exhausted", spent=spent)
    return Verdict("not-shown", spent=spent)
