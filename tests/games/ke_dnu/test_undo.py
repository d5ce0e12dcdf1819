"""The undo class of each command."""

import pytest

from games.ke_dnu import GAME
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


def undo(p, seat, command):
    """Send a command and return its undo class."""
    before = p.state.copy()
    then = p.when(seat, command)
    assert not then.code, command
    return GAME.undo(before, seat, command, then.events)


def test_what_a_seat_does_with_its_own_cards_is_free():
    p = drawing(
        boards={0: "maid_1 anchor_1 navigator_1 steersman_1"},
        hands={0: "jack_1 seal_1 lady_1 rats_1"},
        maid_left=1,
    )
    assert undo(p, 0, Maid("rats_1")) == "free"
    assert undo(p, 0, RearrangeTop(0, 1)) == "free"
    assert undo(p, 0, Draw()) == "free", "an Anchor: nothing was drawn"
    assert undo(p, 0, JettisonPair("seal_1", "lady_1")) == "free"
    assert undo(p, 0, Play("jack_1")) == "free"
    assert undo(p, 0, DiscardAnchor("anchor_1")) == "free"
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    assert undo(p, 0, Jettison("jack_1")) == "free", "until another seat answers"


@pytest.mark.parametrize("card", ["navigator_1", "steersman_1", "boogeyman_1"])
def test_a_new_sight_is_never_free(card):
    p = given(hands={0: card}, points=9)
    assert undo(p, 0, Play(card)) == "all"
    p = given(hands={0: card}, points=9, boards={1: "bartender_1"})
    assert undo(p, 0, Play(card)) == "free"
    assert undo(p, 1, Pass()) == "all"
    p = given(boards={0: f"{card} jack_1"}, hands={0: "assistant_1"}, points=9)
    assert undo(p, 0, Play("assistant_1", host=card)) == "all", "a doubled one too"
    p = given(boards={0: "life_jacket_1"}, waters={0: card})
    assert undo(p, 0, Activate("life_jacket_1", cards=(card,))) == "all"


def test_buying_reveals_a_card_unless_the_supply_is_empty():
    p = given(phase="voyage", shop="jack_1 anchor_1", supply="seal_1", points=20)
    assert undo(p, 0, Buy("jack_1")) == "all"
    assert undo(p, 0, Buy("anchor_1")) == "free"
    assert undo(p, 0, Buy("iceberg_1")) == "all"


def test_draws_bind():
    p = drawing(boards={0: "tycoon_1"}, tycoon_left=1)
    assert undo(p, 0, Tycoon(1)) == "all"
    assert undo(p, 0, Draw()) == "all"
    assert undo(drawing(turn_index=0), 0, Draw()) == "free", "none to draw"
    assert undo(drawing(decks={0: ""}, waters={0: "jack_1"}, phase="voyage"), 0, Draw()) == "all"
    p = drawing(boards={0: "tycoon_1", 1: "lifebuoy_1"}, tycoon_left=1)
    assert undo(p, 0, Tycoon(1)) == "free", "its window is open"
    assert undo(p, 1, React("lifebuoy_1")) == "consent"


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
    assert undo(scene(card), 0, command) == "free"
    p = scene(card, "ship_guard_1")
    assert undo(p, 0, command) == "free"
    assert undo(p, 1, Pass()) == "consent"


@pytest.mark.parametrize("card", BLIND)
def test_actions_with_hidden_cards_bind_once_resolved(card):
    command = Activate(card, **BLIND[card])
    assert undo(scene(card), 0, command) == "all"
    p = scene(card, "ship_guard_1")
    assert undo(p, 0, command) == "consent"
    assert undo(p, 1, Pass()) == "all"
    p = scene(card, "ship_guard_1")
    p.when(0, command)
    assert undo(p, 1, React("ship_guard_1")) == "consent"


def test_a_janitor_needs_consent():
    p = given(boards={0: "janitor_1", 1: "jack_1"})
    assert undo(p, 0, Activate("janitor_1")) == "consent"
    assert undo(p, 1, ChooseCard("jack_1")) == "consent"


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
        assert undo(p, 0, command) == undone


def test_the_end_of_a_turn():
    """Free unless end effects concern other seats. If the Voyage ends, all must consent."""
    assert undo(given(), 0, EndTurn()) == "free"
    assert undo(given(boards={0: "arbiter_1"}), 0, EndTurn()) == "free", "only the own card fell"
    assert undo(given(boards={0: "arbiter_1", 1: "pirate_1"}), 0, EndTurn()) == "consent"
    p = given(boards={0: "arbiter_1", 1: "pirate_1 lifebuoy_1"})
    assert undo(p, 0, EndTurn()) == "consent", "it waits for another"
    assert undo(given(boards={0: "proletarian_1"}, hands={1: "rats_1"}), 0, EndTurn()) == "consent"
    p = given(phase="voyage", active=1, round=25)
    assert undo(p, 1, EndTurn()) == "all"
    six = "jack_1 seal_1 seal_2 lady_1 lady_2 rats_1"
    p = given(phase="voyage", hands={0: six})
    assert undo(p, 0, EndTurn()) == "free"
    assert undo(p, 0, DiscardDown("rats_1")) == "free"
    p = given(phase="voyage", hands={0: six, 1: "chef_1"}, boards={1: "teacher_1"})
    p.when(0, EndTurn())
    assert undo(p, 0, DiscardDown("lady_1")) == "free", "until the Teacher is answered"
    p = given(phase="voyage", hands={1: six}, active=1, round=25)
    p.when(1, EndTurn())
    assert undo(p, 1, DiscardDown("rats_1")) == "all"


def test_answers_need_consent_and_bind_after_a_draw():
    p = given(boards={1: "teacher_1 bartender_1"}, hands={0: "jack_1", 1: "seal_1"})
    p.when(0, Jettison("jack_1"))
    assert undo(p, 1, Claim("jack_1")) == "consent"
    p = given(boards={0: "storyteller_1"})
    p.when(0, Activate("storyteller_1"))
    assert undo(p, 0, PlaceStory("deck")) == "all", "the next seat draws"
    assert undo(p, 1, PlaceStory("deck")) == "consent", "nobody draws any more"
    p = given(boards={0: "torpedo_1", 1: "lifebuoy_1"}, hands={0: "rats_1"})
    p.when(0, Activate("torpedo_1", 1, ("rats_1",)))
    assert undo(p, 1, Pass()) == "all", "cards of a deck were seen"
