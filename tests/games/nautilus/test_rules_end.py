"""NAU-72 to NAU-82: the end, automatic passing, scoring, and public information."""

import pytest

from games.nautilus import GAME
from games.nautilus.commands import (
    BuyModule,
    DockSubmarine,
    EndBuild,
    EndDive,
    MoveSubmarine,
    PayMission,
    PlaceModule,
    SkipBuy,
    UseSonar,
)
from games.nautilus.components import COLOURS, FIELD_VALUE
from games.nautilus.ending import scored, treasure_discs
from games.nautilus.events import (
    BuildEnded,
    EndTriggered,
    GameScored,
    MissionPaid,
    MissionsRevealed,
    TurnAdvanced,
)
from games.nautilus.model import RoundLog
from tests.games.nautilus.table import Table, given

TREASURES = [f"treasure_{k}" for k in range(1, 16)]


def last_but(find: str, *others: str, seats: int = 2, round_: int = 5) -> Table:
    """Return seat 0 before the find at `[21,3]` in the abyss, some treasures being gone."""
    table = given(seats, faces={(21, 3): find})
    table.salvaged(-1, *others)
    table.float("s0_1", (22, 3), launched_in_abyss=True)
    table.wait("sail", 0, round_=round_)
    return table


ENTER = MoveSubmarine("s0_1", (21, 3))


@pytest.mark.rule("NAU-72")
def test_without_13_14_and_15_one_more_round_is_played():
    table = last_but("treasure_14", "treasure_13")
    assert table.when(0, ENTER).of(EndTriggered) == []
    table = last_but("treasure_14", "treasure_13", "treasure_15")
    assert table.when(0, ENTER).of(EndTriggered) == [EndTriggered("treasures_13_14_15", 6)]
    assert (table.state.end_round, table.state.end_reasons) == (6, ("treasures_13_14_15",))
    table.play(0, EndDive())
    assert table.at == (6, "build", "buy", 1), (
        "an ordinary round, the first seat being the next one"
    )
    table.state.round_log = RoundLog(bought_or_built=True)
    table.wait("sail", 0)
    assert table.when(0, EndDive()).names[1] == "missions_revealed"


@pytest.mark.rule("NAU-73", "NAU-75")
def test_without_any_treasure_the_round_is_the_last():
    """The earlier of two ends applies. Both reasons are kept, 13 to 15 first."""
    table = last_but("treasure_15", *TREASURES[:14])
    assert table.when(0, ENTER).of(EndTriggered) == [
        EndTriggered("treasures_13_14_15", 6),
        EndTriggered("all_treasures", 5),
    ]
    assert table.state.end_round == 5
    assert table.view(1).end_reasons == ("treasures_13_14_15", "all_treasures")


@pytest.mark.rule("NAU-75")
def test_a_trigger_never_moves_the_end_later_and_fires_once():
    table = last_but("treasure_14", "treasure_13", "treasure_15")
    table.state.end_round, table.state.end_reasons = 5, ("all_treasures",)
    assert table.when(0, ENTER).of(EndTriggered) == [EndTriggered("treasures_13_14_15", 6)]
    assert table.state.end_round == 5
    table = last_but("gold_5", "treasure_13", "treasure_14", "treasure_15")
    table.state.end_round, table.state.end_reasons = 6, ("treasures_13_14_15",)
    assert table.when(0, ENTER).of(EndTriggered) == []


@pytest.mark.rule("NAU-75")
@pytest.mark.parametrize("money", [55, 0])
def test_treasures_count_however_they_left_the_sea(money):
    table = last_but("treasure_14", "treasure_13", "treasure_15")
    table.pay(0, money)
    assert table.when(0, ENTER).of(EndTriggered) == [EndTriggered("treasures_13_14_15", 6)]
    assert table.state.treasures[13] == (0 if money else -1)


@pytest.mark.rule("NAU-75")
def test_a_covered_treasure_counts_too():
    table = given(2, faces={(21, 3): "treasure_14"})
    table.salvaged(-1, "treasure_13", "treasure_15")
    table.build("hab_a_1", (18, 3))
    table.hold(0, "hab_b_1")
    table.wait("place", 0, round_=4)
    done = table.when(0, PlaceModule("hab_b_1", (21, 3), 1))
    assert done.of(EndTriggered) == [EndTriggered("treasures_13_14_15", 5)]


def last_seat(busy: bool = False, seats: int = 2, **options) -> Table:
    """Return the last seat of round 3 before the end of its dive."""
    table = given(seats, busy=busy, **options)
    table.float(f"s{seats - 1}_1", (15, 7))
    table.wait("sail", seats - 1, round_=3)
    return table


@pytest.mark.rule("NAU-74")
@pytest.mark.parametrize(
    ("bought", "revealed", "idle"),
    [(False, False, True), (True, False, False), (False, True, False), (True, True, False)],
)
def test_a_round_without_purchase_building_or_find_is_the_last(bought, revealed, idle):
    table = last_seat()
    table.state.round_log = RoundLog(bought, revealed)
    done = table.when(1, EndDive())
    assert bool(done.of(EndTriggered)) == idle
    assert (table.state.phase == "over") == idle
    if idle:
        assert done.of(EndTriggered) == [EndTriggered("idle_round", 3)]
        assert done.names[:3] == ["dive_ended", "end_triggered", "missions_revealed"]


@pytest.mark.rule("NAU-74")
def test_a_look_keeps_no_round_alive_but_a_find_does():
    table = last_seat()
    table.play(1, UseSonar("s1_1"))
    assert table.view(0).round_log == RoundLog(bought_or_built=False, revealed=False)
    table.play(1, MoveSubmarine("s1_1", (16, 7)))
    assert table.view(0).round_log.revealed


@pytest.mark.rule("NAU-74")
def test_an_idle_round_is_told_even_where_the_end_was_fixed():
    table = last_seat()
    table.state.end_round, table.state.end_reasons = 3, ("treasures_13_14_15",)
    table.play(1, EndDive())
    assert table.state.result.reasons == ("treasures_13_14_15", "idle_round")


@pytest.mark.rule("NAU-74")
def test_declining_all_round_ends_the_match_at_once():
    table = given(3, busy=False)
    for seat in range(3):
        assert table.at[2:] == ("buy", seat)
        done = table.when(seat, SkipBuy())
    assert done.names == [
        "buy_skipped",
        "end_triggered",
        "missions_revealed",
        "mission_paid",
        "mission_paid",
        "mission_paid",
        "game_scored",
    ]
    assert table.state.result.rounds == 1
    assert [seat.score for seat in table.state.result.seats] == [50, 50, 50]


@pytest.mark.rule("NAU-76")
def test_steps_without_a_choice_are_passed():
    """No researcher is on the board: after the last purchase the next round begins."""
    table = given(2)
    table.play(0, BuyModule("hab_a", 1), EndBuild())
    table.play(1, BuyModule("hab_a", 1))
    table.when(1, EndBuild()).then(BuildEnded(1), TurnAdvanced(2, "build", "buy", 1, 1))


@pytest.mark.rule("NAU-76")
def test_a_place_step_is_never_passed():
    table = given(2)
    table.play(0, BuyModule("res_grey_1", 0))
    assert table.at[2:] == ("place", 0)
    table = given(2)
    table.pay(0, 1)
    table.play(0, BuyModule("res_grey_1", 0))
    assert table.legal(0) == [EndBuild()]


@pytest.mark.rule("NAU-76")
def test_rounds_in_which_nobody_can_act_end_the_match_in_one_decision():
    """Round 3 was not idle. In round 4 no seat has money, free researchers or submarines."""
    table = last_seat(busy=True)
    table.state.money = [0, 0]
    table.play(1, MoveSubmarine("s1_1", (15, 7)))
    table.build("hab_a_1", (15, 9))
    table.man("hab_a_1", "r0_01", employed=True)
    table.man("base", *(f"r1_{k:02d}" for k in range(1, 16)), employed=True)
    done = table.when(1, DockSubmarine("s1_1", "hab_a_1"))
    assert done.names == [
        "submarine_docked",
        "buy_skipped",
        "buy_skipped",
        "end_triggered",
        "missions_revealed",
        "mission_paid",
        "mission_paid",
        "game_scored",
    ]
    assert done.of(EndTriggered) == [EndTriggered("idle_round", 4)]
    assert table.state.result.rounds == table.state.round == 4


@pytest.mark.rule("NAU-77")
@pytest.mark.parametrize(
    ("seats", "treasures", "discs"),
    [
        (2, [[1], [2]], [2, 4]),
        (2, [[1, 2], [15]], [4, 2]),
        (3, [[1, 9], [2, 8], [3, 4, 5]], [3, 1, 5]),
        (4, [[1], [2], [3], [4]], [1, 2, 4, 5]),
        (4, [[4, 12], [13, 15], [9], [1, 2, 3]], [2, 4, 1, 5]),
    ],
)
def test_treasure_discs_by_number_then_by_the_highest(seats, treasures, discs):
    table = given(seats)
    for seat, numbers in enumerate(treasures):
        table.salvaged(seat, *(f"treasure_{n}" for n in numbers))
    assert treasure_discs(table.state) == discs


@pytest.mark.rule("NAU-77")
def test_treasures_without_a_marker_rank_nobody():
    table = given(2)
    table.salvaged(-1, "treasure_14", "treasure_15")
    table.salvaged(1, "treasure_1")
    assert treasure_discs(table.state) == [2, 4]


@pytest.mark.rule("NAU-78")
@pytest.mark.parametrize(
    ("option", "seats", "discs"),
    [
        ("lowest", 4, [1, 5, 1, 1]),
        ("none", 4, [0, 5, 0, 0]),
        ("lowest", 2, [2, 4]),
        ("none", 2, [0, 4]),
    ],
)
def test_seats_without_treasure_all_count_the_lowest_disc(option, seats, discs):
    table = given(seats, zero_treasure_disc=option)
    table.salvaged(1, "treasure_7")
    assert treasure_discs(table.state) == discs


@pytest.mark.rule("NAU-78")
def test_nobody_has_a_treasure():
    assert treasure_discs(given(2).state) == [2, 2]
    assert treasure_discs(given(3).state) == [1, 1, 1]
    assert treasure_discs(given(3, zero_treasure_disc="none").state) == [0, 0, 0]


def paying(money=(9, 9), finds=(("starfish_1", "octopus_1", "ray_1"), ("ray_2",))) -> Table:
    """Return a mission phase. Cards: starfish and octopus for seat 0, seahorse and ray for 1."""
    table = last_seat()
    for seat, own in enumerate(finds):
        table.salvaged(seat, *own)
    table.state.money = list(money)
    table.play(1, EndDive())
    return table


@pytest.mark.rule("NAU-79")
def test_mission_finds_may_be_paid_for():
    table = paying()
    assert table.at == (3, "mission", "pay", -1)
    assert GAME.waiting(table.state) == {0, 1}
    assert table.legal(0) == [PayMission(0), PayMission(1), PayMission(2)]
    assert table.legal(1) == [PayMission(0), PayMission(1)]
    table.when(0, PayMission(3)).refused("too-many-finds")
    table.when(0, PayMission(2)).then(MissionPaid(0, 2))
    assert table.state.money[0] == 7
    assert GAME.waiting(table.state) == {1}
    table.when(0, PayMission(0)).refused("already-paid")
    done = table.when(1, PayMission(0))
    assert done.names == ["mission_paid", "game_scored"]
    parts = table.state.result.seats
    assert (parts[0].field_points, parts[0].mission_paid, parts[0].find_points) == (2, 2, 6)


@pytest.mark.rule("NAU-79")
def test_who_has_no_choice_pays_nothing_by_itself():
    table = paying(money=(1, 0))
    assert table.state.mission_paid == [-1, 0]
    assert table.legal(0) == [PayMission(0), PayMission(1)]
    table.when(0, PayMission(2)).refused("not-enough-money")
    table = paying(finds=(("ray_1",), ("octopus_1",)))
    assert table.at[1] == "over"


@pytest.mark.rule("NAU-79", "NAU-80")
@pytest.mark.parametrize(("levels", "count"), [((0, 0), 0), ((2, 0), 0), ((2, 2), 2)])
def test_the_clock_pays_where_it_pays(levels, count):
    table = last_seat()
    table.salvaged(0, "starfish_1", "octopus_1")
    table.levels(0, green=levels[0], grey=levels[1])
    table.play(1, EndDive())
    assert GAME.default(table.state, 0) == PayMission(count)


@pytest.mark.rule("NAU-80")
def test_finds_times_modules_plus_money():
    table = given(2)
    table.salvaged(0, "starfish_1", "octopus_1", "ray_1", "anglerfish_1", "gold_1", "treasure_3")
    table.levels(0, green=1, grey=2, brown=3, blue=4)
    table.state.three = [-1, -1, 0, 0, -1]
    table.state.mission_paid = [2, 0]
    table.state.money = [7, 11]
    parts = scored(table.state, table.state.round).result.seats
    assert parts[0].field_points == 0 + 1 + 1 + 2 + 2
    assert parts[0].find_points == 6 + 2 + 4
    assert parts[0].module_points == {"green": 0, "grey": 1, "brown": 3, "blue": 3, "black": 0}
    assert parts[0].module_total == 7
    assert (parts[0].product, parts[0].score) == (84, 91)
    assert (parts[1].product, parts[1].score) == (0, 11), "no module points: its money only"
    assert parts[0].fields == {
        "starfish": 1, "seahorse": 0, "octopus": 1, "ray": 1, "anglerfish": 1, "gold": 1
    }  # fmt: skip
    assert parts[0].treasures == (3,)
    assert set(FIELD_VALUE.values()) == {0, 1, 2}
    assert tuple(parts[0].module_points) == COLOURS


@pytest.mark.rule("NAU-81")
@pytest.mark.parametrize(
    ("money", "places", "winners"),
    [
        ([5, 7, 7, 1], [3, 1, 1, 4], (1, 2)),
        ([5, 5, 5, 5], [1, 1, 1, 1], (0, 1, 2, 3)),
        ([9, 5, 4, 4], [1, 2, 3, 3], (0,)),
    ],
)
def test_equal_scores_share_the_place(money, places, winners):
    table = given(4)
    table.state.money = money
    table.state.mission_paid = [0] * 4
    result = scored(table.state, table.state.round).result
    assert result.places(4) == places
    assert result.winners == winners


@pytest.mark.rule("NAU-82")
def test_all_but_faces_and_missions_is_public():
    """All other fields are the same for every viewer."""
    table = given(3)
    table.build("res_grey_1", (15, 9))
    table.man("res_grey_1", "r0_01", employed=True)
    table.hold(1, "hab_a_1", "r1_01")
    table.float("s2_1", (15, 7))
    table.wait("sail", 2)
    table.play(2, UseSonar("s2_1"))
    views = [table.view(viewer) for viewer in (0, 1, 2, None)]
    for field in views[0].__struct_fields__:
        shown = [getattr(view, field) for view in views]
        if field in ("hidden", "mission"):
            assert any(other != shown[-1] for other in shown[:-1])
        else:
            assert all(other == shown[-1] for other in shown)


@pytest.mark.rule("NAU-1", "NAU-76")
def test_one_advance_tells_of_all_that_was_passed():
    """`turn_advanced` comes once, and last."""
    table = last_seat(busy=True)
    table.state.money = [0, 9]
    table.state.first_seat = 0
    done = table.when(1, EndDive())
    assert done.names == ["dive_ended", "turn_advanced"]
    assert done.events[-1] == TurnAdvanced(4, "build", "buy", 1, 1)
    assert table.state.round_log == RoundLog()
    table.play(1, BuyModule("hab_a", 1))
    done = table.when(1, EndBuild())
    assert done.names == ["build_ended", "buy_skipped", "turn_advanced"]
    assert done.of(TurnAdvanced)[0].phase == "dive"


def test_the_mission_cards_open_with_the_mission_phase():
    table = paying()
    for viewer in (0, 1, None):
        assert table.view(viewer).mission == ("mission_1", "mission_2")
        assert table.view(viewer).mission_rest == ("?", "?")
    assert not table.when(0, PayMission(0)).of(MissionsRevealed)
    assert isinstance(table.when(1, PayMission(0)).events[-1], GameScored)
    assert table.view(None).mission_rest == ("mission_3", "mission_4")
