"""KED-31 to KED-38: laying cards."""

import pytest

from games.ke_dnu import GAME
from games.ke_dnu.commands import Activate, Claim, Jettison, Pass, PlaceStory, Play, React
from games.ke_dnu.events import ActionAnnounced, CardPlaced, CardPlayed, PlayAnnounced
from games.ke_dnu.rules.discards import Offers
from games.ke_dnu.rules.settling import settle
from tests.games.ke_dnu.table import given


def passengers(count: int) -> str:
    return " ".join(f"passenger_{n}" for n in range(1, count + 1))


@pytest.mark.rule("KED-31")
@pytest.mark.parametrize(
    ("count", "price"), [(0, 12), (4, 12), (5, 24), (9, 24), (10, 36), (15, 48)]
)
def test_the_price_grows_every_five_cards(count, price):
    cards = f"{passengers(8)} baby_1 baby_2 jack_1 seal_1 seal_2 band_1 rose_1".split()
    for phase in ("voyage", "sinking"):
        p = given(
            phase=phase,
            boards={0: " ".join(cards[:count])},
            hands={0: "pirate_1"},
            decks={0: ""},
            points=price,
        )
        assert p.when(0, Play("pirate_1")).events[0] == PlayAnnounced(
            0, "pirate_1", price, 0, "", "hand"
        )
        assert p.state.points == 0
        p = given(boards={0: " ".join(cards[:count])}, hands={0: "pirate_1"}, points=price - 1)
        p.when(0, Play("pirate_1")).refused("not-enough-points")


@pytest.mark.rule("KED-31", "KED-85")
def test_what_can_be_paid_is_listed():
    p = given(boards={0: passengers(5)}, hands={0: "maid_1 baby_1 jack_1 rats_1 lady_1"}, points=7)
    assert [c.card for c in p.legal(0, Play)] == ["baby_1", "jack_1"]
    p = given(boards={0: f"{passengers(5)} lifeguard_1"}, hands={0: "maid_1 baby_1"}, points=7)
    assert [c.card for c in p.legal(0, Play)] == ["baby_1", "maid_1"]


@pytest.mark.rule("KED-31", "KED-74")
def test_attached_assistants_count_for_the_multiplier():
    p = given(boards={0: "jack_1+assistant_1 seal_1 seal_2 band_1"}, hands={0: "baby_1"}, points=9)
    assert p.when(0, Play("baby_1")).events[0].price == 4


@pytest.mark.rule("KED-32")
def test_the_price_is_set_at_the_announcement_and_paid_on_arrival():
    p = given(boards={1: "bartender_1"}, hands={0: "stoker_1"}, points=7)
    then = p.when(0, Play("stoker_1"))
    assert then.names == ["play_announced"]
    assert p.state.points == 7
    assert p.hand(0) == "stoker_1"
    p.when(1, React("bartender_1"))
    assert p.state.points == 7
    p = given(boards={1: "bartender_1"}, hands={0: "stoker_1"}, points=7)
    p.when(0, Play("stoker_1"))
    then = p.when(1, Pass())
    assert then.of(CardPlayed) == [CardPlayed(0, "stoker_1", 0, False, "", 5, "hand")]
    assert p.state.points == 2


@pytest.mark.rule("KED-33", "KED-101/caretaker")
@pytest.mark.parametrize(
    ("card", "exhausted"),
    [("fanatic_1", True), ("chef_1", True), ("convict_1", True), ("ship_guard_1", False),
     ("lifebuoy_1", False), ("mime_1", True), ("stoker_1", False), ("seal_1", False)],
)  # fmt: skip
def test_red_purple_and_beige_cards_arrive_exhausted_blue_ones_ready(card, exhausted):
    """With a Caretaker on the board, laid cards arrive ready."""
    p = given(hands={0: card}, points=9)
    assert p.when(0, Play(card)).of(CardPlayed)[0].exhausted is exhausted
    p = given(hands={0: card}, points=9, boards={0: "caretaker_1"})
    assert p.when(0, Play(card)).of(CardPlayed)[0].exhausted is False
    p = given(hands={0: card}, points=9, boards={1: "caretaker_1"})
    assert p.when(0, Play(card)).of(CardPlayed)[0].exhausted is exhausted


@pytest.mark.rule("KED-33", "KED-37")
def test_cards_that_arrive_otherwise_follow_their_colour_alone():
    p = given(boards={0: "caretaker_1 life_jacket_1"}, waters={0: "fanatic_1 ship_guard_1"})
    then = p.when(0, Activate("life_jacket_1", cards=("fanatic_1",)))
    assert then.of(CardPlaced) == [CardPlaced(0, "fanatic_1", True, "", "life_jacket")]
    p = given(boards={0: "caretaker_1 storyteller_1"}, decks={0: "fanatic_1"})
    p.when(0, Activate("storyteller_1"))
    p.when(0, PlaceStory("board"))
    assert p.board(0) == "caretaker_1 storyteller_1* fanatic_1*"


@pytest.mark.rule("KED-33")
def test_a_claimed_card_arrives_ready_beside_a_caretaker():
    p = given(
        boards={1: "teacher_1 caretaker_1"},
        hands={0: "fanatic_1", 1: "pirate_1"},
    )
    p.when(0, Jettison("fanatic_1"))
    p.when(1, Claim("fanatic_1", ("pirate_1",)))
    assert p.board(1) == "teacher_1 caretaker_1 fanatic_1"


@pytest.mark.rule("KED-34")
def test_an_action_needs_a_ready_card_and_exhausts_it():
    p = given(boards={0: "polka_dancer_1 polka_dancer_2*"})
    p.when(0, Activate("polka_dancer_2")).refused("card-exhausted")
    p.when(0, Activate("polka_dancer_1"))
    assert p.board(0) == "polka_dancer_1* polka_dancer_2*"
    p.when(0, Activate("polka_dancer_1")).refused("card-exhausted")


@pytest.mark.rule("KED-35", "KED-101/rats")
def test_rats_never_come_aboard():
    p = given(
        boards={0: "life_jacket_1 storyteller_1", 1: "teacher_1"},
        hands={0: "rats_1 rats_4", 1: "pirate_1"},
        waters={0: "rats_2"},
        decks={0: "rats_3"},
        points=9,
    )
    p.when(0, Play("rats_1")).refused("cannot-board")
    p.when(0, Activate("life_jacket_1", cards=("rats_2",))).refused("nothing-to-do")
    p.state.water[0].append("jack_1")
    p.when(0, Activate("life_jacket_1", cards=("rats_2",))).refused("cannot-board")
    p.when(0, Jettison("rats_4"))
    assert p.waiting == {0}, "no Teacher is asked"
    p.when(0, Activate("storyteller_1"))
    p.when(0, PlaceStory("board")).refused("cannot-board")
    assert p.legal(0) == [PlaceStory("deck")]


@pytest.mark.rule("KED-36", "KED-101/stowaway")
def test_a_stowaway_is_laid_on_an_opponents_board():
    """The price follows from the own board. Then the card belongs to the opponent."""
    p = given(
        3,
        boards={0: f"{passengers(5)} lifeguard_1", 2: "jack_1"},
        hands={0: "stowaway_1"},
        points=5,
    )
    p.when(0, Play("stowaway_1")).refused("bad-target")
    p.when(0, Play("stowaway_1", 0)).refused("bad-target")
    assert p.when(0, Play("stowaway_1", 2)).of(CardPlayed) == [
        CardPlayed(0, "stowaway_1", 2, False, "", 1, "hand")
    ]
    assert p.board(2) == "jack_1 stowaway_1"
    p = given(3, status=["afloat", "sunk", "afloat"], hands={0: "stowaway_1"}, points=5)
    assert [c.target for c in p.legal(0, Play)] == [2]


@pytest.mark.rule("KED-37")
def test_free_arrivals_are_no_plays():
    """A Bartender is not asked."""
    p = given(
        boards={0: "life_jacket_1 storyteller_1", 1: "bartender_1"},
        waters={0: "jack_1"},
        decks={0: "seal_1"},
        hands={0: "rose_1"},
    )
    p.when(0, Activate("life_jacket_1", cards=("jack_1",)))
    assert p.waiting == {0}
    p.when(0, Activate("storyteller_1"))
    p.when(0, PlaceStory("board"))
    p.when(1, PlaceStory("deck"))
    p.when(0, Jettison("rose_1"))
    assert p.board(0) == "storyteller_1* jack_1* seal_1 rose_1"
    assert p.waiting == {0}


@pytest.mark.rule("KED-38", "KED-101/assistant")
def test_an_assistant_names_a_host():
    """The host is another card of the board, not an Assistant, and has no Assistant."""
    p = given(boards={0: "jack_1+assistant_1 seal_1"}, hands={0: "assistant_2"}, points=9)
    for host, code in {
        "jack_1": "host-taken",
        "assistant_1": "bad-host",
        "": "bad-host",
        "band_1": "bad-host",
    }.items():
        p.when(0, Play("assistant_2", host=host)).refused(code)
    assert [c.host for c in p.legal(0, Play)] == ["seal_1"]
    p.when(0, Play("assistant_2", host="seal_1"))
    assert p.board(0) == "jack_1+assistant_1 seal_1+assistant_2"
    for board in ("", "assistant_1", "jack_1+assistant_1"):
        p = given(boards={0: board}, hands={0: "assistant_2"}, points=9)
        p.when(0, Play("assistant_2", host="jack_1")).refused("no-host")
        assert not p.legal(0, Play)


@pytest.mark.rule("KED-38")
def test_an_assistant_that_arrives_otherwise_takes_a_host_if_one_is_possible():
    p = given(boards={0: "life_jacket_1+assistant_2 seal_1"}, waters={0: "assistant_1 jack_1"})
    both = ("assistant_1", "jack_1")
    p.when(0, Activate("life_jacket_1", cards=both, host="jack_1")).refused("bad-host")
    p.when(0, Activate("life_jacket_1", cards=both)).refused("bad-host")
    p.when(0, Activate("life_jacket_1", cards=both, host="seal_1"))
    assert p.board(0) == "life_jacket_1* seal_1+assistant_1 jack_1*"

    p = given(boards={0: "storyteller_1"}, decks={0: "assistant_1"})
    p.when(0, Activate("storyteller_1"))
    p.when(0, PlaceStory("board")).refused("bad-host")
    p.when(0, PlaceStory("board", "storyteller_1"))
    assert p.board(0) == "storyteller_1+assistant_1*"

    p = given(boards={1: "storyteller_1"}, active=1, decks={0: "assistant_1"})
    p.when(1, Activate("storyteller_1"))
    p.when(1, PlaceStory("deck"))
    p.when(0, PlaceStory("board", "storyteller_1")).refused("no-host")
    p.when(0, PlaceStory("board"))
    assert p.board(0) == "assistant_1", "loose for good"
    assert p.state.board[0][0].host == ""


@pytest.mark.rule("KED-38")
def test_of_two_assistants_by_one_life_jacket_the_second_lies_loose():
    """No match has a third Assistant to double a Life Jacket, so the action is drafted here."""
    p = given(boards={0: "life_jacket_1* seal_1 seal_2"}, waters={0: "assistant_1 assistant_2"})
    both = ("assistant_2", "assistant_1")
    action = ActionAnnounced(0, "life_jacket_1", "exhaust", 2, -1, both, (), "seal_2")
    draft = GAME.draft(p.state, None)
    draft.add(action)
    settle(draft, Offers(draft))
    assert [(e.card, e.host) for e in draft.events if isinstance(e, CardPlaced)] == [
        ("assistant_2", "seal_2"),
        ("assistant_1", ""),
    ]
