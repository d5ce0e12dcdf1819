"""Measure whether labels are true: `python -m tests.bench.uphold [game …] --matches N`.

Blueprints play matches in which one command that seems to lose much is planted. Each match is
analysed with the default budget. Every label, and every planted command, is then judged again by
whole games in fresh worlds. `pairs apart` is the share of pairs of games with and without a planted
command that ended differently. The table is written into `docs/analysis.md`.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from games import GAMES
from games.chance import Chance
from games.game import AnyGame, Seen
from games.match.commands import CreateMatch
from games.playout import Ply, Watchers, seed_of
from games.search.evaluate import Trials
from games.search.rollout import blueprint_of, unabridged
from games.search.worlds import Worlds
from replay.analysis import COMMANDS, analyse
from replay.assessment import LABELS
from replay.decisions import decisions
from tests.bench.calibration import PAGE
from tests.bench.strength import replace_table
from tests.recorder import Recorder

FIRST_SEED = 970_000
"""Tuning, tournaments and calibration use seeds below."""
PLANTED_EVERY = 16
"""Of so many decisions one is tried, until a command is planted. `--every` changes it for games in
which few commands lose much."""
TRIED, TRIED_PAIRS = 3, 8
"""Number of commands tried at such a decision, and pairs of games for each."""
SURE_PAIRS = 32
"""Pairs of games in other worlds for the worst of them: the worst of a few pairs is often luck."""
SEEMS_LOST = 0.25
"""Minimum loss that a planted command seems to have, both times."""
PAIRS, PAIRS_MAX = 40, 400
"""Pairs of games added at a time, and at most, to judge a command again."""
CLEAR = 3.0
"""Number of standard errors after which no more pairs are played."""


class Again(NamedTuple):
    """The loss of a command, judged again."""

    loss: float
    error: float
    pairs: int
    apart: int
    """Number of pairs whose two games ended differently."""

    @property
    def upheld(self) -> bool:
        """Whether the command loses games."""
        return self.loss > 2 * self.error


class Found(NamedTuple):
    """What was found in one match."""

    labels: Sequence[Again]
    planted: Again | None
    """None if no command was planted."""
    found: bool
    """Whether the planted command was labelled."""
    seconds: float
    """Time of the analysis (CPU seconds)."""


def measure(
    game: AnyGame, seats: int, seed: int, commands: int = COMMANDS, every: int = PLANTED_EVERY
) -> Found:
    """Play a match, analyse it, and judge the labels again."""
    given, planted = play(game, seats, seed, every)
    began = time.process_time()
    report = analyse(given.match, given.folded.head, commands)
    seconds = time.process_time() - began
    better = {mistake.v: mistake.better.command for mistake in report.mistakes}
    again: dict[int, Again] = {}
    for decision in decisions(given.match):
        if decision.v in better or decision.v == planted:
            before = decision.before
            ranking = blueprint_of(game).ranking(
                before.view, before.seen, decision.legal, Chance(seed_of(seed), 1 << 52)
            )
            other = better.get(decision.v, ranking[0])
            fresh = Chance(seed_of(seed), (1 << 53) + decision.v)
            pair = (decision.command, other)
            again[decision.v] = judged(game, before.view, before.seen, decision.seat, pair, fresh)
    return Found([again[v] for v in better], again.get(planted), planted in better, seconds)


def play(game: AnyGame, seats: int, seed: int, every: int) -> tuple[Recorder, int]:
    """Play a match between blueprints; return it, and the version of the planted command or 0."""
    given = Recorder(game, CreateMatch(game.slug, seats), f"m_{seed}")
    given.sit(*[""] * seats)
    watchers = Watchers(game, seats, given.match.options)
    own, planted = Chance(seed_of(seed), 1 << 50), 0
    while waiting := game.waiting(given.state):
        for entry in given.match.line[-1:]:
            watchers.watch(Ply(entry.version, entry.seat, entry.command, entry.events))
        seat = own.choice(sorted(waiting))
        legal, view = game.legal(given.state, seat), game.view(given.state, seat)
        command = legal[0]
        if len(legal) > 1:
            seen = watchers.seen(seat)
            command = blueprint_of(game).ranking(view, seen, legal, own)[0]
            if not planted and own.randbelow(every) == 0:
                worse = _worse(game, view, seen, seat, command, legal, own)
                planted = 0 if worse is None else given.match.version + 1
                command = command if worse is None else worse
        given.play(seat, command)
    return given, planted


def _worse(
    game: AnyGame,
    view: Any,
    seen: Seen,
    seat: int,
    best: Any,
    legal: Sequence[Any],
    chance: Chance,
) -> Any:
    """Return a command that seems to lose much against the best; None if none of those tried."""
    tried = chance.sample([command for command in legal if command != best], TRIED)
    worlds = Worlds(game, view, seen, chance)
    trials = Trials(unabridged(game), worlds, seat, [best, *tried])
    trials.extend(range(len(tried) + 1), TRIED_PAIRS)
    worst = min(trials.estimates(), key=lambda estimate: estimate.gain)
    if worst.gain > -SEEMS_LOST:
        return None
    again = Trials(unabridged(game), worlds, seat, [best, worst.command], first=TRIED_PAIRS)
    again.extend(range(2), SURE_PAIRS)
    return worst.command if again.estimates()[1].gain <= -SEEMS_LOST else None


def judged(
    game: AnyGame, view: Any, seen: Seen, seat: int, pair: Sequence[Any], chance: Chance
) -> Again:
    """Judge the first command of a pair against the second by whole games."""
    trials = Trials(unabridged(game), Worlds(game, view, seen, chance), seat, pair)
    while True:
        trials.extend(range(2), PAIRS)
        estimate = trials.estimates()[1]
        pairs, apart = estimate.worlds, sum(gain != 0 for gain in trials.gains(1))
        again = Again(estimate.gain, max(estimate.gain_error, 1 / pairs), pairs, apart)
        if abs(again.loss) > CLEAR * again.error or pairs >= PAIRS_MAX:
            return again


def rows(slugs: Sequence[str], matches: int, seats: int, every: int) -> Iterator[str]:
    """Yield the table."""
    yield (
        "| game | matches | labels | upheld | open | refuted | planted over 15 points | found "
        "| pairs apart | median CPU s | longest |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for slug in slugs:
        found: list[Found] = []
        for seed in range(FIRST_SEED, FIRST_SEED + matches):
            found.append(measure(GAMES[slug], seats, seed, every=every))
            print(slug, seed, found[-1], file=sys.stderr, flush=True)
        labels = [label for one in found for label in one.labels]
        large = [one for one in found if one.planted is not None and _large(one.planted)]
        planted = [one.planted for one in found if one.planted is not None]
        pairs = sum(one.pairs for one in planted)
        apart = f"{sum(one.apart for one in planted) / pairs:.0%}" if pairs else ""
        times = sorted(one.seconds for one in found)
        yield (
            f"| {slug} | {matches} | {len(labels)} | {sum(one.upheld for one in labels)} "
            f"| {sum(abs(one.loss) <= 2 * one.error for one in labels)} "
            f"| {sum(one.loss < -2 * one.error for one in labels)} | {len(large)} "
            f"| {sum(one.found for one in large)} | {apart} | {times[len(times) // 2]:.0f} "
            f"| {times[-1]:.0f} |"
        )


def _large(planted: Again) -> bool:
    return planted.upheld and planted.loss > LABELS[0][0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="by slug")
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--every", type=int, default=PLANTED_EVERY)
    arguments = parser.parse_args()
    table = list(rows(arguments.games, arguments.matches, arguments.seats, arguments.every))
    print("\n".join(table))
    if sorted(arguments.games) == sorted(GAMES):
        PAGE.write_text(replace_table(PAGE.read_text(), "uphold", table))


if __name__ == "__main__":
    main()
