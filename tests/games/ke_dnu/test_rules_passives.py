"""KED-94 to KED-102: passive cards, at the draw and at the end of a turn; and the Maid."""

import pytest

from games.ke_dnu.commands import ChooseCard, Draw, EndTurn, Maid, Tycoon, UseFlapper
from games.ke_dnu.events import (
    ActionAnnounced,
    BandHeld,
    Chosen,
    Jettisoned,
    LimitReached,
    Moved,
    Resolved,
    ShipSank,
)
from tests.games.ke_dnu.table import cards, drawing, given


@pytest.mark.rule("KED-96", "KED-101/tycoon")
def test_tycoon_draws_from_opponents_decks():
    """Before or after the own draw, from any opponent. Without a target the draw is skipped."""
    board = {0: "tycoon_1"}
    p = drawing(3, tycoon_left=2, decks={2: "baby_5"}, boards=board)
    assert p.when(0, Tycoon(1)).names == ["action_announced", "resolved", "moved"]
    assert p.state.draw_begun
    assert not p.state.drawn
    p.when(0, Draw())
    assert p.state.step == "draw", "mandatory while one has cards"
    p.when(0, EndTurn()).refused("wrong-step")
    p.when(0, Tycoon(2))
    assert p.state.step == "main"
    assert len(p.state.hand[0]) == 5
    p = drawing(3, tycoon_left=1, decks={1: "", 2: ""}, boards=board)
    p.when(0, Tycoon(1)).refused("target-empty")
    assert p.when(0, Draw()).names[-1] == "draw_ended"
    p = drawing(tycoon_left=1, decks={1: ""}, waters={1: "jack_1"}, phase="voyage", boards=board)
    assert p.when(0, Tycoon(1)).names[2:] == ["water_shuffled", "moved"]
    p = drawing(tycoon_left=1, decks={0: ""}, boards=board)
    p.when(0, Tycoon(1))
    assert p.when(0, Draw()).of(ShipSank), "who will sink may still take a card before"


@pytest.mark.rule("KED-97", "KED-101/maid")
def test_maid_moves_a_hand_card_under_the_deck_before_the_draw():
    p = drawing(
        boards={0: "maid_1 maid_2 tycoon_1"},
        hands={0: "jack_1 seal_1 lady_1"},
        maid_left=2,
        tycoon_left=1,
    )
    p.when(0, Maid("jack_1")).then(
        Moved(0, "jack_1", "hand", 0, "deck_bottom", "maid", locked=False)
    )
    assert p.deck(0).endswith("jack_1")
    p.when(0, Tycoon(1))
    p.when(0, Maid("seal_1")).refused("draw-begun")
    p = drawing(boards={0: "maid_1"}, hands={0: "jack_1"}, maid_left=1)
    assert not p.when(0, Draw()).code, "optional"


@pytest.mark.rule("KED-94", "KED-101/proletarian")
def test_proletarian_hits_every_fullest_hand():
    """The own hand counts too. Empty hands are not hit. Cards that cannot be discarded stay."""
    p = given(
        3,
        boards={0: "proletarian_1"},
        hands={0: "jack_1 seal_1", 1: "rats_1 rats_2", 2: "lady_1"},
    )
    then = p.when(0, EndTurn())
    assert then.of(ActionAnnounced)[0].source == "passive"
    assert p.waiting == {0, 1}
    p.when(0, ChooseCard("lady_1")).refused("card-not-in-hand")
    p.when(0, ChooseCard("jack_1")).then(
        Chosen(0, "jack_1"), Jettisoned(0, "jack_1", "hand", "proletarian", 0)
    )
    assert p.when(1, ChooseCard("rats_2")).names[-2:] == ["turn_ended", "turn_started"]
    p = given(boards={0: "proletarian_1"})
    assert p.when(0, EndTurn()).names[1:4] == ["action_announced", "resolved", "turn_ended"]

    p = given(boards={0: "proletarian_1"}, hands={1: "band_1 jack_1"})
    p.when(0, EndTurn())
    p.when(1, ChooseCard("band_1")).refused("band-held")
    p = given(boards={0: "proletarian_1"}, hands={1: "band_1"})
    p.when(0, EndTurn())
    then = p.when(1, ChooseCard("band_1"))
    assert then.events[:2] == [Chosen(1, "band_1"), BandHeld(1, "band_1", "hand")]
    p = given(boards={0: "proletarian_1"}, hands={0: "jack_1 seal_1"}, locked=["jack_1"])
    p.when(0, EndTurn())
    p.when(0, ChooseCard("jack_1")).refused("card-locked")
    p = given(boards={0: "proletarian_1"}, hands={0: "jack_1"}, locked=["jack_1"])
    p.when(0, EndTurn())
    assert p.when(0, ChooseCard("jack_1")).names[:2] == ["chosen", "closed"]
    assert p.hand(0) == "jack_1"


@pytest.mark.rule("KED-99", "KED-101/arbiter")
def test_arbiter_discards_all_the_dearest_cards():
    """All boards afloat count. Iceberg and Lifeboat are worth ten. It may hit itself."""
    p = given(
        3,
        boards={0: "arbiter_1 tycoon_1", 1: "priest_1 jack_1", 2: "pirate_1"},
        status=["afloat", "afloat", "sunk"],
    )
    then = p.when(0, EndTurn())
    assert [(e.seat, e.card) for e in then.of(Jettisoned)] == [(0, "tycoon_1"), (1, "priest_1")]
    p = given(boards={0: "arbiter_1 lifeboat_1", 1: "iceberg_1 tycoon_1"})
    then = p.when(0, EndTurn())
    assert cards(then.of(Jettisoned)) == ["lifeboat_1", "iceberg_1"]
    p = given(boards={0: "arbiter_1"})
    assert cards(p.when(0, EndTurn()).of(Jettisoned)) == ["arbiter_1"]


@pytest.mark.rule("KED-102", "KED-101/arbiter")
def test_by_option_the_arbiter_returns_the_dearest_cards():
    """This is not a discard: the rules of Teacher, Band and Rose do not apply."""
    p = given(
        boards={0: "arbiter_1 jack_1", 1: "pirate_1 teacher_1"},
        hands={1: "lady_1"},
        options={"arbiter_mode": "hand"},
    )
    then = p.when(0, EndTurn())
    assert then.of(Moved) == [Moved(1, "pirate_1", "board", 1, "hand", "arbiter", locked=False)]
    assert p.hand(1) == "lady_1 pirate_1"
    p = given(boards={0: "arbiter_1", 1: "pirate_1+assistant_1"}, options={"arbiter_mode": "hand"})
    p.when(0, EndTurn())
    assert (p.hand(1), p.board(1)) == ("assistant_1", "pirate_1")


def test_a_passive_frame_is_announced_and_resolved():
    p = given(boards={0: "arbiter_1"}, hands={0: "rats_1"})
    then = p.when(0, EndTurn())
    assert then.of(Resolved) == [Resolved(0, "arbiter_1")]


@pytest.mark.rule("KED-100")
def test_end_effects_run_in_board_order_then_the_limit():
    p = given(
        phase="voyage",
        boards={0: "proletarian_1 arbiter_1 proletarian_2"},
        hands={0: "jack_1 seal_1 seal_2 rats_1 rats_2 rats_3 rats_4 maid_1"},
    )
    then = p.when(0, EndTurn())
    assert then.of(ActionAnnounced)[0].card == "proletarian_1"
    then = p.when(0, ChooseCard("jack_1"))
    assert [event.card for event in then.of(ActionAnnounced)] == ["arbiter_1", "proletarian_2"]
    then = p.when(0, ChooseCard("seal_1"))
    assert then.events[-1] == LimitReached(0)
    p = given(
        boards={0: "proletarian_1 arbiter_1 priest_1", 1: "jack_1"},
        hands={1: "flapper_2 seal_1"},
    )
    p.when(0, EndTurn())
    p.when(1, ChooseCard("flapper_2"))
    then = p.when(1, UseFlapper("priest_1", victims=("arbiter_1",)))
    assert "arbiter_1" in p.hand(1)
    assert then.events[-1].seat == 1, "announced only if still on the board"
