"""Tranquility's positions as text: drawn seas, hands as numbers, and what follows a command."""

import msgspec

from games.chance import Chance
from games.playout import seed_of
from games.testing.given import Given, Then
from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo
from games.tranquility.components import COLOUR, LAYOUTS, WILDS, rank
from games.tranquility.events import CardsDrawn, PhaseEntered
from games.tranquility.model import Laid, Options, Storm


class Table(Given):
    """A position of Tranquility."""

    def copy(self):
        """Return an independent position."""
        return Table(GAME, self.state.copy())


def cards(text):
    """Read cards: `12 finish_1` is island 12 and a Finish."""
    return tuple(f"island_{word}" if word.isdigit() else word for word in text.split())


def drawn(text, variant="standard"):
    """Read a sea drawn from the top row down.

    `.` is free, `w34` is a wild laid as 34, `7m` is island 7 with the moon up.
    """
    layout = LAYOUTS[variant]
    grid = [None] * len(layout.cells)
    rows = [line.split() for line in text.strip().splitlines()]
    assert len(rows) == len(layout.rows), "a line per row"
    wilds = iter(WILDS)
    for words, indices in zip(reversed(rows), layout.rows, strict=True):
        for word, index in zip(words, indices, strict=True):
            if word == ".":
                continue
            side = "moon" if word.endswith("m") else "sun" if variant == "day_night" else ""
            number = int(word.strip("wm"))
            card = next(wilds) if word.startswith("w") else f"island_{number}"
            grid[index] = Laid(card, number, side, 0)
    return grid


def laid(variant="standard", **numbers):
    """Build a sea with numbers by chain index: `laid(i5=12)`."""
    grid = [None] * len(LAYOUTS[variant].cells)
    for name, number in numbers.items():
        side = "sun" if variant == "day_night" else ""
        grid[int(name[1:])] = Laid(f"island_{number}", number, side, 0)
    return grid


def full(variant="standard", *, without=(), first=1, step=2):
    """Build a filled sea, 1 3 5 …, except for some chain indices."""
    cells = len(LAYOUTS[variant].cells)
    grid = []
    for index in range(cells):
        number = first + index * step
        side = "" if variant != "day_night" else "sun" if index < cells // 2 else "moon"
        card = Laid(f"island_{number}", number, side, 0)
        grid.append(None if index in without else card)
    return grid


def table(*hands, piles=(), grid=None, start=None, turn=9, active=0, phase="action", **more):
    """Build a position in the middle of a game; keywords are options or fields of the state."""
    options = {name: more.pop(name) for name in list(more) if name in Options.__struct_fields__}
    state = GAME.initial(len(hands), msgspec.convert(options, Options))
    state.hands = [sorted(cards(hand), key=rank) for hand in hands]
    for seat, pile in enumerate(piles):
        state.piles[seat] = list(cards(pile))
    if grid is not None:
        state.grid = grid
    state.start_placed = start
    state.turn = turn
    state.active = active
    state.phase = phase
    state.waiting = (active,)
    for name, value in more.items():
        assert hasattr(state, name), name
        setattr(state, name, value)
    return Table(GAME, state)


def stormy(*hands, **more):
    """Build a position of a match with storms."""
    return table(*hands, storms=True, **more)


def drawing(card, hand="1 2 3 4 5", after="71 72 73 74", **more):
    """Build a position where seat 0 draws a storm after discarding two cards (`THROW`)."""
    others = more.pop("others", ["20 21"])
    piles = [f"{card} {after}", *[""] * len(others)]
    return stormy(hand, *others, piles=piles, **more)


THROW = DiscardTwo(cards("1 2"))


def storm(card, seat=-1, row=-1):
    """Build a storm on the table."""
    return Storm(card, COLOUR[card], seat, row)


def drawn_by(then):
    """List (seat, cards) of all draws."""
    return [(event.seat, event.cards) for event in then.of(CardsDrawn)]


def phase(then):
    """Return the phase that the last event entered, and the seats on the clock."""
    last = then.events[-1]
    assert isinstance(last, PhaseEntered), last
    return last.phase, last.seats


def dealt(seats, seed=1, **options):
    """Return the position after the set-up, and the events of the set-up."""
    given = Table.dealt(GAME, seats, seed=seed, **options)
    chance = Chance(seed_of(seed), 1)
    return given, Then(GAME.setup(seats, given.state.options, chance))
