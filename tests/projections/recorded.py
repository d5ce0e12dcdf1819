"""Logs and summaries to test with: random matches of a quick game between rivals."""

import random
from functools import cache

from games import GAMES
from games.match.commands import CreateMatch, PerMove
from projections.folded import Folded
from projections.summary import Summary, summary
from tests.recorder import SECOND, Recorder

GAME = GAMES["tranquility"]
RIVALS = {"variant": "competitive"}


def table(*levels: str, match: str = "m_test", seats: int = 2, **fields) -> Recorder:
    """Open a match, by default between two rivals, and take its seats: "" is a person."""
    fields.setdefault("options", RIVALS if seats == 2 else {})
    recorder = Recorder(GAME, CreateMatch(game=GAME.slug, seats=seats, **fields), match)
    recorder.sit(*levels)
    return recorder


def play(recorder: Recorder, seed: int = 0, moves: int = 1_000) -> Recorder:
    """Play random commands of waiting seats, to the end or for some moves."""
    dice = random.Random(seed)
    for _ in range(moves):
        if recorder.match.status != "running":
            break
        seat = dice.choice(sorted(GAME.waiting(recorder.state)))
        recorder.play(seat, dice.choice(GAME.legal(recorder.state, seat)), after=SECOND // 10)
    return recorder


@cache
def log(number: int) -> list[bytes]:
    """Return the log of a finished match: some with bots, some with clocks, some private."""
    odd = number % 2 == 1
    recorder = table(
        "",
        "heuristic" if odd else "",
        match=f"m_{number}",
        private=number % 5 == 4,
        clock=PerMove(seconds=60) if odd else None,
    )
    return play(recorder, number).lines


@cache
def history(number: int) -> tuple[Summary, ...]:
    """Return a match's summaries at each of its versions."""
    first, *rest = log(number)
    folded = Folded(GAMES, first)
    summaries = [summary(folded.match)]
    for line in rest:
        folded.extend(line)
        summaries.append(summary(folded.match))
    return tuple(summaries)


async def no_errata():
    """Load no errata."""
    return {}


def unseen(_done, _all):
    pass
