"""Ways to play that reach what neither chance nor good play reaches."""

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    ChooseStart,
    EndTurn,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    Surface,
)


def duellist(_view, _seen, state, legal, dice):
    """Stay beside the enemy and fire so that both boats sink together (SON-104)."""
    seat, crew = actor(state, legal)
    me, enemy = state.crews[crew].position, state.crews[1 - crew].position
    starts = [command for command in legal if isinstance(command, ChooseStart)]
    if starts:
        goal = enemy or (state.size // 2, state.size // 2)
        return min(starts, key=lambda command: abs(apart(command.cell, goal) - 2))
    shots = [command for command in legal if isinstance(command, LaunchTorpedo)]
    if shots:
        best = max(shots, key=lambda command: worth(state, crew, command.target, me, enemy))
        if worth(state, crew, best.target, me, enemy) > 0:
            return best
    marks = [command for command in legal if isinstance(command, MarkGauge)]
    if marks:
        torpedo = [command for command in marks if command.gauge == "torpedo"]
        return (torpedo or marks)[0]
    courses = [command for command in legal if isinstance(command, OrderCourse)]
    if courses:
        return min(courses, key=lambda command: abs(apart(after(me, command), enemy) - 2))
    for kind in (EndTurn, Surface):
        found = [command for command in legal if isinstance(command, kind)]
        if found:
            return found[0]
    return GAME.default(state, seat) if seat in GAME.waiting(state) else dice.choice(legal)


def actor(state, legal):
    """Return the seat whose commands these are, and its crew."""
    for crew, seats in enumerate(state.crew_seats):
        for seat in seats:
            if GAME.legal(state, seat) == legal:
                return seat, crew
    raise AssertionError(legal)


def after(cell, command):
    column, row = cell
    x, y = {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}[command.direction]
    return column + x, row + y


def apart(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def worth(state, crew, target, me, enemy):
    """Return the worth of a shot: both sunk is the goal, one sunk is the worst."""
    hit = [0, 0]
    for boat, cell in ((crew, me), (1 - crew, enemy)):
        hit[boat] = {0: 2, 1: 1}.get(apart(target, cell), 0)
    damage = [state.damage[boat] + hit[boat] for boat in (0, 1)]
    sunk = sum(one >= 4 for one in damage)
    if sunk:
        return 100 if sunk == 2 else -100
    before = abs(state.damage[0] - state.damage[1])
    return sum(hit) + 2 * (before - abs(damage[0] - damage[1])) if sum(hit) else -1


PLAYERS = {"duellist": duellist}
