"""Puzzles: positions of recorded games from which a player finds the right commands.

A game's puzzles are the lines of a JSON file. Every line has the seed, options and moves that lead
to the position. The rules decide a player's commands as in a match, and nothing is kept.

- `win`: a solo voyage with all cards known. Win it. The solver decides each command.
- `hit`: everything that was heard leaves the enemy one cell. Fire at it.
- `best`: choose the command that wins most often, as whole games have shown: a move, or a purchase.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cachetools import LRUCache

from games import BadGame
from games.game import AnyGame, Tagged, Verdict
from games.wire import GameCommand, GameOptions, GameView, PlainCommand
from projections.folded import ToldRecord
from replay.practice import Move, Practice

COMMANDS_MAX = 24
"""Maximum number of commands in one attempt."""
POSITIONS = 1_500
"""Positions that the solver may examine for one verdict: some 40 ms. No puzzle needs more."""
KNOWN_MAX = 500
"""Number of recent attempts whose verdict is remembered, for each puzzle."""
LEVELS = (5.0, 8.0)
"""Bits from which a puzzle is of level 2 and 3."""

Attempted = Annotated[list[PlainCommand], msgspec.Meta(min_length=1, max_length=COMMANDS_MAX)]
Task = Literal["win", "hit", "best"]
Outcome = Literal["solved", "open", "failed"]


class BadPuzzle(BadGame):
    """A puzzle is not valid. The message names the file and the puzzle."""


class PuzzleData(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A puzzle as its line has it."""

    id: str
    task: Task
    bits: float
    """Difficulty: the binary logarithm of the number of choices for each right one, summed over
    the moves, and for the effort of finding out."""
    seats: int
    seat: int
    """The player's seat."""
    seed: int
    options: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    moves: tuple[Move, ...]
    """The recorded moves that lead to the position."""
    right: tuple[dict[str, Any], ...] = ()
    """For `hit` and `best`: the commands that solve the puzzle."""
    aids: tuple[str, ...] = ()
    """For `hit` and `best`: types of commands that are allowed before and decide nothing."""
    losses: tuple[tuple[dict[str, Any], float], ...] = ()
    """For `best`: the other commands to choose from, each with the share of games that it loses."""


class PuzzleSummary(msgspec.Struct, frozen=True):
    """A puzzle in a list."""

    id: str
    game: str
    task: Task
    level: int
    """Difficulty from 1 to 3."""


class PuzzleBoard(msgspec.Struct, frozen=True):
    """A puzzle: the position as the player's seat sees it, and what happened before."""

    id: str
    game: str
    task: Task
    level: int
    """Difficulty from 1 to 3."""
    seats: int
    seat: int
    """The player's seat."""
    options: GameOptions
    """All options, also those at their defaults."""
    view: GameView
    """The game as the player may know it."""
    legal: list[GameCommand]
    """The player's legal commands."""
    waiting: list[int]
    """The seats that are to move."""
    records: list[ToldRecord]
    """What happened so far, as the player's seat was shown it."""
    coming: list[str]
    """For `win`: the cards that the player will draw, in order."""


class PuzzleAttempt(msgspec.Struct, frozen=True):
    """The position after the player's commands, which are not kept."""

    id: str
    game: str
    outcome: Outcome
    """`open` while the puzzle can still be solved."""
    view: GameView
    """The game as the player may know it."""
    legal: list[GameCommand]
    """The player's legal commands."""
    waiting: list[int]
    """The seats that are to move."""
    records: list[ToldRecord]
    """What the commands did."""
    coming: list[str]
    """For `win`: the cards that the player will draw, in order."""
    proof: str
    """For a failed `win`: why the voyage is lost, as the solver names it."""
    loss: float | None
    """For a failed `best`: the share of games that the command loses."""
    right: list[GameCommand]
    """If the puzzle is failed: commands that would have been right in place of the last one."""


DECODER = msgspec.json.Decoder(PuzzleData)


class _Decided(msgspec.Struct, frozen=True):
    """What an attempt has come to: the fields of `PuzzleAttempt`."""

    outcome: Outcome
    proof: str = ""
    loss: float | None = None
    right: Sequence[Any] = ()


class _Start(msgspec.Struct, frozen=True):
    """The position of a puzzle."""

    state: Any
    records: list[ToldRecord]


class Puzzle:
    """A puzzle of a game. Its moves are replayed when it is first asked for."""

    def __init__(self, game: AnyGame, data: PuzzleData) -> None:
        """Check a puzzle's data; raises `msgspec.ValidationError` and `ValueError`."""
        self.game = game
        self.data = data
        self._options = msgspec.convert(data.options, game.Options)
        self._practice = Practice(game, data.seats, data.seat, data.seed, self._options)
        if data.seats not in game.seats or not 0 <= data.seat < data.seats:
            raise ValueError(f"{game.slug} has no seat {data.seat} of {data.seats}")
        if (data.task == "win") == bool(data.right):
            raise ValueError("exactly the tasks `hit` and `best` list right commands")
        if data.task == "win" and game.players.winnable is None:
            raise ValueError(f"{game.slug} has no solver")
        self._right = msgspec.convert(data.right, list[game.Command])
        self._losses = [
            (msgspec.convert(command, game.Command), loss) for command, loss in data.losses
        ]
        self._verdicts: LRUCache[bytes, Verdict] = LRUCache(KNOWN_MAX)

    @property
    def _judged(self) -> Sequence[Any]:
        """For `hit` and `best`: commands that solve the puzzle, and those with a known loss."""
        return [*self._right, *(command for command, _ in self._losses)]

    @cached_property
    def summary(self) -> PuzzleSummary:
        """The puzzle in a list."""
        level = 1 + sum(self.data.bits >= least for least in LEVELS)
        return PuzzleSummary(self.data.id, self.game.slug, self.data.task, level)

    @cached_property
    def board(self) -> PuzzleBoard:
        """The position, without its solution."""
        state = self._start.state
        view, legal, waiting = self._seen(state)
        return PuzzleBoard(
            self.data.id,
            self.game.slug,
            self.data.task,
            self.summary.level,
            self.data.seats,
            self.data.seat,
            msgspec.to_builtins(self._options),
            view,
            legal,
            waiting,
            self._start.records,
            self._coming(state),
        )

    def attempt(self, commands: Attempted) -> PuzzleAttempt:
        """Decide a player's commands from the position.

        The last command decides, as the earlier ones left the puzzle open. Raises `Illegal` with
        the rule, and `msgspec.ValidationError`.
        """
        made = msgspec.convert(commands, list[self.game.Command])
        state, records = self._start.state.copy(), list[ToldRecord]()
        before = state
        for version, command in enumerate(made, 2 + len(self.data.moves)):
            before = state.copy()
            records.append(self._practice.play(state, self.data.seat, command, version)[1])
        decided = self._won(made, before, state) if self.data.task == "win" else self._chosen(made)
        view, legal, waiting = self._seen(state)
        return PuzzleAttempt(
            self.data.id,
            self.game.slug,
            decided.outcome,
            view,
            legal if decided.outcome == "open" else [],
            waiting,
            records,
            self._coming(state),
            decided.proof,
            decided.loss,
            list(decided.right),
        )

    @cached_property
    def _start(self) -> _Start:
        state, opening = self._practice.begin()
        told = [opening, *self._practice.moved(state, self.data.moves, 1)]
        return _Start(state, [record for record in told if record.events])

    def _seen(self, state: Any) -> tuple[Any, list[Any], list[int]]:
        view, legal, waiting = self._practice.seen(state)
        if self._right:
            judged = {_tag(command) for command in self._judged}
            legal = [one for one in legal if _tag(one) in judged or self._is_aid(one)]
        return view, legal, waiting

    def _coming(self, state: Any) -> list[str]:
        coming = self.game.players.coming
        if self.data.task != "win" or coming is None:
            return []
        return list(coming(state, self.data.seat))

    def _chosen(self, made: Sequence[Any]) -> _Decided:
        """Decide by the first command that is no aid."""
        choice = next((command for command in made if not self._is_aid(command)), None)
        if choice is None:
            return _Decided("open")
        if choice in self._right:
            return _Decided("solved")
        losses = (loss for command, loss in self._losses if command == choice)
        return _Decided("failed", loss=next(losses, None), right=self._right)

    def _won(self, made: Sequence[Any], before: Any, state: Any) -> _Decided:
        """Ask the solver whether the voyage can still be won."""
        result = self.game.result(state)
        if result is not None and result.winners:
            return _Decided("solved")
        verdict = self._verdict(made, state)
        if verdict.outcome != "proof":
            return _Decided("open")
        line = self._verdict(made[:-1], before).line
        return _Decided("failed", proof=verdict.proof, right=[command for _, command in line[:1]])

    def _verdict(self, made: Sequence[Any], state: Any) -> Verdict:
        key = msgspec.json.encode(made)
        if key not in self._verdicts:
            winnable = self.game.players.winnable
            assert winnable is not None, "a puzzle to win is of a game with a solver"
            self._verdicts[key] = winnable(state, POSITIONS)
        return self._verdicts[key]

    def _is_aid(self, command: Any) -> bool:
        return _tag(command) in self.data.aids


def puzzles_of(games: Mapping[str, AnyGame]) -> dict[str, Puzzle]:
    """Return the puzzles of games by id, the games by turns; raises `BadPuzzle`."""
    by_game = [list(_read(game, path)) for game in games.values() if (path := game.files.puzzles)]
    turns = zip_longest(*by_game)
    return {one.data.id: one for turn in turns for one in turn if one is not None}


def daily(puzzles: Mapping[str, Puzzle], day: int) -> Puzzle | None:
    """Return the puzzle of a day, in days since 1970. The same for everybody; None without any."""
    each = list(puzzles.values())
    return each[day % len(each)] if each else None


def _read(game: AnyGame, path: Path) -> Iterator[Puzzle]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadPuzzle(f"{path.name}: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            yield Puzzle(game, DECODER.decode(line))
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadPuzzle(f"{path.name}: line {number}: {error}") from error


def _tag(command: Tagged) -> Any:
    return command.__struct_config__.tag
