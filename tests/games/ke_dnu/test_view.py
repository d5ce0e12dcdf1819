"""What each viewer sees, and the leak traps by their numbers."""

from typing import Any

import msgspec
import pytest

from games.chance import Chance
from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    Buy,
    ChooseCard,
    Claim,
    Draw,
    EndTurn,
    Jettison,
    Maid,
    Pass,
    PlaceStory,
    React,
    RearrangeTop,
    Tycoon,
)
from games.ke_dnu.events import (
    ActionAnnounced,
    CardsDrawn,
    Moved,
    Picked,
    ReactionAnnounced,
    Redirected,
    ShipSank,
    StoryDrawn,
    StoryPlaced,
    TopRearranged,
    WaterShuffled,
)
from games.playout import seed_of
from tests.games.ke_dnu.table import Table, drawing, given

VIEWERS = (0, 1, 2, None)


def shown(p: Table, seat: int, command: Any) -> dict[int | None, list[Any]]:
    """Send a command and return its redacted events by viewer."""
    state = p.state.copy()
    then = p.when(seat, command)
    assert not then.code
    views: dict[int | None, list[Any]] = {viewer: [] for viewer in VIEWERS}
    for event in then.events:
        GAME.apply(state, event)
        for viewer, events in views.items():
            if viewer is None or viewer < len(state.status):
                events.append(GAME.redact(event, viewer, state))
    return views


def only(events: list[Any], kind: type) -> Any:
    (event,) = [event for event in events if isinstance(event, kind)]
    return event


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_the_set_up_hides_every_order():
    events = GAME.setup(2, GAME.Options(), Chance(seed_of(1), 1))
    state = GAME.initial(2, GAME.Options())
    GAME.apply(state, events[0])
    for viewer in (0, 1, None):
        dealt = GAME.redact(events[0], viewer, state)
        assert dealt.decks == (("?",) * 10, ("?",) * 10)
        assert set(dealt.shop_deck) == {"?"}
        assert dealt.shop == tuple(state.shop)


def test_trap_1_hidden_moves_show_counts_alone():
    """These are draws, thefts from decks, Captain, Chef, Maid, and a story card under the deck."""
    p = drawing(
        3,
        boards={0: "maid_1 tycoon_1"},
        hands={0: "jack_1"},
        maid_left=1,
        tycoon_left=1,
    )
    views = shown(p, 0, Maid("jack_1"))
    assert only(views[0], Moved).card == "jack_1"
    assert {only(views[viewer], Moved).card for viewer in (1, 2, None)} == {"?"}
    views = shown(p, 0, Tycoon(1))
    assert only(views[0], Moved).card == "passenger_9"
    assert {only(views[viewer], Moved).card for viewer in (1, 2, None)} == {"?"}
    views = shown(p, 0, Draw())
    assert only(views[0], CardsDrawn).cards == ("passenger_1", "passenger_2", "passenger_3")
    assert {only(views[viewer], CardsDrawn).cards for viewer in (1, 2, None)} == {("?",) * 3}

    p = given(3, boards={0: "captain_1 chef_1"}, hands={0: "jack_1 seal_1 lady_1"})
    views = shown(p, 0, Activate("captain_1", cards=("jack_1", "seal_1")))
    assert only(views[0], ActionAnnounced).cards == ("jack_1", "seal_1")
    for viewer in (1, 2, None):
        text = msgspec.json.encode(views[viewer]).decode()
        assert "jack_1" not in text
        assert "seal_1" not in text
        assert only(views[viewer], ActionAnnounced).cards == ("?", "?")
    chef = shown(p, 0, Activate("chef_1", cards=tuple(p.state.hand[0][:2])))
    assert {event.card for event in chef[1] if isinstance(event, Moved)} == {"?"}

    p = given(3, boards={0: "storyteller_1"}, decks={0: "jack_1"})
    views = shown(p, 0, Activate("storyteller_1"))
    assert only(views[0], StoryDrawn).card == "jack_1"
    assert {only(views[viewer], StoryDrawn).card for viewer in (1, 2, None)} == {"?"}
    assert GAME.view(p.state, 0).stack[0].card == "jack_1"
    assert GAME.view(p.state, 1).stack[0].card == GAME.view(p.state, None).stack[0].card == "?"
    views = shown(p, 0, PlaceStory("deck"))
    assert only(views[0], StoryPlaced).card == "jack_1"
    assert {only(views[viewer], StoryPlaced).card for viewer in (1, 2, None)} == {"?"}


def test_trap_2_hands_are_shown_by_id():
    p = given(
        hands={0: "seal_1 jack_1"}, decks={0: "band_1 anchor_1 tycoon_1"}, step="draw", drawn=False
    )
    p.when(0, Draw())
    ids = ["anchor_1", "band_1", "jack_1", "seal_1", "tycoon_1"]
    assert list(GAME.view(p.state, 0).seats[0].hand or ()) == ids
    p = given(hands={0: "passenger_2 passenger_10 passenger_1"}, decks={0: ""})
    assert p.hand(0) == "passenger_1 passenger_10 passenger_2", "ids compare as plain strings"


@pytest.mark.rule("KED-88")
def test_trap_3_windows_do_not_depend_on_hidden_hands():
    for hand in ("pirate_1 tycoon_1", "jack_1 stowaway_1", "band_1 rats_1"):
        p = given(boards={1: "teacher_1"}, hands={0: "seal_1", 1: hand})
        p.when(0, Jettison("seal_1"))
        assert p.waiting == {1}
        p = given(boards={0: "lady_1", 1: "steward_1"}, hands={1: hand})
        p.when(0, Activate("lady_1", 1))
        assert p.waiting == {1}
    for hand in ("jack_1 seal_1", "jack_1 maid_1"):
        p = given(
            3,
            boards={0: "boogeyman_1 lady_1+assistant_1", 1: "lifebuoy_1"},
            hands={1: hand, 2: "rats_1"},
        )
        p.when(0, Activate("lady_1", 1, victims=("jack_1",)))
        p.state.hand[1] = ["maid_1", "seal_1"]
        assert p.waiting == {1}, "a named card that left the hand unseen changes nothing"


def test_trap_4_legal_is_the_seats_own():
    p = given(boards={1: "teacher_1"}, hands={0: "seal_1", 1: "jack_1"})
    p.when(0, Jettison("seal_1"))
    assert p.legal(0) == []
    assert p.legal(1) == [Pass()]
    assert given().legal(1) == []


def test_trap_5_a_sunk_ship_tells_nothing_of_its_cards():
    p = given(decks={0: "baby_1"}, hands={0: "jack_1"}, step="draw", drawn=False)
    views = shown(p, 0, Draw())
    assert only(views[1], ShipSank) == ShipSank(0, 0, "empty_deck")
    assert "jack_1" not in msgspec.json.encode(views[1]).decode()
    for viewer in (0, 1, None):
        seat = GAME.view(p.state, viewer).seats[0]
        assert seat.gone is seat.deck is None


@pytest.mark.rule("KED-60")
def test_trap_6_the_cards_in_sight_follow_the_deck_at_once():
    p = given(
        boards={0: "fanatic_1 burglar_1", 1: "navigator_1 navigator_2"},
        decks={1: "baby_3 baby_4 passenger_9 passenger_10"},
    )

    def top():
        return GAME.view(p.state, 1).seats[1].top

    assert top() == ("baby_3", "baby_4")
    p.when(0, Activate("burglar_1", 1))
    assert top() == ("baby_4", "passenger_9")
    p.when(0, Activate("fanatic_1", victims=("navigator_1",)))
    assert top() == ("baby_4", "passenger_9")
    p.state.board[0] = [type(p.state.board[0][0])("fanatic_2")]
    p.when(0, Activate("fanatic_2", victims=("navigator_2",)))
    assert top() == ()


@pytest.mark.rule("KED-83")
def test_trap_7_a_shielded_hit_reveals_no_card():
    """Random hits are drawn when the effect happens."""
    p = given(boards={0: "lady_1", 1: "lifebuoy_1"}, hands={1: "jack_1 seal_1"})
    announced = p.when(0, Activate("lady_1", 1)).events
    assert "jack_1" not in msgspec.json.encode(announced).decode()
    then = p.when(1, React("lifebuoy_1"))
    assert not then.of(Picked)
    p = given(boards={0: "burglar_1", 1: "lifebuoy_1"})
    announced = p.when(0, Activate("burglar_1", 1)).events
    assert (
        "passenger_9"
        not in msgspec.json.encode([*announced, *p.when(1, React("lifebuoy_1")).events]).decode()
    )


@pytest.mark.rule("KED-84")
def test_trap_8_a_stewards_hidden_picks_stay_hidden():
    p = given(
        3, boards={0: "lady_1", 1: "steward_1", 2: "ship_guard_1"}, hands={1: "jack_1 seal_1"}
    )
    p.when(0, Activate("lady_1", 1))
    p.when(2, Pass())
    views = shown(p, 1, React("steward_1", ("seal_1",)))
    assert only(views[1], ReactionAnnounced).cards == ("seal_1",)
    for viewer in (0, 2, None):
        assert only(views[viewer], ReactionAnnounced).cards == ("?",)
        assert GAME.view(p.state, viewer).stack[1].cards == ("?",)
    assert GAME.view(p.state, 1).stack[1].cards == ("seal_1",)
    views = shown(p, 2, Pass())
    assert only(views[0], Redirected).cards == ("?",)
    assert only(views[1], Redirected).cards == ("seal_1",)
    p = given(
        3,
        boards={0: "burglar_1", 1: "steward_1 lifebuoy_1", 2: "jack_1"},
        decks={1: "baby_3 baby_4"},
    )
    p.when(0, Activate("burglar_1", 1))
    views = shown(p, 1, React("steward_1", (), (1,)))
    assert only(views[1], Redirected).positions == (1,)
    assert {only(views[viewer], Redirected).positions for viewer in (0, 2, None)} == {(-1,)}
    assert GAME.view(p.state, 1).stack[0].redirects[0].positions == (1,)
    assert GAME.view(p.state, None).stack[0].redirects[0].positions == (-1,)

    p = given(3, boards={0: "lady_1", 1: "steward_1 lifebuoy_1"}, hands={1: "jack_1 seal_1"})
    p.when(0, Activate("lady_1", 1))
    p.when(1, React("steward_1", ("seal_1",)))
    assert p.waiting == {1}
    for viewer, cards in {0: ("?",), 1: ("seal_1",), 2: ("?",), None: ("?",)}.items():
        assert GAME.view(p.state, viewer).stack[0].redirects[0].cards == cards

    p = given(3, boards={0: "fanatic_1", 1: "steward_1 jack_1 seal_1 lifebuoy_1"})
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    views = shown(p, 1, React("steward_1", ("seal_1",)))
    assert only(views[None], ReactionAnnounced).cards == ("seal_1",), "a board is public"
    assert GAME.view(p.state, None).stack[0].redirects[0].cards == ("seal_1",)


def test_trap_9_refusals_of_others_zones_depend_on_counts_only():
    for hand, deck in (("jack_1", "baby_3"), ("seal_1", "baby_4")):
        p = given(
            3,
            boards={0: "lady_1 torpedo_1"},
            hands={0: "band_1 rats_1", 1: hand},
            decks={1: deck, 2: ""},
        )
        p.when(0, Activate("lady_1", 2)).refused("target-empty")
        p.when(0, Activate("torpedo_1", 2, ("rats_1",))).refused("target-empty")
        p.when(0, Activate("lady_1", 1, victims=(hand,))).refused("bad-victims")


@pytest.mark.rule("KED-62")
def test_trap_10_named_hand_cards_are_shown_to_actor_and_holder_only():
    p = given(
        3,
        boards={0: "boogeyman_1 saboteur_1", 1: "ship_guard_1"},
        hands={1: "jack_1 seal_1", 2: "lady_1"},
    )
    views = shown(p, 0, Activate("saboteur_1", victims=("jack_1", "lady_1")))
    assert only(views[0], ActionAnnounced).victims == ("jack_1", "lady_1")
    assert only(views[1], ActionAnnounced).victims == ("jack_1", "?")
    assert only(views[2], ActionAnnounced).victims == ("?", "lady_1")
    assert only(views[None], ActionAnnounced).victims == ("?", "?")
    assert GAME.view(p.state, 1).stack[0].victims == ("jack_1", "?")
    p.when(1, Pass())
    p.when(0, EndTurn())
    assert GAME.view(p.state, 0).seats[1].hand is None, "the sight ends with the turn"


def test_trap_11_the_order_of_a_shuffle_is_hidden_from_its_owner_too():
    p = given(
        phase="voyage",
        step="draw",
        drawn=False,
        decks={0: ""},
        waters={0: "jack_1 seal_1 lady_1 rats_1 maid_1 maid_2"},
        shop="seal_2",
    )
    views = shown(p, 0, Draw())
    for viewer in (0, 1, None):
        assert only(views[viewer], WaterShuffled).order == ("?",) * 6
    p = given(phase="voyage", points=20, decks={0: "baby_1"}, hands={1: "jack_1"})
    views = shown(p, 0, Buy("iceberg_1"))
    for viewer in (0, 1, None):
        seen = views[viewer][2]
        assert seen.decks == tuple(("?",) * len(deck) for deck in p.state.deck)
        for seat in (0, 1):
            hand = tuple(p.state.hand[seat])
            assert seen.hands[seat] == (hand if seat == viewer else ("?",) * len(hand))


@pytest.mark.rule("KED-60", "KED-62")
def test_trap_12_spectators_see_no_tops_and_no_hands():
    p = given(
        boards={0: "boogeyman_1 navigator_1 steersman_1"},
        hands={0: "jack_1", 1: "seal_1"},
    )
    view = GAME.view(p.state, None)
    assert [seat.hand for seat in view.seats] == [None, None]
    assert [seat.top for seat in view.seats] == [(), ()]
    views = shown(p, 0, RearrangeTop(0, 1))
    assert only(views[0], TopRearranged) == TopRearranged(0, 0, 1)
    assert (
        only(views[1], TopRearranged)
        == only(views[None], TopRearranged)
        == TopRearranged(0, -1, -1)
    )


def test_a_stolen_hand_card_is_seen_by_thief_and_victim():
    p = given(3, boards={0: "lady_1"}, hands={1: "jack_1"})
    views = shown(p, 0, Activate("lady_1", 1))
    for viewer, card in {0: "jack_1", 1: "jack_1", 2: "?", None: "?"}.items():
        assert only(views[viewer], Picked).cards == (card,)
        assert only(views[viewer], Moved).card == card
    p = given(3, boards={0: "saboteur_1"}, hands={1: "jack_1"})
    views = shown(p, 0, Activate("saboteur_1"))
    assert only(views[None], Picked).cards == ("jack_1",)


def test_moves_from_board_and_water_are_public():
    p = given(3, boards={0: "diver_1 beggar_1", 1: "jack_1"}, waters={0: "seal_1"})
    assert only(shown(p, 0, Activate("diver_1", cards=("seal_1",)))[None], Moved).card == "seal_1"
    assert only(shown(p, 0, Activate("beggar_1", victims=("jack_1",)))[2], Moved).card == "jack_1"


def test_at_the_end_all_is_shown():
    p = given(round=25, active=1, hands={0: "jack_1"}, decks={0: "baby_1", 1: ""})
    p.when(1, EndTurn())
    for viewer in (0, None):
        view = GAME.view(p.state, viewer)
        assert view.result == p.state.result
        assert view.seats[0].gone == ("baby_1", "jack_1")
        assert view.seats[0].deck == ()
        assert view.unused == tuple(p.state.unused)
        assert view.shop_deck == ()
        assert view.waiting == ()


def test_the_view_has_these_fields_in_this_order():
    fields = (
        "phase step first_seat active turn_index round points shop iceberg removed locked no_play "
        "readied drawn draw_begun tycoon_left maid_left end_queue sank_order result "
        "shop_deck_count shop_deck unused seats stack waiting"
    )
    view = as_json(GAME.view(given(boards={0: "jack_1"}).state, 0))
    assert list(view) == fields.split()
    seat = "status score board water hand_count deck_count rearranged hand top gone deck"
    assert list(view["seats"][0]) == seat.split()
    assert view["seats"][0]["board"] == [{"card": "jack_1", "exhausted": False, "host": ""}]
    assert view["seats"][1]["hand"] is None


def test_frames_are_shown_with_their_kind():
    p = given(boards={0: "burglar_1", 1: "ship_guard_1"})
    p.when(0, Activate("burglar_1", 1))
    assert as_json(GAME.view(p.state, None))["stack"] == [
        {
            "kind": "action", "seat": 0, "card": "burglar_1", "source": "exhaust", "times": 1,
            "target": 1, "cards": [], "victims": [], "host": "", "passed": [], "shields": [],
            "redirects": [],
        }
    ]  # fmt: skip
    p = given(boards={0: "janitor_1", 1: "teacher_1"}, hands={0: "jack_1", 1: "seal_1"})
    p.when(0, Jettison("jack_1"))
    discard = {"kind": "discard", "cards": ["jack_1"], "holders": [0], "flappers": [], "passed": []}
    assert as_json(GAME.view(p.state, 0))["stack"] == [discard]
    p.when(1, Claim("jack_1"))
    p.when(0, Activate("janitor_1"))
    choice = {"kind": "choice", "cause": "janitor", "need": [1, 1]}
    assert as_json(GAME.view(p.state, 1))["stack"] == [choice]
    p.when(0, ChooseCard("janitor_1"))
    assert GAME.view(p.state, 1).waiting == (1,)
    assert GAME.awaited(p.state, None) == {1}
