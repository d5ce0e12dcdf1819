"""Generated tests: every reaction card against every card, and every card doubled."""

import pytest

from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    Claim,
    EndTurn,
    Jettison,
    Pass,
    Play,
    React,
    Tycoon,
    UseFlapper,
)
from games.ke_dnu.components import KINDS
from games.ke_dnu.events import (
    ActionAnnounced,
    Blocked,
    CardPlayed,
    Jettisoned,
    Redirected,
    Resolved,
    Shielded,
)
from games.ke_dnu.model import weight
from games.ke_dnu.rules.ships import own_draw, sight, tariff
from tests.games.ke_dnu.laws import census
from tests.games.ke_dnu.table import given

ACTS = sorted(kind.id for kind in KINDS.values() if kind.acts)
PASSIVE = ["arbiter", "proletarian", "tycoon"]
COPYABLE = sorted(kind.id for kind in KINDS.values() if kind.copyable)
SHIELDED = {
    "beggar", "burglar", "dealer", "fanatic", "janitor", "lady", "mime", "pirate", "priest",
    "saboteur", "storyteller", "torpedo", "tycoon", "arbiter", "proletarian",
}  # fmt: skip
"""KED-83."""
REDIRECTED = {
    "arbiter", "beggar", "burglar", "fanatic", "lady", "mime", "pirate", "priest", "saboteur",
    "torpedo", "tycoon",
}  # fmt: skip
"""KED-84."""
LAID = sorted(
    kind.id for kind in KINDS.values() if kind.id not in {"rats", "lockdown", "passenger", "baby"}
)


def scene(kind: str, guard: str = "", helper: str = ""):
    """Seat 0 has the card, seat 1 valuable cards and a reaction card. All seats can be hit."""
    return given(
        3,
        boards={
            0: f"{kind}_1{helper} chef_2* technician_2*",
            1: f"pirate_2 stoker_2 {guard}",
            2: "torpedo_2 seal_2",
        },
        hands={0: "baby_1 maid_1 rats_1", 1: "rats_2 rats_3 rats_4 dealer_2", 2: "baby_5 maid_2"},
        waters={0: "fanatic_2 saboteur_2"},
        options={"include_singer": True},
        tycoon_left=1,
    )


def act(p, kind: str):
    """Use the card against seat 1, if it hits anybody."""
    if kind == "tycoon":
        p.state.step = "draw"
        return p.when(0, Tycoon(1))
    if kind in PASSIVE:
        return p.when(0, EndTurn())
    choices = [c for c in p.legal(0, Activate) if c.card == f"{kind}_1"]
    aimed = [
        c
        for c in choices
        if c.target in {-1, 1} and (not c.victims or c.victims[0] in {"pirate_2", "stoker_2"})
    ]
    return p.when(0, aimed[0])


def zones(p, seat: int):
    state = p.state
    board = [place.card for place in state.board[seat]]
    return board, list(state.hand[seat]), list(state.deck[seat]), list(state.water[seat])


@pytest.mark.parametrize("kind", [*ACTS, *PASSIVE])
def test_ship_guard(kind):
    """A Ship Guard may answer every action that exhausts a card, and no passive."""
    p = scene(kind, "ship_guard_1")
    before = census(p.state)
    untouched = [zones(p, seat) for seat in range(3)]
    act(p, kind)
    offered = [c for c in p.legal(1, React) if c.card == "ship_guard_1"]
    assert bool(offered) == (kind in ACTS)
    if not offered:
        return
    then = p.when(1, offered[0])
    assert then.of(Blocked) == [Blocked(0, f"{kind}_1", 1, "ship_guard_1")]
    assert [zones(p, seat) for seat in range(3)] == untouched, "nothing of it happens"
    assert f"{kind}_1*" in p.board(0)
    assert census(p.state) == before
    assert p.waiting == {0}


@pytest.mark.parametrize("kind", [*ACTS, *PASSIVE])
def test_lifebuoy(kind):
    """A Lifebuoy may answer every effect that would touch its seat."""
    p = scene(kind, "lifebuoy_1")
    board, hand, deck, water = zones(p, 1)
    act(p, kind)
    offered = [c for c in p.legal(1, React) if c.card == "lifebuoy_1"]
    assert bool(offered) == (kind in SHIELDED)
    if not offered:
        return
    then = p.when(1, offered[0])
    assert then.of(Shielded) == [Shielded(1, "lifebuoy_1")]
    board.remove("lifebuoy_1")
    assert zones(p, 1) == (board, hand, deck, [*water, "lifebuoy_1"])


@pytest.mark.parametrize("kind", [*ACTS, *PASSIVE])
def test_steward(kind):
    """A Steward may answer attacks on cards. Its picks are hit instead of the named cards."""
    p = scene(kind, "steward_1")
    act(p, kind)
    offered = [c for c in p.legal(1, React) if c.card == "steward_1"]
    assert bool(offered) == (kind in REDIRECTED)
    if not offered:
        return
    before = zones(p, 1)
    choice = offered[-1]
    then = p.when(1, choice)
    assert then.of(Redirected)[0].cards == choice.cards
    zone = {"board": 0, "hand": 1, "deck": 2}[then.of(Redirected)[0].zone]
    gone = choice.cards or tuple(before[2][at] for at in choice.positions)
    assert not set(gone) & set(zones(p, 1)[zone])
    assert len(zones(p, 1)[zone]) == len(before[zone]) - len(gone)


@pytest.mark.parametrize("kind", LAID)
def test_bartender(kind):
    """A Bartender may answer every card that is laid from a hand."""
    card = f"{kind}_2" if kind == "bartender" else f"{kind}_1"
    p = given(
        boards={0: "jack_1" if kind != "jack" else "seal_1", 1: "bartender_1"},
        hands={0: card},
        points=30,
        options={"include_singer": True},
    )
    command = next(c for c in p.legal(0, Play) if c.card == card)
    p.when(0, command)
    assert p.waiting == {1}
    before = p.state.copy()
    p.when(1, React("bartender_1"))
    assert (p.hand(0), p.state.points) == (card, 30)
    p.when(0, command).refused("card-blocked")
    p.state = before
    then = p.when(1, Pass())
    assert then.of(CardPlayed)[0].card == card
    assert p.hand(0) == ""


@pytest.mark.parametrize("kind", sorted({*LAID, "rats", "passenger", "baby"}))
def test_teacher(kind):
    """A Teacher may claim every discard except Rats and Rose."""
    card = f"{kind}_2" if kind == "teacher" else f"{kind}_1"
    pay = "pirate_2 torpedo_2 tycoon_2" if kind != "assistant" else "pirate_2 torpedo_2"
    four = "passenger_2 passenger_3 passenger_4 passenger_5"
    p = given(
        boards={0: f"{four} passenger_6", 1: "teacher_1 lifeboat_2"},
        hands={0: card, 1: pay},
        options={"include_singer": True},
    )
    p.when(0, Jettison(card))
    if kind in {"rats", "rose"}:
        assert p.waiting == {0}
        return
    if kind == "flapper" and p.waiting == {0}:
        p.when(0, Pass())
    assert p.waiting == {1}
    (claim,) = [c for c in p.legal(1, Claim) if c.card == card][:1]
    p.when(1, claim)
    assert p.board(1).split()[-1].rstrip("*") == card or kind == "assistant"
    assert card not in p.water(0)


@pytest.mark.parametrize("kind", COPYABLE)
@pytest.mark.parametrize("guard", ["lifebuoy_1", "ship_guard_1", "steward_1"])
def test_reactions_to_a_flapper(kind, guard):
    """A Flapper exhausts nothing, so a Ship Guard cannot answer. Other reactions can, as always."""
    p = given(
        3,
        boards={0: "", 1: f"pirate_2 stoker_2 {guard}", 2: f"{kind}_1 torpedo_2"},
        hands={0: "flapper_1 maid_1 baby_1", 1: "rats_2 rats_3 dealer_2", 2: "baby_5"},
        waters={0: "fanatic_2"},
        options={"include_singer": True},
    )
    p.state.board[0] = [type(p.state.board[1][0])("chef_2", exhausted=True)]
    p.when(0, Jettison("flapper_1"))
    aimed = [
        c
        for c in p.legal(0, UseFlapper)
        if c.source == f"{kind}_1"
        and c.target in {-1, 1}
        and (not c.victims or c.victims[0] in {"pirate_2", "stoker_2"})
    ]
    then = p.when(0, aimed[0])
    assert then.of(ActionAnnounced)[0].source == "flapper"
    assert then.of(ActionAnnounced)[0].times == 1
    meets = {
        "lifebuoy_1": kind in SHIELDED,
        "ship_guard_1": False,
        "steward_1": kind in REDIRECTED,
    }[guard]
    assert bool(p.legal(1, React)) == meets
    if meets:
        then = p.when(1, p.legal(1, React)[0])
        assert then.of(Resolved) or p.waiting == {1}
    assert not p.state.board[2][0].exhausted


@pytest.mark.parametrize("kind", [*ACTS, "proletarian"])
def test_doubled(kind):
    """The number is doubled in one announcement. A host that would discard itself stays."""
    p = scene(kind, helper="+assistant_1")
    before = census(p.state)
    then = act(p, kind)
    announced = [event for event in then.of(ActionAnnounced) if event.card == f"{kind}_1"]
    assert [event.times for event in announced] == [2]
    while p.state.stack:
        for seat in sorted(p.waiting):
            p.when(seat, GAME.default(p.state, seat))
    assert census(p.state) == before
    if any(type(step).__name__ == "DropSelf" for step in KINDS[kind].effect):
        assert f"{kind}_1*" in p.board(0)
        assert "assistant_1" in p.water(0)


@pytest.mark.parametrize(
    "kind", ["fisherman", "stoker", "lifeguard", "maid", "navigator", "steersman", "tycoon"]
)
def test_doubled_passives(kind):
    plain = given(boards={0: f"{kind}_1"}).state
    twice = given(boards={0: f"{kind}_1+assistant_1"}).state
    measure = {
        "fisherman": lambda s: own_draw(s, 0) - 3,
        "stoker": lambda s: 3 - own_draw(s, 0),
        "lifeguard": lambda s: tariff(s.board[0])[1],
        "maid": lambda s: weight(s.board[0], "maid"),
        "navigator": lambda s: sight(s.board[0]),
        "steersman": lambda s: sight(s.board[0]),
        "tycoon": lambda s: weight(s.board[0], "tycoon"),
    }[kind]
    assert measure(twice) == 2 * measure(plain)


@pytest.mark.parametrize("kind", ["lifebuoy", "bartender", "ship_guard", "steward", "teacher"])
def test_a_reaction_card_is_protected_but_not_doubled(kind):
    p = given(boards={0: "fanatic_1", 1: f"{kind}_1+assistant_1"})
    then = p.when(0, Activate("fanatic_1", victims=(f"{kind}_1",)))
    while p.state.stack:
        for seat in sorted(p.waiting):
            then = p.when(seat, Pass())
    assert p.board(1) == f"{kind}_1"
    assert [event.card for event in then.of(Jettisoned)] == ["assistant_1"]
