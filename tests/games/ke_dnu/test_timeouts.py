"""Defaults and clocks."""

from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    ChooseCard,
    DiscardDown,
    Draw,
    EndTurn,
    Jettison,
    Pass,
    PlaceStory,
    React,
    Tycoon,
)
from tests.games.ke_dnu.table import drawing, given


def default(p, seat):
    command = GAME.default(p.state, seat)
    assert command in GAME.legal(p.state, seat)
    return command


def test_the_defaults_of_a_turn():
    """Tycoon against the lowest possible seat, draw, end of turn, cheapest discard."""
    p = drawing(
        3,
        active=1,
        boards={1: "tycoon_1 maid_1"},
        hands={1: "jack_1"},
        decks={0: ""},
        tycoon_left=1,
        maid_left=1,
    )
    assert default(p, 1) == Tycoon(2)
    p.when(1, Tycoon(2))
    assert default(p, 1) == Draw()
    p.when(1, Draw())
    assert default(p, 1) == EndTurn()
    six = "band_1 jack_1 seal_1 baby_1 passenger_1 passenger_2"
    p = given(phase="voyage", hands={0: six}, step="limit", locked=["jack_1"])
    assert default(p, 0) == DiscardDown("passenger_1")


def test_the_defaults_of_windows():
    p = given(boards={0: "burglar_1", 1: "ship_guard_1"})
    p.when(0, Activate("burglar_1", 1))
    assert default(p, 1) == Pass()
    p = given(boards={1: "fanatic_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1"))
    assert default(p, 0) == Pass()
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    p.when(0, Jettison("jack_1"))
    assert default(p, 1) == Pass()
    p = given(boards={0: "janitor_1", 1: "lady_1 stoker_2 stoker_1"})
    p.when(0, Activate("janitor_1"))
    assert default(p, 1) == ChooseCard("stoker_1")
    p = given(
        boards={0: "proletarian_1"}, hands={1: "jack_1 passenger_9 lady_1"}, locked=["jack_1"]
    )
    p.when(0, EndTurn())
    assert default(p, 1) == ChooseCard("passenger_9")
    p = given(boards={0: "proletarian_1"}, hands={1: "band_1"})
    p.when(0, EndTurn())
    assert default(p, 1) == ChooseCard("band_1")
    p = given(boards={0: "storyteller_1"})
    p.when(0, Activate("storyteller_1"))
    assert default(p, 0) == PlaceStory("deck")


def test_one_clock_for_a_turn_and_one_for_each_frame():
    options = {"turn_seconds": 100, "window_seconds": 7}
    p = given(
        3,
        boards={0: "burglar_1 burglar_2", 1: "ship_guard_1 lifebuoy_1", 2: "ship_guard_2"},
        options=options,
    )
    turn = GAME.timing.clock(p.state, 0)
    assert turn is not None
    assert turn[1] == 100
    p.when(0, Activate("burglar_1", 1))
    first = GAME.timing.clock(p.state, 1)
    assert first is not None
    assert first[1] == 7
    assert GAME.timing.clock(p.state, 2) == first
    p.when(1, React("lifebuoy_1"))
    second = GAME.timing.clock(p.state, 2)
    assert second != first
    p.when(2, Pass())
    assert GAME.timing.clock(p.state, 1) == first, "back in the frame below, its clock goes on"
    p.when(1, Pass())
    p.when(2, Pass())
    assert GAME.timing.clock(p.state, 0) == turn
    p.when(0, Activate("burglar_2", 1))
    assert GAME.timing.clock(p.state, 1) not in {first, second}
    p.when(1, Pass())
    p.when(2, Pass())
    p.when(0, EndTurn())
    assert GAME.timing.clock(p.state, 1) != turn


def test_nothing_is_in_real_time_and_each_seat_plays_for_itself():
    p = given(3)
    assert GAME.timing.pace is None
    assert GAME.teams(p.state) == [{0}, {1}, {2}]
    assert GAME.result(p.state) is None
