"""What each viewer sees, one test per trap."""

import msgspec
import pytest

from games.chance import Chance
from games.playout import Watchers, at_random, plies, seed_of
from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, PlayCard, PlayFinish, PlayStart, Pledge
from games.tranquility.events import (
    CardsDiscarded,
    CardsDrawn,
    CompassGained,
    Dealt,
    DeckDiscarded,
    Explored,
    StartsShuffled,
)
from tests.games.tranquility.table import cards, dealt, full, table

HIDING = [
    (2, {}),
    (3, {"storms": True, "monsters": 4, "wilds": 2, "rocks": True, "difficulty": "poseidon"}),
    (2, {"variant": "pyramid", "wilds": 1}),
    (2, {"variant": "competitive"}),
]


def names(value):
    """List all card ids in a value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [name for item in value.values() for name in names(item)]
    if isinstance(value, list):
        return [name for item in value for name in names(item)]
    return []


def test_view_has_the_fields_of_the_state():
    given, _ = dealt(2)
    fields = set(msgspec.to_builtins(given.view(0)))
    assert fields == set(GAME.State.__struct_fields__) | {"talk"}


@pytest.mark.parametrize(("seats", "options"), HIDING)
def test_trap_1_piles_slots_and_removed_islands(seats, options):
    given, then = dealt(seats, **options)
    for viewer in (*range(seats), None):
        view = given.view(viewer)
        assert {card for pile in view.piles for card in pile} <= {"?"}
        assert {*view.removed, *view.explore, *view.deck} <= {"?"}
        assert [len(pile) for pile in view.piles] == [len(pile) for pile in given.state.piles]
        assert (len(view.removed), len(view.deck)) == (
            len(given.state.removed),
            len(given.state.deck),
        )
        for event in then.events:
            shown = GAME.redact(event, viewer, given.state)
            match shown:
                case Dealt():
                    hidden = (*shown.removed, *shown.explore, *shown.deck, *sum(shown.piles, ()))
                    assert set(hidden) <= {"?"}
                    assert (shown.deal_from, shown.first_seat) == (
                        event.deal_from,
                        event.first_seat,
                    )
                case StartsShuffled():
                    assert set(shown.slots) == {-1}
                    assert len(shown.slots) == seats
                case _:
                    pass


@pytest.mark.rule("TRA-20")
def test_trap_2_face_down_cards():
    given = table("20 30 40", "1", memory_aid=True)
    (event, *_) = given.when(0, DiscardTwo(cards("20 30"))).events
    assert GAME.redact(event, 1, given.state) == CardsDiscarded(0, ("?", "?"), 2, "pass")
    assert GAME.redact(event, None, given.state) == CardsDiscarded(0, ("?", "?"), 2, "pass")
    blind = DeckDiscarded(0, cards("20 30"), 2)
    for viewer in (0, 1, None):
        assert GAME.redact(blind, viewer, given.state) == DeckDiscarded(0, ("?", "?"), 2)
    given.state.blind[0] = ["island_30"]
    assert given.view(0).discards[0] == ["island_20", "?"]
    assert given.view(0).blind == [["?"], []]


@pytest.mark.rule("TRA-45")
def test_trap_3_a_finish_is_offered_whoever_holds_monsters():
    hidden = table("finish_1 10", "monster_1 20", grid=full(), start="start_1", monsters=3)
    assert PlayFinish("finish_1") in hidden.legal(0)
    assert hidden.view(0).monster_holders == []
    hidden.when(0, PlayFinish("finish_1"))
    assert hidden.view(None).monster_holders == [1]


@pytest.mark.rule("TRA-32")
def test_trap_4_nobody_learns_of_a_discarded_finish():
    last = table("finish_1 10 20", "30 40")
    other = table("9 10 20", "30 40", piles=["", ""])
    one = last.when(0, DiscardTwo(("finish_1", "island_10"))).events
    two = other.when(0, DiscardTwo(cards("9 10"))).events
    for viewer in (1, None):
        shown = [
            [GAME.redact(event, viewer, last.state) for event in events] for events in (one, two)
        ]
        assert shown[0] == shown[1]


def test_trap_6_a_drawn_start_stays_secret_until_it_is_laid():
    given = table("1 2 3 4 5", "30 40", "60 61", piles=["start_1 9", "", ""])
    then = given.when(0, DiscardTwo(cards("1 2")))
    assert "start" not in str([GAME.redact(event, 1, given.state) for event in then.events])
    assert "start" not in str(given.view(1).hands)


def test_trap_7_a_pledge_limit_goes_to_its_sender_only():
    given = table("1 monster_1", "30 40", phase="start_pledge", monsters=3)
    given.when(0, Pledge(2)).refused("pledge-too-high")
    assert Pledge(2) in given.legal(1)


@pytest.mark.rule("TRA-64")
def test_trap_8_a_wild_in_hand_opens_no_window():
    for other in ("wild_1", "41"):
        given = table(
            "1 2 3 4 5", f"30 {other}", piles=["storm_orange_1 9", ""], storms=True, wilds=1
        )
        then = given.when(0, DiscardTwo(cards("1 2")))
        assert then.events[-1].phase == "action"


def test_trap_9_a_hand_is_in_card_order():
    given = table("1 2 3", "30 40", piles=["80 finish_1 5 start_1", ""], start="start_2")
    given.when(0, PlayCard("island_1", (0, 0)))
    assert given.view(0).hands[0] == list(cards("2 3 5 80 finish_1"))


def test_compasses_lie_in_the_order_in_which_they_were_gained():
    given = table("1", "20", storms=True)
    for compass in ("compass_5", "compass_2"):
        GAME.apply(given.state, CompassGained(1, compass, "explored"))
    assert [given.view(viewer).compasses[1] for viewer in (0, 1, None)] == [
        ["compass_5", "compass_2"]
    ] * 3


def test_trap_13_opening_hands_of_the_race():
    given, then = dealt(2, variant="competitive")
    for viewer in (0, 1):
        shown = GAME.redact(then.events[0], viewer, given.state)
        assert set(shown.hands[1 - viewer]) == {"?"}
        assert shown.hands[viewer] == then.events[0].hands[viewer]
        assert shown.row == then.events[0].row
    assert set(sum(GAME.redact(then.events[0], None, given.state).hands, ())) == {"?"}


def test_draws_are_their_seats_own():
    given = table("1 2 3", "30 40", piles=["71 72", ""])
    (drawn,) = given.when(0, DiscardTwo(cards("1 2"))).of(CardsDrawn)
    assert GAME.redact(drawn, 0, given.state) == drawn
    for viewer in (1, None):
        assert GAME.redact(drawn, viewer, given.state) == CardsDrawn(0, ("?", "?"), 2)


def test_after_the_end_everyone_sees_everything():
    given = table(
        "finish_1 10", "20", grid=full(), start="start_1", piles=["5", "6"], removed=["island_9"]
    )
    given.state.discards, given.state.blind = [["island_7"], ["island_8"]], [["island_7"], []]
    (placed, won) = given.when(0, PlayFinish("finish_1")).events
    for viewer in (0, 1, None):
        view = given.view(viewer)
        assert "?" not in names(msgspec.to_builtins(view))
        assert view.piles == [["island_5"], ["island_6"]]
        assert view.talk == "open"
        assert GAME.redact(won, viewer, given.state) == won
        assert GAME.redact(placed, viewer, given.state) == placed


@pytest.mark.parametrize(("seats", "options"), HIDING)
def test_no_record_of_a_playout_names_a_card_its_viewer_has_not_met(seats, options):
    """A card named in a record is in the viewer's own hand, or lies or lay face up."""
    options = msgspec.convert(options, GAME.Options)
    watchers = Watchers(GAME, seats, options)
    met = {viewer: set() for viewer in (*range(seats), None)}
    known = dict.fromkeys(met, 0)
    for state, ply in plies(GAME, seats, options, seed_of(5), at_random(Chance(seed_of(5), 9))):
        watchers.watch(ply)
        if state.result is not None:
            break
        for viewer, cards_met in met.items():
            view = GAME.view(state, viewer)
            cards_met.update(names(msgspec.to_builtins(view)))
            records = watchers.seen(viewer).records
            for record in records[known[viewer] :]:
                shown = [
                    event for event in record.events if not isinstance(event, CardsDrawn | Explored)
                ]
                new = {name for name in names(msgspec.to_builtins(shown)) if "_" in name}
                cards_named = {name for name in new if name.split("_")[-1].isdigit()}
                assert cards_named <= cards_met, (viewer, record)
            known[viewer] = len(records)


def test_pledges_are_public():
    given = table("start_1 1 2 3 4", "20 21 22 23", "30 31 32")
    given.when(0, PlayStart("start_1"))
    given.when(1, Pledge(3))
    for viewer in (0, 1, 2, None):
        assert given.view(viewer).pledges[1].count == 3


def test_compasses_stand_in_the_order_gained():
    given = table("1 2", "20", storms=True)
    gained = ["compass_4", "compass_1", "compass_3"]
    for compass in gained:
        GAME.apply(given.state, CompassGained(0, compass, "start"))
    for viewer in (0, 1, None):
        assert GAME.view(given.state, viewer).compasses[0] == [
            "compass_4",
            "compass_1",
            "compass_3",
        ]
