"""The solver: lines win by the rules, proofs agree with brute force."""

from itertools import combinations, permutations

import msgspec
import pytest

from games.chance import Chance, SealedChance
from games.game import Verdict
from games.playout import at_random, plies, seed_of
from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, EndTurn, Pledge
from games.tranquility.rules.sea import Gap, cost
from games.tranquility.solver.exhaust import Exhaust, OutOfBudget
from games.tranquility.solver.fill import NEVER, filling, least_cost
from games.tranquility.solver.lines import Line
from games.tranquility.solver.puzzle import Pay, Puzzle, fits
from games.tranquility.solver.refute import refutation
from games.tranquility.solver.winnable import winnable
from tests.games.tranquility.small_seas import TooLarge, small_sea, winnable_by_force
from tests.games.tranquility.table import cards, dealt, full, storm, table

VARIED = [
    {},
    {"difficulty": "poseidon", "confirm_draw": True},
    {"variant": "high_arch"},
    {"rocks": True},
    {"monsters": 3},
    {"wilds": 1},
    {"variant": "pyramid"},
    {"variant": "day_night"},
]


def replayed(state, line):
    """Return the tables along a line, including the last one."""
    tables = [state.copy()]
    for seat, command in line:
        state = state.copy()
        GAME.step(state, seat, command, SealedChance())
        tables.append(state)
    return tables


def wins(state, verdict):
    return replayed(state, verdict.line)[-1].result.outcome == "won"


# Lines


@pytest.mark.parametrize("options", VARIED, ids=str)
def test_a_line_replays_to_a_win_and_is_never_refuted_on_the_way(options):
    state = dealt(3, seed=3, **options)[0].state
    verdict = winnable(state)
    assert verdict.outcome == "line"
    *before, last = replayed(state, verdict.line)
    assert last.result.outcome == "won"
    assert [refutation(table) for table in before] == [None] * len(before)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("difficulty", ["none", "poseidon"])
def test_fresh_deals_are_decided(seats, difficulty):
    for seed in range(2):
        state = dealt(seats, seed=seed + 60, difficulty=difficulty)[0].state
        verdict = winnable(state)
        assert verdict.outcome == "line"
        assert wins(state, verdict)


def test_every_table_of_a_won_line_is_won():
    """The verdict is monotone, so the last winnable position is found by bisection."""
    state = dealt(2, seed=5)[0].state
    for before in replayed(state, winnable(state).line)[:-1:4]:
        verdict = winnable(before)
        assert verdict.outcome == "line"
        assert wins(before, verdict)


def test_what_is_lost_stays_lost():
    verdicts = []
    for state, _ in plies(GAME, 3, GAME.Options(), seed_of(8), at_random(Chance(seed_of(8), 1))):
        verdict = winnable(state, 6000)
        assert verdict.outcome != "line" or wins(state, verdict)
        verdicts.append(verdict.outcome)
    first = verdicts.index("proof")
    assert set(verdicts[first:]) == {"proof"}
    assert "proof" not in verdicts[:first]


@pytest.mark.parametrize("offers", [(), (5, 5), (3, 3), (0, 5), (5, 1)])
def test_a_line_goes_on_from_any_pledges(offers):
    """Pledges on the table are changed without adding up to eight on the way (TRA-26)."""
    given = table(
        "1 2 3 4 5 6 7",
        "8 9 10 11 finish_1",
        piles=("68", "70"),
        grid=full(without=(34,), step=2),
        start="start_1",
        phase="start_pledge",
    )
    given.state.waiting = (0, 1)
    for seat, count in enumerate(offers):
        given.when(seat, Pledge(count))
    verdict = winnable(given.state)
    assert verdict.outcome == "line"
    assert wins(given.state, verdict)


def test_a_line_goes_on_while_the_start_is_being_paid():
    given = table(
        "1 2 3 4 5 6 7",
        "8 9 10 11 finish_1",
        piles=("68 72", "70"),
        grid=full(without=(34,)),
        start="start_1",
        phase="start_pledge",
    )
    given.when(0, Pledge(7))
    given.when(1, Pledge(1))
    line = Line(given.state)
    line.play(Pay((tuple(range(1, 8)), ())))
    assert line.state.phase == "start_pay"
    verdict = winnable(line.state)
    assert verdict.outcome == "line"
    assert wins(line.state, verdict)


def test_a_turn_that_waits_for_its_end_is_ended():
    state = table(
        "finish_1", "1 2", grid=full(), start="start_1", phase="confirm", confirm_draw=True
    ).state
    verdict = winnable(state)
    assert verdict.line[0] == (0, EndTurn())
    assert wins(state, verdict)


# Proofs


@pytest.mark.parametrize(
    ("options", "seeds"),
    [
        ({}, 40),
        ({"variant": "high_arch"}, 40),
        ({"rocks": True}, 20),
        ({"wilds": 1}, 14),
        ({"monsters": 3}, 22),
    ],
    ids=str,
)
def test_verdicts_agree_with_brute_force(options, seeds):
    met = set()
    for seed in range(seeds):
        state = small_sea(seed, **options)
        try:
            truth = winnable_by_force(state, 30)
        except TooLarge:
            continue
        verdict = winnable(state, 20_000)
        met.add(verdict.outcome)
        assert verdict.outcome != ("proof" if truth else "line"), seed
        if verdict.outcome == "line":
            assert wins(state, verdict)
    assert {"line", "proof"} <= met


@pytest.mark.parametrize("options", [{}, {"variant": "high_arch"}], ids=str)
def test_the_full_search_leaves_no_won_line_out(options):
    """Where a beam found a line, the complete search finds one too or runs out of budget."""
    found = 0
    for seats in (1, 3):
        state = dealt(seats, seed=30 + seats, **options)[0].state
        for before in replayed(state, winnable(state).line)[-24:-1:5]:
            if not fits(before):
                continue
            try:
                moves = Exhaust(Puzzle(before)).search(300)
            except OutOfBudget:
                continue
            assert moves is not None
            found += 1
    assert found >= 5


def test_no_finish_or_start_is_left():
    sea = full(without=(20,))
    assert refutation(table("41 2 3", "4 5 6", grid=sea, start="start_1").state) == "no-finish"
    assert refutation(table("41 2 3 wild_1", "4", grid=sea, start="start_1", wilds=1).state) is None
    begun = table("41 2 4 6 8", "10 12 14 16 finish_1", piles=("18 20", "22 24"), grid=sea).state
    assert refutation(begun) == "no-start"
    begun.piles[1].append("start_2")
    assert refutation(begun) is None


def test_a_gap_lacks_numbers():
    state = table("39 2 4", "6 8 finish_1", grid=full(without=(19, 20)), start="start_1").state
    assert refutation(state) == "numbers"
    state.hands[1].append("wild_1")
    assert refutation(state) is None


def test_too_few_cards_for_what_the_gaps_cost_at_least():
    state = table("39 41", "finish_1", grid=full(without=(19, 20)), start="start_1").state
    assert refutation(state) == "cards"
    state.hands[1] += cards("1 2")
    assert refutation(state) != "cards"


def test_too_few_cards_for_the_start():
    """Seven cards cannot pay for a Start, whoever holds them (TRA-25)."""
    state = table("start_1 2 4 6", "8 10 12 finish_1", grid=full()).state
    assert refutation(state) == "cards"
    state.hands[1] += cards("14 16")
    assert refutation(state) is None


def test_too_few_cards_for_what_the_numbers_left_cost():
    """Between 3 and 12 the 6 costs three cards, although one could suffice there."""
    sea = full(without=(1,), first=3, step=2)
    for index in range(2, 36):
        sea[index] = msgspec.structs.replace(
            sea[index], number=10 + index, card=f"island_{10 + index}"
        )
    state = table("6 1", "2 finish_1", grid=sea, start="start_1").state
    assert refutation(state) == "fill"
    state.hands[0].append("79")
    assert refutation(state) is None


def test_a_number_out_of_reach_of_both_neighbours_fills_nothing():
    sea = full(without=(1,), first=3, step=2)
    for index in range(2, 36):
        sea[index] = msgspec.structs.replace(
            sea[index], number=20 + index, card=f"island_{20 + index}"
        )
    state = table("12 1 2", "77 78 finish_1", grid=sea, start="start_1").state
    assert refutation(state) == "fill"


def test_a_seat_runs_out_before_its_turns():
    sea = full(without=(10, 20, 30))
    state = table(
        "21 2 3 4 5", "41", piles=("61 finish_1 6 7", ""), grid=sea, start="start_1"
    ).state
    assert refutation(state) == "turns"
    state.piles[1] += cards("8")
    assert refutation(state) is None


def test_a_solo_start_comes_too_late_to_be_paid():
    piles = "6 7 8 start_1 9 10 11 finish_1"
    state = table("1 2 3 4 5", piles=(piles,), grid=full()).state
    assert refutation(state) == "late-start"
    state.piles[0].append("island_12")
    assert refutation(state) is None


def test_wrong_sides_have_to_be_flipped():
    sea = full("day_night")
    for index in (1, 2):
        sea[index] = msgspec.structs.replace(sea[index], side="moon")
    state = table("2 finish_1", "4", grid=sea, start="start_1", variant="day_night").state
    state.hands_side = "sun"
    assert refutation(state) is None
    state.hands[1].clear()
    assert refutation(state) == "cards"


def test_a_monster_left_may_open_the_sea_again():
    """Too few numbers now may be enough after a laid card is destroyed."""
    sea = full(without=(19, 20))
    state = table("39 monster_1 2 4", "6 8 finish_1", grid=sea, start="start_1", monsters=3).state
    assert refutation(state) is None


def test_before_the_starts_are_in_the_piles_nothing_is_lost():
    state = table("1 2 3", piles=("storm_yellow_1 4 5",), turn=0, storms=True).state
    state.phase = "storm_row"
    assert refutation(state) is None


# What a gap costs


def cheapest_filling(gap, cells, numbers):
    """Return the least cost over all choices of numbers in all orders."""
    size = gap.end - gap.first
    best = NEVER
    for chosen in combinations(numbers, size):
        for order in permutations(range(size)):
            best = min(best, sum(fares(gap, cells, chosen, order)))
    return best


def fares(gap, cells, chosen, order):
    laid = {}
    for at in order:
        index = gap.first + at
        below = max((i for i in laid if i < index), default=None)
        above = min((i for i in laid if i > index), default=None)
        around = Gap(
            gap.low if below is None else laid[below],
            gap.high if above is None else laid[above],
            gap.first if below is None else below + 1,
            gap.end if above is None else above,
        )
        fare = cost(around, index, chosen[at], cells)
        yield fare if fare <= 4 else NEVER
        laid[index] = chosen[at]


def test_the_least_cost_agrees_with_every_order_of_laying():
    chance = Chance(seed_of(11), 1)
    for _ in range(120):
        size, below, above = 1 + chance.randbelow(4), chance.randbelow(2), chance.randbelow(2)
        low = chance.randbelow(20) * below
        high = low + 5 + chance.randbelow(20) if above else 81
        numbers = sorted(chance.sample(range(low + 1, min(high, low + 30)), min(6, high - low - 1)))
        gap = Gap(low, high, below, below + size)
        cells = below + size + above
        alive = sum(1 << number for number in numbers)
        best = min(NEVER, cheapest_filling(gap, cells, numbers))
        assert least_cost(gap, cells, alive) == best
        assert filling(gap, cells, alive).least == best


# Verdicts


def test_equal_tables_get_equal_verdicts():
    for options in ({}, {"rocks": True}):
        state = dealt(2, seed=9, **options)[0].state
        before = msgspec.json.encode(state)
        first, second = winnable(state), winnable(state.copy())
        assert msgspec.json.encode(first) == msgspec.json.encode(second)
        assert msgspec.json.encode(state) == before


def test_a_budget_that_runs_out_shows_nothing():
    state = dealt(2, seed=9)[0].state
    assert winnable(state, 10).outcome == "not-shown"
    state = dealt(2, seed=9, variant="pyramid")[0].state
    assert winnable(state, 10).outcome == "not-shown"


def test_dice_that_are_still_to_fall_show_nothing():
    """While a storm stops the opening draws, the Starts have no places yet (TRA-60)."""
    for seed in range(40):
        state = dealt(2, seed=seed, storms=True)[0].state
        if state.turn == 0:
            assert winnable(state).outcome == "not-shown"
            return
    pytest.fail("no storm in any opening")


def test_a_voyage_that_is_over_is_what_it_is():
    won = table("finish_1", grid=full(), start="start_1").state
    line = winnable(won).line
    assert winnable(replayed(won, line)[-1]) == Verdict("line")
    lost = table("1 2", "3", grid=full(), start="start_1")
    lost.when(0, DiscardTwo(cards("1 2")))
    assert lost.state.result is not None
    assert winnable(lost.state) == Verdict("proof", proof="over")


def test_a_race_is_nobodys_alone_to_win():
    state = dealt(2, seed=1, variant="competitive")[0].state
    assert winnable(state) == Verdict("not-shown")


def test_a_storm_on_a_row_to_fill_is_searched_by_the_rules():
    """Nobody can gain a compass, so the purple storm stays and the row never fills."""
    sea = full(without=(0,), first=3, step=2)
    state = table("2 4", "8 finish_1", grid=sea, start="start_1", storms=True).state
    state.compass_supply = []
    state.storms = [storm("storm_purple_1", row=0)]
    assert winnable(state).proof == "exhausted"
    state.storms = []
    assert winnable(state).outcome == "line"
