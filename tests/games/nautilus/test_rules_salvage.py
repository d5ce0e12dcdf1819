"""NAU-61 to NAU-71: collecting finds, their effects, and docking."""

import pytest

from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    DockSubmarine,
    EndDive,
    MoveSubmarine,
    PeekFinds,
    SkipBonus,
    UseSonar,
)
from games.nautilus.components import PLACE_CELLS, PLACE_OF, PLACE_ZONES
from games.nautilus.events import (
    FindLost,
    FindsPeeked,
    FindTaken,
    ModuleActivated,
    SubmarineDocked,
    SubmarineMoved,
)
from games.nautilus.model import Pending
from tests.games.nautilus.table import Table, given

SHALLOW, SLOPE, DEEP, ABYSS = (11, 8), (5, 8), (1, 7), (21, 3)


def beside(cell: tuple[int, int], find: str, money: int = 9) -> Table:
    """Return `s0_1` one step south of a find."""
    table = given(2, faces={cell: find})
    table.float("s0_1", (cell[0], cell[1] + 1))
    table.state.abyss_visitors = (1,)
    table.wait("sail", 0)
    table.pay(0, money)
    return table


def enter(table: Table, cell: tuple[int, int]) -> FindTaken:
    return table.when(0, MoveSubmarine("s0_1", cell)).of(FindTaken)[0]


@pytest.mark.rule("NAU-61")
def test_who_enters_turns_up_and_takes():
    table = beside(SLOPE, "ray_1")
    done = table.when(0, MoveSubmarine("s0_1", SLOPE))
    assert done.names == ["submarine_moved", "find_taken"]
    assert SLOPE not in {(c, r) for c, r, *_ in table.view(1).hidden}
    assert table.view(1).fields[0]["ray"] == ("ray_1",)
    assert table.state.round_log.revealed


@pytest.mark.rule("NAU-62")
@pytest.mark.parametrize(
    ("cell", "find", "fee"),
    [
        (SHALLOW, "starfish_1", 1),
        (SHALLOW, "chest_1", 0),
        (SHALLOW, "thrust_1", 0),
        (SLOPE, "gold_1", 1),
        (SLOPE, "treasure_1", 1),
        (DEEP, "anglerfish_1", 1),
        (DEEP, "chest_5", 0),
        (ABYSS, "anglerfish_3", 2),
        (ABYSS, "gold_5", 2),
        (ABYSS, "treasure_15", 2),
        (ABYSS, "chest_8", 0),
        (ABYSS, "thrust_5", 0),
    ],
)
def test_fees_by_sort_and_depth(cell, find, fee):
    table = beside(cell, find)
    taken = enter(table, cell)
    assert taken.fee == fee
    assert table.state.money[0] == 9 - fee + taken.gain


@pytest.mark.rule("NAU-63")
@pytest.mark.parametrize(
    ("cell", "find", "money"),
    [
        (SHALLOW, "starfish_1", 0),
        (SLOPE, "treasure_1", 0),
        (ABYSS, "gold_5", 1),
        (ABYSS, "treasure_15", 1),
    ],
)
def test_without_the_whole_fee_the_find_is_lost(cell, find, money):
    table = beside(cell, find, money)
    table.levels(0, blue=2)
    table.man("base", "r0_01")
    table.build("hab_a_1", (15, 9))
    done = table.when(0, MoveSubmarine("s0_1", cell))
    assert done.of(FindLost)[0].find == find
    assert table.state.money[0] == money
    assert table.state.pending is None
    assert table.state.fields == [(), ()]
    if find.startswith("treasure"):
        assert table.view(0).treasures == {find.split("_")[1]: -1}
    else:
        assert table.state.removed == (find,)
    assert table.state.round_log.revealed


@pytest.mark.rule("NAU-62", "NAU-68")
@pytest.mark.parametrize("money", [0, 1])
def test_a_chest_costs_nothing_even_for_the_poor(money):
    table = beside(ABYSS, "chest_8", money)
    assert enter(table, ABYSS).gain == 2
    assert table.state.money[0] == money + 2


def treasure_beside(money: int = 9) -> Table:
    table = beside(SLOPE, "treasure_1", money)
    table.build("hab_a_1", (15, 9))
    table.build("res_grey_1", (15, 6), owner=1)
    table.build("hab_b_1", (15, 3))
    return table


@pytest.mark.rule("NAU-64")
def test_a_treasure_gets_the_marker_and_two_research_moves():
    table = treasure_beside()
    table.man("base", "r0_01", "r0_02")
    taken = enter(table, SLOPE)
    assert (taken.pending, taken.amount) == ("research", 2)
    assert table.state.treasures[0] == 0
    reach = {c.to for c in table.legal(0, BonusMoveResearcher)}
    assert reach == {"hab_a_1", "res_grey_1"}
    assert {c.researcher for c in table.legal(0, BonusMoveResearcher)} == {"r0_01"}
    table.when(0, BonusMoveResearcher("r0_01", "hab_b_1")).refused("too-far")
    done = table.when(0, BonusMoveResearcher("r0_01", "res_grey_1"))
    assert done.events[0].bonus
    assert done.of(ModuleActivated)[0].rent_to == 1
    assert table.state.pending is None
    assert table.state.turn.moves_used == 0


@pytest.mark.rule("NAU-64")
def test_the_bonus_does_not_depend_on_green_and_may_be_skipped():
    table = treasure_beside()
    table.man("base", "r0_01")
    table.levels(0, green=2)
    enter(table, SLOPE)
    table.when(0, BonusMoveResearcher("r0_01", "hab_b_1")).refused("too-far")
    assert table.when(0, SkipBonus()).names == ["bonus_skipped"]
    assert table.state.pending is None


@pytest.mark.rule("NAU-65")
@pytest.mark.parametrize(
    ("cell", "find"),
    [
        (SHALLOW, "starfish_1"),
        (SHALLOW, "seahorse_1"),
        (SLOPE, "octopus_1"),
        (SLOPE, "ray_1"),
        (DEEP, "anglerfish_1"),
        (DEEP, "gold_2"),
    ],
)
def test_creatures_and_gold_go_to_their_field(cell, find):
    table = beside(cell, find)
    enter(table, cell)
    fields = table.view(1).fields[0]
    assert fields.pop(find.split("_")[0]) == (find,)
    assert set(fields.values()) == {()}
    assert table.state.pending is None


@pytest.mark.rule("NAU-66")
@pytest.mark.parametrize(("level", "looks"), [(0, 0), (1, 1), (2, 2), (4, 2)])
@pytest.mark.parametrize("find", ["starfish_1", "seahorse_2"])
def test_a_creature_worth_nothing_brings_looks_by_blue_level(level, looks, find):
    table = beside(SHALLOW, find)
    table.levels(0, blue=level)
    taken = enter(table, SHALLOW)
    assert taken.amount == looks
    assert taken.pending == ("peek" if looks else "")
    peeks = table.legal(0, PeekFinds)
    assert {len(c.cells) for c in peeks} == set(range(1, looks + 1))
    assert len([c for c in peeks if len(c.cells) == 1]) == (59 if looks else 0)


@pytest.mark.rule("NAU-66")
def test_other_finds_bring_no_look():
    table = beside(SLOPE, "octopus_1")
    table.levels(0, blue=2)
    assert enter(table, SLOPE).pending == ""


def peeking(amount: int = 2, only: tuple[int, ...] = (0, 1, 2, 3)) -> Table:
    """Return a pending peek, with finds left in some zones only."""
    table = given(2)
    table.float("s0_1", (15, 10))
    table.wait("sail", 0)
    for place, zone in enumerate(PLACE_ZONES):
        if zone not in only:
            table.state.hidden[place] = ""
    table.state.pending = Pending("peek", amount)
    return table


@pytest.mark.rule("NAU-66")
def test_two_looks_go_to_two_zones_where_there_are_two():
    table = peeking()
    table.when(0, PeekFinds(((15, 3), (18, 4)))).refused("same-zone")
    pairs = [c.cells for c in table.legal(0, PeekFinds) if len(c.cells) == 2]
    zones = [{PLACE_ZONES[PLACE_OF[cell]] for cell in pair} for pair in pairs]
    assert set(map(len, zones)) == {2}
    assert len(pairs) == 8 * 16 + 8 * 22 + 8 * 14 + 16 * 22 + 16 * 14 + 22 * 14
    peeked = table.when(0, PeekFinds(((15, 3), (16, 7)))).of(FindsPeeked)[0]
    assert peeked.cells == ((15, 3), (16, 7))
    assert peeked.faces == tuple(table.state.hidden[PLACE_OF[cell]] for cell in ((15, 3), (16, 7)))
    assert table.view(1).known[0] == ((15, 3), (16, 7))
    assert table.state.pending is None


@pytest.mark.rule("NAU-66")
def test_in_the_last_zone_both_may_lie_together():
    table = peeking(only=(1,))
    assert PeekFinds(((15, 3), (18, 4))) in table.legal(0)
    assert table.when(0, PeekFinds(((18, 4), (15, 3)))).events


@pytest.mark.rule("NAU-66")
def test_one_look_or_none_will_do():
    assert peeking().when(0, PeekFinds(((15, 3),))).names == ["finds_peeked"]
    assert peeking().when(0, SkipBonus()).names == ["bonus_skipped"]
    peeking(1).when(0, PeekFinds(((15, 3), (16, 7)))).refused("too-many-cells")
    peeking().when(0, PeekFinds(((15, 4),))).refused("no-hidden-find")


@pytest.mark.rule("NAU-67")
def test_a_thrust_moves_any_own_submarine_and_leaves_its_move():
    table = beside(SHALLOW, "thrust_1")
    table.float("s0_2", (18, 10))
    table.float("s0_3", (19, 13), moved=True)
    taken = enter(table, SHALLOW)
    assert (taken.pending, taken.amount) == ("thrust", 3)
    boosts = table.legal(0, BoostSubmarine)
    assert {c.submarine for c in boosts} == {"s0_1", "s0_2", "s0_3"}
    table.when(0, BoostSubmarine("s0_2", (18, 6))).refused("too-far")
    moved = table.when(0, BoostSubmarine("s0_2", (18, 7))).of(SubmarineMoved)[0]
    assert moved.boost
    assert not table.state.submarines[0][1].moved
    assert table.state.submarines[0][0].moved
    assert MoveSubmarine("s0_2", (18, 8)) in table.legal(0)
    assert table.state.removed == ("thrust_1",)


@pytest.mark.rule("NAU-67")
def test_finds_met_by_a_boost_work_as_usual():
    table = given(2, faces={(11, 8): "thrust_1", (9, 12): "chest_1"})
    table.float("s0_1", (11, 9))
    table.float("s0_2", (9, 10))
    table.wait("sail", 0)
    enter(table, (11, 8))
    taken = table.when(0, BoostSubmarine("s0_2", (9, 12))).of(FindTaken)[0]
    assert taken.gain == 2
    assert table.state.pending is None
    assert BoostSubmarine("s0_1", (11, 8)) not in table.legal(0)


@pytest.mark.rule("NAU-67", "NAU-58")
def test_a_boost_keeps_out_of_a_closed_abyss():
    table = given(2)
    table.float("s0_1", (21, 5))
    table.wait("sail", 0)
    table.state.pending = Pending("thrust", 3)
    table.when(0, BoostSubmarine("s0_1", (22, 3))).refused("abyss-closed")
    table.when(0, BoostSubmarine("s0_1", (21, -1))).refused("off-board")
    table.float("s0_2", (21, 6))
    table.when(0, BoostSubmarine("s0_1", (21, 6))).refused("cell-not-free")


@pytest.mark.rule("NAU-68")
@pytest.mark.parametrize(("level", "gain"), [(0, 2), (1, 3), (2, 4), (4, 4)])
def test_a_chest_pays_by_black_level_and_is_gone(level, gain):
    table = beside(SHALLOW, "chest_1")
    table.levels(0, black=level)
    assert enter(table, SHALLOW).gain == gain
    assert table.state.money[0] == 9 + gain
    assert table.state.removed == ("chest_1",)


@pytest.mark.rule("NAU-69")
def test_a_research_bonus_without_a_legal_move_does_not_open():
    table = treasure_beside()
    assert enter(table, SLOPE).pending == ""
    table = treasure_beside()
    table.man("res_grey_1", "r0_01", employed=True)
    assert enter(table, SLOPE).pending == ""
    for money, pending in ((1, ""), (2, "research")):
        table = beside(SLOPE, "treasure_1", money)
        table.build("res_grey_3", (15, 9), owner=1)
        table.man("base", "r0_01")
        assert enter(table, SLOPE).pending == pending, "the rent must be left once the fee is paid"


@pytest.mark.rule("NAU-69")
@pytest.mark.parametrize(("left", "amount"), [(0, 0), (1, 1), (2, 2)])
def test_looks_never_outnumber_the_hidden_finds(left, amount):
    table = beside(SHALLOW, "starfish_1")
    table.levels(0, blue=2)
    others = [place for place in range(60) if PLACE_CELLS[place] != SHALLOW]
    for place in others[left:]:
        table.state.hidden[place] = ""
    taken = enter(table, SHALLOW)
    assert taken.amount == amount
    assert bool(taken.pending) == bool(amount)


@pytest.mark.rule("NAU-69")
def test_a_thrust_always_opens():
    table = beside(SHALLOW, "thrust_1", money=0)
    assert enter(table, SHALLOW).pending == "thrust"
    assert BoostSubmarine("s0_1", SHALLOW) in table.legal(0)


def harbour() -> Table:
    """Return `s0_1` beside the blue north exit of `hab_a_1`."""
    table = given(2)
    table.build("hab_a_1", (15, 9))
    table.float("s0_1", (15, 7))
    table.wait("sail", 0)
    return table


@pytest.mark.rule("NAU-70")
def test_docking_needs_a_made_move_a_blue_exit_and_somebody_there():
    table = harbour()
    table.man("hab_a_1", "r1_01")
    dock = DockSubmarine("s0_1", "hab_a_1")
    table.when(0, dock).refused("not-moved-yet")
    table.play(0, MoveSubmarine("s0_1", (15, 7)))
    assert table.legal(0, DockSubmarine) == [dock]
    table.when(0, DockSubmarine("s0_1", "base")).refused("not-beside-exit")
    assert table.when(0, dock).names[0] == "submarine_docked"
    assert "s0_1" in table.view(1).subs_stock[0]
    table = harbour()
    table.play(0, MoveSubmarine("s0_1", (15, 7)))
    table.when(0, dock).refused("module-empty")
    assert table.legal(0, DockSubmarine) == []


@pytest.mark.rule("NAU-70")
def test_a_yellow_exit_is_no_harbour():
    table = given(2)
    table.build("hab_b_1", (15, 9))
    table.man("hab_b_1", "r0_01")
    table.float("s0_1", (17, 9), moved=True)
    table.state.step, table.state.phase = "sail", "dive"
    table.when(0, DockSubmarine("s0_1", "hab_b_1")).refused("not-beside-exit")


@pytest.mark.rule("NAU-71")
def test_the_crew_gets_off_free_even_in_a_research_module():
    table = given(2)
    table.build("res_grey_1", (15, 9), owner=1)
    table.man("res_grey_1", "r1_01", employed=True)
    table.float("s0_1", (15, 7))
    table.float("s0_2", (3, 8))
    table.wait("sail", 0)
    table.play(0, MoveSubmarine("s0_1", (15, 7)))
    money = table.state.money[:]
    docked = table.when(0, DockSubmarine("s0_1", "res_grey_1")).of(SubmarineDocked)[0]
    assert docked.researcher == "r0_01"
    assert table.view(0).researchers["r0_01"] == "res_grey_1"
    assert table.view(0).employed == ("r1_01",)
    assert table.state.level[0] == [0] * 5
    assert table.state.money == money


@pytest.mark.rule("NAU-71")
def test_with_an_empty_stock_nobody_gets_off():
    table = harbour()
    table.man("hab_a_1", *(f"r0_{k:02d}" for k in range(1, 16)))
    table.play(0, MoveSubmarine("s0_1", (15, 7)))
    docked = table.when(0, DockSubmarine("s0_1", "hab_a_1")).of(SubmarineDocked)[0]
    assert docked.researcher == ""
    assert len(table.view(0).researchers) == 15


@pytest.mark.rule("NAU-71")
def test_docking_may_wait_and_follows_a_boost():
    """A submarine docks from its cell after the boost."""
    table = harbour()
    table.man("hab_a_1", "r1_01")
    table.float("s0_2", (11, 9))
    table.play(0, MoveSubmarine("s0_1", (15, 6)))
    table.when(0, DockSubmarine("s0_1", "hab_a_1")).refused("not-beside-exit")
    table.play(0, MoveSubmarine("s0_2", (11, 10)))
    table.state.pending = Pending("thrust", 3)
    table.play(0, BoostSubmarine("s0_1", (15, 7)))
    assert table.legal(0, DockSubmarine) == [DockSubmarine("s0_1", "hab_a_1")]
    assert UseSonar("s0_1") not in table.legal(0)
    assert EndDive() in table.legal(0)
