"""The refusals that all commands share, in the order in which they are checked."""

import msgspec
import pytest

from games.nautilus import GAME
from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    Command,
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
from tests.games.nautilus.table import Table, before_paying, given, waiting_at

ALL: list[Command] = [
    BuyModule("hab_a", 1),
    SkipBuy(),
    PlaceModule("hab_a_1", (15, 9), 0),
    EndBuild(),
    MoveResearcher("r0_01", "base"),
    EndResearch(),
    LaunchSubmarine("res_grey_1", (15, 7)),
    EndLaunch(),
    UseSonar("s0_1"),
    MoveSubmarine("s0_1", (15, 7)),
    BoostSubmarine("s0_1", (15, 7)),
    BonusMoveResearcher("r0_01", "base"),
    PeekFinds(((16, 7),)),
    SkipBonus(),
    DockSubmarine("s0_1", "base"),
    EndDive(),
    PayMission(0),
]
STEP = {
    "buy": ALL[0:2],
    "place": ALL[2:4],
    "move": ALL[4:6],
    "launch": ALL[6:8],
    "sail": ALL[8:16],
}
PHASES = {"build": ("buy", "place"), "research": ("move",), "dive": ("launch", "sail")}


def over() -> Table:
    table = given(2, busy=False)
    table.play(0, SkipBuy())
    table.play(1, SkipBuy())
    return table


@pytest.mark.parametrize("command", ALL, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_after_the_end(command, seat):
    over().when(seat, command).refused("game-over")


@pytest.mark.parametrize("step", STEP)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_phase_comes_before_the_turn(step, seat):
    """A command of another phase is refused to every seat alike."""
    table = waiting_at(step)
    phase = table.at[1]
    for other in ALL[:16]:
        if not any(other in STEP[own] for own in PHASES[phase]):
            table.when(seat, other).refused("wrong-phase")
    table.when(seat, PayMission(-1)).refused("wrong-phase")


@pytest.mark.parametrize("step", STEP)
def test_the_turn_comes_before_the_step(step):
    table = waiting_at(step)
    for own in PHASES[table.at[1]]:
        for command in STEP[own]:
            table.when(1, command).refused("not-your-turn")


@pytest.mark.parametrize(
    ("step", "other"),
    [("buy", "place"), ("place", "buy"), ("launch", "sail"), ("sail", "launch")],
)
def test_the_step_comes_before_the_bonus(step, other):
    table = waiting_at(step)
    table.state.pending = Pending("thrust", 3)
    for command in STEP[other]:
        table.when(0, command).refused("wrong-step")


def test_a_pending_bonus_comes_before_own_codes():
    table = waiting_at("sail")
    for bonus in ("thrust", "research", "peek"):
        table.state.pending = Pending(bonus, 2)
        unknown = (UseSonar("x"), MoveSubmarine("x", (0, 0)), DockSubmarine("x", "y"), EndDive())
        for command in unknown:
            table.when(0, command).refused("pending-bonus")
        table.when(0, PeekFinds(())).refused("bad-arguments")


@pytest.mark.parametrize("cells", [(), ((16, 7), (16, 7)), ((0, 0), (0, 0), (0, 0))])
def test_cells_that_make_no_sense_come_before_no_bonus(cells):
    waiting_at("sail").when(0, PeekFinds(cells)).refused("bad-arguments")
    waiting_at("launch").when(0, PeekFinds(cells)).refused("wrong-step")


def test_a_negative_count_comes_before_own_codes():
    table = before_paying()
    table.when(0, PayMission(-1)).refused("bad-arguments")
    table.play(0, PayMission(0))
    table.when(0, PayMission(-1)).refused("bad-arguments")
    table.when(0, PayMission(9)).refused("already-paid")


def test_in_the_mission_phase_nobody_is_out_of_turn():
    table = before_paying()
    table.when(1, EndDive()).refused("wrong-phase")
    table.play(1, PayMission(1))
    table.when(1, PayMission(0)).refused("already-paid")


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "place_module", "module": "hab_a_1", "cell": [1], "rotation": 0},
        {"type": "place_module", "module": "hab_a_1", "cell": [1, 2.5], "rotation": 0},
        {"type": "place_module", "module": "hab_a_1", "cell": [1, 2]},
        {"type": "buy_module", "kind": "hab_a", "researchers": "1"},
        {"type": "end_dive", "seat": 1},
        {"type": "move_submarine", "submarine": 3, "to": [1, 2]},
    ],
)
def test_other_types_missing_and_superfluous_fields_never_reach_the_rules(raw):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, GAME.Command)
