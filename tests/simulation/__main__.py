"""Run seeds: `python -m tests.simulation SEED [--count N] [--plant NAME]`.

One seed is shown with its faults, and if a promise is broken, with the fewest that break one.
"""

import argparse
import gc
import os
import sys
import time
import warnings
from collections import Counter

from tests.simulation.plants import PLANTS, plant

COLLECT_EVERY = 50
"""Seeds between two collections of garbage: a run itself collects none, to be repeatable."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seed", type=int, help="the seed, or the first of many")
    parser.add_argument("--count", type=int, default=1, help="number of seeds")
    parser.add_argument("--plant", choices=[one.name for one in PLANTS], help="a bug to plant")
    parser.add_argument("--coverage", action="store_true", help="fail if something never happened")
    given = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    warnings.simplefilter("ignore")
    sys.unraisablehook = ignore
    if given.plant:
        plant(given.plant)
    return run(given.seed, given.count, coverage=given.coverage)


def ignore(_: object) -> None:
    """Ignore what tasks of a finished run say when they are collected."""


def run(first: int, count: int, *, coverage: bool) -> int:
    """Run seeds until a promise is broken, and return the exit code."""
    from tests.simulation.coverage import lacking, table
    from tests.simulation.shrink import shrink
    from tests.simulation.world import simulate

    gc.freeze()
    seen: Counter[str] = Counter()
    records = 0
    begun = time.process_time()
    for seed in range(first, first + count):
        if seed % COLLECT_EVERY == 0:
            gc.collect()
        outcome = simulate(seed)
        seen += outcome.seen
        records += outcome.records
        if outcome.broken:
            print(f"seed {seed}: {outcome.broken} (at {outcome.at:.3f} s, step {outcome.steps})")
            for fault in shrink(outcome) if count == 1 else ():
                print(f"  {fault}")
            print(f"python -m tests.simulation {seed}")
            return 1
        if count == 1:
            print(f"seed {seed}: {records} records, {outcome.steps} steps, trace {outcome.trace}")
            for fault in outcome.faults:
                print(f"  {fault}")
    seconds = time.process_time() - begun
    harm = sum(times for what, times in seen.items() if what.startswith("fault: "))
    print(
        f"{count} seeds hold: {records} records, {harm} faults, {seconds:.1f} s of processor time"
        f" ({count / seconds:.1f} seeds/s, {harm / seconds:.0f} faults/s)"
    )
    if count > 1:
        print(table(seen))
    if coverage and (missing := lacking(seen)):
        print(f"never seen: {', '.join(missing)}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
