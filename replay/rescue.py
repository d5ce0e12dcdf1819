"""The last version from which a match could still be won: by bisection, with all cards known.

What is won can be won from every version before, and what is lost stays lost, so a few looks find the border. A look
that shows neither proves nothing: it counts as not shown. Versions are the log's.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from games.chance import SealedChance
from games.game import AnyGame, Verdict
from games.match import states
from games.match.model import Match

POSITIONS = 120_000
"""Positions that one look may take: some three seconds of one core."""
LOOKS = 4
"""All looks together may take so many times as much; beyond it only what is seen at once counts."""
LATER_LOOKS = 2
"""Looks behind the border, where those next to it have shown nothing: later positions are easier."""

Notice = Callable[[int, int], None]
"""(done, of how many) -> nothing: how far a long computation is."""


class Sent(msgspec.Struct, frozen=True):
    """A seat and its command."""

    seat: int
    command: Any


class Look(msgspec.Struct, frozen=True):
    """What was found out about one version."""

    v: int
    outcome: Literal["line", "proof", "not-shown"]
    proof: str
    spent: int
    """Positions that were looked at."""


class Losing(msgspec.Struct, frozen=True):
    """The command after which the match could not be won any more."""

    v: int
    seat: int | None
    command: Any
    proof: str
    """A word of the game's own; its documentation lists them."""


class Rescue(msgspec.Struct, frozen=True):
    """The best version to go back to, for all seats together and with all cards known."""

    outcome: Literal["won", "line", "proof", "not-shown"]
    """It was won; `line` wins from `to` on; it was lost from the deal on; no version was shown to be winnable."""
    to: int | None
    """The last version from which a win is shown; null if there is none."""
    line: Sequence[Sent]
    """Wins from `to` on, by the rules."""
    losing: Losing | None
    """What lost it, if the version right after `to` is proven lost."""
    not_shown: Sequence[int]
    """Versions behind `to` of which nothing is shown."""
    looks: Sequence[Look]


def solvable(match: Match) -> bool:
    """Tell whether the question has an exact meaning: all seats win or lose together, and the game has a solver."""
    game = match.game
    return (
        match.state is not None
        and game.players.winnable is not None
        and len(game.teams(match.state)) == 1
    )


def last_winnable(
    match: Match, positions: int = POSITIONS, notice: Notice = lambda _done, _total: None
) -> Rescue:
    """Find the last version of the effective line from which the match could still be won."""
    assert solvable(match), "asked where it has an answer"
    return _Border(match, positions, notice).rescue()


class _Border:
    """The border between what can still be won and what is lost. Places count entries of the effective line."""

    def __init__(self, match: Match, positions: int, notice: Notice) -> None:
        self._match = match
        self._game: AnyGame = match.game
        self._positions = positions
        self._left = LOOKS * positions
        self._notice = notice
        self._verdicts: dict[int, Verdict] = {}
        self._last = len(match.line)
        self._total = 2 + self._last.bit_length() + LATER_LOOKS

    def rescue(self) -> Rescue:
        if self._look(self._last).outcome == "line":
            return self._rescue(self._last)
        if self._look(1).outcome == "proof":
            return self._rescue(0)
        won = self._bisected(1, self._last, lambda verdict: verdict.outcome == "line")
        if self._look(won).outcome != "line":
            won = 0
        if won + 1 < self._last and self._look(won + 1).outcome == "not-shown":
            won = self._later(won)
        return self._rescue(won)

    def _look(self, place: int) -> Verdict:
        if place not in self._verdicts:
            solve = self._game.players.winnable
            assert solve is not None, "asked of a game with a solver"
            state = states.state_after(self._match, place)
            verdict = solve(state, min(self._positions, self._left))
            self._verdicts[place] = verdict
            self._left = max(0, self._left - verdict.spent)
            self._notice(min(len(self._verdicts), self._total), self._total)
        return self._verdicts[place]

    def _bisected(self, low: int, high: int, holds: Callable[[Verdict], bool]) -> int:
        """Give the last place from `low` on at which something holds, where it holds at `low` and not at `high`."""
        while high - low > 1:
            middle = (low + high) // 2
            if holds(self._look(middle)):
                low = middle
            else:
                high = middle
        return low

    def _later(self, won: int) -> int:
        """Look for a win behind a place of which nothing is shown; give the last place with a win."""
        proven = 1 + self._bisected(won + 1, self._last, lambda verdict: verdict.outcome != "proof")
        for place in range(proven - 1, max(won + 1, proven - 1 - LATER_LOOKS), -1):
            if self._look(place).outcome == "line":
                return place
        return won

    def _rescue(self, won: int) -> Rescue:
        proven = min((p for p, v in self._verdicts.items() if v.outcome == "proof"), default=0)
        behind = range(won + 1, proven or self._last + 1)
        line = self._verdicts[won].line if won else ()
        return Rescue(
            outcome=self._outcome(won),
            to=self._version(won) if won else None,
            line=self._certified(won, line),
            losing=self._losing(proven) if 0 < won == proven - 1 else None,
            not_shown=[self._version(place) for place in behind],
            looks=[self._told(place) for place in sorted(self._verdicts)],
        )

    def _outcome(self, won: int) -> Literal["won", "line", "proof", "not-shown"]:
        if won:
            return "won" if won == self._last and not self._verdicts[won].line else "line"
        return "proof" if 1 in self._verdicts and self._look(1).outcome == "proof" else "not-shown"

    def _version(self, place: int) -> int:
        return self._match.line[place - 1].version

    def _told(self, place: int) -> Look:
        verdict = self._verdicts[place]
        return Look(self._version(place), verdict.outcome, verdict.proof, verdict.spent)

    def _losing(self, place: int) -> Losing:
        entry = self._match.line[place - 1]
        return Losing(entry.version, entry.seat, entry.command, self._verdicts[place].proof)

    def _certified(self, place: int, line: Sequence[tuple[int, Any]]) -> list[Sent]:
        """Send a line to the rules: it wins. Behind the deal nothing is drawn by lot."""
        if line:
            state = states.state_after(self._match, place)
            for seat, command in line:
                for event in self._game.decide(state, seat, command, SealedChance()):
                    self._game.apply(state, event)
            result = self._game.result(state)
            assert result is not None, "a line ends the match"
            assert result.winners, "a line wins"
        return [Sent(seat, command) for seat, command in line]
