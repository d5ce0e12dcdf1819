"""Sampled worlds keep everything a viewer has seen; the rest is drawn evenly."""

from collections import Counter

from games.chance import Chance
from games.game import Seen
from games.nautilus import GAME
from games.nautilus.commands import UseSonar
from games.nautilus.components import PLACE_OF, PLACE_ZONES
from games.nautilus.model import Options
from games.playout import seed_of
from tests.games.nautilus.laws import census
from tests.games.nautilus.table import Table, given


def worlds(table: Table, viewer: int | None, count: int = 60):
    seen = Seen(viewer, table.state.seats, Options(), [])
    for number in range(count):
        yield GAME.players.sample(table.view(viewer), seen, Chance(seed_of(number), 1))


def looked() -> Table:
    table = given(3)
    table.float("s0_1", (22, 10))
    table.wait("sail", 0)
    table.play(0, UseSonar("s0_1"))
    return table


def test_a_world_gives_its_viewer_the_same_view_and_holds_every_piece():
    table = looked()
    for viewer in (0, 1, None):
        for world in worlds(table, viewer, 10):
            assert GAME.view(world, viewer) == table.view(viewer)
            assert census(world) == census(table.state)


def test_known_faces_stand_and_unknown_ones_change():
    table = looked()
    known = [PLACE_OF[cell] for cell in table.view(0).known[0]]
    faces = [Counter(column) for column in zip(*(w.hidden for w in worlds(table, 0)), strict=True)]
    for place, found in enumerate(faces):
        if place in known:
            assert set(found) == {table.state.hidden[place]}
        else:
            assert len(found) > 3
    assert all(
        len(f) > 3 for f in map(set, zip(*(w.hidden for w in worlds(table, 1)), strict=True))
    )


def test_faces_are_drawn_evenly_within_their_zone():
    table = given(2)
    place = PLACE_ZONES.index(0)
    drawn = Counter(world.hidden[place] for world in worlds(table, None, 400))
    assert len(drawn) == 8
    assert min(drawn.values()) > 25


def test_missions_are_drawn_from_those_the_viewer_does_not_hold():
    table = given(3)
    drawn = Counter((*w.mission, *w.mission_rest) for w in worlds(table, 1, 120))
    assert {order[1] for order in drawn} == {"mission_2"}
    assert len(drawn) == 6
    open_table = given(3, open_missions=True)
    seen = Seen(None, 3, Options(open_missions=True), [])
    world = GAME.players.sample(open_table.view(None), seen, Chance(seed_of(1), 1))
    assert world.mission == open_table.state.mission
