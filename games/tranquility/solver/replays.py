"""Look for a won line by the real rules: bots that know all cards, and every command where few are left.

For tables that are no puzzle of small numbers: those with modules and the other variants (section 14 of the rules).
"""

from collections.abc import Iterator

import msgspec

from games.chance import Chance, Sealed
from games.tranquility.commands import Command
from games.tranquility.components import IS_FINISH, NUMBER, TOP_NUMBER
from games.tranquility.legal import legal
from games.tranquility.model import State
from games.tranquility.players.bot import WEIGHTS, Mind
from games.tranquility.players.outlook import Prospects, Weights
from games.tranquility.solver.lines import Course, Line
from games.tranquility.solver.refute import refutation

DECISIONS_MAX = 400
"""No line is that long, unless it goes round in circles."""
SWAY = 100
"""Steps of the noise."""
KEY_FIELDS = (
    *("grid", "hands", "piles", "explore", "hands_side", "start_placed", "phase", "active"),
    *("waiting", "pledges", "paid", "shares", "draw_queue", "after_draws", "finish_tried"),
    *("compasses", "compass_supply", "storms", "pending_storm", "passed", "revealed"),
    *("rocks_row", "rocks_done"),
)
"""What decides about the rest of a voyage."""


def replay(state: State, attempt: int, budget: int) -> tuple[Line | None, int]:
    """Let bots that know which numbers are left play to the end; every attempt judges a little otherwise."""
    chance = Chance(attempt.to_bytes(32, "big"), 0)
    weights = _swayed(chance) if attempt else WEIGHTS
    favour = [1 - attempt / (attempt + 4) * chance.randbelow(SWAY) / SWAY for _ in range(81)]
    course = Course(state)
    spent = 0
    while course.state.result is None and spent < min(budget, DECISIONS_MAX):
        now = course.state
        seat = min(now.waiting)
        offers = legal(now, seat)
        if not offers:
            break
        command = offers[0]
        if len(offers) > 1:
            command = Mind(now, seat, _prospects(now, favour), weights).choose(offers)
        course.send(seat, command)
        spent += 1
    return (course.line if course.won else None), spent


def _swayed(chance: Chance) -> Weights:
    """Change every weight by up to two fifths."""
    scaled = {
        name: getattr(WEIGHTS, name) * (0.6 + 0.8 * chance.randbelow(SWAY) / SWAY)
        for name in Weights.__struct_fields__
    }
    return Weights(**scaled)


def _prospects(state: State, favour: list[float]) -> Prospects:
    """Count the numbers in hands and piles, some more than others, and the Finishes to come."""
    odds = [0.0] * (TOP_NUMBER + 1)
    for cards in (*state.hands, *state.piles):
        for card in cards:
            if card in NUMBER:
                odds[NUMBER[card]] = favour[NUMBER[card]]
    coming = sum(card in IS_FINISH for cards in (*state.piles, state.explore) for card in cards)
    return Prospects(odds, coming)


class Reach:
    """Every table that can be reached from one, save those that are refuted."""

    def __init__(self, budget: int) -> None:
        """Allow so many commands to be tried."""
        self.budget = budget
        self.spent = 0
        self.complete = True
        self._seen: set[bytes] = set()

    def search(self, state: State) -> Line | None:
        """Give a won line; without one there is none, if the search came to its end (`complete`)."""
        path: list[tuple[Course, Iterator[tuple[int, Command]]]] = []
        course = Course(state)
        path.append((course, self._offers(course.state)))
        while path:
            course, offers = path[-1]
            step = next(offers, None)
            if step is None:
                path.pop()
                continue
            if self.spent >= self.budget:
                self.complete = False
                return None
            self.spent += 1
            after = Course(course.state)
            try:
                after.send(*step)
            except Sealed:
                self.complete = False
                continue
            after.sent = course.sent + after.sent
            if after.won:
                return after.line
            if self._is_new(after.state):
                path.append((after, self._offers(after.state)))
        return None

    def _offers(self, state: State) -> Iterator[tuple[int, Command]]:
        for seat in range(state.players):
            for command in legal(state, seat):
                yield seat, command

    def _is_new(self, state: State) -> bool:
        if state.result is not None or refutation(state) is not None:
            return False
        key = msgspec.msgpack.encode([getattr(state, name) for name in KEY_FIELDS])
        if key in self._seen:
            return False
        self._seen.add(key)
        return True
