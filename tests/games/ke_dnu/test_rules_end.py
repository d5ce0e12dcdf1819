"""KED-110 to KED-115: sinking, score, winners, abandoning."""

import pytest

from games.chance import Chance
from games.ke_dnu import GAME
from games.ke_dnu.commands import Activate, Draw, EndTurn, Jettison, Play
from games.ke_dnu.events import (
    GameOver,
    ShipAbandoned,
    ShipSank,
    TurnEnded,
    TurnStarted,
    VoyageEnded,
)
from games.ke_dnu.model import Result
from games.playout import seed_of
from games.testing.given import Then
from tests.games.ke_dnu.laws import census
from tests.games.ke_dnu.table import given


def leave(p, seat: int, chance: Chance | None = None) -> Then:
    """Leave a match for good and fold what follows."""
    events = GAME.leave(p.state, seat, chance)
    for event in events:
        GAME.apply(p.state, event)
    return Then(events)


@pytest.mark.rule("KED-110", "KED-101/dealer")
def test_a_sunk_ship_takes_no_turns_and_its_board_is_saved():
    p = given(
        3,
        boards={0: "dealer_1 fanatic_1 arbiter_1", 1: "pirate_1 jack_1", 2: "seal_1"},
        decks={1: ""},
        hands={1: "lady_1", 0: "stowaway_1"},
        waters={1: "rats_1"},
        points=1,
    )
    then = p.when(0, Activate("dealer_1"))
    assert then.of(ShipSank) == [ShipSank(1, 12, "empty_deck")]
    assert p.state.gone[1] == ["lady_1", "rats_1"]
    assert (p.hand(1), p.water(1), p.board(1)) == ("", "", "pirate_1 jack_1")
    p.when(1, EndTurn()).refused("ship-sunk")
    p.when(0, Activate("fanatic_1", victims=("jack_1",))).refused("bad-victims")
    p.when(0, Play("stowaway_1", 1)).refused("bad-target")
    then = p.when(0, EndTurn())
    assert p.board(0) == "dealer_1* arbiter_1", "the Pirate of a sunk ship is not the dearest"
    assert then.events[-1].seat == 2


@pytest.mark.rule("KED-110")
def test_who_sinks_in_its_own_turn_has_no_end_effects():
    p = given(3, boards={0: "polka_dancer_1 arbiter_1"}, decks={0: ""}, points=7)
    then = p.when(0, Activate("polka_dancer_1"))
    assert then.names[2:] == ["ship_sank", "turn_ended", "turn_started"]
    assert then.of(TurnEnded) == [TurnEnded(0)]


@pytest.mark.rule("KED-111", "KED-101/lifeboat", "KED-101/iceberg")
def test_the_score_is_the_value_of_the_board():
    """Hosts and Assistants count; hand, deck and water do not."""
    p = given(
        boards={0: "lifeboat_1 iceberg_1 jack_1+assistant_1 flapper_1 passenger_1"},
        hands={0: "pirate_1"},
        decks={0: ""},
        step="draw",
        drawn=False,
    )
    assert p.when(0, Draw()).of(ShipSank) == [ShipSank(0, 29, "empty_deck")]


@pytest.mark.rule("KED-112")
def test_the_others_play_on_until_all_have_sunk():
    p = given(2, status=["afloat", "sunk"], score=[None, 0], sank_order=[1], decks={0: "baby_1"})
    then = p.when(0, EndTurn())
    assert then.events[-1].seat == 0
    then = p.when(0, Draw())
    assert then.names == ["ship_sank", "game_over"]
    assert p.state.phase == "over"
    assert GAME.waiting(p.state) == frozenset()
    assert p.state.result == Result((0, 1), (1, 1), (0, 0), ((), ()), (1, 0), "all_sunk")
    p.when(0, EndTurn()).refused("game-over")


@pytest.mark.rule("KED-113")
def test_ties_share_the_win():
    p = given(
        3,
        boards={0: "pirate_1", 1: "torpedo_1", 2: "jack_1"},
        decks={0: "", 1: "", 2: ""},
        round=25,
        active=2,
        hands={2: "rats_1"},
    )
    p.when(2, EndTurn())
    result = p.state.result
    assert (result.winners, result.ranks, result.scores) == ((0, 1), (1, 1, 3), (12, 12, 0))
    assert result.places(3) == [1, 1, 3]


@pytest.mark.rule("KED-114")
def test_all_ships_sink_after_the_last_round():
    """They sink clockwise from the first seat of the phase."""
    p = given(
        3,
        active=1,
        first_seat=2,
        round=10,
        options={"sinking_round_limit": 10},
        boards={0: "jack_1", 1: "seal_1", 2: "lady_1"},
    )
    then = p.when(1, EndTurn())
    assert then.names == [
        "end_declared",
        "turn_ended",
        "ship_sank",
        "ship_sank",
        "ship_sank",
        "game_over",
    ]
    assert then.of(ShipSank) == [
        ShipSank(2, 8, "limit"),
        ShipSank(0, 0, "limit"),
        ShipSank(1, 5, "limit"),
    ]
    assert p.state.result.reason == "limit"
    p = given(3, active=0, first_seat=2, round=10, options={"sinking_round_limit": 10})
    assert not p.when(0, EndTurn()).of(ShipSank), "the round is not over"


@pytest.mark.rule("KED-115")
def test_an_abandoned_ship_scores_nothing_and_its_cards_are_gone():
    """Everything pending is dropped. If the seat was active, its turn ends."""
    p = given(
        3,
        boards={0: "fanatic_1", 1: "lifebuoy_1 jack_1", 2: "seal_1"},
        hands={1: "rats_1"},
        decks={1: "baby_3"},
        waters={1: "rats_2"},
    )
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    assert p.waiting == {1}
    before = census(p.state)
    leave(p, 1).then(ShipAbandoned(1))
    assert p.state.gone[1] == ["baby_3", "jack_1", "lifebuoy_1", "rats_1", "rats_2"]
    assert p.state.score[1] == 0
    assert not p.state.stack
    assert p.board(0) == "fanatic_1*", "costs stay paid"
    assert p.waiting == {0}
    assert census(p.state) == before
    leave(p, 1).then()
    assert leave(p, 0).events[-1] == GameOver(
        Result((2,), (2, 2, 1), (0, 0, 5), ((), (), ("seal_1",)), (), "abandoned")
    )

    p = given(3, active=1, points=9)
    then = leave(p, 1)
    assert then.names == ["ship_abandoned", "turn_ended", "turn_started"]
    assert then.events[-1].seat == 2


@pytest.mark.rule("KED-115", "KED-93")
def test_a_story_card_goes_under_its_holders_deck_when_another_leaves():
    for leaver, deck in ((1, "baby_1 jack_1"), (0, "")):
        p = given(3, boards={0: "storyteller_1"}, decks={0: "jack_1 baby_1"})
        p.when(0, Activate("storyteller_1"))
        before = census(p.state)
        leave(p, leaver)
        assert p.deck(0) == deck
        assert census(p.state) == before


@pytest.mark.rule("KED-115")
def test_abandoned_seats_share_the_last_rank():
    p = given(
        4,
        boards={0: "jack_1", 1: "seal_1", 2: "lady_1"},
        status=["sunk", "afloat", "afloat", "abandoned"],
        sank_order=[0],
        score=[0, None, None, 0],
    )
    leave(p, 2)
    assert p.state.phase == "sinking", "not all others have abandoned"
    leave(p, 1)
    result = p.state.result
    assert (result.ranks, result.scores) == ((1, 2, 2, 2), (0, 0, 0, 0))
    assert (result.winners, result.reason) == ((0,), "all_sunk")


@pytest.mark.rule("KED-30", "KED-115")
def test_the_voyage_ends_where_the_last_seat_of_its_last_round_leaves():
    p = given(3, phase="voyage", active=2, round=25, hands={0: "jack_1"})
    then = leave(p, 2, Chance(seed_of(1), 2))
    assert then.names == [
        "ship_abandoned", "turn_ended", "voyage_ended", "sinking_started", "turn_started"
    ]  # fmt: skip
    assert then.of(VoyageEnded) == [VoyageEnded(-1, "limit")]
    assert then.events[-1] == TurnStarted(0, "sinking", 0, 1)
    assert [len(hand) for hand in then.events[3].hands] == [5, 5, 0]


def test_without_dice_one_more_round_is_played():
    """Decks cannot be shuffled without dice, so the Voyage ends one round later."""
    p = given(3, phase="voyage", active=2, round=25)
    then = leave(p, 2)
    assert then.names == ["ship_abandoned", "turn_ended", "turn_started"]
    assert (p.state.round, p.state.active) == (26, 0)
    for seat in (0, 1):
        p.when(seat, Draw())
        then = p.when(seat, EndTurn())
    assert then.of(VoyageEnded)


def test_nobody_leaves_a_match_that_is_over():
    p = given(status=["sunk", "sunk"], phase="over")
    leave(p, 0).then()
    p.when(0, Jettison("jack_1")).refused("game-over")
