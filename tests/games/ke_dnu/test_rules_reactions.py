"""KED-80 to KED-88: reactions in other players' turns."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    ChooseCard,
    Claim,
    EndTurn,
    Jettison,
    JettisonPair,
    Pass,
    Play,
    React,
    RearrangeTop,
    Tycoon,
    UseFlapper,
)
from games.ke_dnu.events import (
    Blocked,
    CardPlayed,
    Closed,
    DiscardsOpened,
    FlapperSpent,
    Jettisoned,
    Moved,
    Passed,
    Picked,
    PlayAnnounced,
    ReactionAnnounced,
    Redirected,
    Resolved,
    Shielded,
)
from games.ke_dnu.model import ActionFrame, Redirect
from tests.games.ke_dnu.table import cards, play


@pytest.mark.rule("KED-80")
def test_reactions_work_only_in_another_seats_turn():
    """Also against what a third seat controls in that turn; never for the active seat."""
    guards = "ship_guard_1 lifebuoy_1 steward_1 bartender_1"
    p = play(3, boards={0: f"fanatic_1 {guards}", 1: "flapper_1 seal_1", 2: "lifebuoy_2 jack_1"})
    p(0, Activate("fanatic_1", victims=("flapper_1",)))
    assert p.waiting == {1}, "nobody but the Flapper"
    p(1, UseFlapper("fanatic_1", victims=("jack_1",)))
    assert p.waiting == {2}, "hit by the third seat, asked in the first one's turn"
    p(2, Pass())
    p = play(3, boards={0: f"fanatic_1 {guards}", 1: "flapper_1", 2: "jack_1"})
    p(0, Activate("fanatic_1", victims=("flapper_1",)))
    p(1, UseFlapper("fanatic_1", victims=("lifebuoy_1",)))
    assert p.waiting == {0}, "the active seat cannot answer"
    assert not p.state.stack


@pytest.mark.rule("KED-81", "KED-101/bartender")
def test_a_bartender_sends_the_card_back_and_the_points_stay():
    """The same card not again this turn; another copy may; next turn it is free."""
    p = play(boards={1: "bartender_1 bartender_2*"}, hands={0: "stoker_1 stoker_2"}, points=10)
    p(0, Play("stoker_1"))
    assert p.waiting == {1}
    p(1, React("bartender_1"))
    assert p.events == [
        ReactionAnnounced(1, "bartender_1", "", (), ()),
        Blocked(0, "stoker_1", 1, "bartender_1"),
    ]
    assert (p.hand(0), p.state.points, p.state.no_play) == ("stoker_1 stoker_2", 10, ["stoker_1"])
    assert p(0, Play("stoker_1")).code == "card-blocked"
    assert p(0, Play("stoker_2")).of(CardPlayed)
    p(0, EndTurn())
    assert p.state.no_play == []


@pytest.mark.rule("KED-81", "KED-86")
def test_a_bartender_stops_a_teacher_too():
    """The card stays in the water, the payment is lost, and nobody lays it this turn."""
    p = play(
        3,
        boards={1: "teacher_1", 2: "bartender_1 teacher_2"},
        hands={0: "stoker_1", 1: "tycoon_1", 2: "pirate_1"},
    )
    p(0, Jettison("stoker_1"))
    p(2, Pass())
    p(1, Claim("stoker_1", ("tycoon_1",)))
    p(2, React("bartender_1"))
    assert (p.water(0), p.water(1)) == ("stoker_1", "tycoon_1")
    assert p.waiting == {2}, "the payment is offered in its turn"
    assert p(2, Claim("stoker_1", ("pirate_1",))).code == "card-not-in-batch"
    p(2, Pass())
    assert not p.state.stack


@pytest.mark.rule("KED-82", "KED-101/ship_guard")
def test_a_ship_guard_blocks_the_whole_action():
    """Whoever is touched, even nobody; no self-discard, no cost; the card stays exhausted."""
    p = play(
        3,
        boards={0: "torpedo_1 drunkard_1 convict_1", 2: "ship_guard_1 ship_guard_2"},
        hands={0: "jack_1"},
    )
    p(0, Activate("torpedo_1", 1, ("jack_1",)))
    assert p.waiting == {2}
    assert p(2, React("ship_guard_1")).events == [
        ReactionAnnounced(2, "ship_guard_1", "", (), ()),
        Blocked(0, "torpedo_1", 2, "ship_guard_1"),
    ]
    assert p.hand(0) == "jack_1"
    assert p.board(0) == "torpedo_1* drunkard_1 convict_1"
    p(0, Activate("convict_1"))
    p(2, React("ship_guard_2"))
    assert (p.board(0), p.state.points) == ("torpedo_1* drunkard_1 convict_1*", 0)
    assert p(0, Activate("drunkard_1")).of(Resolved), "no guard is ready any more"


@pytest.mark.rule("KED-82", "KED-87")
def test_a_ship_guard_blocks_other_reactions():
    """Bartender, Lifebuoy, Steward and Ship Guard are actions that exhaust a card."""
    p = play(
        3,
        boards={0: "lady_1", 1: "lifebuoy_1", 2: "ship_guard_1"},
        hands={1: "jack_1"},
    )
    p(0, Activate("lady_1", 1))
    p(2, Pass())
    p(1, React("lifebuoy_1"))
    assert p.waiting == {2}, "a pass holds for its frame only"
    p(2, React("ship_guard_1"))
    assert p.board(1) == "lifebuoy_1*", "no self-discard"
    assert p.hand(0) == "jack_1"
    p = play(3, boards={1: "bartender_1", 2: "ship_guard_1"}, hands={0: "jack_1"})
    p(0, Play("jack_1"))
    p(1, React("bartender_1"))
    p(2, React("ship_guard_1"))
    assert p.board(0) == "jack_1*"


@pytest.mark.rule("KED-82")
def test_a_ship_guard_cannot_block_what_exhausts_nothing():
    """Passives, Flapper, Maid, Teacher, Anchor."""
    p = play(
        boards={0: "tycoon_1 arbiter_1", 1: "ship_guard_1 jack_1 fanatic_1"},
        hands={0: "flapper_1"},
        step="draw",
        drawn=False,
        tycoon_left=1,
    )
    assert p(0, Tycoon(1)).of(Resolved)
    p.state.step = "main"
    p(0, Jettison("flapper_1"))
    assert p(0, UseFlapper("fanatic_1", victims=("jack_1",))).of(Resolved)
    assert p(0, EndTurn()).of(Resolved)


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
"""Every activated effect that moves, draws or discards cards of others, aimed at seat 1."""


def under_fire(card: str, guard: str):
    """Seat 0 acts; seat 1 has a reaction card; seat 2 stands by."""
    p = play(
        3,
        boards={0: card, 1: f"{guard} jack_1 seal_1", 2: "seal_2 lady_1"},
        hands={0: "passenger_1", 1: "rats_1 rats_2 rats_3", 2: "rats_4 baby_5"},
        decks={1: "baby_3 baby_4 passenger_9 passenger_10 passenger_11"},
    )
    return p(0, Activate(card, **HITS[card]))


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
    """Other seats and the attacker's own costs go on; then it is discarded."""
    p = under_fire(card, "lifebuoy_1")
    assert p.waiting == {1}
    board, hand, deck, water = zones(p, 1)
    p(1, React("lifebuoy_1"))
    assert p.of(Shielded) == [Shielded(1, "lifebuoy_1")]
    board.remove("lifebuoy_1")
    assert zones(p, 1) == (board, hand, deck, [*water, "lifebuoy_1"])
    assert p.of(Resolved) == [Resolved(0, card)]
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
    given = {"boards": boards, "hands": {1: "rats_1 rats_2", 0: "stowaway_1"}, "points": 5}
    p = play(step="draw", drawn=False, tycoon_left=1, **given)
    p(0, Tycoon(1))
    p(1, React("lifebuoy_1"))
    assert not p.of(Moved)
    p = play(**given)
    assert p(0, Play("stowaway_1", 1)).of(CardPlayed)
    p(0, EndTurn())
    assert p.waiting == {1}
    p(1, React("lifebuoy_1"))
    assert p.board(1) == "pirate_1 stowaway_1", "the Arbiter's hit is stopped"
    assert p.waiting == {1}, "the Proletarian's is not"
    p(1, ChooseCard("rats_1"))
    assert p.water(1) == "lifebuoy_1 rats_1"
    p = play(boards={0: "proletarian_1", 1: "lifebuoy_1"}, hands={1: "rats_1"})
    p(0, EndTurn())
    p(1, React("lifebuoy_1"))
    assert p.hand(1) == "rats_1"
    p = play(boards={1: "lifebuoy_1 lady_1"}, hands={0: "flapper_1", 1: "rats_1"})
    p(0, Jettison("flapper_1"))
    p(0, UseFlapper("lady_1", 1))
    p(1, React("lifebuoy_1"))
    assert p.hand(1) == "rats_1"


@pytest.mark.rule("KED-83")
def test_a_shielded_seat_is_out_of_a_doubled_effect_altogether():
    p = play(
        boards={0: "storyteller_1+assistant_1", 1: "lifebuoy_1"},
        decks={0: "jack_1 seal_1 baby_1"},
    )
    p(0, Activate("storyteller_1"))
    p(1, React("lifebuoy_1"))
    assert p.state.stack[0].queue == (0,)


STEWARDS = {
    "beggar_1": "board", "fanatic_1": "board", "mime_1": "board", "priest_1": "board",
    "lady_1": "hand", "saboteur_1": "hand",
    "burglar_1": "deck", "pirate_1": "deck", "torpedo_1": "deck",
}  # fmt: skip


@pytest.mark.rule("KED-84", "KED-101/steward")
@pytest.mark.parametrize("card", HITS)
def test_a_steward_chooses_what_is_hit_in_the_same_zone(card):
    """The number of hits is unchanged; only attacks on a card can be redirected."""
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
    p(1, picks[zone])
    assert p.of(Redirected)[0].zone == zone
    board, hand, deck, _ = zones(p, 1)
    if zone == "board":
        assert board == ["steward_1", "jack_1"]
    elif zone == "hand":
        assert "rats_2" not in hand
        assert not [event for event in p.of(Picked) if event.seat == 1]
    elif card == "torpedo_1":
        assert deck == ["baby_3", "baby_4"]
        assert cards(p.of(Jettisoned))[:3] == ["passenger_9", "passenger_10", "passenger_11"]
    else:
        assert deck == ["baby_3", "baby_4", "passenger_9", "passenger_11"]
        assert "passenger_10" in p.hand(0)


@pytest.mark.rule("KED-84", "KED-101/steward")
def test_a_steward_redirects_arbiters_and_tycoons():
    p = play(boards={0: "arbiter_1", 1: "steward_1 pirate_1 jack_1"})
    p(0, EndTurn())
    p(1, React("steward_1", ("jack_1",)))
    assert cards(p.of(Jettisoned)) == ["jack_1"]
    p = play(
        boards={0: "tycoon_1", 1: "steward_1"},
        decks={1: "baby_3 baby_4"},
        step="draw",
        drawn=False,
        tycoon_left=1,
    )
    p(0, Tycoon(1))
    assert [c.positions for c in p.legal(1, React)] == [(0,), (1,)]
    p(1, React("steward_1", (), (1,)))
    assert p.hand(0) == "baby_4"


@pytest.mark.rule("KED-84")
def test_a_steward_needs_more_cards_than_hits_and_answers_once():
    """A picked host is covered by its Assistant; a protected Band cannot be picked for a discard."""
    p = play(boards={0: "lady_1", 1: "steward_1"}, hands={1: "jack_1"})
    assert p(0, Activate("lady_1", 1)).waiting == {0}
    p = play(boards={0: "fanatic_1", 1: "steward_1 steward_2 seal_1+assistant_1 band_1*"})
    p(0, Activate("fanatic_1", victims=("steward_1",)))
    p(1, React("steward_1", ("seal_1",)))
    assert p.board(1) == "steward_1* steward_2 seal_1 band_1*"
    p = play(boards={0: "fanatic_1", 1: "steward_1 band_1 jack_1"})
    p(0, Activate("fanatic_1", victims=("jack_1",)))
    assert p(1, React("steward_1", ("band_1",))).code == "band-protected"
    assert [c.cards for c in p.legal(1, React)] == [("steward_1",), ("jack_1",)]
    p = play(boards={0: "priest_1", 1: "steward_1 band_1 jack_1"})
    p(0, Activate("priest_1", victims=("jack_1",)))
    p(1, React("steward_1", ("band_1",)))
    assert p.hand(0) == "band_1", "a move is no discard"
    p = play(
        boards={0: "torpedo_1", 1: "steward_1"},
        hands={0: "jack_1"},
        decks={1: "baby_3 baby_4 passenger_9 band_1"},
    )
    p(0, Activate("torpedo_1", 1, ("jack_1",)))
    p(1, React("steward_1", (), (1, 2, 3)))
    assert p.deck(1) == "baby_3 band_1", "a Band in the deck may be picked: it stays"


@pytest.mark.rule("KED-84")
def test_a_steward_after_a_steward_is_not_asked_for_the_same_attack():
    p = play(boards={0: "fanatic_1", 1: "steward_1 steward_2 jack_1 lifebuoy_1"})
    p(0, Activate("fanatic_1", victims=("jack_1",)))
    p(1, React("steward_1", ("steward_2",)))
    assert p.waiting == {1}, "the Lifebuoy may still answer"
    frame = p.state.stack[-1]
    assert isinstance(frame, ActionFrame)
    assert frame.redirects == (Redirect(1, "board", ("steward_2",), ()),)
    assert p(1, React("steward_2", ("jack_1",))).code == "not-applicable"
    p(1, React("lifebuoy_1"))
    assert p.board(1) == "steward_1* steward_2 jack_1"


@pytest.mark.rule("KED-85", "KED-101/lifeguard")
def test_lifeguards_are_not_counted_and_take_off_one():
    five = "passenger_1 passenger_2 passenger_3 passenger_4 passenger_5"
    p = play(boards={0: f"{five} lifeguard_1 lifeguard_2"}, hands={0: "jack_1 baby_1"}, points=9)
    assert p(0, Play("baby_1")).events[0].price == 2
    assert p(0, Play("jack_1")).events[0].price == 0, "never under none"
    p = play(boards={1: "teacher_1 lifeguard_1"}, hands={0: "seal_1", 1: "maid_1"})
    p(0, Jettison("seal_1"))
    assert p(1, Claim("seal_1", ("maid_1",))).of(PlayAnnounced)[0].price == 4


@pytest.mark.rule("KED-86", "KED-101/teacher")
def test_a_teacher_lays_a_card_that_another_seat_discarded():
    """Whatever the cause; by its own price; Stowaway on the own board; not its own cards."""
    p = play(boards={1: "teacher_1"}, hands={0: "stowaway_1", 1: "jack_1 baby_3"})
    p(0, Jettison("stowaway_1"))
    assert p.events[1] == DiscardsOpened(("stowaway_1",), (0,), ())
    p(1, Claim("stowaway_1", ("baby_3",)))
    assert p.events == [
        Jettisoned(1, "baby_3", "hand", "pay", 0),
        PlayAnnounced(1, "stowaway_1", 1, 1, "", "teacher"),
        CardPlayed(1, "stowaway_1", 1, False, "", 1, "teacher"),
        Closed("discard"),
    ]
    assert p.board(1) == "teacher_1 stowaway_1"
    assert p.state.points == 1, "the purse is the active seat's"
    p = play(
        3,
        boards={0: "fanatic_1", 1: "teacher_1 seal_1", 2: "seal_2"},
        hands={1: "pirate_1"},
    )
    p(0, Activate("fanatic_1", victims=("seal_2",)))
    assert p(1, Claim("seal_2", ("pirate_1",))).of(CardPlayed)
    p = play(boards={0: "fanatic_1", 1: "teacher_1 seal_1"}, hands={1: "pirate_1"})
    p(0, Activate("fanatic_1", victims=("seal_1",)))
    assert p.waiting == {0}, "its own card"


@pytest.mark.rule("KED-86")
def test_a_teacher_is_not_exhausted_and_claims_one_by_one():
    """Both of a pair too, a Seal at its five; the payment counts at its best."""
    p = play(
        boards={1: "teacher_1"},
        hands={0: "seal_1 jack_1", 1: "seal_2 rats_1 band_1"},
    )
    p(0, JettisonPair("seal_1", "jack_1"))
    assert {c.card for c in p.legal(1, Claim)} == {"seal_1", "jack_1"}
    p(1, Claim("jack_1"))
    assert p.waiting == {1}
    p.state.hand[1].append("lady_1")
    assert p(1, Claim("seal_1", ("rats_1",))).code == "price-not-met"
    assert p(1, Claim("seal_1", ("band_1",))).code == "band-held"
    p(1, Claim("seal_1", ("rats_1", "seal_2")))
    assert p.board(1) == "teacher_1 jack_1* seal_1"
    assert not p.state.stack, "nothing is left to pay with"


@pytest.mark.rule("KED-86", "KED-42")
@pytest.mark.parametrize(("pay", "code"), [
    (("seal_1", "lady_1"), ""), (("lady_1", "rats_1"), "price-not-met"),
    (("seal_1", "rats_1"), "price-not-met"), (("seal_1", "seal_2", "lady_1"), ""),
])  # fmt: skip
def test_seals_in_a_payment_double_the_dearest_others(pay, code):
    p = play(boards={1: "teacher_1"}, hands={0: "pirate_1", 1: "lady_1 rats_1 seal_1 seal_2"})
    p(0, Jettison("pirate_1"))
    assert p(1, Claim("pirate_1", pay)).code == code


@pytest.mark.rule("KED-86", "KED-42")
def test_a_rose_in_the_payment_counts_in_the_price():
    three = "teacher_1 passenger_9 passenger_10"
    p = play(boards={1: three}, hands={0: "baby_1", 1: "rose_1"})
    p(0, Jettison("baby_1"))
    p(1, Claim("baby_1", ("rose_1",)))
    assert p.of(PlayAnnounced)[0].price == 2
    assert p.board(1) == f"{three} rose_1 baby_1"
    p = play(boards={1: f"{three} passenger_11"}, hands={0: "baby_1", 1: "rose_1"})
    p(0, Jettison("baby_1"))
    assert p(1, Claim("baby_1", ("rose_1",))).code == "price-not-met", "two times two"


@pytest.mark.rule("KED-87")
def test_a_claim_opens_windows_of_its_own():
    """A Bartender's first, then the payment's; the last in is the first out."""
    p = play(
        3,
        boards={1: "teacher_1", 2: "bartender_1 teacher_2"},
        hands={0: "seal_1", 1: "lady_1", 2: "pirate_1"},
    )
    p(0, Jettison("seal_1"))
    assert p.waiting == {1, 2}
    p(1, Claim("seal_1", ("lady_1",)))
    assert p.names == ["jettisoned", "discards_opened", "play_announced"]
    assert [type(frame).__name__ for frame in p.state.stack] == [
        "DiscardFrame",
        "DiscardFrame",
        "PlayFrame",
    ]
    assert p.waiting == {2}
    assert p(2, Pass()).of(CardPlayed)
    assert p.waiting == {2}
    p(2, Claim("lady_1", ("pirate_1",)))
    assert p.board(2) == "bartender_1 teacher_2 lady_1*"
    assert not p.state.stack


@pytest.mark.rule("KED-87")
def test_what_comes_last_resolves_first():
    p = play(
        3,
        boards={0: "saboteur_1", 1: "ship_guard_1", 2: "ship_guard_2"},
        hands={1: "jack_1", 2: "seal_1"},
    )
    p(0, Activate("saboteur_1"))
    p(1, React("ship_guard_1"))
    p(2, React("ship_guard_2"))
    assert p.of(Blocked) == [Blocked(1, "ship_guard_1", 2, "ship_guard_2")]
    assert p.of(Resolved) == [Resolved(0, "saboteur_1")]


@pytest.mark.rule("KED-88")
def test_windows_depend_on_public_facts_only():
    """Asked though it cannot pay; not asked without the card, or with it exhausted."""
    p = play(boards={1: "teacher_1"}, hands={0: "pirate_1", 1: "jack_1"})
    p(0, Jettison("pirate_1"))
    assert p.waiting == {1}
    assert p.legal(1) == [Pass()]
    p = play(boards={1: "teacher_1"}, hands={0: "pirate_1"})
    assert p(0, Jettison("pirate_1")).waiting == {0}, "an empty hand is public"
    p = play(boards={1: "teacher_1"}, hands={0: "jack_1"})
    assert p(0, Jettison("jack_1")).waiting == {1}, "nothing to pay"
    p = play(boards={0: "polka_dancer_1", 1: "ship_guard_1*"})
    assert p(0, Activate("polka_dancer_1")).waiting == {0}


@pytest.mark.rule("KED-88")
def test_reacting_is_no_pass():
    """The seat is asked again while it can answer; a pass ends it."""
    p = play(
        boards={0: "burglar_1", 1: "ship_guard_1 steward_1 navigator_1 steersman_1"},
        decks={1: "baby_3 baby_4 passenger_9"},
    )
    p(0, Activate("burglar_1", 1))
    p(1, RearrangeTop(0, 2))
    p(1, React("steward_1", (), (2,)))
    assert p.waiting == {1}
    assert not p.legal(1, RearrangeTop), "not after the redirection"
    assert p(1, Pass()).events[0] == Passed(1)
    assert p.hand(0) == "baby_3"


@pytest.mark.rule("KED-84", "KED-102")
@pytest.mark.parametrize(("mode", "code"), [("discard", "band-protected"), ("hand", "")])
def test_a_band_may_be_picked_for_an_arbiter_that_returns_cards(mode, code):
    p = play(
        boards={0: "arbiter_1", 1: "steward_1 pirate_1 band_1"}, options={"arbiter_mode": mode}
    )
    p(0, EndTurn())
    listed = React("steward_1", ("band_1",)) in p.legal(1)
    assert p(1, React("steward_1", ("band_1",))).code == code
    assert listed == (code == "")


@pytest.mark.rule("KED-83", "KED-88")
def test_who_is_not_touched_is_not_asked():
    """An empty hand is not among the fullest; a card that is exhausted is no answer."""
    p = play(boards={0: "proletarian_1", 1: "lifebuoy_1"})
    assert p(0, EndTurn()).waiting == {1}
    assert p.state.active == 1, "the turn went on"
    p = play(boards={0: "polka_dancer_1", 1: "ship_guard_1* ship_guard_2"})
    p(0, Activate("polka_dancer_1"))
    assert p.legal(1) == [React("ship_guard_2"), Pass()]


@pytest.mark.rule("KED-83", "KED-88")
def test_an_empty_deck_is_not_touched():
    p = play(3, boards={0: "pirate_1", 1: "lifebuoy_1"}, decks={1: ""}, waters={1: "jack_1"})
    assert p(0, Activate("pirate_1")).waiting == {0}


@pytest.mark.rule("KED-43", "KED-88")
def test_flappers_of_a_batch_are_asked_one_after_the_other():
    p = play(
        3,
        boards={0: "saboteur_1", 1: "jack_1", 2: "seal_1"},
        hands={1: "flapper_1", 2: "flapper_2"},
    )
    p(0, Activate("saboteur_1"))
    assert p.of(DiscardsOpened)[0].flappers == ("flapper_1", "flapper_2")
    assert p.waiting == {1}
    assert p(1, Pass()).events == [FlapperSpent(1, "flapper_1")]
    assert p.waiting == {2}
    assert p(2, Pass()).events == [FlapperSpent(2, "flapper_2"), Closed("discard")]


@pytest.mark.rule("KED-86")
def test_a_seal_doubles_the_dearest_other_card_of_a_payment():
    board = "teacher_1 passenger_9 passenger_10 passenger_11 passenger_12"
    p = play(boards={1: board}, hands={0: "pirate_1", 1: "seal_1 tycoon_1 maid_1 rats_1"})
    p(0, Jettison("pirate_1"))
    assert p(1, Claim("pirate_1", ("rats_1", "seal_1", "maid_1", "tycoon_1"))).of(CardPlayed)
