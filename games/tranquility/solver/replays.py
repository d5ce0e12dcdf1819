"""Search for a winning line with the real rules, for tables with modules and other variants.

Bots that know all cards try first; then every command is tried. Tables without modules become a
puzzle of small numbers instead.
"""

from collections.abc import Iterator

import msgspec

from games.chance import Chance, Sealed
from games.tranquility.commands import Command
from games.tranquility.components import IS_FINISH, NUMBER, TOP_NUMBER
from games.tranquility.legal import legal
from games.tranquility.model import State
from games.tranquility.players.bot import Mind
from games.tranquility.players.outlook import Prospects
from games.tranquility.players.weights import TUNED, Weights
from games.tranquility.solver.lines import Commands, Line
from games.tranquility.solver.refute import refutation

DECISIONS_MAX = 400
"""Longer lines go round in circles."""
SWAY = 100
"""Number of steps of the noise."""
KEY_FIELDS = (
    *("grid", "hands", "piles", "explore", "hands_side", "start_placed", "phase", "active"),
    *("waiting", "pledges", "paid", "shares", "draw_queue", "after_draws", "finish_tried"),
    *("compasses", "compass_supply", "storms", "pending_storm", "passed", "revealed"),
    *("rocks_row", "rocks_done"),
)
"""Fields of the state that decide about the rest of a voyage."""


def replay(state: State, attempt: int, budget: int) -> tuple[Commands | None, int]:
    """Play to the end with bots that know which numbers are left.

    Every attempt uses other weights. Return the commands if they win, and the number of decisions.
    """
    chance = Chance(attempt.to_bytes(32, "big"), 0)
    weights = _swayed(chance) if attempt else TUNED
    favour = [1 - attempt / (attempt + 4) * chance.randbelow(SWAY) / SWAY for _ in range(81)]
    line = Line(state)
    spent = 0
    while line.state.result is None and spent < min(budget, DECISIONS_MAX):
        now = line.state
        seat = min(now.waiting)
        offers = legal(now, seat)
        if not offers:
            break
        command = offers[0]
        if len(offers) > 1:
            command = Mind(now, seat, _prospects(now, favour), weights).choose(offers)
        line.send(seat, command)
        spent += 1
    return (line.commands if line.won else None), spent


def _swayed(chance: Chance) -> Weights:
    """Return the bot's weights, each changed by up to two fifths."""
    return Weights(*[weight * (0.6 + 0.8 * chance.randbelow(SWAY) / SWAY) for weight in TUNED])


def _prospects(state: State, favour: list[float]) -> Prospects:
    """Weigh the numbers in hands and piles by `favour`, and count the Finishes to come."""
    odds = [0.0] * (TOP_NUMBER + 1)
    for cards in (*state.hands, *state.piles):
        for card in cards:
            if card in NUMBER:
                odds[NUMBER[card]] = favour[NUMBER[card]]
    coming = sum(card in IS_FINISH for cards in (*state.piles, state.explore) for card in cards)
    return Prospects(odds, coming)


class Reach:
    """A search of every table that can be reached from one, except the refuted ones."""

    def __init__(self, budget: int) -> None:
        """Limit the number of commands to try."""
        self.budget = budget
        self.spent = 0
        self.complete = True
        self._seen: set[bytes] = set()

    def search(self, state: State) -> Commands | None:
        """Return winning commands. None proves that there are none if the search is `complete`."""
        path: list[tuple[Line, Iterator[tuple[int, Command]]]] = []
        line = Line(state)
        path.append((line, self._offers(line.state)))
        while path:
            line, offers = path[-1]
            step = next(offers, None)
            if step is None:
                path.pop()
                continue
            if self.spent >= self.budget:
                self.complete = False
                return None
            self.spent += 1
            after = Line(line.state)
            try:
                after.send(*step)
            except Sealed:
                self.complete = False
                continue
            after.sent = line.sent + after.sent
            if after.won:
                return after.commands
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
