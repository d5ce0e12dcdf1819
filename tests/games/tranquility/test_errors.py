"""Every refusal, and the order of refusals."""

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
from tests.games.tranquility.table import cards, full, laid, storm, table

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
    given = table("finish_1", "20", grid=full(), start="start_1")
    given.when(0, PlayFinish("finish_1"))
    given.when(0, command).refused("game-over")
    given.when(9, command).refused("game-over")
    assert given.legal(0) == []


@pytest.mark.parametrize("command", MANY, ids=lambda command: type(command).__name__)
def test_there_is_no_such_seat(command):
    given = table("1 2", "20")
    given.when(2, command).refused("not-a-seat")
    given.when(-1, command).refused("not-a-seat")
    assert given.legal(2) == []


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
    given = table("1 2", "20", phase=phase, start="start_2", storms=True)
    given.state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    given.state.pledges = [Offer(4, from_deck=False)] * 2
    expected = isinstance(command, (*PHASES[phase], UseCompass))
    assert (given.trial(0, command).code == "wrong-phase") == (not expected)


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
    given = table("1 2", "start_1 20", phase=phase, storms=True)
    given.state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    given.when(1, command).refused("not-your-turn")


def test_a_start_to_be_laid_comes_before_the_cards():
    given = table("start_1 1", "20")
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
        given.when(0, command).refused("start-must-be-played")
    given.when(0, PlayStart("start_2")).refused("card-not-in-hand")
    given.when(0, PlayStart("island_1")).refused("not-a-start")


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
    given = table("1 2", "20", phase=phase, storms=True)
    given.state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    given.state.pledges, given.state.paid = [Offer(4, from_deck=False)] * 2, [True, True]
    given.when(0, command).refused("card-not-in-hand")
    if twice is not None:
        given.when(0, twice).refused("duplicate-card")


def chain(*steps):
    """Check each command's refusal; None stands for an accepted command."""
    for given, command, code in steps:
        assert given.trial(0, command).code == (code or ""), command


def test_the_order_of_refusals_when_laying():
    hand = "wild_1 finish_1 20 33 34 monster_1"
    more = {"storms": True, "wilds": 1, "monsters": 3}
    given = table(hand, "50", grid=laid(i12=30, i18=45), **more)
    given.state.storms = [storm("storm_purple_1", row=4), storm("storm_orange_1", seat=0)]
    chain(
        (given, PlayCard("finish_1", (9, 9), (), 99), "not-an-island"),
        (given, PlayCard("wild_1", (9, 9), (), 99), "no-such-cell"),
        (given, PlayCard("wild_1", (0, 2), (), 99), "cell-occupied"),
        (given, PlayCard("wild_1", (1, 4), (), 99), "row-blocked"),
        (given, PlayCard("wild_1", (3, 2), (), 99), "bad-number"),
        (given, PlayCard("island_20", (3, 2), (), 5), "bad-number"),
        (given, PlayCard("wild_1", (3, 2), (), 45), "number-on-board"),
        (given, PlayCard("island_20", (3, 2), ()), "order-broken"),
        (given, PlayCard("island_34", (3, 2), ()), "must-be-adjacent"),
        (given, PlayCard("wild_1", (1, 2), (), 40), "cost-too-high"),
        (given, PlayCard("island_33", (1, 2), cards("20")), "wrong-discard-count"),
        (
            given,
            PlayCard("island_33", (1, 2), ("monster_1", *cards("20 34"))),
            "monster-cannot-be-discarded",
        ),
        (given, PlayCard("island_33", (1, 2), ("finish_1", *cards("20 34"))), None),
    )
    given = table("33 20 monster_1 monster_2", "50", grid=laid(i12=30), **more)
    chain((given, PlayCard("island_33", (1, 2), cards("20")), "not-enough-cards"))
    grid = full("high_arch", without=(3, *range(24, 30)))
    given = table("wild_1 70", "50", grid=grid, variant="high_arch", wilds=1)
    chain((given, PlayCard("wild_1", (3, 6), (), 99), "lintel-locked"))


def test_the_order_of_refusals_of_the_other_actions():
    given = table("1 2 3 monster_1", "50", monsters=3)
    chain(
        (given, DiscardTwo(("monster_1",), turn_hands=True), "wrong-discard-count"),
        (
            given,
            DiscardTwo(("island_1", "monster_1"), turn_hands=True),
            "monster-cannot-be-discarded",
        ),
        (given, DiscardTwo(cards("1 2"), turn_hands=True), "no-sides-here"),
        (given, DiscardHand(), "no-compass-rule"),
        (table("1 monster_1", "50", monsters=3, storms=True), DiscardHand(), "hand-too-small"),
        (
            table("1 2 monster_1", "50", monsters=3, storms=True),
            DiscardHand(),
            "monster-cannot-be-discarded",
        ),
        (table("1 start_1", "50", start="start_2"), PlayStart("island_1"), "not-a-start"),
        (table("1 start_1", "50", start="start_2"), PlayStart("start_1"), "start-already-placed"),
        (given, PlayMonster("island_1", (9, 9)), "not-a-monster"),
        (given, PlayMonster("monster_1", (9, 9)), "no-such-cell"),
        (given, PlayMonster("monster_1", (0, 0)), "cell-empty"),
        (table("1", "2", grid=laid(i0=9)), FlipCard((9, 9), "island_1"), "no-sides-here"),
    )
    given = table("monster_1 1", "2", grid=laid(i0=9), monsters=3, rocks=True, rocks_row=0)
    chain((given, PlayMonster("monster_1", (0, 0)), "row-blocked"))
    given = table("monster_1 1", "2", variant="day_night", grid=laid("day_night", i0=9), monsters=3)
    chain(
        (given, FlipCard((9, 9), "monster_1"), "no-such-cell"),
        (given, FlipCard((1, 1), "monster_1"), "cell-empty"),
        (given, FlipCard((0, 0), "monster_1"), "monster-cannot-be-discarded"),
        (given, FlipCard((0, 0), "island_1"), None),
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
    given = table("1 2 monster_1", "20", phase="start_pledge", start="start_1", monsters=3)
    chain(
        (given, Pledge(99, from_deck=True), "no-deck-share"),
        (given, Pledge(-1), "bad-count"),
        (given, Pledge(9), "bad-count"),
        (given, Pledge(3), "pledge-too-high"),
        (given, Pledge(2), None),
    )
    given.state.shares = (0,)
    chain(
        (given, Pledge(1, from_deck=True), "bad-count"),
        (given, Pledge(5, from_deck=True), "pledge-too-high"),
        (given, Pledge(4, from_deck=True), None),
    )
    given.state.phase, given.state.pledges = "start_pay", [Offer(2, from_deck=False)] * 2
    chain(
        (given, PayStart(("monster_1",)), "wrong-discard-count"),
        (given, PayStart(("monster_1", "island_1")), "monster-cannot-be-discarded"),
        (given, PayStart(cards("1 2")), None),
    )
    given.state.paid[0] = True
    chain((given, PayStart(("monster_1",)), "already-paid"))


def test_the_order_of_refusals_of_the_steps():
    given = table(
        "1 2 monster_1",
        "20",
        phase="rocks",
        rocks=True,
        rocks_row=2,
        grid=full(without=range(12, 36)),
        monsters=3,
    )
    chain(
        (given, MoveRocks(6), "no-such-row"),
        (given, MoveRocks(2), "same-row"),
        (given, MoveRocks(0), "row-full"),
        (given, KeepRocks(("monster_1",)), "wrong-discard-count"),
        (given, KeepRocks(("monster_1", "island_1")), "monster-cannot-be-discarded"),
    )
    given.state.phase, given.state.pending_storm = (
        "storm_row",
        PendingStorm("storm_purple_1", 0, "draw"),
    )
    chain((given, PlaceStorm(-1), "no-such-row"), (given, PlaceStorm(0), "row-full"))
    given = table("1 2 3 start_1 monster_1", "20", phase="storm_discard", storms=True, monsters=3)
    given.state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    chain(
        (given, ShedToLimit(("monster_1",)), "wrong-discard-count"),
        (given, ShedToLimit(("monster_1", "start_1")), "monster-cannot-be-discarded"),
        (given, ShedToLimit(("island_1", "start_1")), "start-cannot-be-discarded"),
        (given, ShedToLimit(cards("1 2")), None),
    )
    given = table("1", "20", phase="explore_monster", variant="pyramid")
    chain((given, FeedMonster((5, 5)), "no-such-cell"), (given, FeedMonster((0, 0)), "cell-empty"))
    given = table(
        "1", "20", phase="explore_rocks", variant="pyramid", grid=full("pyramid", without=(20,))
    )
    chain((given, SetRocks(6), "no-such-row"), (given, SetRocks(0), "row-full"))
    given = table("1 2 3", "20", phase="take", variant="competitive", row=list(cards("5 6 7")))
    chain(
        (given, TakeCards(cards("8 8")), "duplicate-card"),
        (given, TakeCards(cards("8")), "not-in-row"),
        (given, TakeCards(cards("5")), "wrong-take-count"),
        (given, TakeCards(cards("7 5")), None),
    )


def test_the_order_of_refusals_of_compasses():
    given = table("wild_1 1 2", "20", storms=True, wilds=2, phase="rocks")
    given.state.compasses[1] = ["compass_1"]
    given.state.storms = [storm("storm_orange_1", seat=0)]
    chain(
        (given, UseCompass("wild_2", "storm_yellow_1"), "compass-not-held"),
        (given, UseCompass("compass_1", "storm_orange_1"), "compass-not-held"),
        (given, UseCompass("island_1", "storm_orange_1"), "compass-not-held"),
        (given, UseCompass("wild_1", "storm_yellow_1"), "wild-not-now"),
    )
    given.when(1, UseCompass("compass_1", "storm_yellow_1")).refused("no-such-storm")
    given.state.phase = "action"
    chain((given, UseCompass("wild_1", "storm_yellow_1"), "no-such-storm"))
    given.state.phase, given.state.pending_storm = (
        "storm_window",
        PendingStorm("storm_yellow_1", 0, "draw"),
    )
    given.state.passed = (0, 1)
    given.when(0, LetPass()).refused("already-passed")
    given.state.passed = (1,)
    given.when(0, LetPass()).refused("compass-not-held")
    given.when(1, LetPass()).refused("already-passed")
