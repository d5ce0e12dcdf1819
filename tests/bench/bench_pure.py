"""The pure core on one core: folding bytes, re-deciding, random playouts; memory and bytes."""

import gc
import time
import tracemalloc
from collections.abc import Callable, Collection

import msgspec

from games import GAMES
from games.chance import Chance
from games.game import AnyGame
from games.match.commands import CreateMatch
from games.playout import at_random, plies, seed_of
from projections.folded import Folded
from tests.recorder import Recorder

MATCHES = 40
RUNS = 5


def best(run: Callable[[], int]) -> float:
    """Return the best rate of several runs: other processes can only slow a run down."""
    rates: list[float] = []
    for _ in range(RUNS):
        start = time.perf_counter()
        count = run()
        rates.append(count / (time.perf_counter() - start))
    return max(rates)


def playouts(game: AnyGame, seats: int) -> float:
    """Decisions a second of random playouts, legal moves enumerated at every decision."""

    def run() -> int:
        return sum(
            1
            for number in range(MATCHES // 4)
            for _ in plies(
                game,
                seats,
                game.Options(),
                seed_of(number),
                at_random(Chance(seed_of(number), 1 << 41)),
            )
        )

    return best(run)


def game_fold(game: AnyGame, seats: int) -> float:
    """Events a second from stored bytes into the game's state."""
    logs = []
    for number in range(MATCHES):
        walk = plies(
            game,
            seats,
            game.Options(),
            seed_of(number),
            at_random(Chance(seed_of(number), 1 << 41)),
        )
        logs.append([msgspec.json.encode(list(ply.events)) for _, ply in walk])
    decode = msgspec.json.Decoder(list[game.Event]).decode

    def run() -> int:
        count = 0
        for lines in logs:
            state = game.initial(seats, game.Options())
            apply = game.apply
            for line in lines:
                events = decode(line)
                count += len(events)
                for event in events:
                    apply(state, event)
        return count

    return best(run)


def logs(game: AnyGame, seats: int) -> list[list[bytes]]:
    """Whole matches' logs."""
    found = []
    for number in range(MATCHES):
        recorder = Recorder(game, CreateMatch(game=game.slug, seats=seats), f"m_{number}")
        recorder.sit(*[""] * seats)
        dice = Chance(seed_of(number), 1 << 41)
        choose = at_random(dice)
        while recorder.match.status == "running":
            seat = dice.choice(sorted(game.waiting(recorder.state)))
            recorder.play(
                seat,
                choose(recorder.state, seat, game.legal(recorder.state, seat)),
                after=1_000_000,
            )
        found.append(recorder.lines)
    return found


def match_fold(lines: list[list[bytes]]) -> tuple[float, float]:
    """Measure records and events a second of the whole fold: chain, clocks, viewers."""
    events = sum(len(msgspec.json.decode(line)["events"]) for log in lines for line in log)
    records = sum(map(len, lines))

    def run() -> int:
        for log in lines:
            Folded.of(GAMES, log)
        return records

    rate = best(run)
    return rate, rate * events / records


def memory(lines: list[list[bytes]], viewers: Collection[int | None] = ()) -> float:
    """Bytes per match as the service keeps it, with the records as shown to some viewers."""
    Folded.of(GAMES, lines[0])
    gc.collect()
    tracemalloc.start()
    kept = [Folded.of(GAMES, log, viewers) for log in lines]
    for folded in kept:
        folded.pack()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return size / len(kept)


def main() -> None:
    """Print the figures."""
    for game in GAMES.values():
        seats = game.seats[len(game.seats) // 2]
        print(
            f"{game.slug} ({seats} seats): {playouts(game, seats):9,.0f} decisions/s, "
            f"{game_fold(game, seats):11,.0f} events/s folded from bytes"
        )
    game = GAMES["tranquility"]
    lines = logs(game, 3)
    records, events = match_fold(lines)
    print(
        "whole fold of a match's bytes (chain, clocks, viewers): "
        f"{records:,.0f} records/s, {events:,.0f} events/s"
    )
    print(f"memory per folded match: {memory(lines) / 1024:.0f} KiB")
    for game in GAMES.values():
        seats = game.seats[len(game.seats) // 2]
        found = logs(game, seats)
        count = sum(map(len, found))
        size = sum(len(line) for log in found for line in log)
        everybody = (*range(seats), None)
        kept, told = memory(found), memory(found, everybody)
        halves = [log[: len(log) // 2] for log in found]
        half, half_told = memory(halves), memory(halves, everybody)
        print(
            f"{game.slug} ({seats} seats): {size / count:.0f} bytes per command in the log,"
            f" {len(found[0][0])} of a waiting match; {kept / 1024:.0f} KiB per folded match of"
            f" {count / len(found):.0f} records, {told / 1024:.0f} with what all viewers were told;"
            f" halfway {half / 1024:.0f} and {half_told / 1024:.0f}"
        )


if __name__ == "__main__":
    main()
