"""Puzzles: positions from which to find the right commands, and how players fare at them."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter, SkipValidation

from games import GAMES
from games.game import Illegal
from replay.puzzle import (
    Attempted,
    Puzzle,
    PuzzleAttempt,
    PuzzleBoard,
    PuzzleSummary,
    daily,
)
from service.base.clock import now_micros
from service.base.input_errors import input_error
from service.base.problems import invalid, not_found, ruled_out
from service.play.caller import Caller
from service.play.player_record import Player, Solving
from service.play.players import DAY_MICROS, Players
from service.play.solving import attempted, rating_of, streak_of

Posed = SkipValidation[NamedDependency[Mapping[str, Puzzle]]]
"""The puzzles, by id."""


class PuzzleTry(msgspec.Struct, forbid_unknown_fields=True):
    """What the player does."""

    attempt: Attempted
    """Commands of the game, in order, from the position of the puzzle."""


class DailyPuzzle(msgspec.Struct):
    """The puzzle of a day, the same for everybody."""

    day: date
    """Today, in UTC."""
    puzzle: PuzzleSummary
    """The puzzle."""


class PuzzleScore(msgspec.Struct):
    """How a player fares at puzzles."""

    rating: float
    """Lower bound of the skill, as in the standings: 0 at first."""
    solved: int
    """Number of puzzles solved at the first attempt."""
    tried: list[str]
    """IDs of the puzzles that were solved or failed; these are not rated again."""
    streak: int
    """Days in a row on which the daily puzzle was solved."""
    best_streak: int
    """The longest streak."""
    daily_done: bool
    """Whether today's puzzle was solved or failed."""


class JudgedAttempt(msgspec.Struct):
    """What commands come to, and how the player fares."""

    attempt: PuzzleAttempt
    """What the commands come to."""
    score: PuzzleScore
    """How the player fares after it."""


@get(
    "/puzzles",
    tags=["puzzles"],
    operation_id="listPuzzles",
    counts="calls",
    refuses=("not-found",),
)
async def list_puzzles(
    posed: Posed, game: Annotated[str | None, QueryParameter(description="Slug of a game.")] = None
) -> list[PuzzleSummary]:
    """List the puzzles, of one game or of all by turns."""
    if game is not None and game not in GAMES:
        raise not_found("game")
    return [one.summary for one in posed.values() if game in (None, one.game.slug)]


@get(
    "/puzzles/daily",
    tags=["puzzles"],
    operation_id="getDailyPuzzle",
    counts="calls",
    refuses=("not-found",),
)
async def get_daily(posed: Posed) -> DailyPuzzle:
    """Return the puzzle of today. Days begin at midnight UTC."""
    now = now_micros()
    puzzle = daily(posed, now // DAY_MICROS)
    if puzzle is None:
        raise not_found("puzzle")
    return DailyPuzzle(datetime.fromtimestamp(now / 1e6, UTC).date(), puzzle.summary)


@get(
    "/puzzles/{puzzle:str}",
    tags=["puzzles"],
    operation_id="getPuzzle",
    counts="calls",
    refuses=("not-found",),
)
async def get_puzzle(puzzle: FromPath[str], posed: Posed) -> PuzzleBoard:
    """Return a puzzle: the position as the player's seat sees it, and what happened before."""
    return _found(puzzle, posed).board


@post(
    "/puzzles/{puzzle:str}/attempts",
    status_code=200,
    tags=["puzzles"],
    operation_id="attemptPuzzle",
    scope="play",
    response_description="What the commands come to. They are not kept.",
    refuses=("not-found", "rules"),
)
async def attempt_puzzle(
    puzzle: FromPath[str],
    data: JSONBody[PuzzleTry],
    caller: NamedDependency[Caller],
    players: NamedDependency[Players],
    posed: Posed,
) -> JudgedAttempt:
    """Decide commands from the position of a puzzle, and return whether they solve it.

    As long as the puzzle is open, send all commands again with the next one. The first attempt that
    solves or fails a puzzle is rated.
    """
    found = _found(puzzle, posed)
    try:
        made = found.attempt(data.attempt)
    except msgspec.ValidationError as error:
        expected = list[found.game.Command]
        raise invalid(input_error(str(error), expected, data.attempt, "/attempt")) from error
    except Illegal as error:
        raise ruled_out(error, found.game) from error
    today = now_micros() // DAY_MICROS
    record = await players.get(caller.player)
    if record is None:
        raise not_found("player")
    if made.outcome != "open":
        is_daily = daily(posed, today) is found

        def count(player: Player) -> Solving:
            return attempted(
                player.puzzles,
                found,
                today,
                solved=made.outcome == "solved",
                is_daily=is_daily,
                known=posed.keys(),
            )

        if count(record) != record.puzzles:
            record = await players.update(
                caller.player,
                lambda player: msgspec.structs.replace(player, puzzles=count(player)),
            )
    return JudgedAttempt(made, _score(record.puzzles, today))


@get("/players/me/puzzles", tags=["puzzles"], operation_id="getMyPuzzles", refuses=("not-found",))
async def get_score(
    caller: NamedDependency[Caller], players: NamedDependency[Players]
) -> PuzzleScore:
    """Return how the caller fares at puzzles."""
    record = await players.get(caller.player)
    if record is None:
        raise not_found("player")
    return _score(record.puzzles, now_micros() // DAY_MICROS)


def _score(solving: Solving, today: int) -> PuzzleScore:
    return PuzzleScore(
        round(rating_of(solving), 1),
        solving.solved,
        list(solving.tried),
        streak_of(solving, today),
        solving.best,
        solving.day == today,
    )


def _found(puzzle: str, posed: Mapping[str, Puzzle]) -> Puzzle:
    if (found := posed.get(puzzle)) is None:
        raise not_found("puzzle")
    return found


HANDLERS = (list_puzzles, get_daily, get_puzzle, attempt_puzzle, get_score)
