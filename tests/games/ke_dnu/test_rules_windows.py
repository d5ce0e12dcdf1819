"""KED-80, KED-87, KED-88: when windows open, which seats they ask, and how they close."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    Claim,
    EndTurn,
    Jettison,
    Pass,
    React,
    RearrangeTop,
    UseFlapper,
)
from games.ke_dnu.events import (
    Blocked,
    CardPlayed,
    Closed,
    DiscardsOpened,
    FlapperSpent,
    Passed,
    Resolved,
)
from tests.games.ke_dnu.table import given


@pytest.mark.rule("KED-80")
def test_reactions_work_only_in_another_seats_turn():
    """They also answer cards of a third seat. The active seat can never react."""
    guards = "ship_guard_1 lifebuoy_1 steward_1 bartender_1"
    p = given(3, boards={0: f"fanatic_1 {guards}", 1: "flapper_1 seal_1", 2: "lifebuoy_2 jack_1"})
    p.when(0, Activate("fanatic_1", victims=("flapper_1",)))
    assert p.waiting == {1}, "nobody but the Flapper"
    p.when(1, UseFlapper("fanatic_1", victims=("jack_1",)))
    assert p.waiting == {2}, "hit by the third seat, asked in the first one's turn"
    p.when(2, Pass())
    p = given(3, boards={0: f"fanatic_1 {guards}", 1: "flapper_1", 2: "jack_1"})
    p.when(0, Activate("fanatic_1", victims=("flapper_1",)))
    p.when(1, UseFlapper("fanatic_1", victims=("lifebuoy_1",)))
    assert p.waiting == {0}, "the active seat cannot answer"
    assert not p.state.stack


@pytest.mark.rule("KED-87")
def test_a_claim_opens_windows_of_its_own():
    """The Bartender's window comes first, then that of the payment. Last in, first out."""
    p = given(
        3,
        boards={1: "teacher_1", 2: "bartender_1 teacher_2"},
        hands={0: "seal_1", 1: "lady_1", 2: "pirate_1"},
    )
    p.when(0, Jettison("seal_1"))
    assert p.waiting == {1, 2}
    then = p.when(1, Claim("seal_1", ("lady_1",)))
    assert then.names == ["jettisoned", "discards_opened", "play_announced"]
    assert [type(frame).__name__ for frame in p.state.stack] == [
        "DiscardFrame",
        "DiscardFrame",
        "PlayFrame",
    ]
    assert p.waiting == {2}
    assert p.when(2, Pass()).of(CardPlayed)
    assert p.waiting == {2}
    p.when(2, Claim("lady_1", ("pirate_1",)))
    assert p.board(2) == "bartender_1 teacher_2 lady_1*"
    assert not p.state.stack


@pytest.mark.rule("KED-87")
def test_what_comes_last_resolves_first():
    p = given(
        3,
        boards={0: "saboteur_1", 1: "ship_guard_1", 2: "ship_guard_2"},
        hands={1: "jack_1", 2: "seal_1"},
    )
    p.when(0, Activate("saboteur_1"))
    p.when(1, React("ship_guard_1"))
    then = p.when(2, React("ship_guard_2"))
    assert then.of(Blocked) == [Blocked(1, "ship_guard_1", 2, "ship_guard_2")]
    assert then.of(Resolved) == [Resolved(0, "saboteur_1")]


@pytest.mark.rule("KED-88")
def test_windows_depend_on_public_facts_only():
    """A seat that cannot pay is asked. A seat without a ready card is not."""
    p = given(boards={1: "teacher_1"}, hands={0: "pirate_1", 1: "jack_1"})
    p.when(0, Jettison("pirate_1"))
    assert p.waiting == {1}
    assert p.legal(1) == [Pass()]
    p = given(boards={1: "teacher_1"}, hands={0: "pirate_1"})
    p.when(0, Jettison("pirate_1"))
    assert p.waiting == {0}, "an empty hand is public"
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1"})
    p.when(0, Jettison("jack_1"))
    assert p.waiting == {1}, "nothing to pay"
    p = given(boards={0: "polka_dancer_1", 1: "ship_guard_1*"})
    p.when(0, Activate("polka_dancer_1"))
    assert p.waiting == {0}


@pytest.mark.rule("KED-88")
def test_reacting_is_no_pass():
    """The seat is asked again as long as it can answer. A pass ends this."""
    p = given(
        boards={0: "burglar_1", 1: "ship_guard_1 steward_1 navigator_1 steersman_1"},
        decks={1: "baby_3 baby_4 passenger_9"},
    )
    p.when(0, Activate("burglar_1", 1))
    p.when(1, RearrangeTop(0, 2))
    p.when(1, React("steward_1", (), (2,)))
    assert p.waiting == {1}
    assert not p.legal(1, RearrangeTop), "not after the redirection"
    assert p.when(1, Pass()).events[0] == Passed(1)
    assert p.hand(0) == "baby_3"


@pytest.mark.rule("KED-83", "KED-88")
def test_who_is_not_touched_is_not_asked():
    """An empty hand is never the fullest. An exhausted card cannot answer."""
    p = given(boards={0: "proletarian_1", 1: "lifebuoy_1"})
    p.when(0, EndTurn())
    assert p.waiting == {1}
    assert p.state.active == 1, "the turn went on"
    p = given(boards={0: "polka_dancer_1", 1: "ship_guard_1* ship_guard_2"})
    p.when(0, Activate("polka_dancer_1"))
    assert p.legal(1) == [React("ship_guard_2"), Pass()]


@pytest.mark.rule("KED-83", "KED-88")
def test_an_empty_deck_is_not_touched():
    p = given(3, boards={0: "pirate_1", 1: "lifebuoy_1"}, decks={1: ""}, waters={1: "jack_1"})
    p.when(0, Activate("pirate_1"))
    assert p.waiting == {0}


@pytest.mark.rule("KED-43", "KED-88")
def test_flappers_of_a_batch_are_asked_one_after_the_other():
    p = given(
        3,
        boards={0: "saboteur_1", 1: "jack_1", 2: "seal_1"},
        hands={1: "flapper_1", 2: "flapper_2"},
    )
    then = p.when(0, Activate("saboteur_1"))
    assert then.of(DiscardsOpened)[0].flappers == ("flapper_1", "flapper_2")
    assert p.waiting == {1}
    p.when(1, Pass()).then(FlapperSpent(1, "flapper_1"))
    assert p.waiting == {2}
    p.when(2, Pass()).then(FlapperSpent(2, "flapper_2"), Closed("discard"))
