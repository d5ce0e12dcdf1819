"""`shiplog bot-match`: compare two bots or programs in many matches, without a service."""

import time
from math import inf
from typing import Annotated

import typer
from rich.table import Table as Grid

from games.tournament import Pairing
from service.cli.options import Json
from service.cli.output import out, print_json, say
from service.cli.pairing_report import STRENGTHS, PairingReport, report_of
from service.cli.tournaments import (
    WHO,
    Matches,
    Options,
    Seats,
    Seconds,
    Seed,
    Slug,
    game_of,
    opened,
    options_of,
    played,
    seats_of,
)

Who = Annotated[str, typer.Argument(metavar="PLAYER", help=WHO)]


def bot_match(
    game: Slug,
    first: Who,
    second: Who,
    *,
    matches: Matches = 100,
    seats: Seats = 0,
    options: Options = "{}",
    seed: Seed = 1,
    seconds: Seconds = 10.0,
    elo: Annotated[
        tuple[float, float], typer.Option(metavar="LOW HIGH", help="The strengths to tell apart.")
    ] = STRENGTHS,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Stop when the test of strength is decided.")
    ] = False,
    json: Json = False,
) -> None:
    """Play two bots or programs against each other, and report which one is stronger."""
    names = (first, second)
    chosen = game_of(game)
    if not -inf < elo[0] < elo[1] < inf:
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


def _print(report: PairingReport) -> None:
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
