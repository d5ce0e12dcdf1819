"""Standings: a fold over the results of a game, in order of finishing time and match id. Pure.

Matches between teams are rated by the Plackett-Luce model of Weng and Lin (package `openskill`).
Cooperative matches have no opponents, so the share of won matches counts there. Private matches do
not count, because standings are public.
"""

from collections.abc import Iterable, MutableMapping

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from projections.summary import Outcome, Sitter

MODEL = PlackettLuce()
"""The rating model with the package's defaults: mean 25, deviation 25/3."""


class Standing(msgspec.Struct, frozen=True):
    """The results of a player, or of all bots of a level, in one game."""

    mu: float = 25.0
    """Mean of the estimated skill."""
    sigma: float = 25.0 / 3.0
    """Standard deviation of the estimated skill."""
    rated: int = 0
    """Number of matches against opponents."""
    won: int = 0
    """Number of those that were won."""
    together: int = 0
    """Number of cooperative matches."""
    won_together: int = 0
    """Number of those that were won."""

    @property
    def rating(self) -> float:
        """A lower bound of the skill: three standard deviations below the mean."""
        return self.mu - 3.0 * self.sigma

    @property
    def share(self) -> float:
        """The share of cooperative matches won, pulled towards one half when there are few."""
        return (self.won_together + 1) / (self.together + 2)


Before = dict[str, Standing | None]
"""The standings that a result changed, by name, as they were before. None for a new name."""


class Finished(msgspec.Struct, frozen=True):
    """A finished match that counts for the standings."""

    sitters: tuple[Sitter, ...]
    outcome: Outcome


def fold(standings: MutableMapping[str, Standing], finished: Iterable[Finished]) -> list[Before]:
    """Count results, oldest first. Return the standings before each, for `unfold`."""
    return [_count(standings, match) for match in finished]


def unfold(standings: MutableMapping[str, Standing], befores: Iterable[Before]) -> None:
    """Restore the standings from before some results, newest first."""
    for before in befores:
        for name, standing in before.items():
            if standing is None:
                standings.pop(name, None)
            else:
                standings[name] = standing


def _count(standings: MutableMapping[str, Standing], match: Finished) -> Before:
    if not match.outcome.counts:
        return {}
    names = [sitter.name for sitter in match.sitters]
    before: Before = {name: standings.get(name) for name in dict.fromkeys(names) if name}
    known = {name: standing or Standing() for name, standing in before.items()}
    cooperative = len(match.outcome.teams) == 1
    after = _together(known, names, match) if cooperative else _against(known, names, match)
    standings.update(after)
    return {name: before[name] for name in after}


def _together(known: dict[str, Standing], names: list[str], match: Finished) -> dict[str, Standing]:
    won = {names[seat] for seat in match.outcome.winners}
    return {
        name: msgspec.structs.replace(
            standing,
            together=standing.together + 1,
            won_together=standing.won_together + (name in won),
        )
        for name, standing in known.items()
    }


def _against(known: dict[str, Standing], names: list[str], match: Finished) -> dict[str, Standing]:
    """Rate teams. A player on several seats gets the mean of the ratings of those seats."""
    if len(known) < 2:
        return {}
    outcome = match.outcome
    teams = [[_rating(known[names[seat]]) for seat in team] for team in outcome.teams]
    ranks = [float(min(outcome.places[seat] for seat in team)) for team in outcome.teams]
    rated: dict[str, list[PlackettLuceRating]] = {name: [] for name in known}
    for team, ratings in zip(outcome.teams, MODEL.rate(teams, ranks=ranks), strict=True):
        for seat, rating in zip(team, ratings, strict=True):
            rated[names[seat]].append(rating)
    won = {names[seat] for seat in outcome.winners}
    return {
        name: msgspec.structs.replace(
            known[name],
            mu=sum(rating.mu for rating in ratings) / len(ratings),
            sigma=sum(rating.sigma for rating in ratings) / len(ratings),
            rated=known[name].rated + 1,
            won=known[name].won + (name in won),
        )
        for name, ratings in rated.items()
    }


def _rating(standing: Standing) -> PlackettLuceRating:
    return MODEL.rating(standing.mu, standing.sigma)
