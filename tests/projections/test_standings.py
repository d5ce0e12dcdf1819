"""Standings as a fold over results."""

from hypothesis import given
from hypothesis import strategies as st

from projections.standings import Finished, Standing, fold, unfold
from projections.summary import Outcome, Sitter

NAMES = st.sampled_from(["p_a", "p_b", "p_c", "bot:heuristic"])


def sitter(name: str) -> Sitter:
    return Sitter(bot=name[4:]) if name.startswith("bot:") else Sitter(name)


def result(names, places, teams=None) -> Finished:
    seats = range(len(names))
    teams = teams or tuple((seat,) for seat in seats)
    winners = tuple(seat for seat in seats if places[seat] == 1)
    return Finished(
        tuple(map(sitter, names)), Outcome(at=0, teams=teams, places=tuple(places), winners=winners)
    )


@st.composite
def results(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=4))
    if draw(st.booleans()):
        won = draw(st.booleans())
        outcome = Outcome(
            0, (tuple(range(len(names))),), (1,) * len(names), tuple(range(len(names))) * won
        )
        return Finished(tuple(map(sitter, names)), outcome)
    return result(names, draw(st.permutations(range(1, len(names) + 1))))


def test_the_winner_goes_up_and_the_loser_down():
    standings = {}
    fold(standings, [result(["p_a", "p_b"], [1, 2])])
    up, down = standings["p_a"], standings["p_b"]
    assert up.mu > Standing().mu > down.mu
    assert up.sigma < Standing().sigma
    assert (up.rated, up.won, down.rated, down.won) == (1, 1, 1, 0)
    assert up.rating > down.rating


def test_an_upset_moves_more_than_what_was_expected():
    standings = {"p_a": Standing(mu=30.0, sigma=2.0), "p_b": Standing(mu=20.0, sigma=2.0)}
    expected, upset = dict(standings), dict(standings)
    fold(expected, [result(["p_a", "p_b"], [1, 2])])
    fold(upset, [result(["p_a", "p_b"], [2, 1])])
    assert upset["p_b"].mu - 20.0 > expected["p_a"].mu - 30.0


def test_crews_rise_and_fall_together():
    standings = {}
    fold(
        standings, [result(["p_a", "p_b", "p_c", "bot:heuristic"], [1, 1, 2, 2], ((0, 1), (2, 3)))]
    )
    assert standings["p_a"].mu == standings["p_b"].mu > standings["p_c"].mu
    assert standings["p_c"].mu == standings["bot:heuristic"].mu


def test_playing_against_oneself_says_nothing():
    standings = {}
    assert fold(standings, [result(["bot:heuristic", "bot:heuristic"], [1, 2])]) == [{}]
    assert standings == {}


def test_a_cooperative_match_rates_nobody_but_counts():
    crew = tuple(map(sitter, ["p_a", "p_b"]))
    standings = {}
    fold(standings, [Finished(crew, Outcome(0, ((0, 1),), (1, 1), (0, 1)))])
    fold(standings, [Finished(crew, Outcome(0, ((0, 1),), (1, 1), ()))])
    assert standings["p_a"] == Standing(together=2, won_together=1)
    assert standings["p_a"].share == 0.5


def test_few_wins_do_not_beat_many():
    assert Standing(together=1, won_together=1).share < Standing(together=40, won_together=38).share


@given(st.lists(results(), max_size=6), st.lists(results(), max_size=6))
def test_what_was_counted_can_be_taken_back(first, second):
    standings: dict[str, Standing] = {}
    fold(standings, first)
    before = dict(standings)
    befores = fold(standings, second)
    unfold(standings, reversed(befores))
    assert standings == before
