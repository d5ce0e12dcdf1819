"""Tables for the tests: the specification's reference game, positions set up by hand, and a drawn sea."""

from games.chance import Chance
from games.game import Illegal
from games.submarine import GAME
from games.submarine.commands import PlaceSub
from games.submarine.components import CARDS, COLOURS, MOTIFS, SHARES, SHELLS, TOP, in_colour_order
from games.submarine.events import Dealt
from games.submarine.model import Options

FIXED = Chance(bytes(32), 0)
"""`decide` never draws; whatever is given will do."""


def reference_deal(players):
    """Give the `dealt` event of the specification's §2.4."""
    layout = tuple(f"{MOTIFS[t % 12]}_{COLOURS[(t + t // 12) % 5]}" for t in range(60))
    share = SHARES[players].cards
    decks = tuple(tuple(COLOURS[(seat + j) % 5] for j in range(share)) for seat in range(players))
    left = list(CARDS)
    for card in (card for deck in decks for card in deck):
        left.remove(card)
    return Dealt(
        players=players,
        layout=layout,
        decks=decks,
        aside=tuple(left),
        shells=SHELLS[:players],
        first=0,
    )


def reference(players=2, **options):
    """Deal the reference game; seat 0 is about to place its first submarine."""
    state = GAME.initial(players, Options(**options))
    _, started = GAME.setup(players, Options(first_player=0), Chance(bytes(32), 1))
    for event in (reference_deal(players), started):
        GAME.apply(state, event)
    return state


def given(
    players=2,
    *,
    phase="act",
    active=0,
    sea="",
    cells=None,
    hand=None,
    pile=None,
    slots=None,
    options=None,
    **fields,
):
    """Set up a position by hand on top of the reference game: seats' hands, piles, slots by number."""
    state = reference(players, **(options or {}))
    state.phase, state.active, state.turn, state.voyage = phase, active, 11, 1
    state.subs = fleets(players, sea)
    for cell, tokens in (cells or {}).items():
        lay(state, cell, tokens)
    for seat, cards in (hand or {}).items():
        state.hand[seat] = in_colour_order(cards)
    for seat, cards in (pile or {}).items():
        state.pile[seat] = tuple(cards)
    for seat, tokens in (slots or {}).items():
        state.slots[seat] = {token.partition("_")[0]: token for token in tokens}
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def fleets(players, sea):
    """Read a drawn sea: rows 2 to 5, six cells each, the seats' numbers in a cell, a dot for an empty one.

    Submarines are numbered per seat in reading order; those that are not drawn are not on the board.
    """
    fleet = {seat: [] for seat in range(players)}
    for row, line in enumerate(sea.split("\n")[1:-1] if sea else (), TOP):
        places = line.split()
        assert len(places) == 6, f"six columns in {line!r}"
        for column, place in enumerate(places, 1):
            for seat in place.replace(".", ""):
                fleet[int(seat)].append((column, row))
    size = SHARES[players].submarines
    return [tuple(cells + [None] * (size - len(cells))) for cells in fleet.values()]


def lay(state, cell, tokens):
    """Let exactly these tokens lie in a cell."""
    column, row = cell
    cells = list(state.cells[column - 1])
    cells[row - TOP] = tuple(tokens)
    state.cells[column - 1] = tuple(cells)


def clear(state, column, **rows):
    """Empty a column but for the given rows (`row3=("mask_grey",)`)."""
    for row in range(2, 6):
        lay(state, (column, row), rows.get(f"row{row}", ()))


def tokens_in(state, column, row):
    return state.cells[column - 1][row - TOP]


def play(state, seat, command):
    """Decide and fold a command; give its events."""
    events = GAME.decide(state, seat, command, FIXED)
    for event in events:
        GAME.apply(state, event)
    return events


def refusal(state, seat, command):
    """Give the code by which a command is refused; None if it is legal."""
    try:
        GAME.decide(state, seat, command, FIXED)
    except Illegal as illegal:
        return illegal.code
    return None


def leave(state, seat):
    """Let a seat withdraw; give the events."""
    events = GAME.leave(state, seat)
    for event in events:
        GAME.apply(state, event)
    return events


def placed():
    """Give the position after example 1's placing: seat 0's ship is to sail."""
    state = reference(2)
    for column_0, column_1 in zip((1, 2, 4, 4, 6), (1, 2, 3, 5, 6), strict=True):
        play(state, 0, PlaceSub(column_0))
        play(state, 1, PlaceSub(column_1))
    return state


def told(events, viewer):
    """Give the events as a viewer is told; redaction reads no state."""
    return [GAME.redact(event, viewer, None) for event in events]


def of_type(events, kind):
    return [event for event in events if isinstance(event, kind)]
