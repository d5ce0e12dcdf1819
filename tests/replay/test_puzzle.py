"""Every puzzle that comes with a game: solved and failed as its task says, with nothing given away.

A puzzle to win has few winning commands, a boat to hit is where everything that was told leaves it
no other cell, and every command of a best move is known as right or by its loss.
"""

import dataclasses
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games import GAMES
from games.captain_sonar.components import sea_of
from games.captain_sonar.events import Blast, DroneLaunched
from games.game import Files, Illegal
from replay.puzzle import BadPuzzle, Puzzle, daily, puzzles_of
from tests.games.captain_sonar.brute_force import BruteForce

PUZZLES = puzzles_of(GAMES)
BY_TASK = {
    task: [name for name, puzzle in PUZZLES.items() if puzzle.data.task == task]
    for task in ("win", "hit", "best")
}
VOYAGE = BY_TASK["win"][0]
SHOT = BY_TASK["hit"][0]


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_games_with_puzzles_take_turns():
    games = [puzzle.game.slug for puzzle in PUZZLES.values()]
    assert set(games) >= {"tranquility", "captain_sonar", "submarine", "nautilus"}
    assert len(set(games[: len(set(games))])) == len(set(games))
    assert all(puzzle.data.id == name for name, puzzle in PUZZLES.items())


@pytest.mark.parametrize("name", PUZZLES)
def test_the_player_is_to_move_and_is_shown_what_led_there_but_no_solution(name: str):
    puzzle = PUZZLES[name]
    board = puzzle.board
    assert puzzle.data.seat in board.waiting
    assert board.legal
    assert board.view == puzzle.game.view(puzzle._start.state, puzzle.data.seat)
    assert [record.v for record in board.records] == sorted(record.v for record in board.records)
    assert not {"right", "losses", "seed", "moves"} & plain(board).keys()
    assert 1 <= board.level <= 3


@pytest.mark.parametrize("name", BY_TASK["win"])
def test_few_commands_keep_a_voyage_winnable_and_the_solver_refutes_the_others(name: str):
    puzzle = PUZZLES[name]
    outcomes = {"open": 0, "failed": 0, "solved": 0}
    shown = None
    for command in plain(puzzle.board.legal):
        attempt = puzzle.attempt([command])
        outcomes[attempt.outcome] += 1
        assert (attempt.outcome == "failed") == bool(attempt.proof)
        if attempt.outcome == "failed":
            shown = plain(attempt.right)
    assert outcomes["failed"] >= 3 * (outcomes["open"] + outcomes["solved"]) > 0
    assert shown is not None
    assert puzzle.attempt(shown).outcome != "failed"


@pytest.mark.parametrize("name", BY_TASK["win"])
def test_a_voyage_is_solved_step_by_step_with_the_cards_that_were_announced(name: str):
    puzzle = PUZZLES[name]
    solve = puzzle.game.players.winnable
    assert solve is not None
    line = [plain(command) for _, command in solve(puzzle._start.state, 1_500).line]
    assert line
    attempts = [puzzle.attempt(line[:made]) for made in range(1, len(line) + 1)]
    assert [attempt.outcome for attempt in attempts] == ["open"] * (len(line) - 1) + ["solved"]
    for before, after in pairwise([puzzle.board, *attempts]):
        drawn = len(before.coming) - len(after.coming)
        assert after.coming == before.coming[drawn:]
        assert set(before.coming[:drawn]) <= {*after.view.hands[0], *after.view.discards[0]}


@pytest.mark.parametrize("name", BY_TASK["hit"])
def test_what_the_player_was_told_leaves_the_enemy_one_cell(name: str):
    puzzle = PUZZLES[name]
    board = puzzle.board
    own = int(board.seat in board.view.crew_seats[1])
    brute = BruteForce(sea_of(board.view.map, board.view.side))
    for record in board.records:
        for event in record.events:
            if isinstance(event, Blast):
                swapped = replace(event, results=(event.results[1 - own], event.results[own]))
                brute.hear(swapped)
            elif (getattr(event, "crew", None) == own) == isinstance(event, DroneLaunched):
                brute.hear(event)
    (cell,) = brute.candidates()
    assert plain(puzzle.data.right) == [{"type": "launch_torpedo", "target": list(cell)}]
    assert board.view.crews[own].candidates is None


@pytest.mark.parametrize("name", BY_TASK["hit"])
def test_only_the_right_shot_solves_and_the_overlay_decides_nothing(name: str):
    puzzle = PUZZLES[name]
    legal = plain(puzzle.board.legal)
    shots = [command for command in legal if command["type"] == "launch_torpedo"]
    (right,) = plain(puzzle.data.right)
    assert right in shots
    for shot in shots[:8]:
        attempt = puzzle.attempt([shot])
        assert attempt.outcome == ("solved" if shot == right else "failed")
        assert plain(attempt.right) == ([] if shot == right else [right])
    aid = next(command for command in legal if command["type"] == "set_overlay")
    assert puzzle.attempt([aid]).outcome == "open"
    assert puzzle.attempt([aid, right]).outcome == "solved"


@pytest.mark.parametrize("name", BY_TASK["best"])
def test_every_command_is_right_or_has_its_loss(name: str):
    puzzle = PUZZLES[name]
    legal = plain(puzzle.board.legal)
    right, losses = plain(puzzle.data.right), [one for one, _ in plain(puzzle.data.losses)]
    assert sorted(map(str, [*right, *losses])) == sorted(map(str, legal))
    for command in legal:
        attempt = puzzle.attempt([command])
        assert attempt.outcome == ("solved" if command in right else "failed")
        assert (attempt.loss is None) == (attempt.outcome == "solved")


def test_a_puzzle_of_a_purchase_offers_purchases_alone():
    board = PUZZLES["nautilus-1"].board
    assert {command["type"] for command in plain(board.legal)} == {"buy_module", "skip_buy"}


def test_a_puzzle_of_a_best_move_tells_how_much_another_move_loses():
    voyage = PUZZLES[VOYAGE]
    right, worse, other, *_ = plain(voyage.board.legal)
    data = replace(voyage.data, task="best", right=(right,), losses=((worse, 0.23),))
    puzzle = Puzzle(voyage.game, data)
    assert puzzle.attempt([right]).outcome == "solved"
    failed = puzzle.attempt([worse])
    assert (failed.outcome, failed.loss, plain(failed.right)) == ("failed", 0.23, [right])
    assert puzzle.attempt([other]).loss is None
    assert puzzle.board.coming == []


def test_a_command_that_the_rules_refuse_gets_its_rule():
    with pytest.raises(Illegal, match="card-not-in-hand"):
        PUZZLES[VOYAGE].attempt([{"type": "discard_two", "cards": ["start_1", "start_2"]}])


def test_the_daily_puzzle_is_another_one_each_day_until_all_were():
    days = range(20_000, 20_000 + len(PUZZLES))
    found = [daily(PUZZLES, day) for day in days]
    assert len({puzzle.data.id for puzzle in found if puzzle}) == len(PUZZLES)
    assert daily(PUZZLES, days[0] + len(PUZZLES)) is found[0]
    assert daily({}, days[0]) is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seat": 5}, "tranquility has no seat 5 of 1"),
        ({"right": [{"type": "end_turn"}]}, "exactly the tasks `hit` and `best` list"),
        ({"what": 1}, "Object contains unknown field `what`"),
        ({"options": {"variant": "flat"}}, "Invalid enum value 'flat'"),
    ],
)
def test_a_bad_line_is_refused_with_the_reason(tmp_path: Path, change: dict[str, Any], why: str):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(msgspec.json.encode(plain(PUZZLES[VOYAGE].data) | change))
    game = _with_puzzles(path)
    with pytest.raises(BadPuzzle, match=re.escape(f"bad.jsonl: line 1: {why}")):
        puzzles_of({"tranquility": game})


def _with_puzzles(path: Path) -> Any:

    return dataclasses.replace(GAMES["tranquility"], files=Files(puzzles=path))


def test_a_puzzle_is_replayed_only_when_it_is_asked_for():
    puzzle = Puzzle(GAMES["captain_sonar"], PUZZLES[SHOT].data)
    assert "_start" not in vars(puzzle)
    assert puzzle.board == PUZZLES[SHOT].board
