"""Find the last version from which a match could still be won, with all cards known, by bisection.

A position before a winnable one is winnable, and a position after a lost one is lost. So a few
searches with the game's solver find the border. A search that finds neither a win nor a proof of
loss counts as `not-shown`. Versions are those of the log.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from games.chance import SealedChance
from games.game import AnyGame, Verdict
from games.match import states
from games.match.model import Match
from games.wire import RecordedCommand
from replay.progress import OnProgress, ignore_progress

POSITIONS = 120_000
"""Maximum number of positions per search, which take about three seconds of one core."""
LOOKS = 4
"""Budget of all searches together, as a multiple of the budget of one search."""
LATER_LOOKS = 2
"""Number of additional searches behind the border, if the searches next to it showed nothing.
Later positions are easier to solve."""


class Sent(msgspec.Struct, frozen=True):
    """A command of a seat."""

    seat: int
    command: RecordedCommand


class Look(msgspec.Struct, frozen=True):
    """The result of one search."""

    v: int
    """Version that was searched."""
    outcome: Literal["line", "proof", "not-shown"]
    """A winning line was found, the position was proven lost, or neither."""
    proof: str
    """Name of the proof of loss."""
    spent: int
    """Number of positions searched."""


class Losing(msgspec.Struct, frozen=True):
    """The command after which the match could no longer be won."""

    v: int
    seat: int | None
    command: RecordedCommand
    proof: str
    """Name of the proof of loss. The game's documentation lists the proofs."""


class Rescue(msgspec.Struct, frozen=True):
    """The last winnable version of a cooperative match, with all cards known."""

    outcome: Literal["won", "line", "proof", "not-shown"]
    """`won`: the match was won. `line`: `line` wins from version `to`. `proof`: the match was lost
    from the deal on. `not-shown`: no version was shown to be winnable."""
    to: int | None
    """The last version from which a win was found. Null if there is none."""
    line: Sequence[Sent]
    """Commands that win from `to` on, checked by the rules."""
    losing: Losing | None
    """The losing command, if the version right after `to` is proven lost."""
    not_shown: Sequence[int]
    """Versions after `to` that were neither shown to be winnable nor proven lost."""
    looks: Sequence[Look]


def solvable(match: Match) -> bool:
    """Return whether a match has started, is cooperative, and its game has a solver."""
    game = match.game
    return (
        match.state is not None
        and game.players.winnable is not None
        and len(game.teams(match.state)) == 1
    )


def last_winnable(
    match: Match, positions: int = POSITIONS, on_progress: OnProgress = ignore_progress
) -> Rescue:
    """Find the last version of the effective line from which the match could still be won.

    The match must be `solvable`. `positions` is the maximum number of positions per search.
    """
    assert solvable(match), "the match has started, is cooperative and has a solver"
    return _Border(match, positions, on_progress).rescue()


class _Border:
    """The border between winnable and lost positions.

    A place is the number of entries of the effective line before a position.
    """

    def __init__(self, match: Match, positions: int, on_progress: OnProgress) -> None:
        self._match = match
        self._game: AnyGame = match.game
        self._positions = positions
        self._left = LOOKS * positions
        self._on_progress = on_progress
        self._verdicts: dict[int, Verdict] = {}
        self._last = len(match.line)
        self._total = 2 + self._last.bit_length() + LATER_LOOKS

    def rescue(self) -> Rescue:
        if self._verdict(self._last).outcome == "line":
            return self._rescue(self._last)
        if self._verdict(1).outcome == "proof":
            return self._rescue(0)
        won = self._bisected(1, self._last, lambda verdict: verdict.outcome == "line")
        if self._verdict(won).outcome != "line":
            won = 0
        if won + 1 < self._last and self._verdict(won + 1).outcome == "not-shown":
            won = self._later(won)
        return self._rescue(won)

    def _verdict(self, place: int) -> Verdict:
        if place not in self._verdicts:
            solve = self._game.players.winnable
            assert solve is not None, "the game has a solver"
            state = states.state_after(self._match, place)
            verdict = solve(state, min(self._positions, self._left))
            self._verdicts[place] = verdict
            self._left = max(0, self._left - verdict.spent)
            self._on_progress(min(len(self._verdicts), self._total), self._total)
        return self._verdicts[place]

    def _bisected(self, low: int, high: int, holds: Callable[[Verdict], bool]) -> int:
        """Return the last place where `holds` is true, if it is true at `low`, false at `high`."""
        while high - low > 1:
            middle = (low + high) // 2
            if holds(self._verdict(middle)):
                low = middle
            else:
                high = middle
        return low

    def _later(self, won: int) -> int:
        """Search for a win after places that showed nothing. Return the last place with a win."""
        proven = 1 + self._bisected(won + 1, self._last, lambda verdict: verdict.outcome != "proof")
        for place in range(proven - 1, max(won + 1, proven - 1 - LATER_LOOKS), -1):
            if self._verdict(place).outcome == "line":
                return place
        return won

    def _rescue(self, won: int) -> Rescue:
        proven = min(
            (place for place, found in self._verdicts.items() if found.outcome == "proof"),
            default=0,
        )
        behind = range(won + 1, proven or self._last + 1)
        line = self._verdicts[won].line if won else ()
        return Rescue(
            outcome=self._outcome(won),
            to=self._version(won) if won else None,
            line=self._certified(won, line),
            losing=self._losing(proven) if 0 < won == proven - 1 else None,
            not_shown=[self._version(place) for place in behind],
            looks=[self._look_at(place) for place in sorted(self._verdicts)],
        )

    def _outcome(self, won: int) -> Literal["won", "line", "proof", "not-shown"]:
        if won:
            return "won" if won == self._last and not self._verdicts[won].line else "line"
        return (
            "proof" if 1 in self._verdicts and self._verdict(1).outcome == "proof" else "not-shown"
        )

    def _version(self, place: int) -> int:
        return self._match.line[place - 1].version

    def _look_at(self, place: int) -> Look:
        verdict = self._verdicts[place]
        return Look(self._version(place), verdict.outcome, verdict.proof, verdict.spent)

    def _losing(self, place: int) -> Losing:
        entry = self._match.line[place - 1]
        return Losing(entry.version, entry.seat, entry.command, self._verdicts[place].proof)

    def _certified(self, place: int, line: Sequence[tuple[int, Any]]) -> list[Sent]:
        """Check a winning line by the rules. After the deal no game with a solver draws dice."""
        if line:
            state = states.state_after(self._match, place)
            for seat, command in line:
                for event in self._game.decide(state, seat, command, SealedChance()):
                    self._game.apply(state, event)
            result = self._game.result(state)
            assert result is not None, "the line ends the match"
            assert result.winners, "the line wins"
        return [Sent(seat, command) for seat, command in line]
