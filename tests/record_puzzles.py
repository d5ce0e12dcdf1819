"""Find puzzles in games between bots: `python -m tests.record_puzzles [game …]`.

Writes `seeds/puzzles/<slug>.jsonl`, a line for each puzzle. Equal seeds give equal bytes. With
`--search GAME SEED` it prints the seeds of further `best` puzzles instead, from that seed on.

- `win`: the last positions from which a solo voyage can still be won, all cards known. The solver
  decides each legal command, and few of them win.
- `hit`: positions in which everything that was heard leaves the enemy a single cell, within reach
  of a torpedo.
- `best`: a move in Submarine, a purchase in To the Bottom and Nautilus. Whole games, in worlds that
  fit what the seat knows, show that one choice wins more often than every other.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from math import log2
from typing import Any, NamedTuple

import msgspec

from games import GAMES
from games.captain_sonar.commands import LaunchTorpedo
from games.captain_sonar.events import CourseOrdered
from games.captain_sonar.rules.belief import beliefs
from games.chance import Chance
from games.components import SEEDS
from games.game import AnyGame, Illegal, Seen
from games.ke_dnu import commands as ke_dnu
from games.ke_dnu.components import TYPE
from games.nautilus import commands as nautilus
from games.playout import BOT_DICE, Watchers, by_bots, plies, seed_of
from games.search.evaluate import Trials
from games.search.rollout import unabridged
from games.search.worlds import Worlds
from replay.practice import Move
from replay.puzzle import POSITIONS, PuzzleData

FIRST_SEED = 980_000
"""Tuning, tournaments, calibration and the bench of labels use seeds below."""
WANTED = 20
"""Number of `win` and `hit` puzzles."""
FOUND = {
    "submarine": (980_002, 980_003, 980_004, 980_005, 980_006, 980_008),
    "nautilus": (980_002, 980_031),
    "ke_dnu": (980_102, 980_104, 980_106),
}
"""Seeds of matches with a `best` puzzle."""
LINE_MAX = 9
"""Maximum number of moves of a `win` puzzle."""
LEGAL_MAX = 60
"""Maximum number of legal commands: beyond, all are not tried."""
RIGHT_MAX = 0.25
"""Maximum share of the legal commands that win."""
HEARD = range(8, 22)
"""Number of moves that are heard of the enemy in a `hit` puzzle."""
CHOICES = range(3, 10)
"""Number of different choices in a `best` puzzle."""
ROUNDS = ((4, 0.0), (30, 1.5), (90, 2.5), (250, 3.0))
"""Games of each choice in each round, and the standard errors by which the best must then beat
every other. Each round has fresh worlds, and the last one counts."""
LOSS = 0.08
"""Smallest share of games that every other choice loses against the best."""


class Asked(NamedTuple):
    """Decisions that `best` puzzles of a game are made from."""

    last: int
    """Number of decisions before the end that are tried: whole games from there are short, and
    often decided by one move."""
    among: tuple[type, ...] = (object,)
    """Types of commands to choose from."""


ASKED = {
    "submarine": Asked(60),
    "ke_dnu": Asked(120, (ke_dnu.Buy, ke_dnu.EndTurn)),
    "nautilus": Asked(40, (nautilus.BuyModule, nautilus.SkipBuy)),
}


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


def bests(game: AnyGame, seeds: Iterable[int]) -> Iterator[PuzzleData]:
    """Yield decisions with one best choice, at most one for each match."""
    options, asked = game.Options(), ASKED[game.slug]
    exact = unabridged(game)
    for seed in seeds:
        for at in list(positions(game, 2, options, seed))[-asked.last :]:
            choices: dict[Any, list[Any]] = {}
            for command in at.legal:
                if isinstance(command, asked.among):
                    choices.setdefault(_same(command), []).append(command)
            if len(choices) not in CHOICES:
                continue
            losses = _tested(exact, at, [commands[0] for commands in choices.values()])
            if losses is None:
                continue
            bits = log2(len(choices)) + max(0.0, 6 - 20 * min(losses.values()))
            each = [
                (losses.get(commands[0]), msgspec.to_builtins(command))
                for commands in choices.values()
                for command in commands
            ]
            yield puzzle(
                at,
                2,
                seed,
                options,
                task="best",
                bits=round(bits, 1),
                right=[command for loss, command in each if loss is None],
                losses=[(command, round(loss, 2)) for loss, command in each if loss is not None],
            )
            break


def _same(command: Any) -> Any:
    """Return a value that is equal for commands that do the same: cards of a type are equal."""
    return TYPE[command.card] if isinstance(command, ke_dnu.Buy) else command


def _tested(game: AnyGame, at: Position, among: Sequence[Any]) -> dict[Any, float] | None:
    """Return the losses of all commands but the best; None unless it is clearly the best."""
    found: dict[Any, float] = {}
    for number, (worlds, errors) in enumerate(ROUNDS, 1 << 54):
        try:
            estimates = _losses(game, at, among, worlds, number)
        except Illegal:  # no sampled world allows all commands
            return None
        if not all(loss > errors * error for loss, error in estimates.values()):
            return None
        found = {command: loss for command, (loss, _) in estimates.items()}
    return found if min(found.values()) >= LOSS else None


def _losses(
    game: AnyGame, at: Position, among: Sequence[Any], worlds: int, number: int
) -> dict[Any, tuple[float, float]]:
    """Return what each command but the best loses against it, with the standard error."""
    sampled = Worlds(game, game.view(at.state, at.seat), at.seen, Chance(seed_of(number), 1))
    trials = Trials(game, sampled, at.seat, among)
    trials.extend(range(len(among)), worlds)
    best = max(range(len(among)), key=trials.mean)
    paired = Trials(game, sampled, at.seat, [among[best], *among])
    paired.won = [trials.won[best], *trials.won]
    losses = [(-each.gain, each.gain_error) for each in paired.estimates()[1:]]
    return {among[place]: loss for place, loss in enumerate(losses) if place != best}


def found(game: AnyGame) -> Iterator[PuzzleData]:
    """Yield the puzzles of a game."""
    if game.slug in FOUND:
        return bests(game, FOUND[game.slug])
    return islice(wins(game) if game.players.winnable else hits(game), WANTED)


def main() -> None:
    """Write the puzzles of the named games, or of all; or search for others."""
    if "--search" in sys.argv:
        slug, first = sys.argv[2:]
        for data in bests(GAMES[slug], count(int(first))):
            print(data.seed, data.bits, data.right, flush=True)
    for slug in sys.argv[1:] or ("tranquility", "captain_sonar", *FOUND):
        lines: list[bytes] = []
        for number, one in enumerate(found(GAMES[slug]), 1):
            data = msgspec.structs.replace(one, id=f"{slug}-{number}")
            lines.append(msgspec.json.encode(data))
            print(slug, number, data.bits, len(lines[-1]), flush=True)
            (SEEDS / "puzzles" / f"{slug}.jsonl").write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    main()
