"""Each command's own error codes, in the order in which they are checked."""

from collections.abc import Callable

import msgspec
import pytest

from games.chance import Chance
from games.game import Illegal
from games.nautilus import GAME
from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    Command,
    DockSubmarine,
    EndBuild,
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
from games.nautilus.components import LAGOON_CENTRES
from games.nautilus.model import Options, Pending
from games.playout import seed_of
from tests.games.nautilus.table import Table, before_paying, given, waiting_at


def ladder(
    table: Table, seat: int, *rungs: tuple[Command, str, Callable[[], object] | None]
) -> None:
    """Check the code of each command in turn, removing the cause after each."""
    for command, code, mend in rungs:
        table.when(seat, command).refused(code)
        if mend is not None:
            mend()


def test_buy_module_order():
    table = given(2)
    table.pay(0, 0)
    state = table.state
    for k in (1, 2, 3, 4):
        table.hold(0, f"hab_b_{k}")
    table.man("base", *(f"r0_{k:02d}" for k in range(1, 14)))
    removed = [m for m in state.supply if m.startswith("hab_a")]
    state.supply = [m for m in state.supply if not m.startswith("hab_a")]

    def discard() -> None:
        state.hand[0] = state.hand[0][:-1]

    def restock() -> None:
        state.supply[:0] = removed

    ladder(
        table,
        0,
        (BuyModule("hab_c", 9), "unknown-module", None),
        (BuyModule("hab_a_1", 9), "unknown-module", None),
        (BuyModule("base", 9), "unknown-module", None),
        (BuyModule("hab_a", 9), "sold-out", restock),
        (BuyModule("hab_a", 9), "hand-full", discard),
        (BuyModule("hab_a", 9), "bad-researcher-count", None),
        (BuyModule("hab_a", -1), "bad-researcher-count", None),
        (BuyModule("hab_a", 3), "not-enough-researchers", None),
        (BuyModule("hab_a", 2), "not-enough-money", lambda: table.pay(0, 2)),
    )
    table.play(0, BuyModule("hab_a", 2))


def test_place_module_order():
    table = given(2)
    table.hold(0, "hab_a_1")
    table.hold(0, "hab_a_2")
    table.build("hab_b_1", (15, 9))
    table.wait("place", 0, built=("hab_b_1",))
    table.pay(0, 0)
    state = table.state

    def sink() -> None:
        state.submarines[1][0] = None

    table.float("s1_1", (14, 14))
    ladder(
        table,
        0,
        (PlaceModule("hab_a_3", (0, 0), 7), "module-not-in-hand", None),
        (PlaceModule("nonsense", (0, 0), 7), "module-not-in-hand", None),
        (PlaceModule("hab_a_1", (0, 0), 7), "bad-rotation", None),
        (PlaceModule("hab_a_1", (0, 0), 0), "off-board", None),
        (PlaceModule("hab_a_1", (14, 13), 0), "modules-overlap", None),
        (PlaceModule("hab_a_1", (15, 15), 1), "submarine-in-the-way", sink),
        (PlaceModule("hab_a_1", (15, 15), 1), "no-passage", None),
        (PlaceModule("hab_a_1", (15, 15), 0), "not-contiguous", None),
        (PlaceModule("hab_a_1", (15, 6), 0), "not-enough-money", lambda: table.pay(0, 2)),
    )
    table.play(0, PlaceModule("hab_a_1", (15, 6), 0))


def test_end_build_code():
    table = given(2)
    table.hold(0, "hab_a_1")
    table.play(0, SkipBuy())
    table.when(0, EndBuild()).refused("must-build")


def test_move_researcher_order():
    table = waiting_at("move")
    table.build("hab_a_1", (15, 15), 2)
    table.man("hab_a_1", "r0_01", "r0_02")
    table.man("base", "r0_04", "r1_01")
    table.man("res_grey_1", "r0_03", employed=True)
    table.wait("move", 0, movers=("r0_05", "r0_06"), moves_used=2)
    table.pay(0, 0)
    state = table.state

    def rest() -> None:
        table.wait("move", 0, movers=("r0_05",), moves_used=2)

    def vacate() -> None:
        state.researchers[0][2] = -1
        table.wait("move", 0, moves_used=1)

    ladder(
        table,
        0,
        (MoveResearcher("r1_01", "nowhere"), "not-your-researcher", None),
        (MoveResearcher("nobody", "nowhere"), "not-your-researcher", None),
        (MoveResearcher("r0_09", "nowhere"), "researcher-not-on-board", None),
        (MoveResearcher("r0_03", "res_grey_1"), "researcher-employed", None),
        (MoveResearcher("r0_01", "hab_a_1"), "two-researchers-only", rest),
        (MoveResearcher("r0_01", "hab_a_1"), "same-module", None),
        (MoveResearcher("r0_01", "nowhere"), "too-far", None),
        (MoveResearcher("r0_01", "res_grey_2"), "too-far", None),
        (MoveResearcher("r0_01", "res_grey_1"), "too-far", vacate),
        (MoveResearcher("r0_01", "res_grey_1"), "not-enough-money", lambda: table.pay(0, 1)),
    )
    table.play(0, MoveResearcher("r0_01", "res_grey_1"))


def test_bonus_move_researcher_order():
    table = waiting_at("sail")
    table.build("hab_a_1", (15, 15), 2)
    table.build("hab_a_2", (15, 18), 2)
    table.man("hab_a_2", "r0_01")
    table.man("base", "r1_01", "r0_04")
    table.man("res_grey_1", "r0_03", employed=True)
    table.pay(0, 0)
    state = table.state

    def bonus(kind: str) -> Callable[[], object]:
        return lambda: setattr(state, "pending", Pending(kind, 2))

    def vacate() -> None:
        state.researchers[0][2] = -1

    ladder(
        table,
        0,
        (BonusMoveResearcher("r1_01", "x"), "no-bonus", bonus("thrust")),
        (BonusMoveResearcher("r1_01", "x"), "no-bonus", bonus("research")),
        (BonusMoveResearcher("r1_01", "x"), "not-your-researcher", None),
        (BonusMoveResearcher("r0_09", "x"), "researcher-not-on-board", None),
        (BonusMoveResearcher("r0_03", "res_grey_1"), "researcher-employed", vacate),
        (BonusMoveResearcher("r0_01", "hab_a_2"), "same-module", None),
        (BonusMoveResearcher("r0_01", "x"), "too-far", None),
        (BonusMoveResearcher("r0_01", "res_grey_1"), "too-far", None),
        (BonusMoveResearcher("r0_04", "res_grey_1"), "not-enough-money", None),
    )
    table.play(0, BonusMoveResearcher("r0_04", "hab_a_1"))


def test_launch_submarine_order():
    table = waiting_at("launch")
    for k in (1, 2, 3):
        table.float(f"s0_{k}", (2 + k, 2))
    state = table.state

    def dock() -> None:
        state.submarines[0][0] = None

    ladder(
        table,
        0,
        (LaunchSubmarine("x", (0, 0)), "no-submarine-left", dock),
        (LaunchSubmarine("x", (0, 0)), "not-a-research-module", None),
        (LaunchSubmarine("base", (0, 0)), "not-a-research-module", None),
        (LaunchSubmarine("res_grey_1", (0, 0)), "no-free-researcher", None),
    )
    table.man("res_grey_1", "r0_01")
    ladder(
        table,
        0,
        (LaunchSubmarine("res_grey_1", (-5, 99)), "not-beside-exit", None),
        (LaunchSubmarine("res_grey_1", (15, 11)), "cell-not-free", None),
    )
    table.play(0, LaunchSubmarine("res_grey_1", (15, 7)))


def test_use_sonar_order():
    table = waiting_at("sail")
    table.pay(0, 0)
    ladder(
        table,
        0,
        (UseSonar("s1_1"), "not-your-submarine", None),
        (UseSonar("x"), "not-your-submarine", None),
        (UseSonar("s0_1"), "submarine-not-at-sea", None),
    )
    table.float("s0_1", (15, 11), moved=True, sonared=True)
    table.when(0, UseSonar("s0_1")).refused("already-moved")
    table.float("s0_1", (15, 11), sonared=True)
    table.when(0, UseSonar("s0_1")).refused("already-sonared")
    table.float("s0_1", (15, 11))
    table.when(0, UseSonar("s0_1")).refused("nothing-in-range")
    table.float("s0_1", (15, 7))
    table.when(0, UseSonar("s0_1")).refused("not-enough-money")


def test_move_submarine_order():
    table = waiting_at("sail")
    ladder(
        table,
        0,
        (MoveSubmarine("s1_1", (99, 99)), "not-your-submarine", None),
        (MoveSubmarine("s0_1", (99, 99)), "submarine-not-at-sea", None),
    )
    table.float("s0_1", (21, 5), moved=True)
    table.when(0, MoveSubmarine("s0_1", (99, 99))).refused("already-moved")
    table.float("s0_1", (21, 5))
    ladder(
        table,
        0,
        (MoveSubmarine("s0_1", (99, 99)), "off-board", None),
        (MoveSubmarine("s0_1", (21, -1)), "off-board", None),
        (MoveSubmarine("s0_1", (15, 12)), "cell-not-free", None),
        (MoveSubmarine("s0_1", (22, 3)), "abyss-closed", None),
        (MoveSubmarine("s0_1", (29, 0)), "too-far", None),
    )


def test_boost_submarine_order():
    table = waiting_at("sail")
    table.float("s0_1", (21, 5), moved=True)
    boost = BoostSubmarine("s1_1", (99, 99))
    table.when(0, boost).refused("no-bonus")
    table.state.pending = Pending("peek", 1)
    table.when(0, boost).refused("no-bonus")
    table.state.pending = Pending("thrust", 3)
    ladder(
        table,
        0,
        (boost, "not-your-submarine", None),
        (BoostSubmarine("s0_2", (99, 99)), "submarine-not-at-sea", None),
        (BoostSubmarine("s0_1", (99, 99)), "off-board", None),
        (BoostSubmarine("s0_1", (15, 12)), "cell-not-free", None),
        (BoostSubmarine("s0_1", (22, 3)), "abyss-closed", None),
        (BoostSubmarine("s0_1", (17, 5)), "too-far", None),
    )
    table.play(0, BoostSubmarine("s0_1", (20, 5)))


def test_peek_finds_order():
    table = waiting_at("sail")
    peek = PeekFinds(((15, 3), (16, 4)))
    table.when(0, peek).refused("no-bonus")
    table.state.pending = Pending("peek", 1)
    table.when(0, peek).refused("too-many-cells")
    table.state.pending = Pending("peek", 2)
    ladder(
        table,
        0,
        (peek, "no-hidden-find", None),
        (PeekFinds(((99, 0), (15, 3))), "no-hidden-find", None),
        (PeekFinds(((15, 3), (18, 4))), "same-zone", None),
    )
    table.play(0, PeekFinds(((15, 3), (16, 1))))


def test_skip_bonus_code():
    waiting_at("sail").when(0, SkipBonus()).refused("no-bonus")


def test_dock_submarine_order():
    table = waiting_at("sail")
    ladder(
        table,
        0,
        (DockSubmarine("s1_1", "x"), "not-your-submarine", None),
        (DockSubmarine("s0_1", "x"), "submarine-not-at-sea", None),
    )
    table.float("s0_1", (15, 7))
    table.when(0, DockSubmarine("s0_1", "x")).refused("not-moved-yet")
    table.float("s0_1", (15, 7), moved=True)
    ladder(
        table,
        0,
        (DockSubmarine("s0_1", "x"), "not-beside-exit", None),
        (DockSubmarine("s0_1", "base"), "not-beside-exit", None),
        (DockSubmarine("s0_1", "res_grey_1"), "module-empty", None),
    )
    table.man("res_grey_1", "r1_01")
    table.play(0, DockSubmarine("s0_1", "res_grey_1"))


def test_pay_mission_order():
    table = before_paying()
    table.pay(0, 1)
    ladder(
        table,
        0,
        (PayMission(3), "too-many-finds", None),
        (PayMission(2), "not-enough-money", None),
    )
    table.play(0, PayMission(1))
    table.when(0, PayMission(3)).refused("already-paid")


@pytest.mark.parametrize("cell", [(0, 0), (5, 8), (15, 7), (-3, 4)])
def test_a_base_outside_the_lagoon_is_refused(cell):
    assert cell not in LAGOON_CENTRES
    with pytest.raises(Illegal) as refused:
        GAME.setup(2, Options(base_cell=cell), Chance(seed_of(1), 1))
    assert refused.value.code == "bad-base-cell"


@pytest.mark.parametrize(
    "raw",
    [
        {"first_seat": "seat_1"},
        {"sonar_range": "far"},
        {"turn_seconds": 19},
        {"mission_seconds": 86401},
        {"players": 2},
    ],
)
def test_options_out_of_bounds_are_refused_by_their_types(raw):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, Options)
