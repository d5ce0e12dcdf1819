"""KED-50 to KED-66: attacks, sight, hits on hands."""

import pytest

from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    Claim,
    Draw,
    EndTurn,
    Jettison,
    Pass,
    Play,
    React,
    RearrangeTop,
    UseFlapper,
)
from games.ke_dnu.events import Jettisoned, Moved, Picked, TopRearranged
from tests.games.ke_dnu.table import cards, given

DECK = "baby_1 baby_2 passenger_1 passenger_2 passenger_3 passenger_4 passenger_5 passenger_6"


@pytest.mark.rule("KED-50", "KED-101/fanatic", "KED-101/beggar")
def test_the_attacker_names_the_board_cards_that_are_hit():
    p = given(
        3,
        boards={0: "fanatic_1 beggar_1", 1: "jack_1 seal_1", 2: "band_1"},
        status=["afloat", "afloat", "afloat"],
    )
    assert [c.victims for c in p.legal(0, Activate) if c.card == "fanatic_1"] == [
        ("jack_1",),
        ("seal_1",),
    ]
    p.when(0, Activate("fanatic_1", victims=("band_1",))).refused("band-protected")
    p.when(0, Activate("fanatic_1", victims=("beggar_1",))).refused("bad-victims")  # not its own
    p.when(0, Activate("beggar_1", victims=("jack_1",))).refused("bad-victims")  # one of each
    assert not p.when(0, Activate("beggar_1", victims=("jack_1", "band_1"))).code
    p = given(
        3, boards={0: "fanatic_1", 1: "jack_1", 2: "seal_1"}, status=["afloat", "sunk", "afloat"]
    )
    p.when(0, Activate("fanatic_1", victims=("jack_1",))).refused("bad-victims")  # sunk is saved


@pytest.mark.rule("KED-51")
def test_deck_hits_are_the_top_cards_one_after_the_other():
    """Band and Rose count card by card: Rose becomes the fifth card, so the Band is discarded."""
    p = given(
        boards={0: "torpedo_1", 1: "jack_1 seal_1 seal_2 lady_1"},
        hands={0: "passenger_1"},
        decks={1: "rose_1 band_1 baby_3 baby_4"},
    )
    then = p.when(0, Activate("torpedo_1", 1, ("passenger_1",)))
    assert cards(then.of(Jettisoned)) == ["rose_1", "band_1", "baby_3", "passenger_1"]
    assert p.deck(1) == "baby_4"


@pytest.mark.rule("KED-52", "KED-101/assistant")
@pytest.mark.parametrize("attack", ["fanatic_1", "priest_1", "beggar_1", "mime_1"])
def test_an_attack_on_a_host_hits_its_assistant(attack):
    p = given(boards={0: attack, 1: "stoker_1+assistant_1"}, hands={1: "jack_1"})
    two = ("stoker_1",)
    p.when(0, Activate(attack, victims=two))
    assert "assistant_1" not in p.board(1)
    assert p.board(1).startswith("stoker_1")


@pytest.mark.rule("KED-52")
def test_a_second_hit_of_the_same_action_may_hit_the_host():
    """Assistant, then host: both are hit. Host, then Assistant: the second hit is lost."""
    for victims, board in {
        ("assistant_1", "stoker_1"): "",
        ("stoker_1", "assistant_1"): "stoker_1",
    }.items():
        p = given(boards={0: "fanatic_1+assistant_2", 1: "stoker_1+assistant_1"})
        p.when(0, Activate("fanatic_1", victims=victims))
        assert p.board(1) == board


@pytest.mark.rule("KED-53")
def test_several_seats_are_hit_clockwise_from_the_acting_one():
    p = given(
        4,
        active=2,
        boards={2: "pirate_1", 0: "jack_1"},
        decks={0: "baby_1", 1: "baby_3", 2: "", 3: "baby_7"},
    )
    then = p.when(2, Activate("pirate_1"))
    assert [(event.seat, event.card) for event in then.of(Moved)] == [
        (3, "baby_7"),
        (0, "baby_1"),
        (1, "baby_3"),
    ]


@pytest.mark.rule("KED-54")
def test_a_hit_on_a_card_that_is_gone_is_lost():
    """Seat 2 pays a claim with a Flapper, which discards a card that seat 0 had named."""
    p = given(
        3,
        boards={
            0: "fanatic_1+assistant_1 beggar_1*",
            1: "lifebuoy_1 baby_3",
            2: "teacher_1 baby_5",
        },
        hands={2: "flapper_1 passenger_17 passenger_18 passenger_19"},
    )
    p.when(0, Activate("fanatic_1", victims=("baby_3", "baby_5")))
    p.when(1, React("lifebuoy_1"))
    p.when(2, Claim("lifebuoy_1", ("flapper_1", "passenger_17", "passenger_18", "passenger_19")))
    p.when(2, UseFlapper("fanatic_1", victims=("baby_3",)))
    for _ in range(6):
        for seat in sorted(p.waiting - {0}):
            p.when(seat, Pass())
    assert not p.state.stack
    assert p.board(1) == ""
    assert "baby_5" in p.water(2)
    assert p.water(1) == "baby_3"


@pytest.mark.rule("KED-54")
def test_a_pick_of_own_cards_that_are_gone_is_lost():
    p = given(boards={0: "chef_1", 1: "ship_guard_1"}, hands={0: "jack_1 seal_1"})
    p.when(0, Activate("chef_1", cards=("jack_1", "seal_1")))
    p.state.hand[0].remove("jack_1")
    p.state.water[0].append("jack_1")
    then = p.when(1, Pass())
    assert cards(then.of(Moved)) == ["seal_1"]


@pytest.mark.rule("KED-60", "KED-101/navigator", "KED-101/steersman")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("", 0),
        ("navigator_1", 2),
        ("navigator_1 navigator_2", 2),
        ("navigator_1 navigator_2+assistant_1", 4),
        ("steersman_1", 3),
        ("steersman_1 steersman_2", 3),
        ("steersman_1+assistant_1", 6),
        ("steersman_1 steersman_2 navigator_1", 5),
        ("steersman_1 navigator_1", 5),
        ("steersman_1 navigator_1 navigator_2", 7),
        ("steersman_1+assistant_1 navigator_1", 8),
        ("steersman_1 navigator_1+assistant_1", 7),
    ],
)
def test_navigators_and_steersmen_show_the_top_of_the_deck(board, count):
    """Only the seat itself sees the cards, at any time. With both cards it may reorder them."""
    for active in (0, 1):
        p = given(boards={0: board}, decks={0: DECK}, active=active)
        view = GAME.view(p.state, 0)
        assert view.seats[0].top == tuple(DECK.split()[:count])
        assert GAME.view(p.state, 1).seats[0].top == GAME.view(p.state, None).seats[0].top == ()
    p = given(boards={0: board}, decks={0: DECK})
    both = "navigator" in board and "steersman" in board
    assert len(p.legal(0, RearrangeTop)) == (count * (count - 1) if both else 0)
    if not both:
        p.when(0, RearrangeTop(0, 1)).refused("rearrange-unavailable")


@pytest.mark.rule("KED-61")
def test_reordering_moves_one_card_within_sight():
    """Reordering is allowed in draw, main and limit, at most ten times per seat and turn."""
    p = given(boards={0: "navigator_1 steersman_1"}, decks={0: DECK})
    p.when(0, RearrangeTop(4, 0)).then(TopRearranged(0, 4, 0))
    assert p.deck(0).split()[:5] == [
        "passenger_3",
        "baby_1",
        "baby_2",
        "passenger_1",
        "passenger_2",
    ]
    for take, put in ((5, 0), (0, 5), (-1, 0), (1, 1)):
        p.when(0, RearrangeTop(take, put)).refused("bad-index")
    for _ in range(9):
        assert not p.when(0, RearrangeTop(0, 1)).code
    p.when(0, RearrangeTop(0, 1)).refused("rearrange-spent")
    assert p.state.rearranged == [10, 0]
    p.when(0, EndTurn())
    assert p.state.rearranged == [0, 0]
    for step in ("draw", "limit"):
        p = given(
            boards={0: "navigator_1 steersman_1"},
            decks={0: DECK},
            hands={0: "jack_1 seal_1 seal_2 lady_1 lady_2 rats_1"},
            step=step,
            phase="voyage",
            drawn=False,
            draw_begun=False,
        )
        assert not p.when(0, RearrangeTop(0, 1)).code
    p.when(0, Draw())
    assert p.state.rearranged == [1, 0]


@pytest.mark.rule("KED-61", "KED-88")
def test_reordering_in_a_window_needs_the_own_deck_touched():
    boards = {0: "burglar_1 fanatic_1", 1: "navigator_1 steersman_1 jack_1"}
    p = given(boards=boards, decks={1: "baby_3 baby_4 passenger_9"})
    p.when(0, Activate("burglar_1", 1))
    assert p.waiting == {1}
    p.when(1, RearrangeTop(2, 0))
    assert p.waiting == {1}, "still asked"
    p.when(1, Pass())
    assert p.hand(0) == "passenger_9"
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    assert p.waiting == {0}
    p = given(boards=boards, decks={1: "baby_3"})
    p.when(0, Activate("burglar_1", 1))
    assert p.waiting == {0}, "one card cannot be reordered"
    p = given(boards=boards, decks={1: "baby_3 baby_4"}, rearranged=[0, 10])
    p.when(0, Activate("burglar_1", 1))
    assert p.waiting == {0}, "no moves are left"
    p = given(boards={0: "fanatic_1", 1: "navigator_1 steersman_1 ship_guard_1"})
    p.when(0, Activate("fanatic_1", victims=("navigator_1",)))
    p.when(1, RearrangeTop(0, 1)).refused("rearrange-unavailable")


@pytest.mark.rule("KED-62", "KED-101/boogeyman")
def test_a_boogeyman_shows_hands():
    """All hands in the own turn; else the hand of a seat while its action touches the viewer."""

    def hand(p, viewer, seat):
        return GAME.view(p.state, viewer).seats[seat].hand

    position = {
        "boards": {1: "boogeyman_1 ship_guard_1", 0: "lady_1 fanatic_1 polka_dancer_1"},
        "hands": {0: "jack_1", 1: "seal_1", 2: "seal_2"},
    }
    p = given(3, active=1, **position)
    assert (hand(p, 1, 0), hand(p, 1, 2)) == (("jack_1",), ("seal_2",))
    assert hand(p, 0, 1) is hand(p, 2, 0) is hand(p, None, 0) is None
    p = given(3, **position)
    assert hand(p, 1, 0) is None
    p.when(0, Activate("lady_1", 1))
    assert hand(p, 1, 0) == ("jack_1",)
    assert hand(p, 1, 2) is None
    p.when(1, Pass())
    assert hand(p, 1, 0) is None
    p.when(0, Activate("polka_dancer_1"))
    assert p.waiting == {1}
    assert hand(p, 1, 0) is None, "it touches nobody"


@pytest.mark.rule("KED-66", "KED-101/lady", "KED-101/saboteur")
def test_a_hit_on_a_hand_is_a_random_card():
    """The card is drawn when the effect happens, by the dice of that record."""
    got = set()
    for seed in range(12):
        p = given(seed=seed, boards={0: "lady_1"}, hands={1: "jack_1 seal_1 rats_1"})
        then = p.when(0, Activate("lady_1", 1))
        picked = then.of(Picked)[0]
        assert picked == Picked(1, 0, tuple(p.hand(0).split()), "lady")
        got.add(p.hand(0))
    assert got == {"jack_1", "seal_1", "rats_1"}
    p = given(boards={0: "lady_1"}, hands={1: "jack_1"})
    p.when(0, Activate("lady_1", 1, victims=("jack_1",))).refused("bad-victims")


@pytest.mark.rule("KED-66", "KED-101/boogeyman")
def test_with_a_boogeyman_the_active_seat_names_the_cards():
    """Names are required in the own turn, also by a Flapper, and refused in other turns."""
    p = given(
        3,
        boards={0: "boogeyman_1 lady_1 saboteur_1"},
        hands={1: "jack_1 seal_1", 2: "seal_2", 0: "flapper_1"},
    )
    p.when(0, Activate("lady_1", 1)).refused("bad-victims")
    p.when(0, Activate("saboteur_1", victims=("jack_1",))).refused("bad-victims")
    p.when(0, Activate("lady_1", 1, victims=("seal_2",))).refused("bad-victims")
    then = p.when(0, Activate("lady_1", 1, victims=("seal_1",)))
    assert p.hand(0) == "flapper_1 seal_1"
    assert not then.of(Picked)
    p.when(0, Activate("saboteur_1", victims=("seal_2", "jack_1")))
    assert (p.water(1), p.water(2)) == ("jack_1", "seal_2")

    p = given(boards={0: "boogeyman_1", 1: "lady_1"}, hands={0: "flapper_1", 1: "jack_1"})
    p.when(0, Jettison("flapper_1"))
    p.when(0, UseFlapper("lady_1", 1)).refused("bad-victims")
    assert not p.when(0, UseFlapper("lady_1", 1, victims=("jack_1",))).code

    p = given(boards={0: "fanatic_1 lady_1", 1: "boogeyman_1 flapper_1"}, hands={0: "jack_1"})
    p.when(0, Activate("fanatic_1", victims=("flapper_1",)))
    p.when(1, UseFlapper("lady_1", 0, victims=("jack_1",))).refused("bad-victims")
    assert p.when(1, UseFlapper("lady_1", 0)).of(Picked)


def test_a_loose_card_is_no_target_of_a_play():
    p = given(hands={0: "jack_1"})
    p.when(0, Play("jack_1", 1)).refused("bad-target")
