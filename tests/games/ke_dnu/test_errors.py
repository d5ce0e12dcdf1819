"""Every error code is reached, and the order of refusals (section 6)."""

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
from tests.games.ke_dnu.table import drawing, play

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
"""All codes of section 6, but `bad-option`, which the set-up gives."""


def refused(p, seat, command, code):
    before = p.state.copy()
    assert p(seat, command).code == code, command
    assert p.state == before


def test_the_match_and_the_seat_come_first():
    refused(play(phase="over"), 1, Jettison("nonsense"), "game-over")
    p = play(status=["sunk", "afloat"], active=1)
    refused(p, 0, Jettison("nonsense"), "ship-sunk")
    refused(play(), 1, Draw(), "not-your-turn")
    p = play(boards={0: "polka_dancer_1", 1: "ship_guard_1"})
    p(0, Activate("polka_dancer_1"))
    refused(p, 0, EndTurn(), "not-waiting")
    refused(p, 1, Draw(), "wrong-step")
    refused(p, 1, ChooseCard("nonsense"), "wrong-step")


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
    p = play(step=step, phase="voyage", drawn=False)
    for command in commands:
        refused(p, 0, command, "wrong-step")


def test_each_frame_has_its_commands():
    p = play(boards={1: "bartender_1"}, hands={0: "jack_1"})
    p(0, Play("jack_1"))
    for command in (Claim("x"), UseFlapper("x"), ChooseCard("x"), RearrangeTop(0, 1), Draw()):
        refused(p, 1, command, "wrong-step")
    p = play(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    p(0, Jettison("jack_1"))
    for command in (React("x"), UseFlapper("x"), ChooseCard("x"), RearrangeTop(0, 1)):
        refused(p, 1, command, "wrong-step")
    p = play(boards={1: "fanatic_1"}, hands={0: "flapper_1"})
    p(0, Jettison("flapper_1"))
    for command in (React("x"), Claim("x"), EndTurn()):
        refused(p, 0, command, "wrong-step")
    p = play(boards={0: "janitor_1"})
    p(0, Activate("janitor_1"))
    for command in (Pass(), React("x"), PlaceStory("deck"), EndTurn()):
        refused(p, 0, command, "wrong-step")
    p = play(boards={0: "storyteller_1"})
    p(0, Activate("storyteller_1"))
    for command in (Pass(), ChooseCard("x"), EndTurn()):
        refused(p, 0, command, "wrong-step")


def test_unknown_ids_then_ids_named_twice():
    p = play(boards={0: "priest_1+assistant_1", 1: "jack_1"}, hands={0: "assistant_2"})
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
        refused(p, 0, command, "unknown-card")
    for command in (
        Activate("seal_1", cards=("jack_1", "jack_1")),
        Activate("priest_1", victims=("jack_1", "jack_1")),
    ):
        refused(p, 0, command, "duplicate-card")
    p = play(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    p(0, Jettison("jack_1"))
    refused(p, 1, Claim("seal_2", ("seal_1", "seal_1")), "duplicate-card")


def test_the_draw_step():
    refused(drawing(), 0, Maid("jack_1"), "no-maid")
    p = play(boards={0: "maid_1"}, draw_begun=True, step="draw", drawn=False)
    refused(p, 0, Maid("jack_1"), "draw-begun")
    p = drawing(boards={0: "maid_1"}, maid_left=0)
    refused(p, 0, Maid("jack_1"), "maid-spent")
    p = drawing(boards={0: "maid_1"}, maid_left=1)
    refused(p, 0, Maid("jack_1"), "card-not-in-hand")
    p = play(boards={0: "tycoon_1"}, tycoon_left=1, step="draw")
    refused(p, 0, Draw(), "already-drawn")
    refused(p, 0, Tycoon(), "bad-target")
    refused(p, 0, Tycoon(0), "bad-target")
    refused(p, 0, Tycoon(7), "bad-target")
    p.state.deck[1].clear()
    refused(p, 0, Tycoon(1), "target-empty")
    refused(drawing(tycoon_left=1), 0, Tycoon(0), "no-tycoon")
    refused(drawing(boards={0: "tycoon_1"}), 0, Tycoon(0), "no-tycoon")


def test_discards_from_the_hand():
    p = play(hands={0: "band_1 jack_1 seal_1"}, locked=["jack_1", "band_1"])
    refused(p, 0, Jettison("seal_2"), "card-not-in-hand")
    refused(p, 0, Jettison("jack_1"), "card-locked")
    refused(p, 0, Jettison("band_1"), "card-locked")
    refused(p, 0, JettisonPair("jack_1", "seal_2"), "card-not-in-hand")
    refused(p, 0, JettisonPair("jack_1", "jack_1"), "not-a-seal")
    refused(p, 0, JettisonPair("seal_1", "seal_1"), "seal-with-itself")
    refused(p, 0, JettisonPair("seal_1", "band_1"), "card-locked")
    p.state.locked.clear()
    refused(p, 0, JettisonPair("seal_1", "band_1"), "band-held")
    refused(p, 0, Jettison("band_1"), "band-held")
    six = "band_1 jack_1 seal_1 seal_2 lady_1 rats_1"
    p = play(hands={0: six}, phase="voyage", step="limit", locked=["jack_1"])
    refused(p, 0, DiscardDown("lady_2"), "card-not-in-hand")
    refused(p, 0, DiscardDown("jack_1"), "card-locked")
    refused(p, 0, DiscardDown("band_1"), "band-held")


def test_buying_and_laying():
    p = play(phase="voyage", shop="maid_1", points=3)
    refused(p, 0, Buy("seal_1"), "card-not-in-shop")
    refused(p, 0, Buy("maid_1"), "not-enough-points")
    refused(play(), 0, Buy("seal_1"), "no-shop")
    hand = "rats_1 jack_1 stowaway_1 assistant_1 pirate_1"
    p = play(
        boards={0: "seal_1+assistant_2"},
        hands={0: hand},
        locked=["rats_1"],
        no_play=["rats_1", "jack_1"],
    )
    refused(p, 0, Play("maid_1", 5, "seal_1"), "card-not-in-hand")
    refused(p, 0, Play("rats_1"), "card-locked")
    refused(p, 0, Play("jack_1", 5), "card-blocked")
    p.state.locked.clear()
    p.state.no_play.clear()
    refused(p, 0, Play("rats_1", 5), "cannot-board")
    refused(p, 0, Play("stowaway_1", 0, "seal_1"), "bad-target")
    refused(p, 0, Play("stowaway_1", 1, "seal_1"), "bad-host")
    refused(p, 0, Play("pirate_1", 1, "seal_1"), "bad-target")
    refused(p, 0, Play("pirate_1", host="seal_1"), "bad-host")
    refused(p, 0, Play("assistant_1", host="seal_1"), "no-host")
    p = play(boards={0: "seal_1+assistant_2 lady_1"}, hands={0: hand})
    refused(p, 0, Play("assistant_1", host="seal_1"), "host-taken")
    refused(p, 0, Play("assistant_1", host="assistant_2"), "bad-host")
    refused(p, 0, Play("assistant_1"), "bad-host")
    refused(p, 0, Play("assistant_1", host="lady_1"), "not-enough-points")
    refused(p, 0, Play("pirate_1"), "not-enough-points")


def test_activating():
    p = play(boards={0: "stoker_1 ship_guard_1 chef_1* jack_1 burglar_1 polka_dancer_1 anchor_1"})
    refused(p, 0, Activate("maid_1"), "card-not-on-board")
    refused(p, 0, Activate("stoker_1"), "no-action")
    refused(p, 0, Activate("ship_guard_1"), "no-action")
    refused(p, 0, Activate("anchor_1"), "no-action")
    refused(p, 0, Activate("chef_1"), "card-exhausted")
    refused(p, 0, Activate("jack_1", 1, ("jack_1",), ("jack_1",), "jack_1"), "bad-target")
    refused(p, 0, Activate("jack_1", -1, ("jack_1",), ("jack_1",), "jack_1"), "wrong-count")
    refused(p, 0, Activate("jack_1", -1, (), ("jack_1",), "jack_1"), "bad-victims")
    refused(p, 0, Activate("jack_1", -1, (), (), "jack_1"), "bad-host")
    refused(p, 0, Activate("burglar_1"), "bad-target")
    refused(p, 0, DiscardAnchor("anchor_2"), "card-not-on-board")
    refused(p, 0, DiscardAnchor("jack_1"), "not-an-anchor")


def test_the_choices_of_an_effect():
    p = play(boards={0: "torpedo_1 lady_1 burglar_1 fanatic_1 doctor_1 diver_1 life_jacket_1"})
    refused(p, 0, Activate("torpedo_1"), "hand-empty")
    for card in ("lady_1", "fanatic_1", "doctor_1", "diver_1", "life_jacket_1"):
        refused(p, 0, Activate(card, 9), "nothing-to-do")
    p = play(
        3,
        boards={0: "torpedo_1 lady_1 burglar_1"},
        hands={0: "band_1 jack_1 seal_1", 2: "maid_1"},
        decks={1: ""},
        locked=["seal_1"],
    )
    refused(p, 0, Activate("lady_1", 1), "target-empty")
    refused(p, 0, Activate("burglar_1", 1), "target-empty")
    refused(p, 0, Activate("torpedo_1", 1), "target-empty")
    refused(p, 0, Activate("torpedo_1", 2), "wrong-count")
    refused(p, 0, Activate("torpedo_1", 2, ("lady_2",)), "card-not-in-hand")
    refused(p, 0, Activate("torpedo_1", 2, ("seal_1",)), "card-locked")
    refused(p, 0, Activate("torpedo_1", 2, ("band_1",)), "band-held")
    p = play(
        boards={
            0: "doctor_1 stimulants_1 fanatic_2* seal_1 priest_1 profiteer_1 diver_1 technician_1 life_jacket_1",
            1: "maid_1",
        },
        waters={0: "rats_1 assistant_1 jack_1"},
        readied=["fanatic_2"],
    )
    p.state.board[0].append(type(p.state.board[0][0])("chef_1", exhausted=True))
    refused(p, 0, Activate("doctor_1", cards=("jack_1",)), "card-not-on-board")
    refused(p, 0, Activate("doctor_1", cards=("doctor_1",)), "self-target")
    refused(p, 0, Activate("doctor_1", cards=("seal_1",)), "not-exhausted")
    refused(p, 0, Activate("doctor_1", cards=("fanatic_2",)), "already-readied")
    refused(p, 0, Activate("technician_1"), "wrong-count")
    refused(p, 0, Activate("diver_1", cards=("seal_1",)), "card-not-in-water")
    refused(p, 0, Activate("life_jacket_1", cards=("rats_1",)), "cannot-board")
    refused(p, 0, Activate("life_jacket_1", cards=("jack_1",), host="seal_1"), "bad-host")
    refused(p, 0, Activate("life_jacket_1", cards=("assistant_1",)), "bad-host")
    refused(p, 0, Activate("priest_1"), "bad-victims")
    refused(p, 0, Activate("priest_1", victims=("seal_1",)), "bad-victims")
    p = play(boards={0: "fanatic_1 profiteer_1 mime_1", 1: "band_1 jack_1"})
    refused(p, 0, Activate("fanatic_1", victims=("band_1",)), "band-protected")
    refused(p, 0, Activate("mime_1", victims=("band_1",)), "band-protected")
    p = play(boards={0: "profiteer_1 band_1"})
    refused(p, 0, Activate("profiteer_1", cards=("band_1",)), "band-held")
    p = play(boards={0: "fanatic_1", 1: "band_1"})
    refused(p, 0, Activate("fanatic_1", victims=("band_1",)), "nothing-to-do")


def test_rearranging():
    p = play(boards={0: "steersman_1"})
    refused(p, 0, RearrangeTop(0, 1), "rearrange-unavailable")
    p = play(boards={0: "steersman_1 navigator_1"}, rearranged=[10, 0])
    refused(p, 0, RearrangeTop(9, 9), "rearrange-spent")
    p = play(boards={0: "steersman_1 navigator_1"}, decks={0: "baby_1 baby_2"})
    refused(p, 0, RearrangeTop(0, 2), "bad-index")


def test_reacting():
    defence = "steward_1 bartender_1 ship_guard_1* lifebuoy_1 band_1"
    p = play(boards={0: "fanatic_1", 1: defence}, hands={1: "jack_1"})
    p(0, Activate("fanatic_1", victims=("steward_1",)))
    refused(p, 1, React("steward_2"), "card-not-on-board")
    refused(p, 1, React("band_1"), "not-applicable")
    refused(p, 1, React("ship_guard_1"), "card-exhausted")
    refused(p, 1, React("bartender_1"), "not-applicable")
    refused(p, 1, React("lifebuoy_1", ("band_1",)), "bad-choice")
    refused(p, 1, React("lifebuoy_1", (), (0,)), "bad-choice")
    for cards, positions in (
        ((), ()),
        (("jack_1",), ()),
        (("fanatic_1",), ()),
        (("bartender_1", "lifebuoy_1"), ()),
        (("bartender_1",), (0,)),
        ((), (0,)),
    ):
        refused(p, 1, React("steward_1", cards, positions), "bad-choice")
    p = play(boards={0: "fanatic_1", 1: "steward_1 jack_1 band_1"})
    p(0, Activate("fanatic_1", victims=("jack_1",)))
    refused(p, 1, React("steward_1", ("band_1",)), "band-protected")
    p = play(boards={0: "burglar_1", 1: "steward_1"}, decks={1: "baby_3 baby_4"})
    p(0, Activate("burglar_1", 1))
    for positions in ((), (2,), (-1,), (0, 0), (0, 1)):
        refused(p, 1, React("steward_1", (), positions), "bad-choice")


def test_claiming():
    p = play(
        boards={0: "fanatic_1 torpedo_1", 1: "teacher_1 seal_2"},
        hands={0: "pirate_1", 1: "band_1 maid_1 jack_1"},
        decks={1: "lady_1 rats_2 baby_3 baby_4"},
    )
    p(0, Activate("torpedo_1", 1, ("pirate_1",)))
    refused(p, 1, Claim("seal_1"), "card-not-in-batch")
    refused(p, 1, Claim("lady_1"), "own-card")
    refused(p, 1, Claim("pirate_1", ("seal_1",)), "card-not-in-hand")
    refused(p, 1, Claim("pirate_1", ("band_1",)), "band-held")
    refused(p, 1, Claim("pirate_1", ("maid_1",), "seal_2"), "bad-host")
    refused(p, 1, Claim("pirate_1", ("maid_1",)), "price-not-met")
    p.state.locked.append("maid_1")
    refused(p, 1, Claim("pirate_1", ("maid_1",)), "card-locked")
    p.state.no_play.append("pirate_1")
    p = play(
        3,
        boards={0: "torpedo_1", 2: "teacher_1"},
        hands={0: "pirate_1", 2: "tycoon_1"},
        decks={1: "rats_2 assistant_1 lady_1"},
        no_play=["pirate_1"],
    )
    p(0, Activate("torpedo_1", 1, ("pirate_1",)))
    refused(p, 2, Claim("rats_2"), "cannot-board")
    refused(p, 2, Claim("pirate_1"), "card-blocked")
    refused(p, 2, Claim("assistant_1", ("tycoon_1",)), "bad-host")


def test_choosing_and_placing():
    p = play(boards={0: "janitor_1"}, hands={0: "jack_1"})
    p(0, Activate("janitor_1"))
    refused(p, 0, ChooseCard("jack_1"), "card-not-on-board")
    p = play(boards={0: "proletarian_1"}, hands={0: "band_1 jack_1 seal_1"}, locked=["seal_1"])
    p(0, EndTurn())
    refused(p, 0, ChooseCard("proletarian_1"), "card-not-in-hand")
    refused(p, 0, ChooseCard("seal_1"), "card-locked")
    refused(p, 0, ChooseCard("band_1"), "band-held")
    p = play(boards={0: "storyteller_1"}, decks={0: "rats_1"})
    p(0, Activate("storyteller_1"))
    refused(p, 0, PlaceStory("board", "storyteller_1"), "cannot-board")
    refused(p, 0, PlaceStory("deck", "storyteller_1"), "bad-host")
    p = play(boards={0: "storyteller_1"}, decks={0: "jack_1"})
    p(0, Activate("storyteller_1"))
    refused(p, 0, PlaceStory("board", "storyteller_1"), "bad-host")


def test_flappers():
    p = play(boards={0: "priest_1", 1: "fanatic_1 jack_1"}, hands={0: "flapper_1"})
    p(0, Jettison("flapper_1"))
    for source in ("priest_1", "jack_1", "lady_1"):
        refused(p, 0, UseFlapper(source), "not-copyable")
    refused(p, 0, UseFlapper("fanatic_1", 1), "bad-target")
    refused(p, 0, UseFlapper("fanatic_1", -1, ("priest_1",)), "wrong-count")
    refused(p, 0, UseFlapper("fanatic_1", victims=("fanatic_1", "jack_1")), "bad-victims")


def test_every_code_has_a_test():
    """The codes here are those of section 6, and those that the rules give."""
    calls = [
        node
        for node in ast.walk(ast.parse(Path(__file__).read_text()))
        if isinstance(node, ast.Call)
    ]
    tried = {
        code.value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "refused"
        for code in call.args[3:]
        if isinstance(code, ast.Constant)
    }
    assert tried == CODES
    sources = (Path(__file__).resolve().parents[3] / "games/ke_dnu").rglob("*.py")
    given = {
        code
        for path in sources
        if path.name != "reasons.py"
        for code in re.findall(
            r'(?:Illegal\(|return |else )\s*"([a-z]+(?:-[a-z]+)+)"', path.read_text()
        )
    }
    assert given - {"bad-option"} <= CODES
