"""`shiplog arena`: a round robin between levels of bots and programs, with Elo ratings."""

import time
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table as Grid

from games.chance import Chance
from games.playout import seed_of
from games.ratings import Difference, rate
from games.tournament import Pairing
from service.cli.options import Json
from service.cli.output import out, print_json, say
from service.cli.pairing_report import PairingReport, report_of
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


class Rated(msgspec.Struct, frozen=True):
    """A player's rating."""

    player: str
    elo: float
    """How much stronger the player is than the first one."""
    interval: tuple[float, float]
    """95 % interval, from resampled seeds."""


class Standings(msgspec.Struct, frozen=True):
    """What a round robin shows."""

    game: str
    rules: int
    seats: int
    options: Any
    seed: int
    """The first seed; every pairing plays the same ones."""
    ratings: Sequence[Rated]
    """In the order of the players."""
    pairings: Sequence[PairingReport]


def arena(
    game: Slug,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help=WHO)],
    *,
    matches: Matches = 40,
    seats: Seats = 0,
    options: Options = "{}",
    seed: Seed = 1,
    seconds: Seconds = 10.0,
    json: Json = False,
) -> None:
    """Let bots and programs play each other in a round robin, and rate them."""
    if len(set(players)) != len(players) or len(players) < 2:
        raise typer.BadParameter("PLAYER: expected at least two different players.")
    chosen = game_of(game)
    count, decoded = seats_of(chosen, seats), options_of(chosen, options)
    if len(chosen.teams(chosen.initial(count, decoded))) > 2:
        raise typer.BadParameter(
            f"--seats: ratings need one or two teams, {count} seats of {game} make more."
        )
    with opened(chosen, players, seconds) as sitters:
        pairings = [
            Pairing(chosen, count, decoded, pair, time.perf_counter_ns)
            for pair in combinations(sitters, 2)
        ]
        rounds = [played(pairing, seed, matches) for pairing in pairings]
    pairs = list(combinations(range(len(players)), 2))
    scores = {pair: [each.score for each in own] for pair, own in zip(pairs, rounds, strict=True)}
    ratings = rate(len(players), scores, Chance(seed_of(seed), 0))
    found = Standings(
        chosen.slug,
        chosen.version,
        count,
        decoded,
        seed,
        [_rated(player, ratings.difference(at, 0)) for at, player in enumerate(players)],
        [
            report_of(pairing, (players[first], players[second]), seed, own)
            for pairing, (first, second), own in zip(pairings, pairs, rounds, strict=True)
        ],
    )
    if json:
        print_json(found)
    else:
        _print(found)


def _rated(player: str, above: Difference) -> Rated:
    return Rated(player, round(above.elo, 1), (round(above.low, 1), round(above.high, 1)))


def _print(found: Standings) -> None:
    first, *_ = found.ratings
    matches = sum(each.matches for each in found.pairings)
    say(f"{found.game}, {found.seats} seats: {matches} matches on seeds from {found.seed} on")
    grid = Grid("player", f"Elo above {first.player}", "95 %", "forfeits", "ms mean")
    for one in sorted(found.ratings, key=lambda rated: -rated.elo):
        low, high = one.interval
        sides = [side for each in found.pairings for side in each.players]
        own = [side for side in sides if side.player == one.player]
        forfeits = sum(sum(side.forfeits.values()) for side in own)
        decisions = sum(side.decisions.count for side in own)
        spent = sum(side.decisions.count * side.decisions.ms_mean for side in own)
        grid.add_row(
            one.player, f"{one.elo:+.0f}", f"{low:+.0f} to {high:+.0f}",
            str(forfeits), f"{spent / max(1, decisions):.1f}",
        )  # fmt: skip
    out.print(grid)
    pairs = Grid("player", "against", "wins", "draws", "losses", "share won")
    for each in found.pairings:
        low, high = each.interval
        names = (side.player for side in each.players)
        counts = map(str, (each.wins, each.draws, each.losses))
        pairs.add_row(*names, *counts, f"{each.share:.1%} ({low:.1%} to {high:.1%})")
    out.print(pairs)
