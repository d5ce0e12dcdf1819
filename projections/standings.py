"""Standings: a fold over a game's results, ordered by finish and match. Pure.

Games between teams are rated by the Plackett-Luce model of Weng and Lin (package `openskill`). In a cooperative game
nobody is beaten: there the share of won matches counts. Private matches count for nothing, as standings are public.
"""

from collections.abc import Iterable, MutableMapping

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from projections.summary import Outcome, Sitter

MODEL = PlackettLuce()
"""With the package's defaults: mean 25, deviation 25/3."""


class Standing(msgspec.Struct, frozen=True):
    """What a player, or the bots of a level, have achieved in one game."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0
    rated: int = 0
    """Matches against others."""
    won: int = 0
    """Of those."""
    together: int = 0
    """Cooperative matches."""
    won_together: int = 0
    """Of those."""

    @property
    def rating(self) -> float:
        """A skill that the player has at least, very probably: three deviations below the mean."""
        return self.mu - 3.0 * self.sigma

    @property
    def share(self) -> float:
        """The share of cooperative matches won, drawn to a half while there are few."""
        return (self.won_together + 1) / (self.together + 2)


Before = dict[str, Standing | None]
"""By name, the standings that a result changed, as they were; None for a first one."""


class Finished(msgspec.Struct, frozen=True):
    """A result to count."""

    sitters: tuple[Sitter, ...]
    outcome: Outcome


def fold(standings: MutableMapping[str, Standing], finished: Iterable[Finished]) -> list[Before]:
    """Count results, oldest first; give for each what it changed, so that it can be taken back."""
    return [_count(standings, one) for one in finished]


def unfold(standings: MutableMapping[str, Standing], befores: Iterable[Before]) -> None:
    """Take results back, newest first."""
    for before in befores:
        for name, standing in before.items():
            if standing is None:
                standings.pop(name, None)
            else:
                standings[name] = standing


def _count(standings: MutableMapping[str, Standing], one: Finished) -> Before:
    names = [sitter.name for sitter in one.sitters]
    before: Before = {name: standings.get(name) for name in dict.fromkeys(names) if name}
    known = {name: standing or Standing() for name, standing in before.items()}
    cooperative = len(one.outcome.teams) == 1
    after = _together(known, names, one) if cooperative else _against(known, names, one)
    standings.update(after)
    return {name: before[name] for name in after}


def _together(known: dict[str, Standing], names: list[str], one: Finished) -> dict[str, Standing]:
    won = {names[seat] for seat in one.outcome.winners}
    return {
        name: msgspec.structs.replace(
            standing,
            together=standing.together + 1,
            won_together=standing.won_together + (name in won),
        )
        for name, standing in known.items()
    }


def _against(known: dict[str, Standing], names: list[str], one: Finished) -> dict[str, Standing]:
    """Rate teams; who sits on several seats gets the mean of what they earned."""
    if len(known) < 2:
        return {}
    outcome = one.outcome
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
