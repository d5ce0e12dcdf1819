"""`shiplog bot-match`: compare two bots or programs in many matches, without a service."""

import asyncio
import shlex
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import Progress
from rich.table import Table as Grid

from games import GAMES
from games.game import AnyGame
from games.playout import RANDOM
from games.tournament import SPRT_BOUND, BuiltIn, Pairing, Player, Round, likelihood, share_of
from service.cli.bot_program import Program
from service.cli.options import Json
from service.cli.output import err, out, print_json, say

WHO = "A level of the game's bots, `random`, or the command line of a program."

Who = Annotated[str, typer.Argument(metavar="PLAYER", help=WHO)]


class Decisions(msgspec.Struct, frozen=True):
    """Times of a player's decisions between two or more legal commands."""

    count: int
    ms_mean: float
    ms_p99: float


class Side(msgspec.Struct, frozen=True):
    """One of the two players."""

    player: str
    decisions: Decisions
    forfeits: dict[str, int]
    """Number of matches that were lost without a result, by reason."""


class Sprt(msgspec.Struct, frozen=True):
    """A sequential test of two strengths of the first player, with 5 % for either error."""

    elo_low: float
    elo_high: float
    likelihood: float
    """Log-likelihood ratio of the high strength over the low one."""
    bound: float
    """The test ends when the ratio reaches this number, or minus this number."""
    verdict: str
    """`high`, `low`, or `undecided`."""


class Forfeited(msgspec.Struct, frozen=True):
    """A match that was lost without a result."""

    seed: int
    player: str
    seat: int
    reason: str
    detail: str


class Report(msgspec.Struct, frozen=True):
    """What the matches show. All but the times follows from the seed, if it does in programs."""

    game: str
    rules: int
    seats: int
    options: Any
    seed: int
    """The first seed; each pair of matches has the next one."""
    seeds: int
    matches: int
    wins: int
    """Of the first player. Where all seats are one team, a win is a better result on a seed."""
    draws: int
    losses: int
    share: float
    """The first player's share of the wins; a shared win counts as a fraction."""
    interval: tuple[float, float]
    """95 % interval of the share (Wilson), by the number of seeds."""
    sprt: Sprt | None
    """None if equal players would not share evenly: more than two teams."""
    players: tuple[Side, Side]
    forfeits: Sequence[Forfeited]


def bot_match(
    game: Annotated[str, typer.Argument(help="Game, by its slug.")],
    first: Who,
    second: Who,
    *,
    matches: Annotated[
        int, typer.Option(min=1, help="Number of matches; the last seed is always completed.")
    ] = 100,
    seats: Annotated[int, typer.Option(help="Number of seats; 0: the fewest.")] = 0,
    options: Annotated[str, typer.Option(help="Options of the game, as JSON.")] = "{}",
    seed: Annotated[int, typer.Option(min=0, help="First seed of cards and dice.")] = 1,
    seconds: Annotated[
        float, typer.Option(min=0.01, help="Time for an answer of a program (seconds).")
    ] = 10.0,
    elo: Annotated[
        tuple[float, float], typer.Option(metavar="LOW HIGH", help="The strengths to tell apart.")
    ] = (0.0, 50.0),
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Stop when the test of strength is decided.")
    ] = False,
    json: Json = False,
) -> None:
    """Play two bots or programs against each other, and report which one is stronger."""
    names = (first, second)
    chosen = game_of(game)
    if elo[0] >= elo[1]:
        raise typer.BadParameter(f"--elo: expected LOW < HIGH, got {elo[0]:g} {elo[1]:g}.")
    with opened(chosen, names, seconds) as (one, other):
        pairing = Pairing(
            chosen,
            seats_of(chosen, seats),
            options_of(chosen, options),
            (one, other),
            time.perf_counter_ns,
        )
        rounds = played(pairing, seed, matches, elo, until_decided=until_decided)
    report = report_of(pairing, names, seed, rounds, elo)
    if json:
        print_json(report)
    else:
        _print(report)


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
    """Open the players; all processes are killed at the end."""
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
    elo: tuple[float, float] = (0.0, 50.0),
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
            if until_decided and each.even and _sprt(rounds, elo).verdict != "undecided":
                break
    return rounds


def _sprt(rounds: Sequence[Round], elo: tuple[float, float]) -> Sprt:
    ratio = likelihood([each.score for each in rounds], *elo)
    verdict = "high" if ratio >= SPRT_BOUND else "low" if ratio <= -SPRT_BOUND else "undecided"
    return Sprt(*elo, ratio, SPRT_BOUND, verdict)


def report_of(
    pairing: Pairing,
    names: tuple[str, str],
    seed: int,
    rounds: Sequence[Round],
    elo: tuple[float, float] = (0.0, 50.0),
) -> Report:
    """Return what the matches of two players show."""
    matches = [match for each in rounds for match in each.matches]
    results = [result for each in rounds for result in each.results]
    share = share_of(rounds)
    forfeits = [
        Forfeited(match.seed, names[lost.player], lost.seat, lost.reason, lost.detail)
        for match in matches
        if (lost := match.lost) is not None
    ]
    reasons = [
        Counter(match.lost.reason for match in matches if match.lost and match.lost.player == at)
        for at in (0, 1)
    ]
    times = [[us for match in matches for us in match.decision_us[at]] for at in (0, 1)]
    sides = [Side(names[at], _decisions(times[at]), dict(reasons[at])) for at in (0, 1)]
    return Report(
        pairing.game.slug,
        pairing.game.version,
        pairing.seats,
        pairing.options,
        seed,
        len(rounds),
        len(matches),
        wins=sum(result == 1 for result in results),
        draws=sum(0 < result < 1 for result in results),
        losses=sum(result == 0 for result in results),
        share=share.hits / share.games,
        interval=share.wilson(),
        sprt=_sprt(rounds, elo) if all(each.even for each in rounds) else None,
        players=(sides[0], sides[1]),
        forfeits=forfeits,
    )


def _decisions(times: list[int]) -> Decisions:
    if not times:
        return Decisions(0, 0, 0)
    times.sort()
    mean, high = sum(times) / len(times) / 1000, times[len(times) * 99 // 100] / 1000
    return Decisions(len(times), round(mean, 3), round(high, 3))


def _print(report: Report) -> None:
    low, high = report.interval
    grid = Grid("player", "wins", "draws", "losses", "share won", "decisions", "ms mean", "p99")
    counts = (report.wins, report.draws, report.losses)
    shown = f"{report.share:.1%} ({low:.1%} to {high:.1%})"
    rest = f"{1 - report.share:.1%} ({1 - high:.1%} to {1 - low:.1%})"
    for side, numbers, share in zip(
        report.players, (counts, counts[::-1]), (shown, rest), strict=True
    ):
        timed = side.decisions
        grid.add_row(
            side.player, *map(str, numbers), share,
            str(timed.count), f"{timed.ms_mean:.1f}", f"{timed.ms_p99:.1f}",
        )  # fmt: skip
    say(
        f"{report.game}, {report.seats} seats: {report.matches} matches on {report.seeds} seeds "
        f"from {report.seed} on"
    )
    out.print(grid)
    for side in report.players:
        for reason, number in side.forfeits.items():
            say(f"{side.player} lost {number} matches: {reason}")
    if report.forfeits:
        one = report.forfeits[0]
        say(f"first: seed {one.seed}, seat {one.seat}, {one.player}: {one.reason}: {one.detail}")
    if (test := report.sprt) is not None:
        say(
            f"SPRT of {test.elo_low:g} against {test.elo_high:g} Elo: log-likelihood ratio "
            f"{test.likelihood:+.2f} (bounds ±{test.bound:.2f}), {WORDS[test.verdict]}"
        )


WORDS = {
    "high": "the first player is stronger by the higher number",
    "low": "the first player is not stronger than the lower number",
    "undecided": "undecided",
}
"""Of a verdict."""
