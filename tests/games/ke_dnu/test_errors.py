"""Every error code, and the order of the checks."""

import ast
import re
from pathlib import Path

import pytest

from games.ke_dnu.commands import (
    Activate,
    Buy,
    ChooseCard,
    Claim,
    DiscardAnchor,
    DiscardDown,
    Draw,
    EndTurn,
    Jettison,
    JettisonPair,
    Maid,
    Pass,
    PlaceStory,
    Play,
    React,
    RearrangeTop,
    Tycoon,
    UseFlapper,
)
from tests.games.ke_dnu.table import drawing, given

CODES = {
    "game-over", "ship-sunk", "not-your-turn", "not-waiting", "wrong-step", "unknown-card",
    "duplicate-card", "no-maid", "draw-begun", "maid-spent", "card-not-in-hand", "already-drawn",
    "no-tycoon", "bad-target", "target-empty", "card-locked", "band-held", "not-a-seal",
    "seal-with-itself", "no-shop", "card-not-in-shop", "not-enough-points", "card-blocked",
    "cannot-board", "bad-host", "no-host", "host-taken", "card-not-on-board", "no-action",
    "card-exhausted", "not-an-anchor", "rearrange-unavailable", "rearrange-spent", "bad-index",
    "not-applicable", "bad-choice", "band-protected", "card-not-in-batch", "own-card",
    "price-not-met", "not-copyable", "hand-empty", "nothing-to-do", "wrong-count",
    "card-not-in-water", "self-target", "not-exhausted", "already-readied", "bad-victims",
}  # fmt: skip
"""All codes except `bad-option`, which the set-up raises."""


def test_the_match_and_the_seat_come_first():
    given(phase="over").when(1, Jettison("nonsense")).refused("game-over")
    p = given(status=["sunk", "afloat"], active=1)
    p.when(0, Jettison("nonsense")).refused("ship-sunk")
    given().when(1, Draw()).refused("not-your-turn")
    p = given(boards={0: "polka_dancer_1", 1: "ship_guard_1"})
    p.when(0, Activate("polka_dancer_1"))
    p.when(0, EndTurn()).refused("not-waiting")
    p.when(1, Draw()).refused("wrong-step")
    p.when(1, ChooseCard("nonsense")).refused("wrong-step")


@pytest.mark.parametrize(
    ("step", "commands"),
    [
        (
            "draw",
            [
                Jettison("x"), JettisonPair("x", "x"), Buy("x"), Play("x"), Activate("x"),
                DiscardAnchor("x"), EndTurn(), DiscardDown("x"), Pass(), React("x"), Claim("x"),
                ChooseCard("x"), PlaceStory("deck"), UseFlapper("x"),
            ],
        ),
        ("main", [Maid("x"), Draw(), Tycoon(1), DiscardDown("x"), Pass(), React("x")]),
        ("limit", [Maid("x"), Draw(), Tycoon(1), Jettison("x"), EndTurn(), Play("x")]),
    ],
)  # fmt: skip
def test_each_step_has_its_commands(step, commands):
    p = given(step=step, phase="voyage", drawn=False)
    for command in commands:
        p.when(0, command).refused("wrong-step")


def test_each_frame_has_its_commands():
    p = given(boards={1: "bartender_1"}, hands={0: "jack_1"})
    p.when(0, Play("jack_1"))
    for command in (Claim("x"), UseFlapper("x"), ChooseCard("x"), RearrangeTop(0, 1), Draw()):
        p.when(1, command).refused("wrong-step")
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    p.when(0, Jettison("jack_1"))
    for command in (React("x"), UseFlapper("x"), ChooseCard("x"), RearrangeTop(0, 1)):
        p.when(1, command).refused("wrong-step")
    p = given(boards={1: "fanatic_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1"))
    for command in (React("x"), Claim("x"), EndTurn()):
        p.when(0, command).refused("wrong-step")
    p = given(boards={0: "janitor_1"})
    p.when(0, Activate("janitor_1"))
    for command in (Pass(), React("x"), PlaceStory("deck"), EndTurn()):
        p.when(0, command).refused("wrong-step")
    p = given(boards={0: "storyteller_1"})
    p.when(0, Activate("storyteller_1"))
    for command in (Pass(), ChooseCard("x"), EndTurn()):
        p.when(0, command).refused("wrong-step")


def test_unknown_ids_then_ids_named_twice():
    p = given(boards={0: "priest_1+assistant_1", 1: "jack_1"}, hands={0: "assistant_2"})
    for command in (
        Jettison("passenger_99"),
        Jettison(""),
        Jettison("?"),
        Buy("passenger_17"),
        Play("assistant_2", host="nobody_1"),
        Activate("priest_1", victims=("jack_1", "singer_1")),
        Activate("priest_1", cards=("jack_1", "jack_1"), victims=("x",)),
        JettisonPair("seal_9", "jack_1"),
    ):
        p.when(0, command).refused("unknown-card")
    for command in (
        Activate("seal_1", cards=("jack_1", "jack_1")),
        Activate("priest_1", victims=("jack_1", "jack_1")),
    ):
        p.when(0, command).refused("duplicate-card")
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    p.when(0, Jettison("jack_1"))
    p.when(1, Claim("seal_2", ("seal_1", "seal_1"))).refused("duplicate-card")


def test_the_draw_step():
    drawing().when(0, Maid("jack_1")).refused("no-maid")
    p = given(boards={0: "maid_1"}, draw_begun=True, step="draw", drawn=False)
    p.when(0, Maid("jack_1")).refused("draw-begun")
    p = drawing(boards={0: "maid_1"}, maid_left=0)
    p.when(0, Maid("jack_1")).refused("maid-spent")
    p = drawing(boards={0: "maid_1"}, maid_left=1)
    p.when(0, Maid("jack_1")).refused("card-not-in-hand")
    p = given(boards={0: "tycoon_1"}, tycoon_left=1, step="draw")
    p.when(0, Draw()).refused("already-drawn")
    p.when(0, Tycoon()).refused("bad-target")
    p.when(0, Tycoon(0)).refused("bad-target")
    p.when(0, Tycoon(7)).refused("bad-target")
    p.state.deck[1].clear()
    p.when(0, Tycoon(1)).refused("target-empty")
    drawing(tycoon_left=1).when(0, Tycoon(0)).refused("no-tycoon")
    drawing(boards={0: "tycoon_1"}).when(0, Tycoon(0)).refused("no-tycoon")


def test_discards_from_the_hand():
    p = given(hands={0: "band_1 jack_1 seal_1"}, locked=["jack_1", "band_1"])
    p.when(0, Jettison("seal_2")).refused("card-not-in-hand")
    p.when(0, Jettison("jack_1")).refused("card-locked")
    p.when(0, Jettison("band_1")).refused("card-locked")
    p.when(0, JettisonPair("jack_1", "seal_2")).refused("card-not-in-hand")
    p.when(0, JettisonPair("jack_1", "jack_1")).refused("not-a-seal")
    p.when(0, JettisonPair("seal_1", "seal_1")).refused("seal-with-itself")
    p.when(0, JettisonPair("seal_1", "band_1")).refused("card-locked")
    p.state.locked.clear()
    p.when(0, JettisonPair("seal_1", "band_1")).refused("band-held")
    p.when(0, Jettison("band_1")).refused("band-held")
    six = "band_1 jack_1 seal_1 seal_2 lady_1 rats_1"
    p = given(hands={0: six}, phase="voyage", step="limit", locked=["jack_1"])
    p.when(0, DiscardDown("lady_2")).refused("card-not-in-hand")
    p.when(0, DiscardDown("jack_1")).refused("card-locked")
    p.when(0, DiscardDown("band_1")).refused("band-held")


def test_buying_and_laying():
    p = given(phase="voyage", shop="maid_1", points=3)
    p.when(0, Buy("seal_1")).refused("card-not-in-shop")
    p.when(0, Buy("maid_1")).refused("not-enough-points")
    given().when(0, Buy("seal_1")).refused("no-shop")
    hand = "rats_1 jack_1 stowaway_1 assistant_1 pirate_1"
    p = given(
        boards={0: "seal_1+assistant_2"},
        hands={0: hand},
        locked=["rats_1"],
        no_play=["rats_1", "jack_1"],
    )
    p.when(0, Play("maid_1", 5, "seal_1")).refused("card-not-in-hand")
    p.when(0, Play("rats_1")).refused("card-locked")
    p.when(0, Play("jack_1", 5)).refused("card-blocked")
    p.state.locked.clear()
    p.state.no_play.clear()
    p.when(0, Play("rats_1", 5)).refused("cannot-board")
    p.when(0, Play("stowaway_1", 0, "seal_1")).refused("bad-target")
    p.when(0, Play("stowaway_1", 1, "seal_1")).refused("bad-host")
    p.when(0, Play("pirate_1", 1, "seal_1")).refused("bad-target")
    p.when(0, Play("pirate_1", host="seal_1")).refused("bad-host")
    p.when(0, Play("assistant_1", host="seal_1")).refused("no-host")
    p = given(boards={0: "seal_1+assistant_2 lady_1"}, hands={0: hand})
    p.when(0, Play("assistant_1", host="seal_1")).refused("host-taken")
    p.when(0, Play("assistant_1", host="assistant_2")).refused("bad-host")
    p.when(0, Play("assistant_1")).refused("bad-host")
    p.when(0, Play("assistant_1", host="lady_1")).refused("not-enough-points")
    p.when(0, Play("pirate_1")).refused("not-enough-points")


def test_activating():
    p = given(boards={0: "stoker_1 ship_guard_1 chef_1* jack_1 burglar_1 polka_dancer_1 anchor_1"})
    p.when(0, Activate("maid_1")).refused("card-not-on-board")
    p.when(0, Activate("stoker_1")).refused("no-action")
    p.when(0, Activate("ship_guard_1")).refused("no-action")
    p.when(0, Activate("anchor_1")).refused("no-action")
    p.when(0, Activate("chef_1")).refused("card-exhausted")
    p.when(0, Activate("jack_1", 1, ("jack_1",), ("jack_1",), "jack_1")).refused("bad-target")
    p.when(0, Activate("jack_1", -1, ("jack_1",), ("jack_1",), "jack_1")).refused("wrong-count")
    p.when(0, Activate("jack_1", -1, (), ("jack_1",), "jack_1")).refused("bad-victims")
    p.when(0, Activate("jack_1", -1, (), (), "jack_1")).refused("bad-host")
    p.when(0, Activate("burglar_1")).refused("bad-target")
    p.when(0, DiscardAnchor("anchor_2")).refused("card-not-on-board")
    p.when(0, DiscardAnchor("jack_1")).refused("not-an-anchor")


def test_the_choices_of_an_effect():
    p = given(boards={0: "torpedo_1 lady_1 burglar_1 fanatic_1 doctor_1 diver_1 life_jacket_1"})
    p.when(0, Activate("torpedo_1")).refused("hand-empty")
    for card in ("lady_1", "fanatic_1", "doctor_1", "diver_1", "life_jacket_1"):
        p.when(0, Activate(card, 9)).refused("nothing-to-do")
    p = given(
        3,
        boards={0: "torpedo_1 lady_1 burglar_1"},
        hands={0: "band_1 jack_1 seal_1", 2: "maid_1"},
        decks={1: ""},
        locked=["seal_1"],
    )
    p.when(0, Activate("lady_1", 1)).refused("target-empty")
    p.when(0, Activate("burglar_1", 1)).refused("target-empty")
    p.when(0, Activate("torpedo_1", 1)).refused("target-empty")
    p.when(0, Activate("torpedo_1", 2)).refused("wrong-count")
    p.when(0, Activate("torpedo_1", 2, ("lady_2",))).refused("card-not-in-hand")
    p.when(0, Activate("torpedo_1", 2, ("seal_1",))).refused("card-locked")
    p.when(0, Activate("torpedo_1", 2, ("band_1",))).refused("band-held")
    p = given(
        boards={
            0: "doctor_1 stimulants_1 fanatic_2* seal_1 priest_1 profiteer_1 diver_1 technician_1 "
            "life_jacket_1",
            1: "maid_1",
        },
        waters={0: "rats_1 assistant_1 jack_1"},
        readied=["fanatic_2"],
    )
    p.state.board[0].append(type(p.state.board[0][0])("chef_1", exhausted=True))
    p.when(0, Activate("doctor_1", cards=("jack_1",))).refused("card-not-on-board")
    p.when(0, Activate("doctor_1", cards=("doctor_1",))).refused("self-target")
    p.when(0, Activate("doctor_1", cards=("seal_1",))).refused("not-exhausted")
    p.when(0, Activate("doctor_1", cards=("fanatic_2",))).refused("already-readied")
    p.when(0, Activate("technician_1")).refused("wrong-count")
    p.when(0, Activate("diver_1", cards=("seal_1",))).refused("card-not-in-water")
    p.when(0, Activate("life_jacket_1", cards=("rats_1",))).refused("cannot-board")
    p.when(0, Activate("life_jacket_1", cards=("jack_1",), host="seal_1")).refused("bad-host")
    p.when(0, Activate("life_jacket_1", cards=("assistant_1",))).refused("bad-host")
    p.when(0, Activate("priest_1")).refused("bad-victims")
    p.when(0, Activate("priest_1", victims=("seal_1",))).refused("bad-victims")
    p = given(boards={0: "fanatic_1 profiteer_1 mime_1", 1: "band_1 jack_1"})
    p.when(0, Activate("fanatic_1", victims=("band_1",))).refused("band-protected")
    p.when(0, Activate("mime_1", victims=("band_1",))).refused("band-protected")
    p = given(boards={0: "profiteer_1 band_1"})
    p.when(0, Activate("profiteer_1", cards=("band_1",))).refused("band-held")
    p = given(boards={0: "fanatic_1", 1: "band_1"})
    p.when(0, Activate("fanatic_1", victims=("band_1",))).refused("nothing-to-do")


def test_rearranging():
    p = given(boards={0: "steersman_1"})
    p.when(0, RearrangeTop(0, 1)).refused("rearrange-unavailable")
    p = given(boards={0: "steersman_1 navigator_1"}, rearranged=[10, 0])
    p.when(0, RearrangeTop(9, 9)).refused("rearrange-spent")
    p = given(boards={0: "steersman_1 navigator_1"}, decks={0: "baby_1 baby_2"})
    p.when(0, RearrangeTop(0, 2)).refused("bad-index")


def test_reacting():
    defence = "steward_1 bartender_1 ship_guard_1* lifebuoy_1 band_1"
    p = given(boards={0: "fanatic_1", 1: defence}, hands={1: "jack_1"})
    p.when(0, Activate("fanatic_1", victims=("steward_1",)))
    p.when(1, React("steward_2")).refused("card-not-on-board")
    p.when(1, React("band_1")).refused("not-applicable")
    p.when(1, React("ship_guard_1")).refused("card-exhausted")
    p.when(1, React("bartender_1")).refused("not-applicable")
    p.when(1, React("lifebuoy_1", ("band_1",))).refused("bad-choice")
    p.when(1, React("lifebuoy_1", (), (0,))).refused("bad-choice")
    for cards, positions in (
        ((), ()),
        (("jack_1",), ()),
        (("fanatic_1",), ()),
        (("bartender_1", "lifebuoy_1"), ()),
        (("bartender_1",), (0,)),
        ((), (0,)),
    ):
        p.when(1, React("steward_1", cards, positions)).refused("bad-choice")
    p = given(boards={0: "fanatic_1", 1: "steward_1 jack_1 band_1"})
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    p.when(1, React("steward_1", ("band_1",))).refused("band-protected")
    p = given(boards={0: "burglar_1", 1: "steward_1"}, decks={1: "baby_3 baby_4"})
    p.when(0, Activate("burglar_1", 1))
    for positions in ((), (2,), (-1,), (0, 0), (0, 1)):
        p.when(1, React("steward_1", (), positions)).refused("bad-choice")


def test_claiming():
    p = given(
        boards={0: "fanatic_1 torpedo_1", 1: "teacher_1 seal_2"},
        hands={0: "pirate_1", 1: "band_1 maid_1 jack_1"},
        decks={1: "lady_1 rats_2 baby_3 baby_4"},
    )
    p.when(0, Activate("torpedo_1", 1, ("pirate_1",)))
    p.when(1, Claim("seal_1")).refused("card-not-in-batch")
    p.when(1, Claim("lady_1")).refused("own-card")
    p.when(1, Claim("pirate_1", ("seal_1",))).refused("card-not-in-hand")
    p.when(1, Claim("pirate_1", ("band_1",))).refused("band-held")
    p.when(1, Claim("pirate_1", ("maid_1",), "seal_2")).refused("bad-host")
    p.when(1, Claim("pirate_1", ("maid_1",))).refused("price-not-met")
    p.state.locked.append("maid_1")
    p.when(1, Claim("pirate_1", ("maid_1",))).refused("card-locked")
    p.state.no_play.append("pirate_1")
    p = given(
        3,
        boards={0: "torpedo_1", 2: "teacher_1"},
        hands={0: "pirate_1", 2: "tycoon_1"},
        decks={1: "rats_2 assistant_1 lady_1"},
        no_play=["pirate_1"],
    )
    p.when(0, Activate("torpedo_1", 1, ("pirate_1",)))
    p.when(2, Claim("rats_2")).refused("cannot-board")
    p.when(2, Claim("pirate_1")).refused("card-blocked")
    p.when(2, Claim("assistant_1", ("tycoon_1",))).refused("bad-host")


def test_choosing_and_placing():
    p = given(boards={0: "janitor_1"}, hands={0: "jack_1"})
    p.when(0, Activate("janitor_1"))
    p.when(0, ChooseCard("jack_1")).refused("card-not-on-board")
    p = given(boards={0: "proletarian_1"}, hands={0: "band_1 jack_1 seal_1"}, locked=["seal_1"])
    p.when(0, EndTurn())
    p.when(0, ChooseCard("proletarian_1")).refused("card-not-in-hand")
    p.when(0, ChooseCard("seal_1")).refused("card-locked")
    p.when(0, ChooseCard("band_1")).refused("band-held")
    p = given(boards={0: "storyteller_1"}, decks={0: "rats_1"})
    p.when(0, Activate("storyteller_1"))
    p.when(0, PlaceStory("board", "storyteller_1")).refused("cannot-board")
    p.when(0, PlaceStory("deck", "storyteller_1")).refused("bad-host")
    p = given(boards={0: "storyteller_1"}, decks={0: "jack_1"})
    p.when(0, Activate("storyteller_1"))
    p.when(0, PlaceStory("board", "storyteller_1")).refused("bad-host")


def test_flappers():
    p = given(boards={0: "priest_1", 1: "fanatic_1 jack_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1"))
    for source in ("priest_1", "jack_1", "lady_1"):
        p.when(0, UseFlapper(source)).refused("not-copyable")
    p.when(0, UseFlapper("fanatic_1", 1)).refused("bad-target")
    p.when(0, UseFlapper("fanatic_1", -1, ("priest_1",))).refused("wrong-count")
    p.when(0, UseFlapper("fanatic_1", victims=("fanatic_1", "jack_1"))).refused("bad-victims")


def test_every_code_has_a_test():
    """The codes here are those that the rules raise."""
    calls = [
        node
        for node in ast.walk(ast.parse(Path(__file__).read_text()))
        if isinstance(node, ast.Call)
    ]
    tried = {
        code.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "refused"
        for code in call.args
        if isinstance(code, ast.Constant)
    }
    assert tried == CODES
    sources = (Path(__file__).resolve().parents[3] / "games/ke_dnu").rglob("*.py")
    raised = {
        code
        for path in sources
        if path.name != "reasons.py"
        for code in re.findall(
            r'(?:Illegal\(|return |else )\s*"([a-z]+(?:-[a-z]+)+)"', path.read_text()
        )
    }
    assert raised - {"bad-option"} <= CODES
