"""The heuristic bot: legal, repeatable, and clearly better than random at every table."""

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

import pytest

from games.chance import Chance
from games.game import Seen
from games.nautilus import GAME
from games.nautilus.commands import (
    BuyModule,
    Command,
    EndBuild,
    EndDive,
    LaunchSubmarine,
    MoveResearcher,
    MoveSubmarine,
    PayMission,
    SkipBuy,
)
from games.nautilus.components import HABITATIONS, PLACE_OF, RESEARCHERS, ROTATIONS
from games.nautilus.model import Held, Options, RoundLog, State
from games.nautilus.players.blueprint import policy
from games.nautilus.players.outlook import Outlook
from games.nautilus.players.sites import Sites
from games.playout import play_bots, plies, seed_of
from tests.games.nautilus.table import Table, given


def chosen(table: Table, seat: int, level: str = "heuristic"):
    return choose(table.state, seat, GAME.legal(table.state, seat), level)


def choose(state: State, seat: int, legal: Sequence[Command], level: str = "heuristic"):
    seen = Seen(seat, state.seats, state.options, [])
    return GAME.players.bots[level](GAME.view(state, seat), seen, legal, Chance(seed_of(1), 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_beats_random_from_every_seat(seats):
    for seat in range(seats):
        levels = ["random"] * seats
        levels[seat] = "heuristic"
        state = play_bots(GAME, seats, Options(), seed_of(100 + seat), levels)
        scores = [part.score for part in state.result.seats]
        others = [score for other, score in enumerate(scores) if other != seat]
        assert scores[seat] > 3 * max(others), scores


def test_it_chooses_the_same_again():
    table = given(3)
    assert chosen(table, 0) == chosen(table, 0)
    assert chosen(table, 0) in GAME.legal(table.state, 0)


def test_it_begins_with_a_crew():
    choice = chosen(given(4), 0)
    assert isinstance(choice, BuyModule)
    assert choice.researchers >= 1


@pytest.mark.parametrize(("level", "waits"), [("heuristic", False), ("strong", True)])
def test_the_strong_one_of_four_waits_to_build_two_modules_for_one_price(level, waits):
    """A module may stay in hand for a round, to be built with another (NAU-27, NAU-31)."""
    played = plies(GAME, 4, Options(), seed_of(1), partial(choose, level=level))
    early = takewhile(lambda one: one[0].round <= 2, played)
    waited = [
        ply.seat
        for state, ply in early
        if isinstance(ply.command, EndBuild) and state.hand[ply.seat]
    ]
    assert bool(waited) == waits


def test_it_employs_where_it_can():
    table = given(2)
    table.build("res_grey_1", (15, 9))
    table.man("base", "r0_01")
    table.wait("move", 0)
    assert chosen(table, 0) == MoveResearcher("r0_01", "res_grey_1")


@pytest.mark.parametrize(
    ("level", "goal"), [("heuristic", "res_green_3"), ("strong", "res_grey_3")]
)
def test_the_strong_one_of_four_crews_a_submarine_before_it_employs(level, goal):
    """Finds run out sooner than rounds, and a module can still be staffed later."""
    table = given(4)
    table.build("res_grey_3", (15, 9))
    table.build("res_green_3", (15, 15))
    table.man("res_grey_3", "r0_01", employed=True)
    table.man("base", "r0_02")
    table.wait("move", 0)
    assert chosen(table, 0, level) == MoveResearcher("r0_02", goal)


def test_it_launches_with_a_spare_researcher():
    table = given(2)
    table.build("res_grey_3", (15, 9))
    table.man("res_grey_3", "r0_01", employed=True)
    table.man("res_grey_3", "r0_02")
    table.wait("launch", 0)
    assert isinstance(chosen(table, 0), LaunchSubmarine)


@pytest.mark.parametrize(("find", "taken"), [("starfish_1", False), ("chest_1", True)])
def test_it_takes_what_it_knows_to_be_good_and_leaves_what_is_worthless(find, taken):
    """Seat 1's card shows seahorse and ray: a chest is welcome, a starfish is not worth its fee."""
    table = given(2, faces={(11, 8): find})
    table.float("s1_1", (11, 9))
    table.wait("sail", 1)
    for place in range(60):
        if place != PLACE_OF[11, 8]:
            table.state.hidden[place] = ""
    table.state.known[1] = (PLACE_OF[11, 8],)
    assert (chosen(table, 1) == MoveSubmarine("s1_1", (11, 8))) == taken


def test_it_pays_for_missions_when_modules_count():
    table = given(2, busy=False)
    table.salvaged(0, "starfish_1", "octopus_1")
    table.levels(0, green=3, grey=2)
    table.play(0, SkipBuy())
    table.play(1, SkipBuy())
    assert chosen(table, 0) == PayMission(2)


def test_it_keeps_a_match_alive_while_it_has_plans():
    """Nothing has happened in this round, and declining would end the match."""
    table = given(2, busy=False)
    table.pay(0, 20)
    table.state.round_log = RoundLog()
    table.wait("buy", 0, round_=5)
    assert isinstance(chosen(table, 0), BuyModule)


def test_it_ends_a_dive_with_nothing_to_gain():
    table = given(2)
    table.state.hidden = [""] * 60
    table.float("s0_1", (15, 7))
    table.wait("sail", 0)
    assert chosen(table, 0) == EndDive()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_best_site_is_the_best_of_all_sites(seats: int):
    """The search stops at a bound, and misses nothing by it."""
    dice, asked = Chance(seed_of(2), 1), 0

    def choose(state, seat, _legal):
        return policy(state, seat, dice)

    for state, _ in plies(GAME, seats, GAME.Options(), seed_of(2), choose):
        if state.step != "buy":
            continue
        sites = Sites(Outlook(GAME.view(state, state.active), state.active, state.options))
        for command in GAME.legal(state, state.active):
            if isinstance(command, BuyModule):
                module = f"{command.kind}_1" if command.kind in HABITATIONS else command.kind
                held = Held(module, RESEARCHERS[state.active][: command.researchers])
                worths = [
                    sites.worth(held, centre, rotation)
                    for centre, wanted in sites.docking(1)
                    for exits, rotation in ROTATIONS[module]
                    if exits & wanted
                ]
                assert sites.best(held, 1) == max(worths, default=0.0)
                asked += 1
    assert asked > 100
