"""KED-85, KED-86: Teachers lay what others discard, at a price that Lifeguards lower."""

import pytest

from games.ke_dnu.commands import Activate, Claim, Jettison, JettisonPair, Play
from games.ke_dnu.events import CardPlayed, Closed, DiscardsOpened, Jettisoned, PlayAnnounced
from tests.games.ke_dnu.table import given

FIVE = "teacher_1 passenger_9 passenger_10 passenger_11 passenger_12"
"""Every price is twice as high."""


@pytest.mark.rule("KED-86", "KED-101/teacher")
def test_a_teacher_lays_a_card_that_another_seat_discarded():
    """Any cause counts, at the claimer's price. A Stowaway goes to the own board."""
    p = given(boards={1: "teacher_1"}, hands={0: "stowaway_1", 1: "jack_1 baby_3"})
    then = p.when(0, Jettison("stowaway_1"))
    assert then.events[1] == DiscardsOpened(("stowaway_1",), (0,), ())
    p.when(1, Claim("stowaway_1", ("baby_3",))).then(
        Jettisoned(1, "baby_3", "hand", "pay", 0),
        PlayAnnounced(1, "stowaway_1", 1, 1, "", "teacher"),
        CardPlayed(1, "stowaway_1", 1, False, "", 1, "teacher"),
        Closed("discard"),
    )
    assert p.board(1) == "teacher_1 stowaway_1"
    assert p.state.points == 1, "the purse is the active seat's"
    p = given(
        3,
        boards={0: "fanatic_1", 1: "teacher_1 seal_1", 2: "seal_2"},
        hands={1: "pirate_1"},
    )
    p.when(0, Activate("fanatic_1", victims=("seal_2",)))
    assert p.when(1, Claim("seal_2", ("pirate_1",))).of(CardPlayed)
    p = given(boards={0: "fanatic_1", 1: "teacher_1 seal_1"}, hands={1: "pirate_1"})
    p.when(0, Activate("fanatic_1", victims=("seal_1",)))
    assert p.waiting == {0}, "its own card"


@pytest.mark.rule("KED-86")
def test_a_teacher_is_not_exhausted_and_claims_one_by_one():
    """Both cards of a pair may be claimed. The payment counts at its best."""
    p = given(
        boards={1: "teacher_1"},
        hands={0: "seal_1 jack_1", 1: "seal_2 rats_1 band_1"},
    )
    p.when(0, JettisonPair("seal_1", "jack_1"))
    assert {c.card for c in p.legal(1, Claim)} == {"seal_1", "jack_1"}
    p.when(1, Claim("jack_1"))
    assert p.waiting == {1}
    p.state.hand[1].append("lady_1")
    p.when(1, Claim("seal_1", ("rats_1",))).refused("price-not-met")
    p.when(1, Claim("seal_1", ("band_1",))).refused("band-held")
    p.when(1, Claim("seal_1", ("rats_1", "seal_2")))
    assert p.board(1) == "teacher_1 jack_1* seal_1"
    assert not p.state.stack, "nothing is left to pay with"


@pytest.mark.rule("KED-86", "KED-42")
@pytest.mark.parametrize(("board", "pay", "code"), [
    ("teacher_1", ("seal_1", "lady_1"), ""),
    ("teacher_1", ("lady_1", "rats_1"), "price-not-met"),
    ("teacher_1", ("seal_1", "rats_1"), "price-not-met"),
    ("teacher_1", ("seal_1", "seal_2", "lady_1"), ""),
    (FIVE, ("rats_1", "seal_1", "maid_1", "tycoon_1"), ""),
])  # fmt: skip
def test_seals_in_a_payment_double_the_dearest_others(board, pay, code):
    hand = "lady_1 maid_1 rats_1 seal_1 seal_2 tycoon_1"
    p = given(boards={1: board}, hands={0: "pirate_1", 1: hand})
    p.when(0, Jettison("pirate_1"))
    then = p.when(1, Claim("pirate_1", pay))
    assert then.code == code
    assert code or then.of(CardPlayed)


@pytest.mark.rule("KED-86", "KED-42")
def test_a_rose_in_the_payment_counts_in_the_price():
    three = "teacher_1 passenger_9 passenger_10"
    p = given(boards={1: three}, hands={0: "baby_1", 1: "rose_1"})
    p.when(0, Jettison("baby_1"))
    then = p.when(1, Claim("baby_1", ("rose_1",)))
    assert then.of(PlayAnnounced)[0].price == 2
    assert p.board(1) == f"{three} rose_1 baby_1"
    p = given(boards={1: f"{three} passenger_11"}, hands={0: "baby_1", 1: "rose_1"})
    p.when(0, Jettison("baby_1"))
    p.when(1, Claim("baby_1", ("rose_1",))).refused("price-not-met")  # two times two


@pytest.mark.rule("KED-85", "KED-101/lifeguard")
def test_lifeguards_are_not_counted_and_take_off_one():
    five = "passenger_1 passenger_2 passenger_3 passenger_4 passenger_5"
    p = given(boards={0: f"{five} lifeguard_1 lifeguard_2"}, hands={0: "jack_1 baby_1"}, points=9)
    assert p.when(0, Play("baby_1")).events[0].price == 2
    assert p.when(0, Play("jack_1")).events[0].price == 0, "never under none"
    p = given(boards={1: "teacher_1 lifeguard_1"}, hands={0: "seal_1", 1: "maid_1"})
    p.when(0, Jettison("seal_1"))
    assert p.when(1, Claim("seal_1", ("maid_1",))).of(PlayAnnounced)[0].price == 4
