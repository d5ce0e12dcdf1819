"""Whether a table can still be won when all cards are known.

After the deal nothing is left to chance, so a cooperative voyage is a puzzle for one. The verdict
is a line, a proof that the table is lost, or neither. A line wins when it is sent to the rules. The
code of a proof is a `Refutation`, `over` for a voyage that has ended, or `exhausted` for a complete
search. Budgets count positions, never seconds: equal tables and budgets get equal verdicts.
"""

from collections.abc import Sequence

from games.chance import Sealed
from games.game import Verdict
from games.tranquility.model import State
from games.tranquility.solver.beam import beam
from games.tranquility.solver.exhaust import Exhaust, OutOfBudget
from games.tranquility.solver.lines import Commands, Line
from games.tranquility.solver.puzzle import Move, Puzzle, fits
from games.tranquility.solver.refute import refutation
from games.tranquility.solver.replays import Reach, replay

BUDGET = 120_000
"""Positions to examine: some three seconds of one core if nothing is found."""
DECISION = 8
"""Positions that a decision by the real rules counts for, as it takes as long."""
BEAMS = (
    *((4, 0.0), (8, 0.0), (8, 0.7), (8, 1.5)),
    *((24, 0.0), (24, 1.0), (60, 0.0), (60, 1.5), (120, 1.0)),
)
"""Width and noise of each beam, in the order in which they are tried."""
SMALL = 14
"""Number of free cells up to which the complete search comes before wider beams."""
BEAM_SHARE = 0.7
"""Share of the budget after which no further beam is tried."""
REPLAY_SHARE = 0.7
"""Share of the budget for bots; the rest is for trying every command."""


def winnable(state: State, budget: int = BUDGET) -> Verdict:
    """Return whether a table can still be won when all cards are known. A race is not solved."""
    if state.result is not None:
        won = state.result.outcome == "won"
        return Verdict("line") if won else Verdict("proof", proof="over")
    if state.options.variant == "competitive":
        return Verdict("not-shown")
    if (reason := refutation(state)) is not None:
        return Verdict("proof", proof=reason)
    line = Line(state)
    if line.state.result is not None:
        assert not line.won, "the end of a turn wins nothing"
        return Verdict("proof", proof="over")
    if fits(line.state):
        return _puzzled(state, Puzzle(line.state), budget)
    return _tried(state, budget)


def coming(state: State, seat: int) -> Sequence[str]:
    """Return the cards that a seat will draw, in order."""
    return state.piles[seat]


def _puzzled(state: State, puzzle: Puzzle, budget: int) -> Verdict:
    """Solve a table without modules: ever wider beams, then the complete search.

    With few free cells the complete search comes right after the first beam.
    """
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


def _certified(state: State, moves: list[Move]) -> Commands:
    """Return the commands of the moves, checked with the rules: they win."""
    line = Line(state)
    for move in moves:
        line.play(move)
    assert line.won, "a line found is won by the rules"
    return line.commands


def _tried(state: State, budget: int) -> Verdict:
    """Solve a table with modules: bots first, then every command."""
    spent, attempt = 0, 0
    while spent < budget * REPLAY_SHARE:
        try:
            commands, decisions = replay(state, attempt, (budget - spent) // DECISION)
        except Sealed:
            return Verdict("not-shown", spent=spent)
        spent += DECISION * max(1, decisions)
        attempt += 1
        if commands is not None:
            return Verdict("line", commands, spent=spent)
    search = Reach((budget - spent) // DECISION)
    commands = search.search(state)
    spent += DECISION * search.spent
    if commands is not None:
        return Verdict("line", commands, spent=spent)
    if search.complete:
        return Verdict("proof", proof="exhausted", spent=spent)
    return Verdict("not-shown", spent=spent)
