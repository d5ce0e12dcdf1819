"""Tournaments between two players of a game, and the statistics of their results.

Every seed is played once for each team of the game: the first player has that team, the second has
all others. If all seats of a game are one team, each player plays the seed alone, and the results
are compared. So neither seats nor luck favour a player.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log, sqrt
from typing import Any, NamedTuple, Protocol

from games.chance import Chance
from games.game import AnyGame, Bot, Illegal
from games.playout import BOT_DICE, Watchers, bot_of, plies, seed_of
from games.search.rollout import shares, team_of

Z = 1.96
"""For 95 %."""
SPRT_BOUND = log((1 - 0.05) / 0.05)
"""Wald's bound, with 5 % of either error."""
EVEN_DEVIATION = 0.25
"""Squared deviation of one assumed score, so that a few equal scores prove nothing."""

Clock = Callable[[], int]
"""Returns a time in nanoseconds."""


class Table(NamedTuple):
    """What is played in one match."""

    game: AnyGame
    seats: int
    options: Any
    seed: int


class Forfeit(Exception):
    """A seat cannot go on with its match, and loses it."""

    def __init__(self, reason: str, detail: str = "") -> None:
        """Name the reason by a code: `crashed`, `timed-out`, `malformed` or `illegal`."""
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class Player(Protocol):
    """A player of a tournament, who sits down at one or more seats of a match after another."""

    def sit(self, table: Table, seat: int, /) -> Bot[Any, Any]:
        """Begin a match at a seat; return what decides for the seat. Both may raise `Forfeit`."""
        ...

    def rise(self, seat: int, result: Any, /) -> None:
        """End a match at a seat. The result is None after a forfeit."""
        ...


class BuiltIn(NamedTuple):
    """A level of the game's own bots, or "random"."""

    level: str

    def sit(self, table: Table, _seat: int, /) -> Bot[Any, Any]:
        """Return the bot of the level."""
        return bot_of(table.game, self.level)

    def rise(self, _seat: int, _result: Any, /) -> None:
        """Do nothing: these bots remember no match."""


class Lost(NamedTuple):
    """The forfeit that ended a match."""

    player: int
    """0 or 1."""
    seat: int
    reason: str
    detail: str


class Played(NamedTuple):
    """One match."""

    seed: int
    seats: frozenset[int]
    """Seats of the first player; the second had all others."""
    share: float
    """Share of the win of the first player, or of the second if the first had no seat."""
    lost: Lost | None
    decision_us: tuple[Sequence[int], Sequence[int]]
    """By player: times of decisions between two or more legal commands (microseconds)."""


class Round(NamedTuple):
    """All matches of one seed."""

    matches: Sequence[Played]
    results: Sequence[float]
    """The first player's results, 1 a win and 0 a loss: by match, or one if crews are compared."""
    even: bool
    """Whether equal players would score 1/2."""

    @property
    def score(self) -> float:
        """The first player's mean result."""
        return sum(self.results) / len(self.results)


class Share(NamedTuple):
    """A share of a number of games."""

    hits: float
    games: int

    def wilson(self) -> tuple[float, float]:
        """Return the Wilson interval."""
        share, spread = self.hits / self.games, Z * Z / self.games
        middle = share + spread / 2
        half = Z * sqrt(share * (1 - share) / self.games + spread / (4 * self.games))
        return (middle - half) / (1 + spread), (middle + half) / (1 + spread)

    def __str__(self) -> str:
        """Return per cent, with the interval in brackets."""
        low, high = self.wilson()
        return f"{100 * self.hits / self.games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def share_of(rounds: Sequence[Round]) -> Share:
    """Return the first player's share of the wins.

    The matches of a seed count once, which widens the interval.
    """
    return Share(sum(each.score for each in rounds), len(rounds))


def likelihood(scores: Sequence[float], elo_low: float, elo_high: float) -> float:
    """Return the log-likelihood ratio of two strengths (generalised SPRT, normal)."""
    n = len(scores)
    mean = sum(scores) / n
    variance = (sum((score - mean) ** 2 for score in scores) + EVEN_DEVIATION) / (n + 1)
    low, high = _expected(elo_low), _expected(elo_high)
    return n * (high - low) * (2 * mean - low - high) / (2 * variance)


def _expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


class Pairing(NamedTuple):
    """Two players of a game, and how they play it."""

    game: AnyGame
    seats: int
    options: Any
    players: tuple[Player, Player]
    clock: Clock
    """Times the decisions."""

    def rounds(self, seeds: Iterable[int]) -> Iterator[Round]:
        """Play seeds; yield the matches of each."""
        for seed in seeds:
            table = Table(self.game, self.seats, self.options, seed)
            teams = self.teams(seed)
            if len(teams) == 1:
                crews = [self._play(table, seats) for seats in (teams[0], frozenset[int]())]
                yield Round(crews, [(1 + crews[0].share - crews[1].share) / 2], even=True)
            else:
                matches = [self._play(table, team) for team in teams]
                yield Round(matches, [each.share for each in matches], even=len(teams) == 2)

    def teams(self, seed: int) -> Sequence[frozenset[int]]:
        """Return the teams as they are after the set-up."""
        state = self.game.initial(self.seats, self.options)
        for event in self.game.setup(self.seats, self.options, Chance(seed_of(seed), 1)):
            self.game.apply(state, event)
        return self.game.teams(state)

    def _play(self, table: Table, first: frozenset[int]) -> Played:
        """Play one match."""
        game, seed = self.game, seed_of(table.seed)
        watchers, dice = Watchers(game, self.seats, self.options), Chance(seed, BOT_DICE)
        players = [0 if seat in first else 1 for seat in range(self.seats)]
        times: tuple[list[int], list[int]] = ([], [])
        bots: list[Bot[Any, Any]] = []
        acting, final, lost = 0, None, None

        def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
            nonlocal acting
            acting = seat
            view, seen = game.view(state, seat), watchers.seen(seat)
            began = self.clock()
            command = bots[seat](view, seen, legal, dice)
            if len(legal) > 1:
                times[players[seat]].append((self.clock() - began) // 1000)
            return command

        try:
            for acting, player in enumerate(players):
                bots.append(self.players[player].sit(table, acting))
            for state, ply in plies(game, self.seats, self.options, seed, choose):
                watchers.watch(ply)
                final = state
        except Forfeit as error:
            lost = Lost(players[acting], acting, error.reason, error.detail)
        except Illegal as error:
            lost = Lost(players[acting], acting, "illegal", error.code)
        for seat, _ in enumerate(bots):
            result = None if lost else game.result(final)
            self.players[players[seat]].rise(seat, result)
        return Played(table.seed, first, self._share(first, final, lost), lost, times)

    def _share(self, first: frozenset[int], final: Any, lost: Lost | None) -> float:
        """Return the share of the win of the first player, or of the second if it plays alone."""
        if lost is not None:
            return float(lost.player == 1 and bool(first))
        return shares(self.game, final)[team_of(self.game, final, min(first, default=0))]
