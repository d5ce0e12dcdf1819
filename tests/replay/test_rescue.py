"""The last version from which a match could still be won: a winning line, a proof, or neither."""

from dataclasses import replace
from functools import cache
from operator import attrgetter

import pytest

from games import GAMES
from games.chance import Chance, SealedChance
from games.game import Verdict
from games.match import states
from games.match.commands import CreateMatch
from games.match.fold import open_match
from games.match.line import Entry
from games.match.model import Checkpoint, Match
from games.playout import at_random, seed_of
from projections.folded import Folded
from replay.rescue import Rescue, last_winnable, solvable
from tests.corpus import load, recorded
from tests.games.match.toy import TOY, Count
from tests.games.tranquility.small_seas import TooLarge, small_sea, winnable_by_force
from tests.recorder import Recorder
from tests.replay.logs import a_match, toy

GAME = GAMES["tranquility"]
QUICK = 4_000
"""Positions a look: enough for deals without modules."""


@cache
def lost() -> Match:
    """Return a match that random players lost."""
    return Folded.of(GAMES, a_match()).match


def after_line(match: Match, place: int, rescue: Rescue):
    state = states.state_after(match, place)
    for sent in rescue.line:
        assert sent.seat in GAME.waiting(state)
        for event in GAME.decide(state, sent.seat, sent.command, SealedChance()):
            GAME.apply(state, event)
    return state


def place_of(match: Match, version: int | None) -> int:
    return [entry.version for entry in match.line].index(version) + 1


def test_the_line_follows_the_match_up_to_its_version_and_wins_by_the_rules():
    match = lost()
    rescue = last_winnable(match, QUICK)
    assert rescue.outcome == "line"
    place = place_of(match, rescue.to)
    assert after_line(match, place, rescue).result.outcome == "won"


def test_the_command_that_lost_it_is_the_one_right_behind():
    match = lost()
    rescue = last_winnable(match, QUICK)
    losing = rescue.losing
    assert losing is not None
    assert rescue.not_shown == []
    entry = match.line[place_of(match, rescue.to)]
    assert (losing.v, losing.seat, losing.command) == (entry.version, entry.seat, entry.command)
    assert losing.proof


@pytest.mark.parametrize("path", recorded("tranquility"), ids=attrgetter("stem"))
def test_every_answer_holds_together(path):
    match = Folded.of(GAMES, load(path)).match
    if not solvable(match):
        return
    rescue = last_winnable(match, 400)
    versions = [entry.version for entry in match.line]
    lines = [look.v for look in rescue.looks if look.outcome == "line"]
    proofs = [look.v for look in rescue.looks if look.outcome == "proof"]
    assert rescue.to == max(lines, default=None)
    assert max(lines, default=0) < min(proofs, default=versions[-1] + 1), "lost stays lost"
    behind = [v for v in versions if v > max(lines, default=0)]
    assert (
        list(rescue.not_shown) == [v for v in behind if v < min(proofs, default=behind[-1] + 1)]
        if behind
        else True
    )
    assert (rescue.losing is not None) == (bool(lines) and bool(proofs) and not rescue.not_shown)
    won = match.status == "finished" and bool(
        GAME.result(match.state) and GAME.result(match.state).winners
    )
    assert (rescue.outcome == "won") == won
    if rescue.line:
        assert after_line(match, place_of(match, rescue.to), rescue).result.outcome == "won"


def small_match(seed: int, **options) -> Match | None:
    """Play a few random commands from a small sea; None where brute force is too slow for it."""
    state = small_sea(seed, **options)
    if not GAME.waiting(state) or not GAME.legal(state, state.active):
        return None
    header = Recorder(GAME, CreateMatch("tranquility", state.players, options)).match.header
    match = open_match(GAME, header)
    match.status = "running"
    match.line.append(Entry(1, None, None, ()))
    match.checkpoints = [Checkpoint(1, state.copy())]
    choose = at_random(Chance(seed_of(seed), 9))
    while GAME.waiting(state) and len(match.line) < 12:
        seat = min(GAME.waiting(state))
        command = choose(state, seat, GAME.legal(state, seat))
        events = GAME.decide(state, seat, command, SealedChance())
        for event in events:
            GAME.apply(state, event)
        match.line.append(Entry(len(match.line) + 1, seat, command, tuple(events)))
    match.state, match.version = state, len(match.line)
    return match


def by_force(match: Match) -> int:
    """Return the last version from which any order of commands wins; 0 if there is none."""
    won = [
        place
        for place in range(1, len(match.line) + 1)
        if _won_by_force(states.state_after(match, place))
    ]
    return max(won, default=0)


def _won_by_force(state) -> bool:
    return state.result.outcome == "won" if state.result else winnable_by_force(state, 60)


def test_it_agrees_with_brute_force_on_small_seas():
    compared = set()
    for seed in range(60):
        match = small_match(seed)
        if match is None:
            continue
        try:
            truth = by_force(match)
        except TooLarge:
            continue
        rescue = last_winnable(match, 20_000)
        assert (rescue.to or 0) == truth, seed
        assert rescue.outcome in (("line", "won") if truth else ("proof",))
        compared.add((bool(truth), truth == match.version))
    assert compared >= {(True, False), (False, False)}


class Answers:
    """A game's solver that answers by a table, and counts what it is asked."""

    def __init__(self, said: dict[int, str], spent: int = 0):
        self.said = said
        self.spent = spent
        self.budgets = []

    def __call__(self, state, positions):
        self.budgets.append(positions)
        outcome = self.said.get(state.total, "not-shown")
        return Verdict(
            outcome, proof="why" if outcome == "proof" else "", spent=min(positions, self.spent)
        )


def counted(turns: int, solver: Answers) -> Match:
    """Return a match whose state after its n-th command counts n."""
    recorder = toy(seats=2, goal=100)
    for turn in range(turns):
        recorder.play(turn % 2, Count(1))
    match = recorder.match
    match.game = replace(
        TOY, players=replace(TOY.players, winnable=solver), teams=lambda state: [frozenset((0, 1))]
    )
    return match


@pytest.mark.parametrize("last", range(12))
def test_the_border_is_found_wherever_it_lies(last):
    said = {total: "line" if total <= last else "proof" for total in range(13)}
    match = counted(12, Answers(said))
    rescue = last_winnable(match)
    assert rescue.to == match.line[last].version
    assert rescue.losing is not None
    assert rescue.losing.v == match.line[last + 1].version
    assert len(rescue.looks) <= 7


def test_what_is_lost_from_the_deal_on_is_proven_lost():
    rescue = last_winnable(counted(12, Answers(dict.fromkeys(range(13), "proof"))))
    assert (rescue.outcome, rescue.to, rescue.losing, list(rescue.not_shown)) == (
        "proof",
        None,
        None,
        [],
    )


def test_unknown_counts_as_not_shown():
    said = {**dict.fromkeys(range(3), "line"), **dict.fromkeys(range(9, 13), "proof")}
    match = counted(12, Answers(said))
    rescue = last_winnable(match)
    assert (rescue.outcome, rescue.to) == ("line", match.line[2].version)
    assert rescue.losing is None
    assert list(rescue.not_shown) == [match.line[n].version for n in range(3, 9)]
    nothing = last_winnable(counted(12, Answers({12: "proof"})))
    assert (nothing.outcome, nothing.to, nothing.losing) == ("not-shown", None, None)


def test_a_later_version_may_be_shown_where_an_earlier_one_is_not():
    said = {**dict.fromkeys((0, 1, 2, 6, 7), "line"), **dict.fromkeys(range(8, 13), "proof")}
    match = counted(12, Answers(said))
    rescue = last_winnable(match)
    assert rescue.to == match.line[7].version
    assert rescue.losing is not None


def test_all_looks_together_are_bounded():
    solver = Answers({12: "proof"}, spent=1_000_000)
    last_winnable(counted(12, solver), positions=100)
    assert sum(solver.budgets) <= 500
    assert set(solver.budgets) == {0, 100}


def test_progress_is_told():
    told = []
    last_winnable(
        counted(12, Answers({12: "proof"})),
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(done <= total for done, total in told)


@pytest.mark.parametrize("slug", GAMES)
def test_only_a_crew_with_a_solver_is_asked_for(slug):
    game = GAMES[slug]
    seats = game.seats[0]
    match = Recorder(game, CreateMatch(slug, seats)).match
    assert not solvable(match), "nothing is dealt yet"
    recorder = Recorder(game, CreateMatch(slug, seats))
    recorder.sit(*[""] * seats)
    crew = len(game.teams(recorder.state)) == 1
    assert solvable(recorder.match) == (crew and game.players.winnable is not None)
