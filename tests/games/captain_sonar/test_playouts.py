"""Worlds drawn for a seat can be played on, so that no hint and no analysis fails."""

import itertools

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.captain_sonar import GAME
from games.captain_sonar.components import gauge_spaces
from games.captain_sonar.players.sheets import Activated, Move, draw_marks
from games.chance import Chance
from games.playout import Watchers, at_random, plies, seed_of
from games.search import never
from games.search.evaluate import Trials
from games.search.rollout import blueprint_of, forecasting, rollout
from games.search.worlds import Worlds

MAPS = ("alpha", "bravo", "charlie", "delta", "echo")
LOOKS = 3
"""Number of positions of a match for which worlds are drawn."""

rare = settings(max_examples=6)
flags = st.fixed_dictionaries(
    {},
    optional={
        "board_side": st.sampled_from(["light", "dark"]),
        "strict_stations": st.just(True),
        "ready_announcements": st.just("crew"),
        "damage_first": st.just(True),
        "bonus_surface": st.just("three"),
        "torpedo_over_islands": st.just(True),
        "radio_assist": st.sampled_from(["none", "inference"]),
        "trace_mode": st.just("simple"),
    },
)


@pytest.mark.parametrize(("mode", "name"), [*itertools.product(["turns", "real_time"], MAPS)])
@rare
@given(data=st.data())
def test_worlds_of_random_matches_play_on(mode, name, data):
    seats = data.draw(st.integers(2 if mode == "turns" else 4, 8), label="seats")
    raw = {"mode": mode, "map": name, "max_turns": 30, **data.draw(flags, label="options")}
    options = msgspec.convert(raw, GAME.Options)
    seed = seed_of(data.draw(st.integers(0, 2**32), label="seed"))
    dice = Chance(seed, 1 << 41)
    watchers = Watchers(GAME, seats, options)
    policy = blueprint_of(GAME).policy
    random, skilled = at_random(dice), data.draw(st.booleans(), label="skilled")
    looks = sorted(data.draw(st.lists(st.integers(2, 250), max_size=LOOKS), label="looks"))
    choose = (lambda state, seat, _: policy(state, seat, dice)) if skilled else random
    for state, ply in plies(GAME, seats, options, seed, choose):
        watchers.watch(ply)
        if not looks or ply.version < looks[0] or not (waiting := sorted(GAME.waiting(state))):
            continue
        looks.pop(0)
        seat = dice.choice(waiting)
        view, seen, legal = GAME.view(state, seat), watchers.seen(seat), GAME.legal(state, seat)
        candidates = dice.sample(legal, min(3, len(legal)))
        trials = Trials(GAME, Worlds(GAME, view, seen, dice), seat, candidates)
        trials.extend(range(len(candidates)), 3 // len(candidates))
        viewer = dice.choice([*range(seats), None])
        worlds = Worlds(GAME, GAME.view(state, viewer), watchers.seen(viewer), dice)
        rollout(forecasting(GAME), worlds.sample(0), worlds.seed(0), never)


def test_a_crew_whose_gauges_are_full_marks_nothing():
    """Also without announcements: 19 of 25 moves fill all gauges until the next activation."""
    spaces = gauge_spaces("alpha")
    moves = [Move(at, "n", False, True, True, "", False) for at in range(25)]
    room = sum(spaces.values())
    assert room < len(moves)
    steps = [*moves, Activated("torpedo", "weapon"), moves[-1]._replace(place=25)]
    for seed in range(20):
        marks = draw_marks(steps, spaces, {}, Chance(seed_of(seed), 1), heard=False)
        assert marks is not None
        assert set(marks) == {*range(room), 25}
        assert marks[25] == "torpedo"
        for gauge, count in spaces.items():
            assert sum(marks[at] == gauge for at in range(room)) == count
