"""Tournaments without a service: their options, who plays in them, and their matches."""

import asyncio
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from math import isfinite
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import Progress

from games import GAMES
from games.game import AnyGame
from games.playout import RANDOM
from games.tournament import BuiltIn, Pairing, Player, Round
from service.cli.bot_program import Program
from service.cli.output import err
from service.cli.pairing_report import STRENGTHS, sprt_of

WHO = "A level of the game's bots, `random`, or the command line of a program."

Slug = Annotated[str, typer.Argument(help="Game, by its slug.")]
Matches = Annotated[
    int,
    typer.Option(min=1, help="Number of matches of a pairing; the last seed is always completed."),
]
Seats = Annotated[int, typer.Option(help="Number of seats; 0: the fewest.")]
Options = Annotated[str, typer.Option(help="Options of the game, as JSON.")]
Seed = Annotated[int, typer.Option(min=0, help="First seed of cards and dice.")]
Seconds = Annotated[
    float, typer.Option(min=0.01, help="Time for an answer of a program (seconds).")
]


def game_of(slug: str) -> AnyGame:
    """Return a game by its slug."""
    if slug not in GAMES:
        raise typer.BadParameter(f"Unknown game {slug!r}. The games are: {', '.join(GAMES)}.")
    return GAMES[slug]


def seats_of(game: AnyGame, seats: int) -> int:
    """Return the number of seats that was asked for; 0 stands for the fewest."""
    if seats and seats not in game.seats:
        numbers = ", ".join(map(str, game.seats))
        raise typer.BadParameter(f"--seats: expected one of {numbers}, got {seats}.")
    return seats or min(game.seats)


def options_of(game: AnyGame, text: str) -> Any:
    """Return a game's options from JSON."""
    try:
        return msgspec.json.decode(text, type=game.Options)
    except msgspec.MsgspecError as error:
        raise typer.BadParameter(f"Invalid options in --options: {error}") from None


@contextmanager
def opened(game: AnyGame, names: Sequence[str], seconds: float) -> Iterator[Sequence[Player]]:
    """Open the players; all processes are killed at the end. Raises `BadParameter`."""
    if not isfinite(seconds):
        raise typer.BadParameter(f"--seconds: expected a number of seconds, got {seconds:g}.")
    with asyncio.Runner() as runner:
        players = [_player(game, name, seconds, runner) for name in names]
        try:
            yield players
        finally:
            for player in players:
                if isinstance(player, Program):
                    player.close()


def _player(game: AnyGame, name: str, seconds: float, runner: asyncio.Runner) -> Player:
    if name == RANDOM or name in game.players.bots:
        return BuiltIn(name)
    try:
        words = shlex.split(name)
    except ValueError as error:
        raise typer.BadParameter(f"Invalid command line {name!r}: {error}.") from None
    if not words or shutil.which(words[0]) is None:
        raise typer.BadParameter(
            f"{name!r} is neither a program nor a bot of {game.slug} "
            f"({', '.join((RANDOM, *game.players.levels))})."
        )
    return Program(words, seconds, runner)


def played(
    pairing: Pairing,
    seed: int,
    matches: int,
    elo: tuple[float, float] = STRENGTHS,
    *,
    until_decided: bool = False,
) -> list[Round]:
    """Play the matches; the last seed is always completed."""
    rounds: list[Round] = []
    count_played = 0
    with Progress(console=err, transient=True) as progress:
        task = progress.add_task("matches", total=matches)
        for each in pairing.rounds(count(seed)):
            rounds.append(each)
            count_played += len(each.matches)
            progress.update(task, completed=count_played)
            if count_played >= matches:
                break
            if until_decided and each.even and sprt_of(rounds, elo).verdict != "undecided":
                break
    return rounds
