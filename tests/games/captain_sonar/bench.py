"""Measure for the documentation: `python -m tests.games.captain_sonar.bench` (ten minutes)."""

import argparse
import itertools
import time
from collections import Counter

import msgspec

from games.captain_sonar import GAME
from games.captain_sonar.events import (
    BEARING,
    CourseOrdered,
    DamageTaken,
    SilenceRun,
    Surfaced,
    public,
)
from games.captain_sonar.rules.belief import beginning, charts_of, hear
from games.chance import Chance
from games.playout import Choose, Watchers, at_random, by_bots, plies, seed_of

MAPS = ("alpha", "bravo", "charlie", "delta", "echo")


def quantiles(spent: list[float]) -> str:
    spent = sorted(spent)
    at = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
    parts = [f"{name} {spent[int(len(spent) * share)] * 1e6:.0f} µs" for name, share in at.items()]
    return ", ".join([*parts, f"max {spent[-1] * 1e6:.0f} µs", f"{len(spent)} samples"])


def playouts() -> None:
    for seats, mode in ((2, "turns"), (8, "turns"), (8, "real_time")):
        options = msgspec.convert({"mode": mode}, GAME.Options)
        decisions, before = 0, time.perf_counter()
        for seed in range(20):
            random = at_random(Chance(seed_of(seed), 1 << 41))
            decisions += sum(1 for _ in plies(GAME, seats, options, seed_of(seed), random))
        rate = decisions / (time.perf_counter() - before)
        print(f"playout {mode}, {seats} seats: {rate:.0f} decisions a second")


def sailing(dice: Chance) -> Choose:
    """Move and run silent more than any crew would."""

    def choose(_state, _seat, legal):
        kinds: dict[str, list] = {}
        for command in legal:
            kinds.setdefault(type(command).__name__, []).append(command)
        for kind in ("RunSilent", "OrderCourse", "MarkGauge"):
            if kind in kinds:
                silence = [c for c in kinds[kind] if getattr(c, "gauge", "") == "silence"]
                return dice.choice(silence or kinds[kind])
        idle = ("SetOverlay", "WipeOverlay", "Surface")
        return dice.choice([c for c in legal if type(c).__name__ not in idle] or legal)

    return choose


def belief(matches: int) -> None:
    """Follow boats that move at random or run silent whenever they can; then follow long routes."""
    spent: list[float] = []
    missed = checked = 0
    kinds = itertools.cycle(itertools.product(MAPS, ("turns", "real_time"), (at_random, sailing)))
    for seed, (name, mode, policy) in zip(range(matches), kinds, strict=False):
        options = msgspec.convert({"map": name, "mode": mode, "max_turns": 300}, GAME.Options)
        dice = Chance(seed_of(seed), 1)
        side = "light" if mode == "turns" else "dark"
        beliefs = [beginning(charts_of(name, side, over_islands=False), boat) for boat in (0, 1)]
        walk = plies(GAME, 4, options, seed_of(seed), policy(dice))
        for state, ply in walk:
            for event in ply.events:
                if type(event) in BEARING:
                    shown = public(event)
                    before = time.perf_counter()
                    beliefs = [hear(one, shown) for one in beliefs]
                    spent.append(time.perf_counter() - before)
            for one, boat in zip(beliefs, state.crews, strict=True):
                if boat.position:
                    checked += 1
                    missed += boat.position not in one.candidates()
    print(f"belief, both boats, an event: {quantiles(spent)}")
    print(f"true cell missing {missed} times of {checked} in {matches} matches")
    for name, side in itertools.product(MAPS, ("light", "dark")):
        moves: list[float] = []
        for seed in range(20):
            moves += long_route(name, side, Chance(seed_of(seed), 2))
        print(f"belief {name} {side}, a move after 60 with 5 silences: {quantiles(moves)}")


def long_route(name: str, side: str, dice: Chance) -> list[float]:
    """Move 60 times, five times in silence; surface only if boxed in. Time the moves after that."""
    charts = charts_of(name, side, over_islands=False)
    one = beginning(charts, 0)
    spent: list[float] = []
    for move in range(80):
        directions = list("nesw")
        dice.shuffle(directions)
        events = [CourseOrdered(0, direction, None) for direction in directions]
        if move % 12 == 11 and move < 60:
            events = [SilenceRun(0, None, None, None)]
        sector = charts.sea.sector(dice.choice(one.candidates()))
        ice = DamageTaken(0, 1, 1, "ice", None)
        up = Surfaced(0, sector, None)
        for event in (*events, up, ice):
            before = time.perf_counter()
            after = hear(hear(one, ice), up) if event is ice else hear(one, event)
            took = time.perf_counter() - before
            if after.ways:
                one = after
                spent += [took] if move >= 60 else []
                break
    return spent


def bots(games: int = 20) -> None:
    for seats, mode, name in (
        *((2, "turns", name) for name in MAPS),
        *((4, "real_time", name) for name in MAPS),
        (8, "real_time", "alpha"),
    ):
        table(seats, mode, name, games)


def bout(seats: int, options, seed: int, levels: list[str], spent: list[float]):
    """Play a match and time the decisions of its heuristic bots."""
    watchers = Watchers(GAME, seats, options)
    play = by_bots(GAME, watchers, levels, Chance(seed_of(seed), 1 << 32))

    def timed(state, seat, legal):
        before = time.perf_counter()
        command = play(state, seat, legal)
        if levels[seat] == "heuristic":
            spent.append(time.perf_counter() - before)
        return command

    final = None
    for state, ply in plies(GAME, seats, options, seed_of(seed), timed):
        watchers.watch(ply)
        final = state
    return final


def table(seats: int, mode: str, name: str, games: int) -> None:
    options = msgspec.convert({"mode": mode, "map": name, "max_turns": 600}, GAME.Options)
    won: Counter[str] = Counter()
    spent: list[float] = []
    for seed, side in itertools.product(range(games), (0, 1)):
        levels = ["heuristic" if seat % 2 == side else "random" for seat in range(seats)]
        state = bout(seats, options, seed, levels, spent)
        result = GAME.result(state)
        won[
            "drawn"
            if result.winner_crew is None
            else "won"
            if result.winner_crew == side
            else "lost"
        ] += 1
        won[result.reason] += 1
    print(
        f"{mode} {name}, {seats} seats, heuristic against random: {dict(won)}; {quantiles(spent)}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="to follow boats in")
    arguments = parser.parse_args()
    playouts()
    belief(arguments.matches)
    bots()
