"""Find puzzles in games between bots: `python -m tests.record_puzzles [game …]`.

Writes `seeds/puzzles/<slug>.jsonl`, a line for each puzzle. Equal seeds give equal bytes.

- `win`: the last positions from which a solo voyage can still be won, all cards known. The solver
  decides each legal command, and few of them win.
- `hit`: positions in which everything that was heard leaves the enemy a single cell, within reach
  of a torpedo.
- `best`: positions in which whole games, in worlds that fit what the seat knows, tell every good
  command from every bad one.
"""

import sys
from collections.abc import Iterator, Sequence
from math import log2
from typing import Any, NamedTuple

import msgspec

from games import GAMES
from games.captain_sonar.commands import LaunchTorpedo
from games.captain_sonar.events import CourseOrdered
from games.captain_sonar.rules.belief import beliefs
from games.chance import Chance
from games.components import SEEDS
from games.game import AnyGame, Seen
from games.playout import BOT_DICE, Watchers, by_bots, plies, seed_of
from games.search.evaluate import Trials
from games.search.rollout import unabridged
from games.search.worlds import Worlds
from replay.practice import Move
from replay.puzzle import POSITIONS, PuzzleData

FIRST_SEED = 980_000
"""Tuning, tournaments, calibration and the bench of labels use seeds below."""
WANTED = {"tranquility": 20, "captain_sonar": 20, "submarine": 2}
"""Number of puzzles of each game. Those of whole games take minutes each."""
LINE_MAX = 9
"""Maximum number of moves of a `win` puzzle."""
LEGAL_MAX = 60
"""Maximum number of legal commands: beyond, all are not tried."""
RIGHT_MAX = 0.25
"""Maximum share of the legal commands that win."""
HEARD = range(8, 22)
"""Number of moves that are heard of the enemy in a `hit` puzzle."""
CHOICES = range(2, 8)
"""Number of legal commands of a `best` puzzle."""
LAST = 60
"""Number of decisions before the end that are tried: whole games from there are short,
and often decided by one move."""
ROUNDS = (6, 40, 250)
"""Games of each command in each round. Each round has fresh worlds, and the last one counts."""
GOOD, BAD = 0.05, 0.08
"""A good command loses at most `GOOD` of the games against the best, a bad one at least `BAD`."""
CLEAR = 2.5
"""Standard errors by which the best command must be better than a bad one."""


class Unclear(Exception):
    """The solver has found neither a win nor a proof within the budget of an attempt."""


class Position(NamedTuple):
    """A decision of a recorded game."""

    state: Any
    seat: int
    legal: Sequence[Any]
    seen: Seen
    moves: tuple[Move, ...]
    """The recorded moves before it."""


def positions(game: AnyGame, seats: int, options: Any, seed: int) -> Iterator[Position]:
    """Play a game between bots and yield its decisions."""
    watchers = Watchers(game, seats, options)
    bots = by_bots(game, watchers, ["heuristic"] * seats, Chance(seed_of(seed), BOT_DICE))
    found: list[Position] = []
    moves: list[Move] = []

    def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
        seen = watchers.seen(seat)
        so_far = msgspec.structs.replace(seen, records=tuple(seen.records))
        found.append(Position(state.copy(), seat, legal, so_far, tuple(moves)))
        command = bots(state, seat, legal)
        moves.append(Move(seat=seat, command=msgspec.to_builtins(command)))
        return command

    for _, ply in plies(game, seats, options, seed_of(seed), choose):
        watchers.watch(ply)
        if found:
            yield found.pop()


def puzzle(at: Position, seats: int, seed: int, options: Any, **facts: Any) -> PuzzleData:
    """Describe the puzzle at a decision."""
    plain = msgspec.to_builtins(options)
    defaults = msgspec.to_builtins(type(options)())
    return PuzzleData(
        id="",
        seats=seats,
        seat=at.seat,
        seed=seed,
        options={name: value for name, value in plain.items() if value != defaults[name]},
        moves=at.moves,
        **facts,
    )


def wins(game: AnyGame) -> Iterator[PuzzleData]:
    """Yield, for one voyage after another, the last position that can be won by few commands."""
    options = msgspec.convert({"difficulty": "poseidon"}, game.Options)
    seed = FIRST_SEED
    while True:
        seed += 1
        game_positions = [each for each in positions(game, 1, options, seed) if len(each.legal) > 1]
        for at in reversed(game_positions):
            try:
                line = _line(game, at.state)
                if line is None:
                    continue
                if len(line) > LINE_MAX or len(at.legal) > LEGAL_MAX:
                    break
                right = sum(_wins(game, at.state, command) for command in at.legal)
                if right <= RIGHT_MAX * len(at.legal):
                    bits = _bits(game, at.state, line)
                    yield puzzle(at, 1, seed, options, task="win", bits=round(bits, 1))
                    break
            except Unclear:
                break


def _line(game: AnyGame, state: Any) -> Sequence[tuple[int, Any]] | None:
    """Return commands that win, or None if the voyage is lost; raises `Unclear`."""
    assert game.players.winnable is not None
    verdict = game.players.winnable(state, POSITIONS)
    if verdict.outcome == "not-shown":
        raise Unclear
    return verdict.line if verdict.outcome == "line" else None


def _wins(game: AnyGame, state: Any, command: Any) -> bool:
    after = state.copy()
    game.step(after, 0, command, Chance(seed_of(0), 1))
    return _line(game, after) is not None


def _bits(game: AnyGame, state: Any, line: Sequence[tuple[int, Any]]) -> float:
    """Return how much a player has to know: at each move, the choices for each that wins."""
    state, bits = state.copy(), 0.0
    for seat, command in line:
        legal = game.legal(state, seat)
        if len(legal) <= LEGAL_MAX:
            right = sum(_wins(game, state, each) for each in legal)
            bits += log2(len(legal) / right)
        game.step(state, seat, command, Chance(seed_of(0), 1))
    return bits


def hits(game: AnyGame) -> Iterator[PuzzleData]:
    """Yield, for one match after another, the first sure hit that takes some plotting."""
    plotted = msgspec.convert({"radio_assist": "inference"}, game.Options)
    options = game.Options()
    seed = FIRST_SEED
    while True:
        seed += 1
        for at in positions(game, 2, plotted, seed):
            shots = [command for command in at.legal if isinstance(command, LaunchTorpedo)]
            if not shots or at.state.story is None:
                continue
            boat = 1 - int(at.seat in at.state.crew_seats[1])
            can_be = beliefs(at.state.story)[boat].candidates()
            told = [event for event in at.state.story.told if isinstance(event, CourseOrdered)]
            heard = sum(event.crew == boat for event in told)
            if len(can_be) > 1 or heard not in HEARD:
                continue
            right = [shot for shot in shots if shot.target in can_be]
            if right:
                bits = log2(len(shots)) + heard / 4
                yield puzzle(
                    at,
                    2,
                    seed,
                    options,
                    task="hit",
                    bits=round(bits, 1),
                    right=[msgspec.to_builtins(shot) for shot in right],
                    aids=("set_overlay", "wipe_overlay"),
                )
                break


def bests(game: AnyGame) -> Iterator[PuzzleData]:
    """Yield decisions with clearly good and clearly bad commands, one for each match."""
    options, seed = game.Options(), FIRST_SEED
    exact = unabridged(game)
    while True:
        seed += 1
        for at in list(positions(game, 2, options, seed))[-LAST:]:
            if len(at.legal) not in CHOICES:
                continue
            tested = _tested(exact, at)
            if tested is None:
                continue
            right = [c for c, (loss, _) in zip(at.legal, tested, strict=True) if loss <= GOOD]
            if len(right) > len(at.legal) / 2:
                continue
            gap = min(loss for loss, _ in tested if loss > GOOD)
            bits = log2(len(at.legal) / len(right)) + max(0.0, 6 - 20 * gap)
            yield puzzle(
                at,
                2,
                seed,
                options,
                task="best",
                bits=round(bits, 1),
                right=[msgspec.to_builtins(command) for command in right],
                losses=[
                    (msgspec.to_builtins(command), round(loss, 2))
                    for command, (loss, _) in zip(at.legal, tested, strict=True)
                    if loss > GOOD
                ],
            )
            break


def _tested(game: AnyGame, at: Position) -> list[tuple[float, float]] | None:
    """Return the losses of all commands with their errors; None if some are unclear."""
    found: list[tuple[float, float]] = []
    for number, worlds in enumerate(ROUNDS, 1 << 54):
        found = _losses(game, at, worlds, number)
        if not any(loss >= BAD and loss > 2 * error for loss, error in found):
            return None
    clear = all(loss <= GOOD or loss >= max(BAD, CLEAR * error) for loss, error in found)
    return found if clear else None


def _losses(game: AnyGame, at: Position, worlds: int, number: int) -> list[tuple[float, float]]:
    """Return the loss of each command against the best, with its standard error."""
    view = game.view(at.state, at.seat)
    sampled = Worlds(game, view, at.seen, Chance(seed_of(number), 1))
    trials = Trials(game, sampled, at.seat, at.legal)
    everyone = range(len(at.legal))
    trials.extend(everyone, worlds)
    best = max(everyone, key=trials.mean)
    paired = Trials(game, sampled, at.seat, [at.legal[best], *at.legal])
    paired.won = [trials.won[best], *trials.won]
    return [(-each.gain, each.gain_error) for each in paired.estimates()[1:]]


FINDERS = {
    "tranquility": wins,
    "captain_sonar": hits,
    "submarine": bests,
}


def main() -> None:
    """Write the puzzles of the named games, or of all."""
    for slug in sys.argv[1:] or FINDERS:
        found = FINDERS[slug](GAMES[slug])
        lines: list[bytes] = []
        for number in range(1, WANTED[slug] + 1):
            data = msgspec.structs.replace(next(found), id=f"{slug}-{number}")
            lines.append(msgspec.json.encode(data))
            print(slug, number, data.bits, len(lines[-1]), flush=True)
            (SEEDS / "puzzles" / f"{slug}.jsonl").write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    main()
