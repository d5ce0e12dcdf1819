"""Worked examples from launching to scoring: 10 to 15."""

import pytest

from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    DockSubmarine,
    EndDive,
    LaunchSubmarine,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    SkipBonus,
    UseSonar,
)
from games.nautilus.components import PLACE_CELLS
from games.nautilus.events import (
    EndTriggered,
    FindLost,
    FindsPeeked,
    FindTaken,
    GameScored,
    MissionPaid,
    MissionsRevealed,
    SonarUsed,
    SubmarineDocked,
    SubmarineLaunched,
    SubmarineMoved,
    TurnAdvanced,
)
from tests.games.nautilus.table import Table, given


def harbour() -> Table:
    """Return two researchers of seat 0 in `res_brown_3`, one employed and one free."""
    table = given(2)
    table.build("hab_a_1", (18, 12), 2)
    table.build("res_brown_3", (20, 10), 3)
    table.man("res_brown_3", "r0_01", employed=True)
    table.man("res_brown_3", "r0_02")
    table.wait("launch", 0)
    return table


@pytest.mark.rule("NAU-47", "NAU-48", "NAU-49", "NAU-70", "NAU-71", "NAU-76")
def test_10_launch_and_dock():
    table = harbour()
    table.when(0, LaunchSubmarine("res_brown_3", (20, 8))).refused("cell-not-free")
    table.when(0, LaunchSubmarine("res_brown_3", (20, 12))).refused("not-beside-exit")
    table.when(0, LaunchSubmarine("res_brown_3", (22, 10))).then(
        SubmarineLaunched(0, "s0_1", "res_brown_3", "r0_02", (22, 10), in_abyss=False),
        TurnAdvanced(1, "dive", "sail", 0, 0),
    )
    assert "r0_02" in table.view(0).stock[0]
    table.wait("launch", 0)
    refused = table.when(0, LaunchSubmarine("res_brown_3", (18, 10))).code
    assert refused == "no-free-researcher"

    table.wait("sail", 0)
    table.play(0, MoveSubmarine("s0_1", (22, 10)))
    docked = table.when(0, DockSubmarine("s0_1", "res_brown_3")).events[0]
    assert docked == SubmarineDocked(0, "s0_1", "res_brown_3", "r0_02")
    assert table.view(0).subs_stock[0] == ("s0_1", "s0_2", "s0_3")
    assert table.view(0).researchers["r0_02"] == "res_brown_3"
    assert "r0_02" not in table.view(0).employed

    table = harbour()
    table.float("s0_1", (22, 10), moved=True)
    table.state.step = "sail"
    table.man("base", *(f"r0_{k:02d}" for k in range(3, 16)))
    assert (
        table.when(0, DockSubmarine("s0_1", "res_brown_3")).of(SubmarineDocked)[0].researcher == ""
    )


@pytest.mark.rule("NAU-52", "NAU-53")
def test_11_sonar():
    expected = {
        0: ((22, 7), (24, 9), (21, 12)),
        1: ((22, 7), (20, 8), (24, 9), (21, 12)),
        2: ((22, 7), (20, 8), (24, 9), (26, 11), (21, 12)),
    }
    for level, cells in expected.items():
        table = given(4)
        table.float("s0_1", (22, 10))
        table.wait("sail", 0)
        table.pay(0, 9)
        table.levels(0, brown=level)
        (used,) = table.when(0, UseSonar("s0_1")).events
        faces = tuple(table.state.hidden[PLACE_CELLS.index(cell)] for cell in cells)
        assert used == SonarUsed(0, "s0_1", 3 + level, cells, faces)
        assert table.state.money[0] == 8
        assert table.view(1).known[0] == table.view(0).known[0] == cells
        shown = {(c, r): face for c, r, _, face in table.view(0).hidden}
        assert tuple(shown[cell] for cell in cells) == faces
        for viewer in (1, 2, 3, None):
            assert {face for *_, face in table.view(viewer).hidden} == {"?"}
    table.when(0, UseSonar("s0_1")).refused("already-sonared")
    table.play(0, MoveSubmarine("s0_1", (22, 10)))
    table.when(0, UseSonar("s0_1")).refused("already-moved")


@pytest.mark.rule("NAU-54", "NAU-55", "NAU-56", "NAU-57", "NAU-60", "NAU-61", "NAU-62", "NAU-63")
def test_12_sailing():
    def at_sea(money: int = 55) -> Table:
        table = given(2, faces={(24, 9): "ray_1"})
        table.float("s0_1", (22, 10))
        table.float("s0_2", (15, 10))
        table.wait("sail", 0)
        table.pay(0, money)
        return table

    table = at_sea()
    moved = table.when(0, MoveSubmarine("s0_1", (25, 9))).events[0]
    assert moved.path == ((22, 10), (23, 10), (24, 10), (25, 10), (25, 9))
    table = at_sea()
    table.when(0, MoveSubmarine("s0_1", (27, 10))).refused("too-far")
    done = table.when(0, MoveSubmarine("s0_1", (24, 9)))
    assert done.names == ["submarine_moved", "find_taken"]
    assert done.events[1] == FindTaken(0, "s0_1", (24, 9), "ray_1", 1, 0, "", 0)
    assert table.view(0).fields[0]["ray"] == ("ray_1",)
    assert table.view(0).submarines["s0_1"].cell == (24, 9)
    table.when(0, MoveSubmarine("s0_2", (15, 13))).refused("cell-not-free")
    assert len(table.when(0, MoveSubmarine("s0_2", (15, 14))).events[0].path) == 5
    table = at_sea(money=0)
    assert table.when(0, MoveSubmarine("s0_1", (24, 9))).of(FindLost)[0].find == "ray_1"
    assert table.state.removed == ("ray_1",)


@pytest.mark.rule("NAU-58", "NAU-59", "NAU-62", "NAU-63")
def test_13_the_abyss():
    def before(money: int = 50) -> Table:
        table = given(3, faces={(21, 3): "gold_5"})
        table.build("hab_a_1", (18, 6))
        table.float("s1_1", (19, 3))
        table.levels(1, green=1, grey=1, brown=1, black=1)
        table.wait("sail", 1)
        table.pay(1, money)
        table.state.supply.remove("res_blue_1")
        table.state.supply.remove("res_blue_2")
        return table

    into = MoveSubmarine("s1_1", (21, 3))
    table = before()
    table.when(1, into).refused("abyss-closed")
    table.state.supply.remove("res_blue_3")
    table.state.supply.remove("res_blue_4")
    assert into in table.legal(1)

    table = before()
    table.float("s2_1", (22, 3), launched_in_abyss=True)
    table.wait("sail", 2)
    table.play(2, MoveSubmarine("s2_1", (23, 3)))
    table.wait("sail", 1)
    assert table.when(1, into).of(FindTaken)[0].fee == 2
    table = before(money=1)
    table.state.abyss_visitors = (2,)
    assert table.when(1, into).of(FindLost)[0].find == "gold_5"

    table = before()
    table.float("s1_2", (25, 4), launched_in_abyss=True)
    assert MoveSubmarine("s1_2", (25, 5)) in table.legal(1)
    table.when(1, into).refused("abyss-closed")


@pytest.mark.rule("NAU-64", "NAU-65", "NAU-66", "NAU-67", "NAU-68")
def test_14_chain():
    faces = {(2, 3): "thrust_3", (5, 8): "starfish_4", (7, 9): "chest_3", (1, 7): "treasure_7"}
    table = given(2, faces=faces)
    table.build("hab_a_1", (15, 9))
    table.build("res_brown_1", (15, 6))
    table.man("hab_a_1", "r0_01")
    table.levels(0, blue=2, black=1)
    table.float("s0_1", (1, 5))
    table.float("s0_2", (5, 11))
    table.float("s0_3", (2, 1))
    table.wait("sail", 0)
    done = table.when(0, MoveSubmarine("s0_3", (2, 3)))
    assert done.events[-1] == FindTaken(0, "s0_3", (2, 3), "thrust_3", 0, 0, "thrust", 3)
    table.when(0, EndDive()).refused("pending-bonus")
    table.when(0, BoostSubmarine("s0_2", (5, 8))).then(
        SubmarineMoved(0, "s0_2", ((5, 11), (5, 10), (5, 9), (5, 8)), boost=True),
        FindTaken(0, "s0_2", (5, 8), "starfish_4", 1, 0, "peek", 2),
    )
    table.when(0, PeekFinds(((18, 4), (15, 3)))).refused("same-zone")
    (peeked,) = table.when(0, PeekFinds(((15, 3), (3, 9)))).events
    assert isinstance(peeked, FindsPeeked)
    before = table.state.money[0]
    done = table.when(0, MoveSubmarine("s0_2", (7, 9)))
    assert done.events[-1] == FindTaken(0, "s0_2", (7, 9), "chest_3", 0, 3, "", 0)
    assert table.state.money[0] == before + 3
    done = table.when(0, MoveSubmarine("s0_1", (1, 7)))
    assert done.events[-1] == FindTaken(0, "s0_1", (1, 7), "treasure_7", 1, 0, "research", 2)
    assert table.state.treasures[6] == 0
    done = table.when(0, BonusMoveResearcher("r0_01", "res_brown_1"))
    assert done.names == ["researcher_moved", "module_activated"]
    table.when(0, SkipBonus()).refused("no-bonus")


@pytest.mark.rule("NAU-72", "NAU-75", "NAU-77", "NAU-78", "NAU-79", "NAU-80", "NAU-81")
@pytest.mark.parametrize("more", [0, 4])
def test_15_end_scoring_and_tie(more):
    """If seat 1 had 4 N more, it would share the first place."""
    table = given(4, faces={(21, 3): "treasure_14"})
    table.salvaged(0, "octopus_1", "octopus_2", "gold_1", "starfish_1", "starfish_2", "starfish_3")
    table.salvaged(0, "treasure_4", "treasure_12")
    table.salvaged(1, "ray_1", "anglerfish_1", "anglerfish_2", "seahorse_1")
    table.salvaged(1, "treasure_13", "treasure_15")
    table.salvaged(2, "gold_2", "gold_3", "treasure_9")
    table.build("hab_a_1", (18, 3))
    table.hold(0, "hab_b_1")
    table.wait("place", 0, round_=11)
    done = table.when(0, PlaceModule("hab_b_1", (21, 3), 1))
    assert done.names[:3] == ["module_placed", "find_covered", "end_triggered"]
    assert done.events[2] == EndTriggered("treasures_13_14_15", 12)

    table.levels(0, green=2, grey=3)
    table.levels(1, brown=2, blue=2)
    table.levels(2, green=3, grey=2, black=2)
    table.levels(3, brown=3, black=3)
    table.state.three = [2, 0, 3, 1, 3]
    table.state.money = [6, 3 + more, 11, 20]
    table.float("s3_1", (15, 14))
    table.wait("sail", 3, round_=12)
    assert table.when(3, EndDive()).events[1:] == [
        MissionsRevealed(("mission_1", "mission_2", "mission_3", "mission_4")),
        MissionPaid(2, 0),
        MissionPaid(3, 0),
        TurnAdvanced(12, "mission", "pay", -1, 0),
    ]
    table.play(1, PayMission(2))
    scored = table.when(0, PayMission(5)).events[-1]
    assert isinstance(scored, GameScored)
    result = scored.result
    parts = [
        (s.field_points, s.mission_paid, s.disc, s.find_points, s.module_total, s.money, s.score)
        for s in result.seats
    ]
    assert parts == [
        (4, 5, 4, 13, 4, 1, 53),
        (5, 2, 5, 12, 4, 1 + more, 49 + more),
        (4, 0, 2, 6, 5, 11, 41),
        (0, 0, 1, 1, 6, 20, 26),
    ]
    assert result.winners == ((0, 1) if more else (0,))
    assert result.places(4) == ([1, 1, 3, 4] if more else [1, 2, 3, 4])
    assert (result.rounds, result.reasons) == (12, ("treasures_13_14_15",))
    assert table.at == (12, "over", "", -1)
