"""The undo class of each command."""

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


def test_what_a_seat_does_with_its_own_cards_is_free():
    p = drawing(
        boards={0: "maid_1 anchor_1 navigator_1 steersman_1"},
        hands={0: "jack_1 seal_1 lady_1 rats_1"},
        maid_left=1,
    )
    assert p.when(0, Maid("rats_1")).undo == "free"
    assert p.when(0, RearrangeTop(0, 1)).undo == "free"
    assert p.when(0, Draw()).undo == "free", "an Anchor: nothing was drawn"
    assert p.when(0, JettisonPair("seal_1", "lady_1")).undo == "free"
    assert p.when(0, Play("jack_1")).undo == "free"
    assert p.when(0, DiscardAnchor("anchor_1")).undo == "free"
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    assert p.when(0, Jettison("jack_1")).undo == "free", "until another seat answers"


@pytest.mark.parametrize("card", ["navigator_1", "steersman_1", "boogeyman_1"])
def test_a_new_sight_is_never_free(card):
    p = given(hands={0: card}, points=9)
    assert p.when(0, Play(card)).undo == "all"
    p = given(hands={0: card}, points=9, boards={1: "bartender_1"})
    assert p.when(0, Play(card)).undo == "free"
    assert p.when(1, Pass()).undo == "all"
    p = given(boards={0: f"{card} jack_1"}, hands={0: "assistant_1"}, points=9)
    assert p.when(0, Play("assistant_1", host=card)).undo == "all", "a doubled one too"
    p = given(boards={0: "life_jacket_1"}, waters={0: card})
    assert p.when(0, Activate("life_jacket_1", cards=(card,))).undo == "all"


def test_buying_reveals_a_card_unless_the_supply_is_empty():
    p = given(phase="voyage", shop="jack_1 anchor_1", supply="seal_1", points=20)
    assert p.when(0, Buy("jack_1")).undo == "all"
    assert p.when(0, Buy("anchor_1")).undo == "free"
    assert p.when(0, Buy("iceberg_1")).undo == "all"


def test_draws_bind():
    p = drawing(boards={0: "tycoon_1"}, tycoon_left=1)
    assert p.when(0, Tycoon(1)).undo == "all"
    assert p.when(0, Draw()).undo == "all"
    assert drawing(turn_index=0).when(0, Draw()).undo == "free", "none to draw"
    assert (
        drawing(decks={0: ""}, waters={0: "jack_1"}, phase="voyage").when(0, Draw()).undo == "all"
    )
    p = drawing(boards={0: "tycoon_1", 1: "lifebuoy_1"}, tycoon_left=1)
    assert p.when(0, Tycoon(1)).undo == "free", "its window is open"
    assert p.when(1, React("lifebuoy_1")).undo == "consent"


OPEN = {
    "beggar_1": {"victims": ("jack_1",)}, "convict_1": {}, "diver_1": {"cards": ("seal_1",)},
    "doctor_1": {"cards": ("chef_2",)}, "drunkard_1": {}, "fanatic_1": {"victims": ("jack_1",)},
    "jack_2": {}, "mime_1": {"victims": ("jack_1",)}, "priest_1": {"victims": ("jack_1",)},
    "profiteer_1": {"cards": ("profiteer_1",)}, "life_jacket_1": {"cards": ("seal_1",)},
    "stimulants_1": {"cards": ("chef_2",)}, "technician_1": {"cards": ("technician_1",)},
    "chef_1": {"cards": ("maid_1",)}, "singer_1": {},
}  # fmt: skip
BLIND = {
    "burglar_1": {"target": 1}, "captain_1": {"cards": ("maid_1",)}, "dealer_1": {},
    "lady_1": {"target": 1}, "pirate_1": {}, "polka_dancer_1": {}, "saboteur_1": {},
    "storyteller_1": {}, "torpedo_1": {"target": 1, "cards": ("maid_1",)},
}  # fmt: skip


def scene(card: str, guard: str = ""):
    card = "jack_1" if card == "jack_2" else card
    victim = "seal_2" if card == "jack_1" else "jack_1"
    return given(
        boards={0: f"{card} chef_2*", 1: f"{victim} {guard}"},
        hands={0: "maid_1", 1: "rats_1"},
        waters={0: "seal_1"},
        options={"include_singer": True},
    )


@pytest.mark.parametrize("card", OPEN)
def test_actions_with_open_cards_are_free(card):
    command = Activate(card.replace("jack_2", "jack_1"), **OPEN[card])
    assert scene(card).when(0, command).undo == "free"
    p = scene(card, "ship_guard_1")
    assert p.when(0, command).undo == "free"
    assert p.when(1, Pass()).undo == "consent"


@pytest.mark.parametrize("card", BLIND)
def test_actions_with_hidden_cards_bind_once_resolved(card):
    command = Activate(card, **BLIND[card])
    assert scene(card).when(0, command).undo == "all"
    p = scene(card, "ship_guard_1")
    assert p.when(0, command).undo == "consent"
    assert p.when(1, Pass()).undo == "all"
    p = scene(card, "ship_guard_1")
    p.when(0, command)
    assert p.when(1, React("ship_guard_1")).undo == "consent"


def test_a_janitor_needs_consent():
    p = given(boards={0: "janitor_1", 1: "jack_1"})
    assert p.when(0, Activate("janitor_1")).undo == "consent"
    assert p.when(1, ChooseCard("jack_1")).undo == "consent"


def test_a_flapper_is_undone_as_what_it_copies():
    boards = {1: "fanatic_1 burglar_1 janitor_1 jack_1"}
    for command, undone in {
        UseFlapper("fanatic_1", victims=("jack_1",)): "free",
        UseFlapper("burglar_1", 1): "all",
        UseFlapper("janitor_1"): "consent",
        Pass(): "consent",
    }.items():
        p = given(boards=boards, hands={0: "flapper_1"})
        p.when(0, Jettison("flapper_1"))
        assert p.when(0, command).undo == undone


def test_the_end_of_a_turn():
    """Free unless end effects concern other seats. If the Voyage ends, all must consent."""
    assert given().when(0, EndTurn()).undo == "free"
    assert given(boards={0: "arbiter_1"}).when(0, EndTurn()).undo == "free", (
        "only the own card fell"
    )
    assert given(boards={0: "arbiter_1", 1: "pirate_1"}).when(0, EndTurn()).undo == "consent"
    p = given(boards={0: "arbiter_1", 1: "pirate_1 lifebuoy_1"})
    assert p.when(0, EndTurn()).undo == "consent", "it waits for another"
    assert (
        given(boards={0: "proletarian_1"}, hands={1: "rats_1"}).when(0, EndTurn()).undo == "consent"
    )
    p = given(phase="voyage", active=1, round=25)
    assert p.when(1, EndTurn()).undo == "all"
    six = "jack_1 seal_1 seal_2 lady_1 lady_2 rats_1"
    p = given(phase="voyage", hands={0: six})
    assert p.when(0, EndTurn()).undo == "free"
    assert p.when(0, DiscardDown("rats_1")).undo == "free"
    p = given(phase="voyage", hands={0: six, 1: "chef_1"}, boards={1: "teacher_1"})
    p.when(0, EndTurn())
    assert p.when(0, DiscardDown("lady_1")).undo == "free", "until the Teacher is answered"
    p = given(phase="voyage", hands={1: six}, active=1, round=25)
    p.when(1, EndTurn())
    assert p.when(1, DiscardDown("rats_1")).undo == "all"


def test_answers_need_consent_and_bind_after_a_draw():
    p = given(boards={1: "teacher_1 bartender_1"}, hands={0: "jack_1", 1: "seal_1"})
    p.when(0, Jettison("jack_1"))
    assert p.when(1, Claim("jack_1")).undo == "consent"
    p = given(boards={0: "storyteller_1"})
    p.when(0, Activate("storyteller_1"))
    assert p.when(0, PlaceStory("deck")).undo == "all", "the next seat draws"
    assert p.when(1, PlaceStory("deck")).undo == "consent", "nobody draws any more"
    p = given(boards={0: "torpedo_1", 1: "lifebuoy_1"}, hands={0: "rats_1"})
    p.when(0, Activate("torpedo_1", 1, ("rats_1",)))
    assert p.when(1, Pass()).undo == "all", "cards of a deck were seen"
