"""What the matches of two players show, as `shiplog bot-match` and `shiplog arena` report it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from games.tournament import SPRT_BOUND, Pairing, Round, likelihood, share_of

STRENGTHS = (0.0, 50.0)
"""The two strengths that the test tells apart by default (Elo)."""


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


class PairingReport(msgspec.Struct, frozen=True):
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


def report_of(
    pairing: Pairing,
    names: tuple[str, str],
    seed: int,
    rounds: Sequence[Round],
    elo: tuple[float, float] = STRENGTHS,
) -> PairingReport:
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
    return PairingReport(
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
        sprt=sprt_of(rounds, elo) if all(each.even for each in rounds) else None,
        players=(sides[0], sides[1]),
        forfeits=forfeits,
    )


def _decisions(times: list[int]) -> Decisions:
    if not times:
        return Decisions(0, 0, 0)
    times.sort()
    mean, high = sum(times) / len(times) / 1000, times[len(times) * 99 // 100] / 1000
    return Decisions(len(times), round(mean, 3), round(high, 3))


def sprt_of(rounds: Sequence[Round], elo: tuple[float, float]) -> Sprt:
    """Return the test of two strengths after these rounds."""
    ratio = likelihood([each.score for each in rounds], *elo)
    verdict = "high" if ratio >= SPRT_BOUND else "low" if ratio <= -SPRT_BOUND else "undecided"
    return Sprt(*elo, ratio, SPRT_BOUND, verdict)
