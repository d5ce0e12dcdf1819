"""KED-70 to KED-75: doubling and protection."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    ChooseCard,
    DiscardAnchor,
    Draw,
    EndTurn,
    Maid,
    Pass,
    Play,
    React,
)
from games.ke_dnu.events import (
    ActionAnnounced,
    CardsDrawn,
    ChoiceOpened,
    Jettisoned,
    Moved,
    PointsGained,
)
from tests.games.ke_dnu.table import cards, drawing, given


@pytest.mark.rule("KED-70", "KED-101/polka_dancer", "KED-101/convict")
def test_an_assistant_doubles_the_number_in_one_announcement():
    p = given(boards={0: "polka_dancer_1+assistant_1 convict_1+assistant_2", 1: "ship_guard_1"})
    then = p.when(0, Activate("polka_dancer_1"))
    announced = ActionAnnounced(0, "polka_dancer_1", "exhaust", 2, -1, (), (), "")
    assert then.of(ActionAnnounced) == [announced]
    then = p.when(1, Pass())
    assert len(then.of(CardsDrawn)[0].cards) == 2
    p.when(0, Activate("convict_1"))
    then = p.when(1, Pass())
    assert then.of(PointsGained) == [PointsGained(0, 12, "convict")]


@pytest.mark.rule("KED-70", "KED-101/captain", "KED-101/technician")
def test_effects_of_a_free_number_are_only_protected():
    p = given(boards={0: "captain_1+assistant_1"}, hands={0: "jack_1 seal_1"})
    then = p.when(0, Activate("captain_1", cards=("jack_1", "seal_1")))
    assert len(then.of(CardsDrawn)[0].cards) == 2
    p = given(boards={0: "arbiter_1+assistant_1", 1: "pirate_1 tycoon_1"})
    then = p.when(0, EndTurn())
    assert then.of(ActionAnnounced)[0].times == 1
    assert cards(then.of(Jettisoned)) == ["pirate_1"]


@pytest.mark.rule("KED-71", "KED-101/convict", "KED-101/drunkard")
@pytest.mark.parametrize(
    ("board", "command", "after"),
    [
        ("convict_1+assistant_1", Activate("convict_1"), "convict_1*"),
        ("drunkard_1+assistant_1", Activate("drunkard_1"), "drunkard_1*"),
        (
            "life_jacket_1+assistant_1",
            Activate("life_jacket_1", cards=("jack_1",)),
            "life_jacket_1* jack_1*",
        ),
        (
            "stimulants_1+assistant_1 chef_1*",
            Activate("stimulants_1", cards=("chef_1",)),
            "stimulants_1* chef_1",
        ),
    ],
)
def test_an_own_action_that_discards_its_host_takes_the_assistant(board, command, after):
    p = given(boards={0: board}, waters={0: "jack_1"})
    p.when(0, command)
    assert p.board(0) == after
    assert p.water(0).endswith("assistant_1")


@pytest.mark.rule("KED-72", "KED-101/profiteer")
def test_any_own_discard_of_a_host_takes_the_assistant():
    """Profiteer then gives the Assistant's points."""
    p = given(boards={0: "profiteer_1 torpedo_1+assistant_1 anchor_1+assistant_2"})
    then = p.when(0, Activate("profiteer_1", cards=("torpedo_1",)))
    assert then.of(Jettisoned) == [Jettisoned(0, "assistant_1", "board", "profiteer", 4)]
    then = p.when(0, DiscardAnchor("anchor_1"))
    assert then.of(Jettisoned) == [Jettisoned(0, "assistant_2", "board", "anchor", 0)]
    assert p.board(0) == "profiteer_1* torpedo_1 anchor_1"
    p = given(boards={0: "arbiter_1+assistant_1"})
    then = p.when(0, EndTurn())
    assert cards(then.of(Jettisoned)) == ["assistant_1"]


@pytest.mark.rule("KED-73", "KED-101/jack", "KED-101/technician", "KED-101/janitor")
def test_an_own_move_takes_the_named_card_and_leaves_the_assistant_loose():
    """A loose Assistant doubles and protects nothing, and stays loose."""
    p = given(boards={0: "jack_1+assistant_1"}, hands={0: "seal_1"}, points=9)
    p.when(0, Activate("jack_1"))
    assert p.board(0) == "assistant_1"
    assert p.state.board[0][0].host == ""
    p.when(0, Play("seal_1"))
    assert p.state.board[0][0].host == ""
    p = given(boards={0: "technician_1+assistant_1 seal_1+assistant_2"})
    p.when(0, Activate("technician_1", cards=("seal_1", "technician_1")))
    assert p.board(0) == "assistant_1 assistant_2"
    p = given(boards={0: "janitor_1", 1: "seal_1+assistant_1"})
    p.when(0, Activate("janitor_1"))
    p.when(1, ChooseCard("seal_1"))
    assert p.board(1) == "assistant_1"
    p = given(boards={0: "mime_1+assistant_1", 1: "jack_1"})
    p.when(0, Activate("mime_1", victims=("jack_1",)))
    assert (p.board(0), p.hand(1)) == ("assistant_1", "mime_1")


@pytest.mark.rule("KED-74")
def test_an_assistant_is_a_card_of_the_board_and_never_moves_on():
    p = given(boards={0: "seal_1+assistant_1 jack_1 lady_1 band_1"}, hands={0: "baby_1"}, points=9)
    assert p.when(0, Play("baby_1")).events[0].price == 4
    p.when(0, Activate("profiteer_1")).refused("card-not-on-board")
    assert [(b.card, b.host) for b in p.state.board[0]][1] == ("assistant_1", "seal_1")


@pytest.mark.rule("KED-75", "KED-101/maid", "KED-101/tycoon", "KED-101/lifeguard")
def test_passives_double():
    p = given(
        active=1,
        boards={0: "maid_1+assistant_1 tycoon_1+assistant_2 tycoon_2 lifeguard_1"},
        hands={0: "jack_1 seal_1 seal_2"},
    )
    p.when(1, EndTurn())
    assert (p.state.maid_left, p.state.tycoon_left) == (2, 3)
    assert p.when(0, Maid("jack_1")).code == p.when(0, Maid("seal_1")).code == ""
    p.when(0, Maid("seal_2")).refused("maid-spent")
    p = given(boards={0: "lifeguard_1+assistant_1"}, hands={0: "rose_1"}, points=9)
    assert p.when(0, Play("rose_1")).events[0].price == 1
    p = given(
        boards={0: "proletarian_1+assistant_1"},
        hands={0: "jack_1", 1: "seal_1 seal_2 lady_1"},
    )
    then = p.when(0, EndTurn())
    assert then.of(ChoiceOpened) == [ChoiceOpened("proletarian", (0, 2))]


@pytest.mark.rule("KED-75", "KED-101/lifebuoy")
def test_a_reaction_does_not_double():
    """A Lifebuoy's Assistant is discarded instead. The Lifebuoy stays, exhausted."""
    p = given(boards={0: "lady_1", 1: "lifebuoy_1+assistant_1"}, hands={1: "jack_1", 0: "seal_1"})
    p.when(0, Activate("lady_1", 1))
    then = p.when(1, React("lifebuoy_1"))
    assert then.of(Jettisoned) == [Jettisoned(1, "assistant_1", "board", "lifebuoy", 0)]
    assert p.board(1) == "lifebuoy_1*"
    assert not then.of(Moved)


def test_an_assistant_is_never_lent_with_a_host_that_is_taken():
    """The Priest takes the Assistant first; it is never exhausted, so it is not locked."""
    p = given(boards={0: "priest_1", 1: "fanatic_1+assistant_1*"})
    p.when(0, Activate("priest_1", victims=("fanatic_1",)))
    assert p.hand(0) == "assistant_1"
    assert p.state.locked == []


def test_the_first_draw_counts_the_board_as_it_lies():
    p = drawing(
        boards={0: "fisherman_1+assistant_1 maid_1"},
        hands={0: "jack_1"},
        maid_left=1,
        decks={0: "baby_1 baby_2 passenger_1 passenger_2 passenger_3 passenger_4"},
    )
    p.when(0, Maid("jack_1"))
    assert len(p.when(0, Draw()).of(CardsDrawn)[0].cards) == 5
    p.when(0, Maid("baby_1")).refused("wrong-step")
