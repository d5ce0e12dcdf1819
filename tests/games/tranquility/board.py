"""Tables as text: a drawn sea, hands as numbers, and what a command leads to."""

import msgspec

from games.chance import Chance
from games.game import Illegal
from games.playout import seed_of
from games.tranquility import GAME
from games.tranquility.components import COLOUR, LAYOUTS, WILDS, rank
from games.tranquility.events import CardsDiscarded, CardsDrawn, PhaseEntered
from games.tranquility.model import Laid, Options, Storm

ROW_FULL = "1 2 3 4 5 6"


def cards(text):
    """Read cards: `12 finish_1` is island 12 and a Finish."""
    return tuple(f"island_{word}" if word.isdigit() else word for word in text.split())


def drawn(text, variant="standard"):
    """Read a sea drawn from the top row down: `.` is free, `w34` a wild laid as 34, `7m` moon up."""
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
    """Give a sea with numbers by chain index: `laid(i5=12)`."""
    grid = [None] * len(LAYOUTS[variant].cells)
    for name, number in numbers.items():
        side = "sun" if variant == "day_night" else ""
        grid[int(name[1:])] = Laid(f"island_{number}", number, side, 0)
    return grid


def full(variant="standard", *, without=(), first=1, step=2):
    """Give a filled sea, 1 3 5 …, save some chain indices."""
    cells = len(LAYOUTS[variant].cells)
    grid = []
    for index in range(cells):
        number = first + index * step
        side = "" if variant != "day_night" else "sun" if index < cells // 2 else "moon"
        card = Laid(f"island_{number}", number, side, 0)
        grid.append(None if index in without else card)
    return grid


def table(*hands, piles=(), grid=None, start=None, turn=9, active=0, phase="action", **more):
    """Set a table in the middle of a game; what is no option is a field of the state."""
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
    state.waiting = [active]
    for name, value in more.items():
        assert hasattr(state, name), name
        setattr(state, name, value)
    return state


def storm(card, seat=-1, row=-1):
    """Give a storm on the table."""
    return Storm(card, COLOUR[card], seat, row)


def play(state, seat, command, chance=None):
    """Send a command; fold and give its events."""
    events = GAME.decide(state, seat, command, chance or Chance(seed_of(1), 2))
    for event in events:
        GAME.apply(state, event)
    return events


def refusal(state, seat, command):
    """Give the code that a command is refused with."""
    before = msgspec.json.encode(state)
    try:
        GAME.decide(state, seat, command, Chance(seed_of(1), 2))
    except Illegal as illegal:
        assert msgspec.json.encode(state) == before
        return illegal.code
    return None


def kinds(events):
    """Name the events."""
    return [msgspec.to_builtins(event)["type"] for event in events]


def only(events, kind):
    """Give the events of a kind."""
    return [event for event in events if isinstance(event, kind)]


def drawn_by(events):
    """Give (seat, cards) of all draws."""
    return [(event.seat, event.cards) for event in only(events, CardsDrawn)]


def thrown(events):
    """Give (seat, cards, why) of all discards."""
    return [(event.seat, event.cards, event.why) for event in only(events, CardsDiscarded)]


def phase(events):
    """Give the phase that the last event entered, and who is on the clock."""
    last = events[-1]
    assert isinstance(last, PhaseEntered), last
    return last.phase, last.seats


def dealt(seats, seed=1, **options):
    """Play the set-up; give the table and the events."""
    options = msgspec.convert(options, Options)
    state = GAME.initial(seats, options)
    events = GAME.setup(seats, options, Chance(seed_of(seed), 1))
    for event in events:
        GAME.apply(state, event)
    return state, events
