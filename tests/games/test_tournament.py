"""Tournaments: every seed from all seats, forfeits lose, and the statistics of known results."""

from itertools import count

import pytest

from games import GAMES
from games.tournament import (
    SPRT_BOUND,
    BuiltIn,
    Forfeit,
    Pairing,
    Share,
    likelihood,
    share_of,
)

TICKS = count()
RANDOM = BuiltIn("random")


def pairing(slug, first=RANDOM, second=RANDOM, seats=2, **options):
    game = GAMES[slug]
    return Pairing(game, seats, game.Options(**options), (first, second), lambda: next(TICKS))


class Quitter:
    """A player who forfeits at the first decision."""

    def __init__(self):
        self.told = []

    def sit(self, _table, seat, /):
        def choose(*_):
            raise Forfeit("crashed", "exit status 3")

        self.told.append(("sit", seat))
        return choose

    def rise(self, seat, result, /):
        self.told.append(("rise", seat, result))


class Cheat(Quitter):
    """A player who sends a command that the rules refuse."""

    def sit(self, table, _seat, /):
        by_type = {type(command): command for command in table.game.legal(_started(table), 0)}
        command = next(iter(by_type.values()))
        return lambda *_: type(command)(*[99] * len(command.__struct_fields__))


def _started(table):
    return next(state for state, _ in _walk(table))


def _walk(table):
    from games.playout import at_random, plies, seed_of

    seed = seed_of(table.seed)
    return plies(table.game, table.seats, table.options, seed, at_random(None))


def test_two_teams_play_each_seed_from_both_seats():
    (played,) = pairing("submarine").rounds([7])
    assert [match.seats for match in played.matches] == [{0}, {1}]
    assert [match.share for match in played.matches] == list(played.results)
    assert played.even


def test_equal_players_share_a_seed_evenly_where_only_seats_differ():
    """The heuristic has no dice of its own, so both matches of a pair are the same match."""
    (played,) = pairing("ke_dnu", BuiltIn("heuristic"), BuiltIn("heuristic")).rounds([3])
    assert played.score == 0.5


def test_four_teams_play_each_seed_four_times_and_an_even_share_is_a_quarter():
    (played,) = pairing("submarine", seats=4).rounds([7])
    assert [match.seats for match in played.matches] == [{0}, {1}, {2}, {3}]
    assert not played.even


def test_crews_play_the_same_deal_and_are_compared():
    rounds = pairing("tranquility", BuiltIn("heuristic"), RANDOM).rounds([50_000])
    (played,) = rounds
    assert [match.seats for match in played.matches] == [{0, 1}, set()]
    assert [match.share for match in played.matches] == [1.0, 0.0]
    assert played.results == [1.0]
    assert played.even


@pytest.mark.parametrize(("slug", "score"), [("submarine", 0.0), ("tranquility", 0.5)])
def test_a_forfeit_loses_the_match_and_both_players_are_told(slug, score):
    """A lost voyage of the one crew is a draw against a crew that loses its own."""
    quitter = Quitter()
    (played,) = pairing(slug, quitter, RANDOM).rounds([7])
    assert played.score == score
    lost = played.matches[0].lost
    assert (lost.player, lost.reason, lost.detail) == (0, "crashed", "exit status 3")
    assert ("rise", lost.seat, None) in quitter.told


def test_the_second_players_forfeit_wins_the_match_for_the_first():
    (played,) = pairing("submarine", RANDOM, Quitter()).rounds([7])
    assert played.score == 1.0
    assert {match.lost.player for match in played.matches} == {1}


def test_a_command_that_the_rules_refuse_forfeits_the_match():
    (played,) = pairing("submarine", Cheat(), RANDOM).rounds([7])
    assert {match.lost.reason for match in played.matches} == {"illegal"}
    assert played.score == 0.0


def test_the_same_seeds_give_the_same_matches():
    first, again = (list(pairing("nautilus", BuiltIn("heuristic")).rounds([5])) for _ in range(2))
    assert [each.results for each in first] == [each.results for each in again]


def test_only_decisions_between_several_commands_are_timed():
    (played,) = pairing("submarine").rounds([7])
    assert all(times for match in played.matches for times in match.decision_us)


def test_wilson_interval_of_known_shares():
    """Newcombe (1998), table I: 81 of 263, and 0 of 20."""
    assert Share(81, 263).wilson() == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert Share(0, 20).wilson() == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert str(Share(1, 2)) == "50.0 (9.5 to 90.5)"


def test_the_likelihood_of_two_strengths():
    assert likelihood([0.5] * 100, -10, 10) == pytest.approx(0)
    assert likelihood([1.0, 0.5] * 100, 0, 50) > SPRT_BOUND
    assert likelihood([0.0, 0.5] * 100, 0, 50) < -SPRT_BOUND
    assert abs(likelihood([1.0] * 3, 0, 50)) < SPRT_BOUND, "three seeds prove nothing"


def test_a_share_counts_seeds():
    rounds = list(pairing("submarine", RANDOM, Quitter()).rounds([7, 8]))
    assert share_of(rounds) == Share(2.0, 2)
