"""The worked examples of the specification, section 16, in its order."""

import pytest

from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    DockSubmarine,
    EndBuild,
    EndDive,
    LaunchSubmarine,
    MoveResearcher,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    SkipBonus,
    SkipBuy,
    UseSonar,
)
from games.nautilus.components import TABLES
from games.nautilus.diving import speed
from games.nautilus.ending import module_points
from games.nautilus.events import (
    BuySkipped,
    EndTriggered,
    FindCovered,
    FindLost,
    FindsPeeked,
    FindTaken,
    GameScored,
    MissionPaid,
    MissionsRevealed,
    ModuleActivated,
    ModuleBought,
    ModulePlaced,
    ModulesDiscarded,
    SonarUsed,
    SubmarineDocked,
    SubmarineLaunched,
    SubmarineMoved,
    TurnAdvanced,
)
from games.nautilus.sea import PLACE_CELLS
from tests.games.nautilus.table import Table, first, given, kinds


@pytest.mark.rule("NAU-5", "NAU-6", "NAU-8", "NAU-9", "NAU-13", "NAU-77")
def test_1_set_up_for_two():
    table = given(2)
    view = table.view(0)
    assert view.money == (55, 55)
    assert [len(stock) for stock in view.stock] == [15, 15]
    assert [len(stock) for stock in view.subs_stock] == [3, 3]
    assert all(level == 0 for levels in view.level for level in levels.values())
    assert len(view.supply) == 40
    zones = [zone for _, _, zone, _ in view.hidden]
    assert [zones.count(z) for z in ("lagoon", "slope", "deep", "abyss")] == [8, 16, 22, 14]
    assert view.mission == ("mission_1", "?")
    assert view.mission_rest == ("?", "?")
    crews = [c.researchers for c in table.legal(0, BuyModule) if c.kind == "hab_a"]
    assert crews == [1, 2, 3]
    assert TABLES[2].discs == (4, 2)


@pytest.mark.rule("NAU-1", "NAU-2", "NAU-3", "NAU-5", "NAU-13", "NAU-77")
@pytest.mark.parametrize(
    ("seats", "money", "crews", "discs", "undealt"),
    [(3, 50, 3, (5, 3, 1), 1), (4, 45, 4, (5, 4, 2, 1), 0)],
)
def test_2_set_up_for_three_and_four(seats, money, crews, discs, undealt):
    table = given(seats)
    assert table.state.money == [money] * seats
    assert max(c.researchers for c in table.legal(0, BuyModule)) == crews
    assert TABLES[seats].discs == discs
    assert len(table.state.mission_rest) == undealt


@pytest.mark.rule("NAU-2", "NAU-3")
def test_2_the_order_of_a_round():
    """With seat 2 drawn as first of 4, rounds run 2, 3, 0, 1 and then 3, 0, 1, 2."""
    table = given(4, first_seat=2)
    order: dict[int, list[int]] = {1: [], 2: []}
    while table.state.round < 3:
        round_, _, step, seat = table.at
        if step == "buy":
            order[round_].append(seat)
            table.do(seat, BuyModule("hab_a", 1))
        else:
            table.do(seat, EndBuild())
    assert order == {1: [2, 3, 0, 1], 2: [3, 0, 1, 2]}


@pytest.mark.rule("NAU-10", "NAU-13", "NAU-16", "NAU-24", "NAU-25", "NAU-27", "NAU-29")
def test_3_buy_and_build_at_once():
    table = given(4, first_seat=2, faces={(16, 7): "chest_1"})
    table.build("hab_b_2", (15, 9))
    bought = table.do(2, BuyModule("hab_a", 4))
    crew = ("r2_01", "r2_02", "r2_03", "r2_04")
    assert bought[0] == ModuleBought(2, "hab_a_1", crew, 4)
    assert table.state.money[2] == 41
    assert len(table.view(2).stock[2]) == 11
    assert table.do(2, PlaceModule("hab_a_1", (17, 7), 0)) == [
        ModulePlaced(2, "hab_a_1", (17, 7), 0, 2, 2, -1, crew),
        FindCovered(2, (16, 7), "chest_1"),
        TurnAdvanced(1, "build", "buy", 3, 2),
    ]
    assert table.state.money[2] == 39
    assert table.state.removed == ["chest_1"]
    assert table.state.fields[2] == []


@pytest.mark.rule("NAU-10", "NAU-13", "NAU-14", "NAU-15")
def test_4_refused_purchases():
    table = given(3)
    assert table.refuses(0, BuyModule("hab_b", 4)) == "bad-researcher-count"
    assert table.refuses(0, BuyModule("res_grey_1", 1)) == "bad-researcher-count"
    table.pay(0, 2)
    assert table.refuses(0, BuyModule("hab_a", 3)) == "not-enough-money"
    table.do(0, BuyModule("res_grey_1", 0))
    assert table.refuses(0, BuyModule("res_grey_2", 0)) == "wrong-step"
    table.wait("buy", 0)
    for module in ("hab_a_1", "hab_a_2", "hab_a_3"):
        table.hold(0, module)
    assert table.refuses(0, BuyModule("res_grey_2", 0)) == "hand-full"


@pytest.mark.rule("NAU-19", "NAU-20", "NAU-21", "NAU-22", "NAU-23", "NAU-24")
def test_5_placements_refused():
    table = given(2)
    table.hold(0, "hab_a_1")
    table.wait("place", 0)
    assert table.refuses(0, PlaceModule("hab_a_1", (18, 12), 0)) == "no-passage"
    assert PlaceModule("hab_a_1", (18, 12), 2) in table.legal(0)
    assert table.refuses(0, PlaceModule("hab_a_1", (17, 11), 0)) == "modules-overlap"
    assert table.refuses(0, PlaceModule("hab_a_1", (0, 12), 0)) == "off-board"
    table.float("s1_1", (18, 10))
    assert table.refuses(0, PlaceModule("hab_a_1", (17, 10), 0)) == "submarine-in-the-way"
    table.state.submarines[1][0] = None
    placed = first(table.do(0, PlaceModule("hab_a_1", (17, 10), 0)), ModulePlaced)
    assert placed.cost == 1
    assert table.draw(14, 9, 18, 13) == [
        "ll###",
        "ll###",
        "#####",
        "###ll",
        "###ll",
    ]


@pytest.mark.rule("NAU-20", "NAU-21", "NAU-25", "NAU-26", "NAU-27", "NAU-28")
def test_6_one_price_and_a_partly_covered_cell():
    table = given(2, faces={(17, 19): "treasure_2"})
    table.build("hab_a_1", (17, 14))
    table.hold(0, "hab_b_1")
    table.hold(0, "res_brown_1")
    table.wait("place", 0)
    table.pay(0, 10)
    placed = first(table.do(0, PlaceModule("hab_b_1", (17, 17), 0)), ModulePlaced)
    assert (placed.rank, placed.cost) == (2, 2)
    events = table.do(0, PlaceModule("res_brown_1", (17, 20), 0))
    assert events[:2] == [
        ModulePlaced(0, "res_brown_1", (17, 20), 0, 3, 1, 0, ()),
        FindCovered(0, (17, 19), "treasure_2"),
    ]
    assert table.view(1).treasures == {"2": -1}
    assert table.state.money[0] == 7


@pytest.mark.rule("NAU-17", "NAU-30", "NAU-31", "NAU-32", "NAU-76")
def test_7_compulsory_build_and_discarding():
    def holding(money: int = 55) -> Table:
        table = given(2)
        table.hold(1, "hab_b_2", "r1_01", "r1_02")
        table.hold(1, "res_blue_3")
        table.wait("buy", 1)
        table.pay(1, money)
        return table

    table = holding()
    table.do(1, SkipBuy())
    assert table.refuses(1, EndBuild()) == "must-build"
    table.do(1, PlaceModule("res_blue_3", (15, 9), 0))
    events = table.do(1, EndBuild())
    assert events[0] == ModulesDiscarded(1, ("hab_b_2",), ("r1_01", "r1_02"))
    assert kinds(events)[1] == "build_ended"
    assert "hab_b_2" in table.state.supply
    assert len(table.view(0).stock[1]) == 15
    assert table.state.money[1] == 54

    table = holding()
    table.do(1, BuyModule("res_grey_1", 0))
    table.do(1, EndBuild())
    assert [held.module for held in table.state.hand[1]] == ["hab_b_2", "res_blue_3", "res_grey_1"]

    table = holding(money=0)
    table.wait("buy", 0)
    assert table.do(0, SkipBuy())[:3] == [
        BuySkipped(0),
        BuySkipped(1),
        ModulesDiscarded(1, ("hab_b_2", "res_blue_3"), ("r1_01", "r1_02")),
    ]
    assert table.state.hand[1] == []


def walkway() -> Table:
    """Three free researchers of seat 0 in `hab_a_1`, and where they may go from there."""
    table = given(2)
    table.build("hab_a_1", (15, 9))
    table.build("hab_a_2", (15, 6))
    table.build("res_green_1", (15, 3))
    table.build("hab_b_1", (18, 9), 1)
    table.build("res_black_2", (21, 9), 2, owner=1)
    table.man("hab_a_1", "r0_01", "r0_02", "r0_03")
    table.wait("move", 0)
    return table


@pytest.mark.rule("NAU-33", "NAU-34", "NAU-36", "NAU-38", "NAU-40", "NAU-41", "NAU-42", "NAU-76")
def test_8_research_turn_green_at_once():
    table = walkway()
    events = table.do(0, MoveResearcher("r0_01", "res_green_1"))
    assert events[0].path == ("hab_a_1", "hab_a_2", "res_green_1")
    assert events[1] == ModuleActivated(
        0, "res_green_1", "r0_01", "green", 1, -1, 0, three_taken=False, three_from=-1
    )
    assert kinds(table.do(0, MoveResearcher("r0_02", "hab_b_1"))) == ["researcher_moved"]
    assert table.state.turn.moves_used == 3
    assert table.refuses(0, MoveResearcher("r0_03", "base")) == "two-researchers-only"
    table.pay(0, 0)
    assert table.refuses(0, MoveResearcher("r0_02", "res_black_2")) == "not-enough-money"
    table.pay(0, 55)
    events = table.do(0, MoveResearcher("r0_02", "res_black_2"))
    activated = first(events, ModuleActivated)
    assert (activated.colour, activated.level, activated.rent_to) == ("black", 1, 1)
    assert table.state.money == [54, 56]
    assert events[-1] == TurnAdvanced(2, "build", "buy", 1, 1)


@pytest.mark.rule("NAU-42", "NAU-43", "NAU-44", "NAU-45")
def test_9_levels_and_the_three_disc():
    table = given(2)
    table.build("res_grey_1", (15, 9))
    table.build("res_grey_2", (15, 6), 2)
    table.build("res_grey_3", (15, 15))
    table.build("hab_a_1", (12, 12), 2)
    table.man("base", "r0_01", "r1_01", "r1_02")
    table.levels(0, grey=1)
    table.levels(1, grey=1)

    def reach(seat: int, researcher: str, module: str) -> ModuleActivated:
        table.wait("move", seat)
        return first(table.do(seat, MoveResearcher(researcher, module)), ModuleActivated)

    raised = reach(0, "r0_01", "res_grey_1")
    assert (raised.level, raised.disc, raised.three_taken, raised.three_from) == (2, 1, True, -1)
    raised = reach(1, "r1_01", "res_grey_1")
    assert (raised.level, raised.disc, raised.three_taken, raised.three_from) == (2, 1, False, -1)
    raised = reach(1, "r1_02", "res_grey_3")
    assert (raised.level, raised.disc, raised.three_taken, raised.three_from) == (3, 1, True, 0)
    assert [module_points(table.state, seat)["grey"] for seat in (0, 1)] == [1, 3]
    assert [speed(table.state, seat) for seat in (0, 1)] == [6, 6]


def harbour() -> Table:
    """Seat 0 in `res_brown_3`: one researcher employed, one free."""
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
    assert table.refuses(0, LaunchSubmarine("res_brown_3", (20, 8))) == "cell-not-free"
    assert table.refuses(0, LaunchSubmarine("res_brown_3", (20, 12))) == "not-beside-exit"
    events = table.do(0, LaunchSubmarine("res_brown_3", (22, 10)))
    assert events == [
        SubmarineLaunched(0, "s0_1", "res_brown_3", "r0_02", (22, 10), in_abyss=False),
        TurnAdvanced(1, "dive", "sail", 0, 0),
    ]
    assert "r0_02" in table.view(0).stock[0]
    table.wait("launch", 0)
    refused = table.refuses(0, LaunchSubmarine("res_brown_3", (18, 10)))
    assert refused == "no-free-researcher"

    table.wait("sail", 0)
    table.do(0, MoveSubmarine("s0_1", (22, 10)))
    docked = table.do(0, DockSubmarine("s0_1", "res_brown_3"))[0]
    assert docked == SubmarineDocked(0, "s0_1", "res_brown_3", "r0_02")
    assert table.view(0).subs_stock[0] == ("s0_1", "s0_2", "s0_3")
    assert table.view(0).researchers["r0_02"] == "res_brown_3"
    assert "r0_02" not in table.view(0).employed

    table = harbour()
    table.float("s0_1", (22, 10), moved=True)
    table.state.step = "sail"
    table.man("base", *(f"r0_{k:02d}" for k in range(3, 16)))
    assert (
        first(table.do(0, DockSubmarine("s0_1", "res_brown_3")), SubmarineDocked).researcher == ""
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
        (used,) = table.do(0, UseSonar("s0_1"))
        faces = tuple(table.state.hidden[PLACE_CELLS.index(cell)] for cell in cells)
        assert used == SonarUsed(0, "s0_1", 3 + level, cells, faces)
        assert table.state.money[0] == 8
        assert table.view(1).known[0] == table.view(0).known[0] == cells
        shown = {(c, r): face for c, r, _, face in table.view(0).hidden}
        assert tuple(shown[cell] for cell in cells) == faces
        for viewer in (1, 2, 3, None):
            assert {face for *_, face in table.view(viewer).hidden} == {"?"}
    assert table.refuses(0, UseSonar("s0_1")) == "already-sonared"
    table.do(0, MoveSubmarine("s0_1", (22, 10)))
    assert table.refuses(0, UseSonar("s0_1")) == "already-moved"


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
    moved = table.do(0, MoveSubmarine("s0_1", (25, 9)))[0]
    assert moved.path == ((22, 10), (23, 10), (24, 10), (25, 10), (25, 9))
    table = at_sea()
    assert table.refuses(0, MoveSubmarine("s0_1", (27, 10))) == "too-far"
    events = table.do(0, MoveSubmarine("s0_1", (24, 9)))
    assert kinds(events) == ["submarine_moved", "find_taken"]
    assert events[1] == FindTaken(0, "s0_1", (24, 9), "ray_1", 1, 0, "", 0)
    assert table.view(0).fields[0]["ray"] == ("ray_1",)
    assert table.view(0).submarines["s0_1"].cell == (24, 9)
    assert table.refuses(0, MoveSubmarine("s0_2", (15, 13))) == "cell-not-free"
    assert len(table.do(0, MoveSubmarine("s0_2", (15, 14)))[0].path) == 5
    table = at_sea(money=0)
    assert first(table.do(0, MoveSubmarine("s0_1", (24, 9))), FindLost).find == "ray_1"
    assert table.state.removed == ["ray_1"]


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
    assert table.refuses(1, into) == "abyss-closed"
    table.state.supply.remove("res_blue_3")
    table.state.supply.remove("res_blue_4")
    assert into in table.legal(1)

    table = before()
    table.float("s2_1", (22, 3), launched_in_abyss=True)
    table.wait("sail", 2)
    table.do(2, MoveSubmarine("s2_1", (23, 3)))
    table.wait("sail", 1)
    assert first(table.do(1, into), FindTaken).fee == 2
    table = before(money=1)
    table.state.abyss_visitors = [2]
    assert first(table.do(1, into), FindLost).find == "gold_5"

    table = before()
    table.float("s1_2", (25, 4), launched_in_abyss=True)
    assert MoveSubmarine("s1_2", (25, 5)) in table.legal(1)
    assert table.refuses(1, into) == "abyss-closed"


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
    events = table.do(0, MoveSubmarine("s0_3", (2, 3)))
    assert events[-1] == FindTaken(0, "s0_3", (2, 3), "thrust_3", 0, 0, "thrust", 3)
    assert table.refuses(0, EndDive()) == "pending-bonus"
    events = table.do(0, BoostSubmarine("s0_2", (5, 8)))
    assert events == [
        SubmarineMoved(0, "s0_2", ((5, 11), (5, 10), (5, 9), (5, 8)), boost=True),
        FindTaken(0, "s0_2", (5, 8), "starfish_4", 1, 0, "peek", 2),
    ]
    assert table.refuses(0, PeekFinds(((18, 4), (15, 3)))) == "same-zone"
    (peeked,) = table.do(0, PeekFinds(((15, 3), (3, 9))))
    assert isinstance(peeked, FindsPeeked)
    before = table.state.money[0]
    events = table.do(0, MoveSubmarine("s0_2", (7, 9)))
    assert events[-1] == FindTaken(0, "s0_2", (7, 9), "chest_3", 0, 3, "", 0)
    assert table.state.money[0] == before + 3
    events = table.do(0, MoveSubmarine("s0_1", (1, 7)))
    assert events[-1] == FindTaken(0, "s0_1", (1, 7), "treasure_7", 1, 0, "research", 2)
    assert table.state.treasures[6] == 0
    events = table.do(0, BonusMoveResearcher("r0_01", "res_brown_1"))
    assert kinds(events) == ["researcher_moved", "module_activated"]
    assert table.refuses(0, SkipBonus()) == "no-bonus"


@pytest.mark.rule("NAU-72", "NAU-75", "NAU-77", "NAU-78", "NAU-79", "NAU-80", "NAU-81")
@pytest.mark.parametrize("more", [0, 4])
def test_15_end_scoring_and_tie(more):
    """With 4 N more, seat 1 shares the first place."""
    table = given(4, faces={(21, 3): "treasure_14"})
    table.salvaged(0, "octopus_1", "octopus_2", "gold_1", "starfish_1", "starfish_2", "starfish_3")
    table.salvaged(0, "treasure_4", "treasure_12")
    table.salvaged(1, "ray_1", "anglerfish_1", "anglerfish_2", "seahorse_1")
    table.salvaged(1, "treasure_13", "treasure_15")
    table.salvaged(2, "gold_2", "gold_3", "treasure_9")
    table.build("hab_a_1", (18, 3))
    table.hold(0, "hab_b_1")
    table.wait("place", 0, round_=11)
    events = table.do(0, PlaceModule("hab_b_1", (21, 3), 1))
    assert kinds(events)[:3] == ["module_placed", "find_covered", "end_triggered"]
    assert events[2] == EndTriggered("treasures_13_14_15", 12)

    table.levels(0, green=2, grey=3)
    table.levels(1, brown=2, blue=2)
    table.levels(2, green=3, grey=2, black=2)
    table.levels(3, brown=3, black=3)
    table.state.three = [2, 0, 3, 1, 3]
    table.state.money = [6, 3 + more, 11, 20]
    table.float("s3_1", (15, 14))
    table.wait("sail", 3, round_=12)
    assert table.do(3, EndDive())[1:] == [
        MissionsRevealed(("mission_1", "mission_2", "mission_3", "mission_4")),
        MissionPaid(2, 0),
        MissionPaid(3, 0),
        TurnAdvanced(12, "mission", "pay", -1, 0),
    ]
    table.do(1, PayMission(2))
    scored = table.do(0, PayMission(5))[-1]
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
