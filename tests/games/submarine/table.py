"""Positions for the tests: the worked examples' reference game, and positions arranged by hand."""

from games.chance import Chance
from games.submarine import GAME
from games.submarine.commands import PlaceSub
from games.submarine.components import (
    CARDS,
    COLOURS,
    MOTIFS,
    SHARES,
    SHELLS,
    TOP,
    in_colour_order,
)
from games.submarine.events import Dealt
from games.submarine.model import Options
from games.testing.given import Given


class Table(Given):
    """A position whose cells can be arranged by hand."""

    def tokens_in(self, column, row):
        return self.state.cells[column - 1][row - TOP]

    def lay(self, cell, tokens):
        """Replace the tokens of a cell."""
        column, row = cell
        cells = list(self.state.cells[column - 1])
        cells[row - TOP] = tuple(tokens)
        self.state.cells[column - 1] = tuple(cells)

    def clear(self, column, **rows):
        """Empty a column except for the given rows (`row3=("mask_grey",)`)."""
        for row in range(2, 6):
            self.lay((column, row), rows.get(f"row{row}", ()))


def reference_deal(players):
    """Return the `dealt` event of the reference game."""
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
    return Table(GAME, state)


def given(
    players=2,
    *,
    phase="act",
    active=0,
    sea="",
    hand=None,
    pile=None,
    slots=None,
    options=None,
    **fields,
):
    """Arrange a position on top of the reference game; hands, piles and slots are by seat."""
    table = reference(players, **(options or {}))
    state = table.state
    state.phase, state.active, state.turn, state.voyage = phase, active, 11, 1
    state.subs = fleets(players, sea)
    for seat, cards in (hand or {}).items():
        state.hand[seat] = in_colour_order(cards)
    for seat, cards in (pile or {}).items():
        state.pile[seat] = tuple(cards)
    for seat, tokens in (slots or {}).items():
        state.slots[seat] = {token.partition("_")[0]: token for token in tokens}
    for name, value in fields.items():
        setattr(state, name, value)
    return table


def fleets(players, sea):
    """Parse a drawn sea: rows 2 to 5 of six cells, each with the seats' numbers, or a dot if empty.

    Submarines are numbered per seat in reading order; the others are not on the board.
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


def placed():
    """Return the position after the placing of example 1; seat 0's ship is to sail."""
    table = reference(2)
    for column_0, column_1 in zip((1, 2, 4, 4, 6), (1, 2, 3, 5, 6), strict=True):
        table.play(0, PlaceSub(column_0)).play(1, PlaceSub(column_1))
    return table


def told(events, viewer):
    """Return the events as redacted for a viewer; redaction reads no state."""
    return [GAME.redact(event, viewer, None) for event in events]
