"""The radio operator's tool: exactly the cells where the enemy can be."""

from collections.abc import Sequence

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import WipeOverlay
from games.captain_sonar.components import STEPS, Cell, Sea, distance, sea_of
from games.captain_sonar.events import (
    BEARING,
    Blast,
    CourseOrdered,
    DamageTaken,
    DroneLaunched,
    Event,
    SilenceRun,
    SonarAnswered,
    Surfaced,
    TorpedoLaunched,
    public,
)
from games.captain_sonar.rules import belief as tracker
from games.captain_sonar.rules.belief import Belief, Charts, beginning, charts_of, hear
from games.chance import Chance
from games.playout import plies, seed_of
from tests.games.captain_sonar.brute_force import BruteForce
from tests.games.captain_sonar.table import Table, at, cells, drawn

SMALL = [
    """
    .....
    .#.o.
    ...#.
    .#...
    .o..#
    """,
    """
    .....
    .....
    ..#..
    .....
    .....
    """,
    """
    ..........
    .##....#..
    ..........
    ....oo....
    .#..oo.##.
    ..........
    ...#......
    ......#...
    .#........
    ..........
    """,
]


def invented(
    sea: Sea, dice: Chance, boat: Cell, route: Sequence[Cell]
) -> tuple[list[Event], list[Cell]]:
    """Return what happens next to a boat, drawn at random, and the cells it enters."""
    roll = dice.randbelow(13)
    if roll < 6:
        moves = [d for d in STEPS if (there := sea.next[boat].get(d)) and there not in route]
        if moves:
            direction = dice.choice(moves)
            return [CourseOrdered(0, direction, None)], [sea.next[boat][direction]]
    elif roll == 6:
        direction, entered, there = dice.choice("nesw"), [], boat
        for _ in range(dice.randbelow(5)):
            there = sea.next[there].get(direction)
            if there is None or there in route or there in entered:
                break
            entered.append(there)
        return [SilenceRun(0, None, None, None)], entered
    elif roll == 7:
        iced = bool(sea.ice_holes) and boat not in sea.ice_holes
        ice = [DamageTaken(0, 1, 1, "ice", None)] if iced else []
        return [*ice, Surfaced(0, sea.sector(boat), None)], []
    elif roll == 8:
        sector = 1 + dice.randbelow(sea.sectors)
        return [DroneLaunched(1, sector, sea.sector(boat) == sector)], []
    elif roll == 9:
        return [SonarAnswered(0, *sonar(sea, dice, boat), None)], []
    elif roll == 10:
        target = dice.choice(sea.targets(boat, over_islands=False))
        return [TorpedoLaunched(0, target, None, None, False), blast(target, boat)], []
    return [blast(dice.choice(sea.cells), boat)], []


def sonar(sea: Sea, dice: Chance, boat: Cell):
    while True:
        kinds = ("column", "row")
        values = (dice.randbelow(sea.size), dice.randbelow(sea.size))
        if (values[0] == boat[0]) != (values[1] == boat[1]):
            return kinds, values


def blast(target: Cell, boat: Cell) -> Blast:
    impact = ("direct", "indirect", "clear")[min(2, distance(target, boat))]
    return Blast(target, "torpedo", (impact, "clear"))


@pytest.mark.parametrize("picture", SMALL)
@pytest.mark.parametrize("seed", range(8))
def test_it_equals_brute_force_event_by_event(picture, seed):
    sea, dice = drawn(picture), Chance(seed_of(seed), 1)
    belief, brute = beginning(Charts(sea), 0), BruteForce(sea)
    boat = dice.choice(sea.cells)
    route = [boat]
    for _ in range(25):
        events, entered = invented(sea, dice, boat, route)
        route = [boat] if isinstance(events[-1], Surfaced) else [*route, *entered]
        boat = route[-1]
        for event in events:
            belief = hear(belief, event)
            brute.hear(event)
            assert belief.candidates() == brute.candidates()
        assert belief.starts() == brute.starts()
        assert boat in belief.candidates()
        assert route[0] in belief.starts()


@pytest.mark.parametrize("most", [20, 100, 300])
def test_routes_are_forgotten_exactly_beyond_the_limit(most, monkeypatch):
    """The limit counts different hypotheses: a cell and a set of cells, in any order."""
    monkeypatch.setattr(tracker, "HYPOTHESES_MAX", most)
    sea, dice = drawn(SMALL[0]), Chance(seed_of(most), 2)
    belief, brute = beginning(Charts(sea), 0), BruteForce(sea, most)
    forgotten = 0
    for _ in range(40):
        silent = dice.randbelow(2)
        event = (
            SilenceRun(0, None, None, None)
            if silent
            else CourseOrdered(0, dice.choice("nesw"), None)
        )
        belief = hear(belief, event)
        brute.hear(event)
        assert belief.candidates() == brute.candidates()
        assert belief.starts() == brute.starts()
        forgotten += silent and len(belief.ways) == 1
        if not belief.ways:
            belief, brute = beginning(Charts(sea), 0), BruteForce(sea, most)
    assert forgotten


@pytest.mark.parametrize("spare", [0, -1])
def test_the_limit_itself_is_not_beyond_it(spare, monkeypatch):
    brute = BruteForce(drawn(SMALL[1]))
    brute.hear(SilenceRun(0, None, None, None))
    count = len({(cell, route) for cell, route, _ in brute.hypotheses})
    monkeypatch.setattr(tracker, "HYPOTHESES_MAX", count + spare)
    belief = hear(beginning(Charts(drawn(SMALL[1])), 0), SilenceRun(0, None, None, None))
    assert (len(belief.ways) == 1) == (spare < 0)


def alpha() -> Belief:
    return beginning(charts_of("alpha", "light", over_islands=False), 0)


def told(*events: Event, belief: Belief | None = None) -> tuple[Cell, ...]:
    belief = belief or alpha()
    for event in events:
        belief = hear(belief, event)
    return belief.candidates()


SEA = sea_of("alpha", "light")


@pytest.mark.rule("SON-13", "SON-14")
def test_courses_leave_what_islands_and_the_route_allow():
    assert at("C4") not in told(CourseOrdered(0, "s", None))
    assert told(*(CourseOrdered(0, d, None) for d in "nesw")) == ()
    assert len(told(CourseOrdered(0, "n", None))) == 92 - 10 - 7


@pytest.mark.rule("SON-73")
def test_a_silent_run_may_be_none():
    found = told(DroneLaunched(1, 1, True), SilenceRun(0, None, None, None))
    assert set(cells("A1 A9 I1")) <= set(found)
    assert at("J10") not in found
    assert at("F6") not in found


@pytest.mark.rule("SON-68")
@pytest.mark.parametrize("answer", [True, False])
def test_a_drone_tells_the_sector(answer):
    found = told(DroneLaunched(1, 2, answer))
    assert set(found) == {cell for cell in SEA.cells if (SEA.sector(cell) == 2) == answer}


def test_the_own_drone_tells_nothing_about_its_boat():
    assert told(DroneLaunched(0, 2, True)) == SEA.cells


@pytest.mark.rule("SON-70")
def test_of_a_sonar_answer_one_half_is_true():
    found = told(SonarAnswered(0, ("column", "row"), (0, 9), None))
    assert set(found) == {cell for cell in SEA.cells if (cell[0] == 0) != (cell[1] == 9)}
    found = told(SonarAnswered(0, ("column", "sector"), (0, 1), None))
    assert set(found) == {cell for cell in SEA.cells if (cell[0] == 0) != (SEA.sector(cell) == 1)}


@pytest.mark.rule("SON-48")
def test_a_torpedo_tells_its_range():
    found = told(TorpedoLaunched(0, at("G8"), None, None, False))
    assert at("G6") in found
    assert at("G8") not in found
    assert len(found) == len(SEA.targets(at("G8"), over_islands=False))
    assert told(TorpedoLaunched(1, at("G8"), None, None, False)) == SEA.cells
    over = beginning(charts_of("alpha", "light", over_islands=True), 0)
    assert len(told(TorpedoLaunched(0, at("G8"), None, None, False), belief=over)) > len(found)


@pytest.mark.rule("SON-54")
@pytest.mark.parametrize(("impact", "count"), [("direct", 1), ("indirect", 8), ("clear", 92 - 9)])
@pytest.mark.parametrize("source", ["torpedo", "mine", "archer_mine"])
def test_every_blast_tells_the_distance(impact, count, source):
    assert len(told(Blast(at("B8"), source, (impact, "clear")))) == count


def test_a_blast_is_felt_where_the_boat_was_then():
    """Later moves keep what is known."""
    found = told(Blast(at("B8"), "mine", ("direct", "clear")), CourseOrdered(0, "n", None))
    assert found == (at("B7"),)


@pytest.mark.rule("SON-80")
def test_surfacing_tells_the_sector_and_starts_the_route_anew():
    story = [CourseOrdered(0, d, None) for d in "ees"]
    belief = alpha()
    for event in (*story, Surfaced(0, 3, None)):
        belief = hear(belief, event)
    assert all(SEA.sector(cell) == 3 for cell in belief.candidates())
    assert belief.starts() == belief.candidates()
    assert hear(belief, CourseOrdered(0, "n", None)).ways


@pytest.mark.rule("SON-93")
@pytest.mark.parametrize("iced", [True, False])
def test_on_delta_the_ice_tells_a_hole_from_none(iced):
    belief = beginning(charts_of("delta", "light", over_islands=False), 0)
    story = [DamageTaken(0, 1, 1, "ice", None)] if iced else []
    found = told(*story, Surfaced(0, 1, None), belief=belief)
    holes = set(cells("D4 E4 D5 E5"))
    assert (set(found) == holes) == (not iced)
    assert set(found) & holes == (set() if iced else holes)


@pytest.mark.rule("SON-93")
def test_a_boat_sunk_by_the_ice_leaves_the_set_as_it_was():
    """Announcing a surfacing tells of the ice; a boat that sinks announces none."""
    before = beginning(charts_of("delta", "light", over_islands=False), 0)
    assert told(DamageTaken(0, 1, 4, "ice", None), belief=before) == before.candidates()


def test_starts_are_followed_through_courses_and_runs():
    belief = alpha()
    for event in (
        Blast(at("E1"), "mine", ("direct", "clear")),
        CourseOrdered(0, "s", None),
        SilenceRun(0, None, None, None),
    ):
        belief = hear(belief, event)
    assert belief.starts() == (at("E1"),)
    assert sum(belief.weights().values()) == 1 + 1 + 4 + 4
    assert at("E2") in belief.candidates()


def sailing(state, seat, legal, dice):
    """Move much, and run silent whenever possible."""
    kinds = {}
    for command in legal:
        kinds.setdefault(type(command).__name__, []).append(command)
    for kind in ("RunSilent", "OrderCourse", "MarkGauge"):
        if kind in kinds and (kind != "RunSilent" or dice.randbelow(4)):
            marks = [c for c in kinds[kind] if getattr(c, "gauge", "silence") == "silence"]
            return dice.choice(marks or kinds[kind])
    quiet = [c for c in legal if type(c).__name__ not in ("SetOverlay", "WipeOverlay")]
    return dice.choice(quiet)


@pytest.mark.parametrize("mode", ["turns", "real_time"])
@pytest.mark.parametrize("name", ["alpha", "bravo", "charlie", "delta", "echo"])
def test_the_true_cell_is_always_in_the_set(name, mode):
    """The true start of the route is among the starts too, until routes are forgotten."""
    options = msgspec.convert({"map": name, "mode": mode, "max_turns": 150}, GAME.Options)
    dice = Chance(seed_of(3), 1)
    side = "light" if mode == "turns" else "dark"
    beliefs = [beginning(charts_of(name, side, over_islands=False), boat) for boat in (0, 1)]
    walk = plies(GAME, 4, options, seed_of(3), lambda s, seat, legal: sailing(s, seat, legal, dice))
    for state, ply in walk:
        for event in ply.events:
            if type(event) in BEARING:
                shown = public(event)
                beliefs = [hear(belief, shown) for belief in beliefs]
        for belief, boat in zip(beliefs, state.crews, strict=True):
            if boat.position is not None:
                assert boat.position in belief.candidates()


def test_the_views_set_is_the_trackers():
    """The beliefs folded event by event are those of the whole public story."""
    options = msgspec.convert({"radio_assist": "inference", "max_turns": 60}, GAME.Options)
    dice = Chance(seed_of(4), 1)
    beliefs = [beginning(charts_of("alpha", "light", over_islands=False), boat) for boat in (0, 1)]
    walk = plies(GAME, 2, options, seed_of(4), lambda s, seat, legal: sailing(s, seat, legal, dice))
    for state, ply in walk:
        for event in ply.events:
            beliefs = [hear(belief, public(event)) for belief in beliefs]
        if state.phase != "deploy":
            for crew in (0, 1):
                shown = GAME.view(state, crew).crews[crew].candidates
                assert shown == beliefs[1 - crew].candidates()
    again = msgspec.json.decode(msgspec.json.encode(state), type=GAME.State)
    assert GAME.view(again, 0) == GAME.view(state, 0)


def test_a_wipe_does_not_touch_the_set():
    table = Table(radio_assist="inference")
    before = table.view(1).crews[1].candidates
    table.play(1, WipeOverlay())
    assert table.view(1).crews[1].candidates == before
