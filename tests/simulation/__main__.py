"""Run seeds: `python -m tests.simulation SEED`, or `--from 0 --count 1000`."""

import argparse
import gc
import sys
import warnings
from collections import Counter

from tests.simulation.world import simulate


def quietly(_: object) -> None:
    """Ignore what tasks of a finished run say when they are collected."""


def main() -> None:
    sys.unraisablehook = quietly
    warnings.simplefilter("ignore")
    gc.collect()
    gc.freeze()
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--count", type=int, default=1)
    given = parser.parse_args()
    seen: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.count):
        outcome = simulate(seed)
        seen += outcome.seen
        if outcome.broken:
            print(f"seed {seed}: {outcome.broken} at {outcome.at:.3f} s, {outcome.steps} steps")
            for fault in outcome.faults if given.count == 1 else ():
                print("   ", fault)
        elif given.count == 1:
            print(outcome)
    print(seen)


if __name__ == "__main__":
    sys.exit(main())
