"""Small tables with few cards left, and brute force over every legal command."""

import msgspec

from games.chance import Chance, SealedChance
from games.playout import seed_of
from games.tranquility import GAME
from games.tranquility.components import FINISHES, LAYOUTS, MONSTERS, STARTS, WILDS, rank
from games.tranquility.model import Laid

LIMIT = 4000
"""Most tables that brute force may visit."""


class TooLarge(Exception):
    pass


def winnable_by_force(state, limit=LIMIT):
    """Return whether any sequence of legal commands wins. Raises `TooLarge`."""
    seen = set()
    stack = [state]
    while stack:
        state = stack.pop()
        for seat in range(state.players):
            for command in GAME.legal(state, seat):
                after = state.copy()
                GAME.step(after, seat, command, SealedChance())
                if after.result is not None:
                    if after.result.outcome == "won":
                        return True
                    continue
                bare = after.copy()
                bare.turn, bare.discards, bare.blind = 1, [], []
                bare.out, bare.monster_holders = [], []
                key = msgspec.msgpack.encode(bare)
                if key not in seen:
                    if len(seen) >= limit:
                        raise TooLarge
                    seen.add(key)
                    stack.append(after)
    return False


def small_sea(seed, **options):
    """Build a random table: a nearly full sea, few cards in hands and piles."""
    chance = Chance(seed_of(seed), 1)
    options = msgspec.convert(options, GAME.Options)
    seats = 1 + chance.randbelow(3)
    state = GAME.initial(seats, options)
    cells = len(state.grid)
    numbers = sorted(chance.sample(range(1, 81), cells))
    sides = ("sun", "moon") if options.variant == "day_night" else ("", "")
    for index, number in enumerate(numbers):
        side = sides[index >= cells // 2]
        if side and chance.randbelow(12) == 0:
            side = sides[index < cells // 2]
        state.grid[index] = Laid(f"island_{number}", number, side, 0)
    first = chance.randbelow(cells)
    holes = {(first + step) % cells for step in range(chance.randbelow(3))}
    holes |= set(chance.sample(range(cells), chance.randbelow(3)))
    pool = [state.grid[index].card for index in sorted(holes)]
    for index in holes:
        state.grid[index] = None
    spare = [f"island_{number}" for number in range(1, 81) if number not in numbers]
    pool += chance.sample(spare[:-8], chance.randbelow(7))
    pool += FINISHES[: (0, 1, 1, 1, 1, 2)[chance.randbelow(6)]]
    pool += MONSTERS[: chance.randbelow(3) if options.monsters else 0]
    pool += WILDS[: options.wilds]
    started = chance.randbelow(6) > 0
    state.start_placed = STARTS[0] if started else None
    pool += STARTS[1:2] if chance.randbelow(2) else ()
    pool += () if started else spare[-8:]
    chance.shuffle(pool)
    for at, card in enumerate(pool):
        state.piles[at % seats].append(card)
    if not started:
        state.piles[0].insert(chance.randbelow(len(state.piles[0]) + 1), STARTS[0])
    for seat, pile in enumerate(state.piles):
        state.hands[seat] = sorted(pile[:5], key=rank)
        del pile[:5]
    state.turn = 30
    state.active = chance.randbelow(seats)
    state.waiting = (state.active,)
    if options.rocks:
        state.rocks_row = chance.randbelow(6)
        full = sum(all(state.grid[i] for i in row) for row in LAYOUTS[options.variant].rows)
        if full >= 4:
            state.rocks_row, state.rocks_done = -1, True
    return state
