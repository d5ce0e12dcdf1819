"""Every refusal, and which of several comes first (section 6)."""

import msgspec
import pytest

from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.model import Offer, PendingStorm
from tests.games.tranquility.board import cards, full, laid, play, refusal, storm, table

ONE = (0, 0)
MANY = [
    PlayCard("island_1", ONE),
    DiscardTwo(cards("1 2")),
    DiscardHand(),
    PlayStart("start_1"),
    Pledge(1),
    PayStart(cards("1")),
    PlayFinish("finish_1"),
    PlayMonster("monster_1", ONE),
    FlipCard(ONE, "island_1"),
    MoveRocks(1),
    KeepRocks(cards("1 2")),
    UseCompass("compass_1", "storm_yellow_1"),
    LetPass(),
    PlaceStorm(1),
    ShedToLimit(cards("1")),
    FeedMonster(ONE),
    SetRocks(1),
    TakeCards(cards("1")),
    EndTurn(),
]
PHASES = {
    "action": (PlayCard, DiscardTwo, DiscardHand, PlayStart, PlayFinish, PlayMonster, FlipCard),
    "start_pledge": (Pledge,),
    "start_pay": (PayStart,),
    "rocks": (MoveRocks, KeepRocks),
    "storm_window": (LetPass,),
    "rescue": (LetPass,),
    "storm_row": (PlaceStorm,),
    "storm_discard": (ShedToLimit,),
    "explore_monster": (FeedMonster,),
    "explore_rocks": (SetRocks,),
    "take": (TakeCards,),
    "confirm": (EndTurn,),
}


@pytest.mark.parametrize("command", MANY, ids=lambda command: type(command).__name__)
def test_after_the_end_everything_is_refused_first(command):
    state = table("finish_1", "20", grid=full(), start="start_1")
    play(state, 0, PlayFinish("finish_1"))
    assert refusal(state, 0, command) == "game-over"
    assert refusal(state, 9, command) == "game-over"
    assert GAME.legal(state, 0) == []


@pytest.mark.parametrize("command", MANY, ids=lambda command: type(command).__name__)
def test_there_is_no_such_seat(command):
    state = table("1 2", "20")
    assert refusal(state, 2, command) == "not-a-seat"
    assert refusal(state, -1, command) == "not-a-seat"
    assert GAME.legal(state, 2) == []


@pytest.mark.parametrize(
    "wire",
    [
        '{"type":"fly"}',
        '{"type":"play_card","card":"island_1"}',
        '{"type":"play_card","card":"island_1","cell":[1]}',
        '{"type":"play_card","card":1,"cell":[1,1]}',
        '{"type":"end_turn","extra":1}',
        '{"type":"pledge","count":"3"}',
    ],
)
def test_malformed_commands_are_no_commands(wire):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wire, type=GAME.Command)


def test_fields_that_may_be_left_out():
    decode = msgspec.json.Decoder(GAME.Command).decode
    assert decode('{"type":"play_card","card":"island_1","cell":[0,0]}') == PlayCard(
        "island_1", ONE
    )
    assert decode('{"type":"discard_two","cards":["island_1","island_2"]}') == DiscardTwo(
        cards("1 2")
    )
    assert decode('{"type":"pledge","count":3}') == Pledge(3)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", MANY, ids=lambda command: type(command).__name__)
def test_each_command_has_its_phase(phase, command):
    state = table("1 2", "20", phase=phase, start="start_2", storms=True)
    state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    state.pledges = [Offer(4, from_deck=False)] * 2
    expected = isinstance(command, (*PHASES[phase], UseCompass))
    assert (refusal(state, 0, command) == "wrong-phase") == (not expected)


@pytest.mark.parametrize(
    ("phase", "command"),
    [
        ("action", DiscardTwo(cards("88 89"))),
        ("action", PlayStart("start_1")),
        ("rocks", MoveRocks(9)),
        ("rocks", KeepRocks(())),
        ("confirm", EndTurn()),
        ("take", TakeCards(())),
        ("explore_monster", FeedMonster((9, 9))),
        ("explore_rocks", SetRocks(9)),
        ("storm_row", PlaceStorm(9)),
        ("storm_discard", ShedToLimit(())),
    ],
)
def test_one_seat_decides(phase, command):
    state = table("1 2", "start_1 20", phase=phase, storms=True)
    state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    assert refusal(state, 1, command) == "not-your-turn"


def test_a_start_to_be_laid_comes_before_the_cards():
    state = table("start_1 1", "20")
    unknown = "island_99"
    for command in (
        PlayCard(unknown, (9, 9)),
        DiscardTwo((unknown,)),
        DiscardHand(),
        PlayFinish(unknown),
        PlayMonster(unknown, (9, 9)),
        FlipCard((9, 9), unknown),
        PlayStart("wild_1"),
    ):
        assert refusal(state, 0, command) == "start-must-be-played"
    assert refusal(state, 0, PlayStart("start_2")) == "card-not-in-hand"
    assert refusal(state, 0, PlayStart("island_1")) == "not-a-start"


@pytest.mark.parametrize(
    ("phase", "command", "twice"),
    [
        ("action", PlayCard("island_1", ONE, cards("99")), PlayCard("island_1", ONE, cards("1"))),
        ("action", PlayCard("island_99", ONE), PlayCard("island_1", ONE, cards("2 2"))),
        ("action", DiscardTwo(cards("1 99")), DiscardTwo(cards("1 1"))),
        ("action", PlayStart("start_1"), None),
        ("action", PlayFinish("finish_1"), None),
        ("action", PlayMonster("monster_1", (9, 9)), None),
        ("action", FlipCard((9, 9), "island_99"), None),
        ("rocks", KeepRocks(cards("99")), KeepRocks(cards("1 1"))),
        ("start_pay", PayStart(cards("99")), PayStart(cards("1 1"))),
        ("storm_discard", ShedToLimit(cards("99")), ShedToLimit(cards("1 1"))),
    ],
)
def test_cards_are_in_hand_and_named_once_before_all_else(phase, command, twice):
    state = table("1 2", "20", phase=phase, storms=True)
    state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    state.pledges, state.paid = [Offer(4, from_deck=False)] * 2, [True, True]
    assert refusal(state, 0, command) == "card-not-in-hand"
    if twice is not None:
        assert refusal(state, 0, twice) == "duplicate-card"


def chain(*steps):
    """Check refusals that follow each other as the table is set right step by step."""
    for state, command, code in steps:
        assert refusal(state, 0, command) == code, command


def test_the_order_of_refusals_when_laying():
    hand = "wild_1 finish_1 20 33 34 monster_1"
    more = {"storms": True, "wilds": 1, "monsters": 3}
    state = table(hand, "50", grid=laid(i12=30, i18=45), **more)
    state.storms = [storm("storm_purple_1", row=4), storm("storm_orange_1", seat=0)]
    chain(
        (state, PlayCard("finish_1", (9, 9), (), 99), "not-an-island"),
        (state, PlayCard("wild_1", (9, 9), (), 99), "no-such-cell"),
        (state, PlayCard("wild_1", (0, 2), (), 99), "cell-occupied"),
        (state, PlayCard("wild_1", (1, 4), (), 99), "row-blocked"),
        (state, PlayCard("wild_1", (3, 2), (), 99), "bad-number"),
        (state, PlayCard("island_20", (3, 2), (), 5), "bad-number"),
        (state, PlayCard("wild_1", (3, 2), (), 45), "number-on-board"),
        (state, PlayCard("island_20", (3, 2), ()), "order-broken"),
        (state, PlayCard("island_34", (3, 2), ()), "must-be-adjacent"),
        (state, PlayCard("wild_1", (1, 2), (), 40), "cost-too-high"),
        (state, PlayCard("island_33", (1, 2), cards("20")), "wrong-discard-count"),
        (
            state,
            PlayCard("island_33", (1, 2), ("monster_1", *cards("20 34"))),
            "monster-cannot-be-discarded",
        ),
        (state, PlayCard("island_33", (1, 2), ("finish_1", *cards("20 34"))), None),
    )
    state = table("33 20 monster_1 monster_2", "50", grid=laid(i12=30), **more)
    chain((state, PlayCard("island_33", (1, 2), cards("20")), "not-enough-cards"))
    grid = full("high_arch", without=(3, *range(24, 30)))
    state = table("wild_1 70", "50", grid=grid, variant="high_arch", wilds=1)
    chain((state, PlayCard("wild_1", (3, 6), (), 99), "lintel-locked"))


def test_the_order_of_refusals_of_the_other_actions():
    state = table("1 2 3 monster_1", "50", monsters=3)
    chain(
        (state, DiscardTwo(("monster_1",), turn_hands=True), "wrong-discard-count"),
        (
            state,
            DiscardTwo(("island_1", "monster_1"), turn_hands=True),
            "monster-cannot-be-discarded",
        ),
        (state, DiscardTwo(cards("1 2"), turn_hands=True), "no-sides-here"),
        (state, DiscardHand(), "no-compass-rule"),
        (table("1 monster_1", "50", monsters=3, storms=True), DiscardHand(), "hand-too-small"),
        (
            table("1 2 monster_1", "50", monsters=3, storms=True),
            DiscardHand(),
            "monster-cannot-be-discarded",
        ),
        (table("1 start_1", "50", start="start_2"), PlayStart("island_1"), "not-a-start"),
        (table("1 start_1", "50", start="start_2"), PlayStart("start_1"), "start-already-placed"),
        (state, PlayMonster("island_1", (9, 9)), "not-a-monster"),
        (state, PlayMonster("monster_1", (9, 9)), "no-such-cell"),
        (state, PlayMonster("monster_1", (0, 0)), "cell-empty"),
        (table("1", "2", grid=laid(i0=9)), FlipCard((9, 9), "island_1"), "no-sides-here"),
    )
    state = table("monster_1 1", "2", grid=laid(i0=9), monsters=3, rocks=True, rocks_row=0)
    chain((state, PlayMonster("monster_1", (0, 0)), "row-blocked"))
    state = table("monster_1 1", "2", variant="day_night", grid=laid("day_night", i0=9), monsters=3)
    chain(
        (state, FlipCard((9, 9), "monster_1"), "no-such-cell"),
        (state, FlipCard((1, 1), "monster_1"), "cell-empty"),
        (state, FlipCard((0, 0), "monster_1"), "monster-cannot-be-discarded"),
        (state, FlipCard((0, 0), "island_1"), None),
    )


def test_the_order_of_refusals_of_a_finish():
    hand, more = "finish_1 1 monster_1", {"monsters": 3}
    chain(
        (table(hand, "2", **more), PlayFinish("island_1"), "not-a-finish"),
        (table(hand, "2", **more), PlayFinish("finish_1"), "sea-not-full"),
        (table(hand, "2", grid=full(), **more), PlayFinish("finish_1"), "start-not-placed"),
        (
            table(hand, "2", grid=full(), start="start_1", finish_tried=True, **more),
            PlayFinish("finish_1"),
            "monster-in-own-hand",
        ),
        (
            table("finish_1 1", "2", grid=full(), start="start_1", finish_tried=True, **more),
            PlayFinish("finish_1"),
            "finish-blocked",
        ),
    )


def test_the_order_of_refusals_around_a_start():
    state = table("1 2 monster_1", "20", phase="start_pledge", start="start_1", monsters=3)
    chain(
        (state, Pledge(99, from_deck=True), "no-deck-share"),
        (state, Pledge(-1), "bad-count"),
        (state, Pledge(9), "bad-count"),
        (state, Pledge(3), "pledge-too-high"),
        (state, Pledge(2), None),
    )
    state.shares = [0]
    chain(
        (state, Pledge(1, from_deck=True), "bad-count"),
        (state, Pledge(5, from_deck=True), "pledge-too-high"),
        (state, Pledge(4, from_deck=True), None),
    )
    state.phase, state.pledges = "start_pay", [Offer(2, from_deck=False)] * 2
    chain(
        (state, PayStart(("monster_1",)), "wrong-discard-count"),
        (state, PayStart(("monster_1", "island_1")), "monster-cannot-be-discarded"),
        (state, PayStart(cards("1 2")), None),
    )
    state.paid[0] = True
    chain((state, PayStart(("monster_1",)), "already-paid"))


def test_the_order_of_refusals_of_the_steps():
    state = table(
        "1 2 monster_1",
        "20",
        phase="rocks",
        rocks=True,
        rocks_row=2,
        grid=full(without=range(12, 36)),
        monsters=3,
    )
    chain(
        (state, MoveRocks(6), "no-such-row"),
        (state, MoveRocks(2), "same-row"),
        (state, MoveRocks(0), "row-full"),
        (state, KeepRocks(("monster_1",)), "wrong-discard-count"),
        (state, KeepRocks(("monster_1", "island_1")), "monster-cannot-be-discarded"),
    )
    state.phase, state.pending_storm = "storm_row", PendingStorm("storm_purple_1", 0, "draw")
    chain((state, PlaceStorm(-1), "no-such-row"), (state, PlaceStorm(0), "row-full"))
    state = table("1 2 3 start_1 monster_1", "20", phase="storm_discard", storms=True, monsters=3)
    state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    chain(
        (state, ShedToLimit(("monster_1",)), "wrong-discard-count"),
        (state, ShedToLimit(("monster_1", "start_1")), "monster-cannot-be-discarded"),
        (state, ShedToLimit(("island_1", "start_1")), "start-cannot-be-discarded"),
        (state, ShedToLimit(cards("1 2")), None),
    )
    state = table("1", "20", phase="explore_monster", variant="pyramid")
    chain((state, FeedMonster((5, 5)), "no-such-cell"), (state, FeedMonster((0, 0)), "cell-empty"))
    state = table(
        "1", "20", phase="explore_rocks", variant="pyramid", grid=full("pyramid", without=(20,))
    )
    chain((state, SetRocks(6), "no-such-row"), (state, SetRocks(0), "row-full"))
    state = table("1 2 3", "20", phase="take", variant="competitive", row=list(cards("5 6 7")))
    chain(
        (state, TakeCards(cards("8 8")), "duplicate-card"),
        (state, TakeCards(cards("8")), "not-in-row"),
        (state, TakeCards(cards("5")), "wrong-take-count"),
        (state, TakeCards(cards("7 5")), None),
    )


def test_the_order_of_refusals_of_compasses():
    state = table("wild_1 1 2", "20", storms=True, wilds=2, phase="rocks")
    state.compasses[1] = ["compass_1"]
    state.storms = [storm("storm_orange_1", seat=0)]
    chain(
        (state, UseCompass("wild_2", "storm_yellow_1"), "compass-not-held"),
        (state, UseCompass("compass_1", "storm_orange_1"), "compass-not-held"),
        (state, UseCompass("island_1", "storm_orange_1"), "compass-not-held"),
        (state, UseCompass("wild_1", "storm_yellow_1"), "wild-not-now"),
    )
    assert refusal(state, 1, UseCompass("compass_1", "storm_yellow_1")) == "no-such-storm"
    state.phase = "action"
    chain((state, UseCompass("wild_1", "storm_yellow_1"), "no-such-storm"))
    state.phase, state.pending_storm = "storm_window", PendingStorm("storm_yellow_1", 0, "draw")
    state.passed = [0, 1]
    assert refusal(state, 0, LetPass()) == "already-passed"
    state.passed = [1]
    assert refusal(state, 0, LetPass()) == "compass-not-held"
    assert refusal(state, 1, LetPass()) == "already-passed"
