"""KED-83, KED-84: a Lifebuoy excludes its seat from an effect, a Steward chooses the hits."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    ChooseCard,
    EndTurn,
    Jettison,
    Play,
    React,
    Tycoon,
    UseFlapper,
)
from games.ke_dnu.events import (
    CardPlayed,
    Jettisoned,
    Moved,
    Picked,
    Redirected,
    Resolved,
    Shielded,
)
from games.ke_dnu.model import ActionFrame, Redirect
from tests.games.ke_dnu.table import cards, given

HITS = {
    "beggar_1": {"victims": ("jack_1", "seal_2")},
    "burglar_1": {"target": 1},
    "dealer_1": {},
    "fanatic_1": {"victims": ("jack_1",)},
    "janitor_1": {},
    "lady_1": {"target": 1},
    "mime_1": {"victims": ("jack_1",)},
    "pirate_1": {},
    "priest_1": {"victims": ("jack_1",)},
    "saboteur_1": {},
    "storyteller_1": {},
    "torpedo_1": {"target": 1, "cards": ("passenger_1",)},
}
"""Every action that moves, draws or discards cards of other seats, aimed at seat 1."""


def under_fire(card: str, guard: str):
    """Seat 0 acts, seat 1 has a reaction card, and seat 2 has none."""
    p = given(
        3,
        boards={0: card, 1: f"{guard} jack_1 seal_1", 2: "seal_2 lady_1"},
        hands={0: "passenger_1", 1: "rats_1 rats_2 rats_3", 2: "rats_4 baby_5"},
        decks={1: "baby_3 baby_4 passenger_9 passenger_10 passenger_11"},
    )
    p.when(0, Activate(card, **HITS[card]))
    return p


def zones(p, seat: int):
    state = p.state
    return (
        [place.card for place in state.board[seat]],
        list(state.hand[seat]),
        list(state.deck[seat]),
        list(state.water[seat]),
    )


@pytest.mark.rule("KED-83", "KED-101/lifebuoy")
@pytest.mark.parametrize("card", HITS)
def test_a_lifebuoy_takes_its_seat_out_of_the_effect(card):
    """Other seats are still hit and costs are still paid. Then the Lifebuoy is discarded."""
    p = under_fire(card, "lifebuoy_1")
    assert p.waiting == {1}
    board, hand, deck, water = zones(p, 1)
    then = p.when(1, React("lifebuoy_1"))
    assert then.of(Shielded) == [Shielded(1, "lifebuoy_1")]
    board.remove("lifebuoy_1")
    assert zones(p, 1) == (board, hand, deck, [*water, "lifebuoy_1"])
    assert then.of(Resolved) == [Resolved(0, card)]
    if card == "torpedo_1":
        assert p.water(0) == "passenger_1"
    if card == "mime_1":
        assert p.board(0) == "mime_1*", "against a shield Mime stays"
    if card in {"beggar_1", "pirate_1", "saboteur_1"}:
        assert zones(p, 2) != zones(under_fire(card, "lifebuoy_1"), 2), "the other one is hit"
    if card == "janitor_1":
        assert p.waiting == {0, 2}
    if card == "storyteller_1":
        assert p.state.stack[0].queue == (2,)


@pytest.mark.rule("KED-83", "KED-101/lifebuoy")
def test_a_lifebuoy_stops_passives_and_flappers_but_no_stowaway():
    boards = {0: "tycoon_1 arbiter_1 proletarian_1", 1: "lifebuoy_1 pirate_1"}
    position = {"boards": boards, "hands": {1: "rats_1 rats_2", 0: "stowaway_1"}, "points": 5}
    p = given(step="draw", drawn=False, tycoon_left=1, **position)
    p.when(0, Tycoon(1))
    then = p.when(1, React("lifebuoy_1"))
    assert not then.of(Moved)
    p = given(**position)
    assert p.when(0, Play("stowaway_1", 1)).of(CardPlayed)
    p.when(0, EndTurn())
    assert p.waiting == {1}
    p.when(1, React("lifebuoy_1"))
    assert p.board(1) == "pirate_1 stowaway_1", "the Arbiter's hit is stopped"
    assert p.waiting == {1}, "the Proletarian's is not"
    p.when(1, ChooseCard("rats_1"))
    assert p.water(1) == "lifebuoy_1 rats_1"
    p = given(boards={0: "proletarian_1", 1: "lifebuoy_1"}, hands={1: "rats_1"})
    p.when(0, EndTurn())
    p.when(1, React("lifebuoy_1"))
    assert p.hand(1) == "rats_1"
    p = given(boards={1: "lifebuoy_1 lady_1"}, hands={0: "flapper_1", 1: "rats_1"})
    p.when(0, Jettison("flapper_1"))
    p.when(0, UseFlapper("lady_1", 1))
    p.when(1, React("lifebuoy_1"))
    assert p.hand(1) == "rats_1"


@pytest.mark.rule("KED-83")
def test_a_shielded_seat_is_out_of_a_doubled_effect_altogether():
    p = given(
        boards={0: "storyteller_1+assistant_1", 1: "lifebuoy_1"},
        decks={0: "jack_1 seal_1 baby_1"},
    )
    p.when(0, Activate("storyteller_1"))
    p.when(1, React("lifebuoy_1"))
    assert p.state.stack[0].queue == (0,)


STEWARDS = {
    "beggar_1": "board", "fanatic_1": "board", "mime_1": "board", "priest_1": "board",
    "lady_1": "hand", "saboteur_1": "hand",
    "burglar_1": "deck", "pirate_1": "deck", "torpedo_1": "deck",
}  # fmt: skip


@pytest.mark.rule("KED-84", "KED-101/steward")
@pytest.mark.parametrize("card", HITS)
def test_a_steward_chooses_what_is_hit_in_the_same_zone(card):
    """The number of hits stays. Only attacks on cards can be redirected."""
    p = under_fire(card, "steward_1")
    if card not in STEWARDS:
        assert p.waiting != {1} or not p.legal(1, React)
        return
    zone = STEWARDS[card]
    assert p.waiting == {1}
    picks = {
        "board": React("steward_1", ("seal_1",)),
        "hand": React("steward_1", ("rats_2",)),
        "deck": React("steward_1", (), (2, 3, 4) if card == "torpedo_1" else (3,)),
    }
    then = p.when(1, picks[zone])
    assert then.of(Redirected)[0].zone == zone
    board, hand, deck, _ = zones(p, 1)
    if zone == "board":
        assert board == ["steward_1", "jack_1"]
    elif zone == "hand":
        assert "rats_2" not in hand
        assert not [event for event in then.of(Picked) if event.seat == 1]
    elif card == "torpedo_1":
        assert deck == ["baby_3", "baby_4"]
        assert cards(then.of(Jettisoned))[:3] == ["passenger_9", "passenger_10", "passenger_11"]
    else:
        assert deck == ["baby_3", "baby_4", "passenger_9", "passenger_11"]
        assert "passenger_10" in p.hand(0)


@pytest.mark.rule("KED-84", "KED-101/steward")
def test_a_steward_redirects_arbiters_and_tycoons():
    p = given(boards={0: "arbiter_1", 1: "steward_1 pirate_1 jack_1"})
    p.when(0, EndTurn())
    then = p.when(1, React("steward_1", ("jack_1",)))
    assert cards(then.of(Jettisoned)) == ["jack_1"]
    p = given(
        boards={0: "tycoon_1", 1: "steward_1"},
        decks={1: "baby_3 baby_4"},
        step="draw",
        drawn=False,
        tycoon_left=1,
    )
    p.when(0, Tycoon(1))
    assert [c.positions for c in p.legal(1, React)] == [(0,), (1,)]
    p.when(1, React("steward_1", (), (1,)))
    assert p.hand(0) == "baby_4"


@pytest.mark.rule("KED-84")
def test_a_steward_needs_more_cards_than_hits_and_answers_once():
    """A picked host is protected by its Assistant. A protected Band cannot be picked."""
    p = given(boards={0: "lady_1", 1: "steward_1"}, hands={1: "jack_1"})
    p.when(0, Activate("lady_1", 1))
    assert p.waiting == {0}
    p = given(boards={0: "fanatic_1", 1: "steward_1 steward_2 seal_1+assistant_1 band_1*"})
    p.when(0, Activate("fanatic_1", victims=("steward_1",)))
    p.when(1, React("steward_1", ("seal_1",)))
    assert p.board(1) == "steward_1* steward_2 seal_1 band_1*"
    p = given(boards={0: "fanatic_1", 1: "steward_1 band_1 jack_1"})
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    p.when(1, React("steward_1", ("band_1",))).refused("band-protected")
    assert [c.cards for c in p.legal(1, React)] == [("steward_1",), ("jack_1",)]
    p = given(boards={0: "priest_1", 1: "steward_1 band_1 jack_1"})
    p.when(0, Activate("priest_1", victims=("jack_1",)))
    p.when(1, React("steward_1", ("band_1",)))
    assert p.hand(0) == "band_1", "a move is no discard"
    p = given(
        boards={0: "torpedo_1", 1: "steward_1"},
        hands={0: "jack_1"},
        decks={1: "baby_3 baby_4 passenger_9 band_1"},
    )
    p.when(0, Activate("torpedo_1", 1, ("jack_1",)))
    p.when(1, React("steward_1", (), (1, 2, 3)))
    assert p.deck(1) == "baby_3 band_1", "a Band in the deck may be picked: it stays"


@pytest.mark.rule("KED-84", "KED-102")
@pytest.mark.parametrize(("mode", "code"), [("discard", "band-protected"), ("hand", "")])
def test_a_band_may_be_picked_for_an_arbiter_that_returns_cards(mode, code):
    p = given(
        boards={0: "arbiter_1", 1: "steward_1 pirate_1 band_1"}, options={"arbiter_mode": mode}
    )
    p.when(0, EndTurn())
    listed = React("steward_1", ("band_1",)) in p.legal(1)
    assert p.when(1, React("steward_1", ("band_1",))).code == code
    assert listed == (code == "")


@pytest.mark.rule("KED-84")
def test_a_steward_after_a_steward_is_not_asked_for_the_same_attack():
    p = given(boards={0: "fanatic_1", 1: "steward_1 steward_2 jack_1 lifebuoy_1"})
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    p.when(1, React("steward_1", ("steward_2",)))
    assert p.waiting == {1}, "the Lifebuoy may still answer"
    frame = p.state.stack[-1]
    assert isinstance(frame, ActionFrame)
    assert frame.redirects == (Redirect(1, "board", ("steward_2",), ()),)
    p.when(1, React("steward_2", ("jack_1",))).refused("not-applicable")
    p.when(1, React("lifebuoy_1"))
    assert p.board(1) == "steward_1* steward_2 jack_1"
