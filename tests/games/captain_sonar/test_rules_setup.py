"""Set-up, roles and deploying: SON-1 to SON-9."""

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import ChooseStart
from games.captain_sonar.events import Dived, SetupDone, StartChosen, TurnStarted
from games.chance import Chance
from games.game import Illegal
from games.playout import seed_of
from tests.games.captain_sonar.table import Table, at, deploying


def set_up(seats: int, seed: int = 0, **options) -> SetupDone:
    (event,) = GAME.setup(seats, msgspec.convert(options, GAME.Options), Chance(seed_of(seed), 1))
    return event


def refusal(seats: int, **options) -> str:
    with pytest.raises(Illegal) as caught:
        set_up(seats, **options)
    return caught.value.code


@pytest.mark.rule("SON-1")
@pytest.mark.parametrize(
    ("seats", "crews"),
    [
        (2, ((0,), (1,))),
        (3, ((0, 2), (1,))),
        (4, ((0, 2), (1, 3))),
        (5, ((0, 2, 4), (1, 3))),
        (6, ((0, 2, 4), (1, 3, 5))),
        (7, ((0, 2, 4, 6), (1, 3, 5))),
        (8, ((0, 2, 4, 6), (1, 3, 5, 7))),
    ],
)
def test_seats_join_the_crews_in_turn(seats, crews):
    assert set_up(seats).crew_seats == crews


@pytest.mark.rule("SON-2")
def test_two_or_three_players_need_turns():
    assert [refusal(seats, mode="real_time") for seats in (2, 3)] == ["mode-needs-four-players"] * 2
    assert set_up(4, mode="real_time").mode == "real_time"


ALL = ("captain", "first_mate", "engineer", "radio_operator")


@pytest.mark.rule("SON-3")
@pytest.mark.parametrize(
    ("seats", "roles"),
    [
        (2, {0: ALL, 1: ALL}),
        (3, {0: ALL[:3], 2: ALL[3:], 1: ALL}),
        (4, {0: ALL[:3], 1: ALL[:3], 2: ALL[3:], 3: ALL[3:]}),
        (5, {0: ALL[:2], 2: ALL[2:3], 4: ALL[3:], 1: ALL[:3], 3: ALL[3:]}),
        (6, {0: ALL[:2], 1: ALL[:2], 2: ALL[2:3], 3: ALL[2:3], 4: ALL[3:], 5: ALL[3:]}),
        (
            7,
            {
                0: ALL[:1],
                2: ALL[1:2],
                4: ALL[2:3],
                6: ALL[3:],
                1: ALL[:2],
                3: ALL[2:3],
                5: ALL[3:],
            },
        ),
        (8, {seat: ALL[seat // 2 : seat // 2 + 1] for seat in range(8)}),
    ],
)
def test_roles_are_shared_among_a_crew(seats, roles):
    assert dict(enumerate(set_up(seats).roles)) == roles


def test_roles_can_be_assigned_otherwise():
    """Roles are listed in the order of the rulebook, in whatever order they were given."""
    assignment = [[1, "engineer", "captain"], [0, *ALL], [1, "radio_operator", "first_mate"]]
    event = set_up(3, role_assignment=assignment)
    assert event.crew_seats == ((1,), (0, 2))
    assert event.roles == (("captain", "engineer"), ALL, ("first_mate", "radio_operator"))


@pytest.mark.parametrize(
    "assignment",
    [
        [[0, *ALL]],
        [[0, *ALL], [1, *ALL[:3]]],
        [[0, *ALL], [0, *ALL]],
        [[0, *ALL], [1, *ALL[:3], "captain"]],
        [[0, *ALL], [1]],
        [[0, *ALL], []],
        [[0, *ALL], [*ALL]],
        [[0, *ALL], [1, *ALL], [1, "captain"]],
        [[0, *ALL], [2, *ALL]],
        [[0, *ALL], [-1, *ALL]],
        [[0, *ALL], ["1", *ALL]],
        [[0, *ALL], [1, *ALL, *ALL]],
        [[0, *ALL], [1, *ALL, "cook"]],
        [[0, *ALL], [1, *ALL, 1]],
    ],
)
def test_an_assignment_that_makes_no_two_crews_is_refused(assignment):
    assert refusal(2, role_assignment=assignment) == "bad-role-assignment"


def test_crews_differ_by_at_most_one_seat():
    uneven = [[0, *ALL], *([1, role] for role in ALL)]
    assert refusal(5, role_assignment=uneven) == "bad-role-assignment"


def test_boats_have_different_names():
    assert refusal(2, boat_names=["Orca", "Orca"]) == "boat-names-equal"


@pytest.mark.rule("SON-4")
@pytest.mark.parametrize(
    ("options", "side", "size"),
    [
        ({"mode": "turns"}, "light", 10),
        ({"mode": "real_time"}, "dark", 15),
        ({"mode": "turns", "board_side": "dark"}, "dark", 15),
        ({"mode": "real_time", "board_side": "light"}, "light", 10),
    ],
)
def test_turns_use_the_light_side_and_real_time_the_dark(options, side, size):
    event = set_up(4, **options)
    assert (event.side, event.size) == (side, size)
    drones = Table(4, **options)
    drones.act()
    drones.put(0, "A1", full="drone")
    sectors = [c.sector for c in drones.legal(0) if type(c).__name__ == "LaunchDrone"]
    assert sectors == list(range(1, (size // 5) ** 2 + 1))


@pytest.mark.rule("SON-5")
def test_both_crews_sail_the_same_map():
    table = deploying(map="echo")
    for seat in (0, 1):
        table.when(seat, ChooseStart(at("B2"))).refused("cell-is-island")
        assert table.trial(seat, ChooseStart(at("D1"))).accepted
    assert table.boat(0).gauges == table.boat(1).gauges


@pytest.mark.rule("SON-6")
def test_a_start_is_any_sea_cell_even_the_enemys():
    table = deploying()
    table.when(0, ChooseStart(at("D1"))).refused("cell-is-island")
    assert len(table.legal(0)) == 92
    table.play(0, ChooseStart(at("A1")))
    assert table.trial(1, ChooseStart(at("A1"))).accepted


@pytest.mark.rule("SON-6", "SON-7")
def test_play_starts_when_both_captains_have_chosen_in_any_order():
    table = deploying()
    table.when(1, ChooseStart(at("J10"))).then(StartChosen(1, at("J10")))
    assert table.state.phase == "deploy"
    table.when(0, ChooseStart(at("A1"))).then(
        StartChosen(0, at("A1")), Dived(0), Dived(1), TurnStarted(0, 1, False)
    )


@pytest.mark.rule("SON-7")
def test_in_real_time_both_boats_dive_and_nobody_has_a_turn():
    table = Table(4, mode="real_time")
    assert [type(event) for event in table.events[-2:]] == [Dived, Dived]
    assert (table.state.phase, table.state.active_crew) == ("live", -1)


@pytest.mark.rule("SON-8")
def test_the_opening_crew_is_drawn():
    assert {set_up(2, seed).first_crew for seed in range(12)} == {0, 1}
    assert {set_up(2, seed, first_crew=1).first_crew for seed in range(12)} == {1}
    assert Table(first_crew=1).state.active_crew == 1


@pytest.mark.rule("SON-9")
def test_the_start_is_the_first_cell_of_the_route():
    table = Table(starts="B2 J9")
    assert [table.boat(crew).route for crew in (0, 1)] == [[at("B2")], [at("J9")]]


def test_all_chance_is_drawn_at_the_set_up_in_its_order():
    """The opening crew, the pads and the default starts are drawn; a fixed opening crew is not."""
    event, dice = set_up(2, 5), Chance(seed_of(5), 1)
    assert event.first_crew == dice.randbelow(2)
    assert event.pads == tuple(tuple(dice.randbelow(65536) for _ in range(64)) for _ in range(2))
    assert all(event.default_starts)
    assert set_up(2, 5, first_crew=0).pads[0][0] == Chance(seed_of(5), 1).randbelow(65536)
