"""Undo classes by command, and exact undo of builds."""

import msgspec
import pytest

from games.nautilus import GAME
from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    DockSubmarine,
    EndBuild,
    EndDive,
    EndLaunch,
    EndResearch,
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
from games.nautilus.model import Pending
from tests.games.nautilus.table import Table, given


def at(step: str) -> Table:
    table = given(2)
    table.build("res_grey_3", (15, 9), owner=1)
    table.man("res_grey_3", "r0_01")
    table.man("base", "r0_02", "r0_03")
    table.float("s0_1", (15, 7))
    table.wait(step, 0)
    return table


def test_what_shows_nothing_is_free():
    free = {
        "buy": [BuyModule("hab_a", 1), SkipBuy()],
        "move": [MoveResearcher("r0_02", "res_grey_3"), EndResearch()],
        "launch": [LaunchSubmarine("res_grey_3", (17, 9)), EndLaunch()],
        "sail": [MoveSubmarine("s0_1", (15, 6)), EndDive()],
    }
    for step, commands in free.items():
        for command in commands:
            assert at(step).trial(0, command).undo == "free", command
    table = at("sail")
    table.play(0, MoveSubmarine("s0_1", (15, 7)))
    assert table.trial(0, DockSubmarine("s0_1", "res_grey_3")).undo == "free"
    table.state.pending = Pending("research", 2)
    assert table.trial(0, BonusMoveResearcher("r0_02", "res_grey_3")).undo == "free"
    assert table.trial(0, SkipBonus()).undo == "free"
    table.state.pending = Pending("thrust", 3)
    assert table.trial(0, BoostSubmarine("s0_1", (15, 6))).undo == "free"


def test_building_is_free_until_a_find_is_covered():
    table = given(2)
    for module in ("hab_b_1", "hab_a_1"):
        table.hold(0, module)
    table.wait("place", 0)
    build = PlaceModule("hab_b_1", (15, 9), 0)
    assert table.trial(0, build).undo == "free"
    table.play(0, build)
    assert table.trial(0, PlaceModule("hab_a_1", (17, 7), 0)).undo == "all"
    assert table.trial(0, EndBuild()).undo == "free"


@pytest.mark.parametrize("money", [9, 0])
def test_turning_up_a_find_is_marked(money):
    table = at("sail")
    table.pay(0, money)
    assert table.trial(0, MoveSubmarine("s0_1", (16, 7))).undo == "all"
    table.state.pending = Pending("thrust", 3)
    assert table.trial(0, BoostSubmarine("s0_1", (16, 7))).undo == "all"


def test_looks_are_marked():
    table = at("sail")
    assert table.trial(0, UseSonar("s0_1")).undo == "all"
    table.state.pending = Pending("peek", 1)
    assert table.trial(0, PeekFinds(((16, 7),))).undo == "all"


def test_whatever_reveals_the_missions_is_marked():
    table = given(2, busy=False)
    table.play(0, SkipBuy())
    assert table.trial(1, SkipBuy()).undo == "all"
    table.salvaged(0, "starfish_1")
    assert table.trial(1, SkipBuy()).undo == "all"


def test_payments_are_free_until_the_last():
    table = given(2, busy=False)
    table.salvaged(0, "starfish_1")
    table.salvaged(1, "seahorse_1")
    table.play(0, SkipBuy())
    table.play(1, SkipBuy())
    assert table.trial(1, PayMission(1)).undo == "free"
    table.play(1, PayMission(1))
    assert table.trial(0, PayMission(0)).undo is None


def test_a_build_of_several_commands_is_taken_back_exactly():
    """Each placement is a command of its own, and can be undone on its own."""
    table = given(2)
    for module in ("hab_b_1", "hab_b_2", "res_grey_1", "hab_a_1"):
        table.hold(0, module)
    table.wait("place", 0)
    kept = []
    for build in (
        PlaceModule("hab_b_1", (15, 9), 0),
        PlaceModule("hab_b_2", (15, 6), 0),
        PlaceModule("res_grey_1", (15, 3), 0),
    ):
        kept.append((table.state.copy(), build))
        table.play(0, build)
    for before, build in reversed(kept):
        again = Table(GAME, before.copy())
        again.play(0, build)
        assert len(again.state.modules) == len(before.modules) + 1
        assert msgspec.json.encode(before) != msgspec.json.encode(again.state)
