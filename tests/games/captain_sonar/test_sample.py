"""Sampled worlds fit all that their viewer has seen, and differ in the rest."""

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.players.outlook import outlook_of
from games.captain_sonar.rules.crews import spaces
from games.chance import Chance
from games.playout import Watchers, at_random, plies, seed_of
from tests.games.captain_sonar.laws import LAWS, census

encode = msgspec.json.encode
STRICT = [
    (8, {"strict_stations": True, "map": "echo", "max_turns": 30}),
    (8, {"strict_stations": True, "mode": "real_time", "map": "bravo", "max_turns": 30}),
    (5, {"strict_stations": True, "radio_assist": "inference", "max_turns": 30}),
]


def watched(seats, raw, seed, every=40):
    """Yield states of random playouts now and then, and what has been seen of them."""
    options = msgspec.convert(raw, GAME.Options)
    watchers = Watchers(GAME, seats, options)
    dice = Chance(seed_of(seed), 1 << 41)
    for state, ply in plies(GAME, seats, options, seed_of(seed), at_random(dice)):
        watchers.watch(ply)
        if ply.version % every == 0 or not GAME.waiting(state):
            yield state, watchers, dice


@pytest.mark.parametrize("table", range(len(LAWS.tables)))
def test_a_world_has_its_viewers_view_and_commands(table):
    seats, raw = LAWS.tables[table]
    for state, watchers, dice in watched(seats, raw, table):
        for viewer in (*range(seats), None):
            view = GAME.view(state, viewer)
            world = GAME.players.sample(view, watchers.seen(viewer), dice)
            assert encode(GAME.view(world, viewer)) == encode(view)
            assert GAME.awaited(world, viewer) == GAME.awaited(state, viewer)
            assert census(world) == census(state)
            if viewer is not None:
                assert encode(GAME.legal(world, viewer)) == encode(GAME.legal(state, viewer))


@pytest.mark.parametrize(("seats", "raw"), STRICT)
def test_with_strict_stations_the_other_sheets_are_drawn(seats, raw):
    for state, watchers, dice in watched(seats, raw, 7, every=50):
        for viewer in range(seats):
            view = GAME.view(state, viewer)
            world = GAME.players.sample(view, watchers.seen(viewer), dice)
            assert encode(GAME.view(world, viewer)) == encode(view)
            assert census(world) == census(state)


@pytest.mark.parametrize(
    "raw", [{"map": "charlie"}, {"map": "echo", "ready_announcements": "crew"}]
)
def test_drawn_boats_are_where_they_can_be_with_what_was_heard(raw):
    """Positions are among the candidates. A gauge is full if and only if that was announced."""
    for state, watchers, dice in watched(2, {**raw, "max_turns": 60}, 5, every=50):
        if state.phase in ("deploy", "over"):
            continue
        view, seen = GAME.view(state, 0), watchers.seen(0)
        found = outlook_of(view, seen).enemy.candidates()
        for _ in range(5):
            boat = GAME.players.sample(view, seen, dice).crews[1]
            assert boat.position in found
            assert not set(boat.mines) & set(boat.route)
            for gauge, room in spaces(state).items():
                assert 0 <= boat.gauges[gauge] <= room
                if "ready_announcements" not in raw and boat.station == "ready":
                    full = state.crews[1].gauges[gauge] == room
                    assert (boat.gauges[gauge] == room) == full


def test_worlds_differ_in_what_is_hidden():
    drawn = set()
    for state, watchers, dice in watched(2, {"map": "bravo", "max_turns": 12}, 3, every=50):
        if state.phase == "over":
            continue
        for _ in range(20):
            world = GAME.players.sample(GAME.view(state, 0), watchers.seen(0), dice)
            enemy = world.crews[1]
            drawn.add((enemy.position, tuple(enemy.gauges.values()), tuple(enemy.crossed)))
            assert world.crews[0] == state.crews[0]
    assert len(drawn) > 10


def test_worlds_play_on():
    """A sampled world is a state like any other: it can be played to its end."""
    for state, watchers, dice in watched(4, {"mode": "real_time", "max_turns": 40}, 2, every=40):
        world = GAME.players.sample(GAME.view(state, 1), watchers.seen(1), dice)
        for version in range(2000):
            waiting = sorted(GAME.waiting(world))
            if not waiting:
                break
            seat = dice.choice(waiting)
            command = dice.choice(GAME.legal(world, seat))
            for event in GAME.decide(world, seat, command, Chance(seed_of(1), version)):
                GAME.apply(world, event)
        assert GAME.result(world) is not None


def test_before_the_set_up_there_is_nothing_to_draw():
    options = GAME.Options()
    state = GAME.initial(2, options)
    watchers = Watchers(GAME, 2, options)
    world = GAME.players.sample(GAME.view(state, 0), watchers.seen(0), Chance(seed_of(1), 1))
    assert world == state
