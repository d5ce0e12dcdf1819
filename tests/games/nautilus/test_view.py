"""Views and redaction: what each viewer sees, and ways in which secrets could leak."""

import re

import msgspec
import pytest

from games.chance import Chance
from games.nautilus import GAME
from games.nautilus.commands import (
    EndDive,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    UseSonar,
)
from games.nautilus.components import FINDS, PLACE_CELLS, PLACE_OF
from games.nautilus.events import (
    FindsPeeked,
    GameScored,
    GameSetUp,
    MissionsDealt,
    MissionsRevealed,
    SeaStocked,
    SonarUsed,
)
from games.nautilus.fold import apply
from games.nautilus.model import Options, Pending
from games.playout import Watchers, at_random, plies, seed_of
from games.testing.given import Then
from tests.games.nautilus.laws import exchanged, twins
from tests.games.nautilus.table import Table, given

ENCODER = msgspec.json.Encoder()


def shown(table: Table, event, viewer):
    return GAME.redact(event, viewer, table.state)


def opening(seats: int) -> Then:
    return Then(GAME.setup(seats, Options(), Chance(seed_of(1), 1)))


def looked(viewer: int = 0) -> tuple[Table, SonarUsed]:
    table = given(3)
    table.float(f"s{viewer}_1", (22, 10))
    table.wait("sail", viewer)
    (event,) = table.when(viewer, UseSonar(f"s{viewer}_1")).events
    return table, event


def ids_in(thing) -> set[str]:
    """Return the ids of finds in the JSON of a value."""
    text = ENCODER.encode(thing).decode()
    return set(re.findall("|".join(sorted(FINDS, key=len, reverse=True)), text))


# ---- events --------------------------------------------------------------------------------------


@pytest.mark.rule("NAU-8", "NAU-82")
def test_the_stocked_sea_is_hidden_from_everyone():
    table = given(3)
    (stocked,) = opening(3).of(SeaStocked)
    for viewer in (0, 1, 2, None):
        finds = shown(table, stocked, viewer).finds
        assert finds == tuple((*cell, "?") for cell in PLACE_CELLS)


@pytest.mark.rule("NAU-9")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_of_the_missions_each_seat_sees_its_own(seats):
    table = given(seats)
    dealt = MissionsDealt(tuple(table.state.mission + table.state.mission_rest))
    for viewer in range(seats):
        order = shown(table, dealt, viewer).order
        assert order == tuple(m if i == viewer else "?" for i, m in enumerate(dealt.order))
    assert shown(table, dealt, None).order == ("?",) * 4


def test_open_missions_are_seen_by_all_but_the_rest_is_not():
    table = given(3, open_missions=True)
    dealt = MissionsDealt(tuple(table.state.mission + table.state.mission_rest))
    for viewer in (0, 2, None):
        assert shown(table, dealt, viewer).order == (*dealt.order[:3], "?")
        assert table.view(viewer).mission == dealt.order[:3]
        assert table.view(viewer).mission_rest == ("?",)


@pytest.mark.rule("NAU-52", "NAU-53")
def test_faces_are_left_out_for_others():
    table, event = looked()
    assert shown(table, event, 0) == event
    for viewer in (1, 2, None):
        seen = shown(table, event, viewer)
        assert b"faces" not in ENCODER.encode(seen)
        assert seen.cells == event.cells
    peeked = FindsPeeked(1, ((15, 3),), (table.state.hidden[PLACE_OF[15, 3]],))
    assert shown(table, peeked, 1).faces
    assert "faces" not in msgspec.to_builtins(shown(table, peeked, None))


def test_all_other_events_are_public():
    for seats in (2, 3, 4):
        walk = plies(GAME, seats, Options(), seed_of(seats), at_random(Chance(seed_of(3), 1)))
        for state, ply in walk:
            for event in ply.events:
                if isinstance(event, (SeaStocked, MissionsDealt, SonarUsed, FindsPeeked)):
                    continue
                assert all(GAME.redact(event, v, state) is event for v in (*range(seats), None))


def test_from_the_end_on_old_events_are_shown_whole():
    table, event = looked()
    opened = opening(3)
    (stocked,), (dealt,) = opened.of(SeaStocked), opened.of(MissionsDealt)
    table.state.phase = "over"
    for old in (event, stocked, dealt):
        assert shown(table, old, None) == old


def test_dealt_cards_are_open_from_the_reveal_on():
    table = given(3)
    dealt = MissionsDealt(tuple(table.state.mission + table.state.mission_rest))
    apply(table.state, MissionsRevealed(tuple(table.state.mission)))
    assert shown(table, dealt, None).order == (*dealt.order[:3], "?")


# ---- views ---------------------------------------------------------------------------------------


@pytest.mark.rule("NAU-53", "NAU-82")
def test_hidden_finds_show_cell_and_zone_and_known_faces_only():
    table, event = looked()
    for viewer in (0, 1, 2, None):
        hidden = table.view(viewer).hidden
        assert [(c, r) for c, r, *_ in hidden] == list(PLACE_CELLS)
        faces = {(c, r): face for c, r, _, face in hidden if face != "?"}
        expected = dict(zip(event.cells, event.faces, strict=True)) if viewer == 0 else {}
        assert faces == expected


def test_the_view_has_these_fields():
    raw = msgspec.json.decode(ENCODER.encode(given(2).view(0)))
    assert set(raw) == {
        "seats", "round", "first_seat", "phase", "step", "active", "modules", "supply", "hand",
        "stock", "subs_stock", "researchers", "employed", "submarines", "money", "level", "three",
        "hidden", "known", "fields", "treasures", "removed", "mission", "mission_rest",
        "abyss_visitors", "turn", "pending", "round_log", "end_round", "end_reasons",
        "mission_paid", "result",
    }  # fmt: skip
    assert raw["modules"] == [{"id": "base", "cell": [15, 12], "rot": 0, "owner": -1}]
    assert raw["hidden"][0] == [6, 1, "deep", "?"]
    assert raw["level"][0] == {"green": 0, "grey": 0, "brown": 0, "blue": 0, "black": 0}
    assert raw["turn"] == {
        "bought": False, "must_build": False, "built": [], "paid_rank": 0,
        "moves_used": 0, "movers": [],
    }  # fmt: skip


def test_everything_is_open_when_the_match_is_over():
    walk = plies(GAME, 2, Options(), seed_of(4), at_random(Chance(seed_of(4), 1)))
    state = next(state for state, ply in walk if isinstance(ply.events[-1], GameScored))
    view = GAME.view(state, None)
    assert "?" not in {face for *_, face in view.hidden}
    assert "?" not in view.mission + view.mission_rest
    assert GAME.view(state, 0) == view


def refusal(table: Table, command) -> list:
    """Return the code and details if the command of seat 0 is refused."""
    done = table.copy().when(0, command)
    return [done.code, done.details] if done.code else []


# ---- leaks ---------------------------------------------------------------------------------------


@pytest.mark.rule("NAU-82")
def test_no_find_id_in_views_legal_commands_or_refusals():
    """The id of a hidden find occurs only where the seat has looked."""
    table, event = looked()
    for viewer in (1, 2, None):
        assert ids_in(table.view(viewer)) == set()
    assert ids_in(table.view(0)) == set(event.faces)
    assert ids_in(GAME.legal(table.state, 0)) == set()
    for cell in PLACE_CELLS:
        for command in (MoveSubmarine("s0_1", cell), PeekFinds((cell,))):
            assert ids_in(refusal(table, command)) == set()


@pytest.mark.rule("NAU-82")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_nothing_depends_on_unseen_faces(viewer):
    """States that differ in unseen faces and cards have equal views, commands and defaults."""
    table, _ = looked()
    for twin in twins(table.state, viewer, Chance(seed_of(9), 1)):
        assert twin.hidden != table.state.hidden
        assert ENCODER.encode(GAME.view(twin, viewer)) == ENCODER.encode(table.view(viewer))
        if viewer is not None:
            assert GAME.legal(twin, viewer) == GAME.legal(table.state, viewer)


def test_faces_keep_the_order_of_the_cells():
    table, event = looked()
    assert event.faces == tuple(table.state.hidden[PLACE_OF[cell]] for cell in event.cells)
    table.state.pending = Pending("peek", 2)
    (peeked,) = table.when(0, PeekFinds(((16, 7), (15, 3)))).events
    assert peeked.cells == ((16, 7), (15, 3))
    assert peeked.faces == tuple(table.state.hidden[PLACE_OF[cell]] for cell in peeked.cells)


def test_the_bot_of_a_seat_chooses_alike_in_all_twins():
    seats = 3
    watchers = Watchers(GAME, seats, Options())
    walk = plies(GAME, seats, Options(), seed_of(6), at_random(Chance(seed_of(6), 1)))
    for count, (state, ply) in enumerate(walk):
        watchers.watch(ply)
        if count % 30 or not GAME.waiting(state):
            continue
        (seat,) = sorted(GAME.waiting(state))[:1]
        twin = exchanged(state, seat, Chance(seed_of(count), 1))
        seen, legal = watchers.seen(seat), GAME.legal(state, seat)
        for bot in GAME.players.bots.values():
            chosen = [
                bot(GAME.view(world, seat), seen, legal, Chance(seed_of(7), 1))
                for world in (state, twin)
            ]
            assert chosen[0] == chosen[1]


def test_a_look_is_never_taken_back_freely():
    table, event = looked()
    assert GAME.undo(table.state, 0, UseSonar("s0_1"), [event]) == "all"


def test_legality_and_price_do_not_hint_at_covered_finds():
    """A placement costs the same whatever it covers; only its events reveal the find."""
    outcomes = set()
    for find in ("treasure_1", "thrust_2", "ray_1"):
        table = given(2, faces={(17, 19): find})
        table.build("hab_a_1", (17, 14))
        table.build("hab_b_1", (17, 17))
        table.hold(0, "res_brown_1")
        table.wait("place", 0)
        build = PlaceModule("res_brown_1", (17, 20), 0)
        outcomes.add(ENCODER.encode([GAME.legal(table.state, 0), table.when(0, build).events[0]]))
    assert len(outcomes) == 1


def test_paying_comes_after_the_reveal():
    table = given(2, busy=False)
    table.salvaged(0, "starfish_1")
    table.float("s1_1", (15, 7))
    table.wait("sail", 1)
    table.play(1, EndDive())
    assert table.legal(0) == [PayMission(0), PayMission(1)]
    assert table.view(1).mission == ("mission_1", "mission_2")


def test_money_and_setup_are_public():
    (set_up,) = opening(2).of(GameSetUp)
    table = given(2)
    assert shown(table, set_up, None) == set_up
    assert table.view(1).money == (55, 55)
