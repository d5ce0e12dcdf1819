"""Tutorials: a recorded game in steps, each with words and perhaps a goal to reach.

A tutorial is a TOML file: seats, options and seed of a game, and steps. Every step lists the moves
that follow it in the recorded game. If the first ones are the learner's, the step has a goal, and
these moves reach it, in any order that the rules allow. The rules of the game decide a learner's
command like any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec

from games import BadGame
from games.game import AnyGame, Illegal
from games.wire import GameCommand, GameOptions, GameView, PlainCommand
from projections.folded import ToldRecord
from replay.practice import BadRecording, Move, Practice

COMMANDS_MAX = 8
"""Maximum number of commands in one attempt."""

Commands = Annotated[list[PlainCommand], msgspec.Meta(min_length=1, max_length=COMMANDS_MAX)]


class BadTutorial(BadGame):
    """A tutorial is not valid. The message names the file and the step."""


class NoSuchStep(Exception):
    """The tutorial has no such step."""

    def __init__(self, number: int, last: int) -> None:
        """Create the error for a requested step, with the last one that exists."""
        super().__init__(f"Step must be between 1 and {last}, got {number}.")


class TutorialText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words in each language."""

    en: Annotated[str, msgspec.Meta(min_length=1)]
    """In English."""
    cs: Annotated[str, msgspec.Meta(min_length=1)]
    """In Czech."""


class StepData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step as the file has it."""

    text: TutorialText
    """What the teacher says."""
    goal: TutorialText | None = None
    """What to do; exactly the steps that begin with a move of the learner have one."""
    hint: TutorialText | None = None
    """How to do it."""
    after: TutorialText | None = None
    """What the teacher says when the goal is reached."""
    highlight: tuple[str, ...] = ()
    """Names of cells, cards and pieces on the board."""
    moves: tuple[Move, ...] = ()
    """The recorded moves from this step to the next."""
    check: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    """Fields of an event that also reaches the goal, with `type`.

    Empty: only the recorded moves reach it, in any order that the rules allow.
    """


class Script(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a tutorial."""

    minutes: Annotated[int, msgspec.Meta(ge=1)]
    """How long the tutorial takes."""
    seats: int
    learner: int
    """The learner's seat."""
    seed: int
    options: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    opening: tuple[Move, ...] = ()
    """The recorded moves before the first step."""
    steps: Annotated[tuple[StepData, ...], msgspec.Meta(min_length=1)]


class TutorialStep(msgspec.Struct, frozen=True):
    """The words of a step."""

    text: TutorialText
    """What the teacher says."""
    goal: TutorialText | None
    """What to do. Null if there is only something to read."""
    hint: TutorialText | None
    """How to do it."""
    after: TutorialText | None
    """What the teacher says when the goal is reached."""
    highlight: tuple[str, ...]
    """Names of cells, cards and pieces on the board."""


class TutorialWords(msgspec.Struct, frozen=True):
    """A tutorial: the words of all steps."""

    game: str
    minutes: int
    """How long the tutorial takes."""
    seats: int
    learner: int
    """The learner's seat."""
    options: GameOptions
    """All options, also those at their defaults."""
    steps: list[TutorialStep]
    """The steps in order."""


class TutorialBoard(msgspec.Struct, frozen=True):
    """The board at a step, as the learner sees it."""

    game: str
    step: int
    """Number of the step, from 1."""
    view: GameView
    """The game as the learner may know it."""
    legal: list[GameCommand]
    """Legal commands of the learner."""
    waiting: list[int]
    """The seats that are to move."""
    records: list[ToldRecord]
    """What happened since the step before."""
    shown: list[GameCommand]
    """Commands that reach the goal, in any order that the rules allow.

    Empty if the step has no goal.
    """


class TutorialAttempt(msgspec.Struct, frozen=True):
    """The board after the learner's commands, which are not kept."""

    game: str
    reached: bool
    """Whether the goal is reached."""
    expected: bool
    """Whether the commands are among those that reach the goal, in any order that still allows
    the others.
    """
    view: GameView
    """The game as the learner may know it."""
    legal: list[GameCommand]
    """Legal commands of the learner."""
    waiting: list[int]
    """The seats that are to move."""
    records: list[ToldRecord]
    """What the commands did."""


class _Place(msgspec.Struct, frozen=True):
    """The recorded game at a step."""

    state: Any
    version: int
    records: list[ToldRecord]
    """What the learner was shown since the step before."""
    shown: list[Any]
    """The learner's recorded commands."""


class Tutorial:
    """The tutorial of a game. The recorded game is played once, when a step is first asked for."""

    def __init__(self, game: AnyGame, path: Path) -> None:
        """Read a tutorial's file; raises `BadTutorial`."""
        self.game = game
        self._path = path
        try:
            self.script = msgspec.toml.decode(path.read_bytes(), type=Script)
            self._options = msgspec.convert(self.script.options, game.Options)
        except (OSError, msgspec.MsgspecError) as error:
            raise BadTutorial(f"{path.name}: {error}") from error
        script = self.script
        if script.seats not in game.seats or not 0 <= script.learner < script.seats:
            raise BadTutorial(
                f"{path.name}: {game.slug} has no seat {script.learner} of {script.seats}."
            )
        self._practice = Practice(game, script.seats, script.learner, script.seed, self._options)
        for number, step in enumerate(script.steps, 1):
            played = bool(self._shown(step))
            if any(played != (words is not None) for words in (step.goal, step.hint, step.after)):
                raise BadTutorial(
                    f"{path.name}: step {number} needs goal, hint and after exactly if its first "
                    f"move is that of seat {script.learner}."
                )

    @cached_property
    def syllabus(self) -> TutorialWords:
        """The words of all steps."""
        return TutorialWords(
            self.game.slug,
            self.script.minutes,
            self.script.seats,
            self.script.learner,
            msgspec.to_builtins(self._options),
            [
                TutorialStep(step.text, step.goal, step.hint, step.after, step.highlight)
                for step in self.script.steps
            ],
        )

    def position(self, number: int) -> TutorialBoard:
        """Return the board at a step, from 1; raises `NoSuchStep` and `BadTutorial`."""
        place = self._place(number)
        return TutorialBoard(
            self.game.slug, number, *self._practice.seen(place.state), place.records, place.shown
        )

    def attempt(self, number: int, commands: Commands) -> TutorialAttempt:
        """Decide commands of the learner at a step, from 1.

        Raises `NoSuchStep`, `Illegal` with the rule, `msgspec.ValidationError` and `BadTutorial`.
        """
        place = self._place(number)
        made = msgspec.convert(commands, list[self.game.Command])
        state, records = place.state.copy(), list[ToldRecord]()
        events: Sequence[Any] = ()
        for version, command in enumerate(made, place.version + 1):
            events, told = self._practice.play(state, self.script.learner, command, version)
            records.append(told)
        check = self.script.steps[number - 1].check
        left = _without(place.shown, made)
        expected = left is not None and self._allowed(state, left, place.version + len(made))
        return TutorialAttempt(
            self.game.slug,
            (expected and bool(place.shown) and not left) or _met(check, events),
            expected,
            *self._practice.seen(state),
            records,
        )

    def _allowed(self, state: Any, commands: Sequence[Any], version: int) -> bool:
        """Return whether the rules allow the learner's commands after a version, in this order."""
        state = state.copy()
        try:
            for at, command in enumerate(commands, version + 1):
                self._practice.play(state, self.script.learner, command, at)
        except Illegal:
            return False
        return True

    def _place(self, number: int) -> _Place:
        if not 1 <= number <= len(self._places):
            raise NoSuchStep(number, len(self._places))
        return self._places[number - 1]

    @cached_property
    def _places(self) -> list[_Place]:
        return list(self._replayed())

    def _replayed(self) -> Iterator[_Place]:
        practice, script = self._practice, self.script
        state, opening = practice.begin()
        records = [opening]
        version, moves, where = 1, script.opening, "the opening"
        for number, step in enumerate(script.steps, 1):
            records += self._moved(state, moves, version, where)
            version += len(moves)
            where = f"step {number}"
            shown = [self._decoded(move, where) for move in self._shown(step)]
            yield _Place(state.copy(), version, [one for one in records if one.events], shown)
            records, moves = list[ToldRecord](), step.moves
        self._moved(state, moves, version, where)

    def _moved(
        self, state: Any, moves: Sequence[Move], version: int, where: str
    ) -> list[ToldRecord]:
        try:
            return self._practice.moved(state, moves, version)
        except BadRecording as error:
            raise BadTutorial(f"{self._path.name}: {where}: {error}") from error

    def _decoded(self, move: Move, where: str) -> Any:
        try:
            return self._practice.decoded(move)
        except BadRecording as error:
            raise BadTutorial(f"{self._path.name}: {where}: {error}") from error

    def _shown(self, step: StepData) -> list[Move]:
        """Return the learner's moves with which a step begins."""
        others = (n for n, move in enumerate(step.moves) if move.seat != self.script.learner)
        return list(step.moves[: next(others, len(step.moves))])


def tutorials_of(games: Mapping[str, AnyGame]) -> dict[str, Tutorial]:
    """Return the tutorials of games, by slug; raises `BadTutorial`."""
    return {
        slug: Tutorial(game, game.files.tutorial)
        for slug, game in games.items()
        if game.files.tutorial is not None
    }


def _without(shown: Sequence[Any], made: Sequence[Any]) -> list[Any] | None:
    """Return the recorded commands that are left after some; None if those are not among them."""
    left = list(shown)
    for command in made:
        if command not in left:
            return None
        left.remove(command)
    return left


def _met(check: Mapping[str, Any], events: Sequence[Any]) -> bool:
    """Return whether one of the events has all fields that a check names."""
    plain = msgspec.json.decode(msgspec.json.encode(events))
    return bool(check) and any(check.items() <= event.items() for event in plain)
