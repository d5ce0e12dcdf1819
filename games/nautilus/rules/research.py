"""Walking through the station and employing researchers (NAU-33 to NAU-46, NAU-64)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from games.game import Illegal
from games.nautilus.commands import BonusMoveResearcher, MoveResearcher
from games.nautilus.components import (
    ABILITY,
    COLOUR,
    COLOURS,
    GREEN,
    RESEARCHER_NUMBER,
    RESEARCHERS,
)
from games.nautilus.events import ModuleActivated, ResearcherMoved
from games.nautilus.fold import Draft, module_number
from games.nautilus.model import State, Turn
from games.nautilus.rules.sea import members

MOVERS_MAX = 2
"""Own researchers that may share the moves of a turn (NAU-34)."""
BONUS_MOVES = 2
"""Moves of the research bonus of a treasure (NAU-64)."""


def _moves_left(state: State, seat: int, turn: Turn) -> int:
    """Count the moves that are left in a research turn (NAU-33)."""
    return ABILITY[GREEN][state.level[seat][GREEN]] - turn.moves_used


@lru_cache(maxsize=4096)
def _ranges(passages: tuple[int, ...], start: int, limit: int) -> Sequence[int]:
    """Return, for 0 to `limit` passages, the modules that lie so near to a module.

    The list ends early if no more can be reached. Each is asked for again and again: by the next
    step, the legal commands and the move.
    """
    seen = front = 1 << start
    found = [seen]
    for _ in range(limit):
        onward = 0
        while front:
            low = front & -front
            onward |= passages[low.bit_length() - 1]
            front ^= low
        front = onward & ~seen
        if not front:
            break
        seen |= front
        found.append(seen)
    return found


def own_modules(state: State, seat: int) -> int:
    """Return the modules where a seat has researchers, free or employed."""
    modules = 0
    for where in state.researchers[seat]:
        if where >= 0:
            modules |= 1 << where
    return modules


def _rented(state: State, seat: int) -> int:
    """Return the modules where a stop would cost rent (NAU-36, NAU-41)."""
    modules = 0
    for number, placed in enumerate(state.modules):
        if placed.owner >= 0 and placed.owner != seat:
            modules |= 1 << number
    return modules & ~own_modules(state, seat)


def free_researchers(state: State, seat: int) -> list[tuple[int, int]]:
    """List (researcher, module) of a seat's free researchers on the board."""
    employed = state.employed[seat]
    return [
        (k, where)
        for k, where in enumerate(state.researchers[seat])
        if where >= 0 and not employed >> k & 1
    ]


def _walkers(state: State, seat: int, movers: Sequence[str]) -> list[tuple[int, int]]:
    """List (researcher, module), one free researcher for each choice that differs (NAU-34).

    Per module these are the lowest that moved in this turn and the lowest that did not.
    """
    names = RESEARCHERS[seat]
    more = len(movers) < MOVERS_MAX
    chosen: list[tuple[int, int]] = []
    seen = [0, 0]
    for k, where in free_researchers(state, seat):
        moved = names[k] in movers
        if (moved or more) and not seen[moved] >> where & 1:
            seen[moved] |= 1 << where
            chosen.append((k, where))
    return chosen


def _walks(
    state: State, seat: int, movers: Sequence[str], limit: int, money: int
) -> Iterator[tuple[int, int]]:
    """Yield (researcher, modules where it may stop) for all researchers that may stop anywhere."""
    if limit < 1:
        return
    closed = 0 if money else _rented(state, seat)
    passages = tuple(state.passages)
    for k, where in _walkers(state, seat, movers):
        if goals := _ranges(passages, where, limit)[-1] & ~closed & ~(1 << where):
            yield k, goals


def _turn_walks(state: State, seat: int, turn: Turn) -> Iterator[tuple[int, int]]:
    """Yield the walks that a research turn still allows."""
    return _walks(state, seat, turn.movers, _moves_left(state, seat, turn), state.money[seat])


def can_move(state: State, seat: int, turn: Turn) -> bool:
    """Return whether a research turn still allows a move (NAU-76)."""
    return next(_turn_walks(state, seat, turn), None) is not None


def can_use_bonus(state: State, seat: int, money: int) -> bool:
    """Return whether a seat with so much money could use a research bonus (NAU-69)."""
    return next(_walks(state, seat, (), BONUS_MOVES, money), None) is not None


def moves(state: State, seat: int) -> list[MoveResearcher]:
    """List the legal moves of the research turn."""
    modules, names = state.modules, RESEARCHERS[seat]
    return [
        MoveResearcher(names[k], modules[goal].id)
        for k, goals in _turn_walks(state, seat, state.turn)
        for goal in members(goals)
    ]


def bonus_moves(state: State, seat: int, limit: int) -> list[BonusMoveResearcher]:
    """List the legal moves of a research bonus."""
    modules, names = state.modules, RESEARCHERS[seat]
    return [
        BonusMoveResearcher(names[k], modules[goal].id)
        for k, goals in _walks(state, seat, (), limit, state.money[seat])
        for goal in members(goals)
    ]


def _path_between(state: State, start: int, goal: int, limit: int) -> list[int] | None:
    """Return the shortest route, or None if there is none within the limit (NAU-35).

    Of equally short ones, that through modules placed earlier.
    """
    passages = tuple(state.passages)
    nearer = [*_ranges(passages, goal, limit)]
    if not nearer[-1] >> start & 1:
        return None
    path = [start]
    while path[-1] != goal:
        while nearer[-1] >> path[-1] & 1:
            nearer.pop()
        onward = passages[path[-1]] & nearer[-1]
        path.append((onward & -onward).bit_length() - 1)
    return path


def move_researcher(draft: Draft, seat: int, command: MoveResearcher) -> None:
    """Move a researcher in the research turn (NAU-33 to NAU-46)."""
    state = draft.state
    k = _own_free_researcher(state, seat, command.researcher)
    movers = state.turn.movers
    if command.researcher not in movers and len(movers) >= MOVERS_MAX:
        raise Illegal("two-researchers-only", movers=movers)
    _walk(draft, seat, k, command.to, _moves_left(state, seat, state.turn), bonus=False)


def bonus_move_researcher(draft: Draft, seat: int, command: BonusMoveResearcher) -> None:
    """Move a researcher by the bonus of a treasure (NAU-64)."""
    pending = draft.state.pending
    if pending is None or pending.type != "research":
        raise Illegal("no-bonus")
    k = _own_free_researcher(draft.state, seat, command.researcher)
    _walk(draft, seat, k, command.to, pending.amount, bonus=True)


def _own_free_researcher(state: State, seat: int, researcher: str) -> int:
    """Return the number of the researcher that a command names, or raise `Illegal`."""
    if researcher not in RESEARCHERS[seat]:
        raise Illegal("not-your-researcher", researcher=researcher)
    k = RESEARCHER_NUMBER[researcher]
    if state.researchers[seat][k] < 0:
        raise Illegal("researcher-not-on-board", researcher=researcher)
    if state.employed[seat] >> k & 1:
        raise Illegal("researcher-employed", researcher=researcher)
    return k


def _walk(draft: Draft, seat: int, k: int, to: str, limit: int, *, bonus: bool) -> None:
    """Move a researcher, and employ it if its stop activates a module (NAU-35, NAU-36, NAU-41)."""
    state = draft.state
    start = state.researchers[seat][k]
    goal = module_number(state, to)
    if goal == start:
        raise Illegal("same-module", module=to)
    path = None if goal < 0 else _path_between(state, start, goal, limit)
    if path is None:
        raise Illegal("too-far", module=to, moves=limit)
    activates = COLOUR[to] >= 0 and not own_modules(state, seat) >> goal & 1
    owner = state.modules[goal].owner
    rent_to = owner if owner != seat else -1
    if activates and rent_to >= 0 and state.money[seat] < 1:
        raise Illegal("not-enough-money", cost=1, money=0)
    researcher = RESEARCHERS[seat][k]
    stations = tuple(state.modules[number].id for number in path)
    draft.add(ResearcherMoved(seat, researcher, stations, bonus))
    if activates:
        _activate(draft, seat, to, researcher, rent_to)


def _activate(draft: Draft, seat: int, module: str, researcher: str, rent_to: int) -> None:
    """Employ a researcher, and raise the level in the module's colour (NAU-40 to NAU-46)."""
    state = draft.state
    colour = COLOUR[module]
    level = state.level[seat][colour] + 1
    others = (levels[colour] for other, levels in enumerate(state.level) if other != seat)
    holder = state.three[colour]
    taken = level >= 2 and holder != seat and level > max(others)
    draft.add(
        ModuleActivated(
            seat=seat,
            module=module,
            researcher=researcher,
            colour=COLOURS[colour],
            level=level,
            rent_to=rent_to,
            disc=1 if level >= 2 else 0,
            three_taken=taken,
            three_from=holder if taken else -1,
        )
    )
