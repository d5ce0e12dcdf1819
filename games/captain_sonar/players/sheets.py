"""Draw hidden sheets: marks and symbols that a crew may have chosen for its moves.

Marks are a matching: the mark of each move goes to one gauge, and a gauge that was ready or
activated had all of its spaces marked since it was last emptied. Symbols are drawn move by move:
many boards are kept at a time, and those that contradict a breakdown or an activation are dropped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.captain_sonar.components import CIRCUITS, GROUPS, PANELS, RADIATION, SYMBOLS, Direction
from games.chance import Chance

WHIMS = 8
"""One mark in this many goes to any gauge."""
BOARDS = (8, 64, 512)
"""Numbers of boards to keep at a time. The next number is tried when no board is left."""


class Move(NamedTuple):
    """A move, announced or silent, and what is known of its tasks."""

    place: int
    """Place of its event in the history."""
    direction: Direction
    silent: bool
    marked: bool
    """Whether its mark has been made."""
    crossed: bool
    """Whether its symbol has been crossed."""
    filled: str
    """The gauge that its mark filled, if that was announced; else empty."""
    broke: bool
    """Whether its symbol damaged the boat."""


class Activated(NamedTuple):
    """An activation. `gauge` is empty if a mine went off, which needs no gauge."""

    gauge: str
    group: str


class Cleared(NamedTuple):
    """Surfacing, which clears the board."""


Step = Move | Activated | Cleared
Preferred = Callable[[frozenset[str], Direction], frozenset[str]]
"""(crossed symbols, panel) -> the symbols from which an engineer would choose."""


@dataclass(eq=False)
class Job:
    """The marks of a gauge from one emptying to the next."""

    gauge: str
    room: int
    """Largest number of marks."""
    slots: list[int] = field(default_factory=list[int])
    """The moves whose marks can be among them."""
    taken: list[int] = field(default_factory=list[int])
    due: bool = False
    """Whether the number of marks is exactly `room`."""


def draw_marks(
    steps: Sequence[Step],
    spaces: dict[str, int],
    orders: Mapping[int, Sequence[str]],
    chance: Chance,
    *,
    heard: bool,
) -> dict[int, str] | None:
    """Draw the gauge of each mark, by the place of its move; None if nothing fits.

    `heard` tells whether full gauges were announced. `orders` has by place the gauges in the order
    in which the crew would mark them; most marks follow it.
    """
    jobs, fixed, slots = _jobs_of(steps, spaces, heard=heard)
    owner: dict[int, Job] = {}
    options: dict[int, list[Job]] = {slot: [] for slot in slots}
    for job in jobs:
        chance.shuffle(job.slots)
        for slot in job.slots:
            options[slot].append(job)
    for slot in slots:
        chance.shuffle(options[slot])
        if chance.randbelow(WHIMS) and slot in orders:
            options[slot].sort(key=lambda job: orders[slot].index(job.gauge))
        _push(slot, options, owner, set())
    for job in jobs:
        while job.due and len(job.taken) < job.room:
            if not _pull(job, owner, set()):
                return None
    marks = fixed | {slot: job.gauge for slot, job in owner.items()}
    return marks if _is_complete(steps, spaces, marks) else None


def _is_complete(steps: Sequence[Step], spaces: dict[str, int], marks: Mapping[int, str]) -> bool:
    """Return whether each move has its mark, except when all gauges were full."""
    gauges = dict.fromkeys(spaces, 0)
    for step in steps:
        match step:
            case Move(place=place, marked=True):
                if place in marks:
                    gauges[marks[place]] += 1
                elif any(
                    gauges[gauge] < room
                    for gauge, room in spaces.items()
                    if not (step.silent and gauge == "silence")
                ):
                    return False
            case Activated(gauge=gauge) if gauge:
                gauges[gauge] = 0
            case _:
                pass
    return True


def _jobs_of(
    steps: Sequence[Step], spaces: dict[str, int], *, heard: bool
) -> tuple[list[Job], dict[int, str], list[int]]:
    """List the jobs, the marks that were announced, and the moves whose marks are to be drawn."""
    spare = 1 if heard else 0
    jobs: list[Job] = []
    fixed: dict[int, str] = {}
    slots: list[int] = []
    current: dict[str, Job | None] = {
        gauge: Job(gauge, room - spare) for gauge, room in spaces.items()
    }
    for step in steps:
        match step:
            case Move(place=place, filled=filled, marked=True):
                if filled:
                    fixed[place] = filled
                    _finish(jobs, current[filled], spaces[filled] - 1)
                    current[filled] = None
                    continue
                open_jobs = [
                    job
                    for job in current.values()
                    if job and not (step.silent and job.gauge == "silence")
                ]
                if not open_jobs and heard:
                    continue
                slots.append(place)
                for job in open_jobs:
                    job.slots.append(place)
            case Activated(gauge=gauge) if gauge:
                _finish(jobs, current[gauge], spaces[gauge])
                current[gauge] = Job(gauge, spaces[gauge] - spare)
            case _:
                pass
    jobs += [job for job in current.values() if job]
    return jobs, fixed, slots


def _finish(jobs: list[Job], job: Job | None, marks: int) -> None:
    """Fix the number of marks of a job."""
    if job is not None:
        job.room, job.due = marks, True
        jobs.append(job)


def _pull(job: Job, owner: dict[int, Job], asked: set[Job]) -> bool:
    """Find one more slot for a job.

    A free slot, one that its holder can spare, or one that its holder can replace.
    """
    asked.add(job)
    for slot in job.slots:
        if slot not in owner or not owner[slot].due:
            _take(slot, job, owner)
            return True
    for slot in job.slots:
        holder = owner[slot]
        if holder not in asked and _pull(holder, owner, asked):
            _take(slot, job, owner)
            return True
    return False


def _take(slot: int, job: Job, owner: dict[int, Job]) -> None:
    """Assign a slot to a job, taking it from the job that has it."""
    if slot in owner:
        owner[slot].taken.remove(slot)
    job.taken.append(slot)
    owner[slot] = job


def _push(slot: int, options: dict[int, list[Job]], owner: dict[int, Job], asked: set[Job]) -> bool:
    """Find a job for a slot, moving another slot of the job if the job is full."""
    for job in options[slot]:
        if len(job.taken) < job.room:
            _take(slot, job, owner)
            return True
    for job in options[slot]:
        if job in asked:
            continue
        asked.add(job)
        for moved in list(job.taken):
            if _push(moved, options, owner, asked):
                _take(slot, job, owner)
                return True
    return False


class Board(NamedTuple):
    """An engineer's board and its history."""

    crossed: frozenset[str]
    strays: int
    """Number of crossed symbols that its engineer would rather not have crossed."""
    last: tuple[int, str] | None
    """Place of the last move, and its symbol."""
    earlier: "Board | None"


def draw_symbols(
    steps: Sequence[Step], preferred: Preferred, chance: Chance, *, damage_first: bool
) -> dict[int, str] | None:
    """Draw the symbol of each move, by its place; None if none were found.

    Most are symbols that the engineer would prefer.
    """
    for width in BOARDS:
        boards = [Board(frozenset(), 0, None, None)]
        for number, step in enumerate(steps):
            boards = _follow(boards, step, preferred, chance, damage_first=damage_first)
            if len(boards) > width:
                boards = _thinned(boards, _upcoming(steps, number + 1), width, chance)
        if boards:
            return _symbols_of(_likely(boards, chance))
    return None


def _follow(
    boards: list[Board], step: Step, preferred: Preferred, chance: Chance, *, damage_first: bool
) -> list[Board]:
    """Return all boards to which a step can lead, each once."""
    match step:
        case Cleared():
            kept = [_likely(boards, chance)] if boards else []
            return [board._replace(crossed=frozenset()) for board in kept]
        case Activated(group=group):
            return [board for board in boards if GROUPS[group].isdisjoint(board.crossed)]
        case Move(crossed=False):
            return boards
        case Move(place=place, direction=direction, broke=broke):
            after: dict[frozenset[str], Board] = {}
            chance.shuffle(boards)
            for board in boards:
                wanted = preferred(board.crossed, direction)
                for symbol in PANELS[direction]:
                    if symbol in board.crossed:
                        continue
                    crossed, breaks = cross(board.crossed, symbol, damage_first=damage_first)
                    strays = board.strays + (symbol not in wanted)
                    if breaks == broke and (crossed not in after or strays < after[crossed].strays):
                        after[crossed] = Board(crossed, strays, (place, symbol), board)
            return list(after.values())


def _likely(boards: Sequence[Board], chance: Chance) -> Board:
    """Draw one of the boards with the fewest strays."""
    least = min(board.strays for board in boards)
    return chance.choice([board for board in boards if board.strays == least])


def cross(
    crossed: frozenset[str], symbol: str, *, damage_first: bool
) -> tuple[frozenset[str], bool]:
    """Return the board after a crossing, and whether the boat is damaged."""
    after = crossed | {symbol}
    panel = after.issuperset(PANELS[symbol[0]])
    circuit = SYMBOLS[symbol].circuit
    if circuit and after >= CIRCUITS[circuit] and not (panel and damage_first):
        return after - CIRCUITS[circuit], False
    if panel or after >= RADIATION:
        return frozenset(), True
    return after, False


def _upcoming(steps: Sequence[Step], number: int) -> frozenset[str]:
    """Return the symbols that must not be crossed at the next activation before a clearing."""
    for step in steps[number:]:
        if isinstance(step, Activated):
            return GROUPS[step.group]
        if isinstance(step, Cleared) or step.broke:
            break
    return frozenset()


def _thinned(
    boards: list[Board], unwanted: frozenset[str], width: int, chance: Chance
) -> list[Board]:
    """Keep `width` boards: those with the fewest strays, some at random, and some useful ones.

    A board is useful if few of its symbols would bar the next activation.
    """
    chance.shuffle(boards)
    boards.sort(key=lambda board: board.strays)
    half, quarter = width // 2, width // 4
    rest = boards[half:]
    chance.shuffle(rest)
    spare = sorted(rest[quarter:], key=lambda board: len(unwanted & board.crossed))
    return boards[:half] + rest[:quarter] + spare[: width - half - quarter]


def _symbols_of(board: Board | None) -> dict[int, str]:
    """Return the symbols of a board's history by the places of their moves."""
    symbols: dict[int, str] = {}
    while board is not None:
        if board.last is not None:
            symbols[board.last[0]] = board.last[1]
        board = board.earlier
    return symbols
