"""Board, deal and placing: SUB-1 to SUB-14."""

from collections import Counter

import pytest

from games.chance import Chance
from games.game import Illegal
from games.playout import seed_of
from games.submarine import GAME
from games.submarine.commands import MoveShip, MoveSub, PlaceSub
from games.submarine.components import BOX, CARDS, CELLS, COLOURS, MOTIFS, REACH, SHELLS, TREASURES
from games.submarine.events import TurnStarted
from games.submarine.model import Options
from tests.games.submarine.table import Table, fleets, given, placed, reference


def deal(players, seed=1, **options):
    return GAME.setup(players, Options(**options), Chance(seed_of(seed), 1))[0]


@pytest.mark.rule("SUB-1")
def test_the_board_has_six_columns_and_four_rows_below_the_surface():
    assert sorted(CELLS) == [(column, row) for column in range(1, 7) for row in range(2, 6)]
    table = reference()
    assert [len(column) for column in table.state.cells] == [4] * 6
    given_ship = given(ships=[0, 0], phase="ship")
    given_ship.when(0, MoveShip(8)).refused("no-such-column")


@pytest.mark.rule("SUB-2")
def test_each_of_twelve_motifs_lies_once_in_each_of_five_colours():
    assert len(set(MOTIFS)) == 12
    assert len(set(COLOURS)) == 5
    assert sorted(deal(2).layout) == sorted(f"{m}_{c}" for m in MOTIFS for c in COLOURS)


@pytest.mark.rule("SUB-3")
def test_a_cell_holds_as_many_treasures_as_it_lies_rows_deep():
    table = Table(GAME, GAME.initial(3, Options()))
    event = deal(3)
    GAME.apply(table.state, event)
    for column in range(1, 7):
        assert [len(table.tokens_in(column, row)) for row in range(2, 6)] == [1, 2, 3, 4]
        ten = event.layout[10 * (column - 1) : 10 * column]
        assert tuple(token for cell in table.state.cells[column - 1] for token in cell) == ten
    assert deal(3, seed=2).layout != event.layout, "at random"


@pytest.mark.rule("SUB-4")
def test_tokens_lie_open_to_everybody():
    table = placed()
    for viewer in (0, 1, None):
        view = table.view(viewer)
        assert view.cells == tuple(table.state.cells)
        assert view.jokers == (("shell_red",), ("shell_yellow",))
        assert view.slots == ({}, {})


@pytest.mark.rule("SUB-5")
def test_any_token_of_a_cell_may_be_lifted():
    """Red, yellow and green cards lift the first, the middle or the last token of the cell."""
    sea = """
        . . . . . .
        . . . . . .
        . . . 0 . .
        . . . . . .
    """
    table = given(sea=sea, ships=[4, 0])
    for token in table.tokens_in(4, 4):
        assert any(getattr(command, "token", None) == token for command in table.legal(0))


@pytest.mark.rule("SUB-6")
@pytest.mark.parametrize("trim", ["random", "even"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sixty_cards_are_used_twelve_of_each_colour(players, trim):
    event = deal(players, card_trim=trim)
    cards = [card for deck in event.decks for card in deck] + list(event.aside)
    assert Counter(cards) == dict.fromkeys(COLOURS, 12)
    assert len(CARDS) == 60


@pytest.mark.rule("SUB-7")
@pytest.mark.parametrize(
    ("players", "cards", "submarines"), [(2, 15, 5), (3, 15, 5), (4, 13, 4), (5, 12, 3)]
)
def test_the_share_of_a_seat_depends_on_the_number_of_players(players, cards, submarines):
    event = deal(players)
    assert [len(deck) for deck in event.decks] == [cards] * players
    assert len(event.aside) == 60 - cards * players
    assert len(event.shells) == players
    state = GAME.initial(players, Options())
    assert [len(fleet) for fleet in state.subs] == [submarines] * players


@pytest.mark.rule("SUB-8")
def test_a_random_trim_takes_any_cards():
    asides = [Counter(deal(2, seed).aside) for seed in range(8)]
    assert any(set(aside.values()) != {6} for aside in asides)


@pytest.mark.rule("SUB-8")
def test_an_even_trim_takes_the_same_number_of_each_colour():
    for players, each in ((2, 6), (3, 3), (5, 0)):
        assert list(deal(players, card_trim="even").aside) == [
            c for c in COLOURS for _ in range(each)
        ]
    extras = set()
    for seed in range(12):
        aside = deal(4, seed, card_trim="even").aside
        assert list(aside) == sorted(aside, key=COLOURS.index)
        counts = Counter(aside)
        assert sorted(counts.values()) == [1, 1, 2, 2, 2]
        extras.add(frozenset(colour for colour in COLOURS if counts[colour] == 2))
    assert len(extras) > 3, "the three colours are drawn"


@pytest.mark.rule("SUB-9")
def test_the_top_three_cards_are_the_hand_and_nobody_reads_a_pile():
    event = deal(3)
    state = GAME.initial(3, Options())
    GAME.apply(state, event)
    for seat, deck in enumerate(event.decks):
        assert sorted(state.hand[seat]) == sorted(deck[:3])
        assert state.pile[seat] == deck[3:]
        assert GAME.view(state, seat).pile[seat] == ("?",) * 12, "not even the owner"


@pytest.mark.rule("SUB-10")
def test_each_seat_gets_one_shell_by_lot():
    assert len({deal(2, seed).shells for seed in range(8)}) > 3
    for players in (2, 5):
        shells = deal(players).shells
        assert len(set(shells)) == players
        assert set(shells) <= set(SHELLS)


@pytest.mark.rule("SUB-11")
def test_the_starter_is_drawn_or_named():
    assert {deal(4, seed).first for seed in range(40)} == {0, 1, 2, 3}
    assert {deal(4, seed, first_player=2).first for seed in range(5)} == {2}
    with pytest.raises(Illegal, match="no-such-seat"):
        deal(2, first_player=2)


@pytest.mark.rule("SUB-12")
def test_all_ships_start_left_of_the_board():
    table = placed()
    assert table.state.ships == [0, 0]
    assert table.state.slots == [{}, {}]


@pytest.mark.rule("SUB-13")
def test_seats_place_one_submarine_a_turn_in_row_two_round_by_round():
    table = reference(3)
    table.state.first = table.state.active = 1
    order = []
    while table.state.phase == "placing":
        assert table.state.voyage == 0
        seat = table.state.active
        order.append(seat)
        assert [command.column for command in table.legal(seat)] == [1, 2, 3, 4, 5, 6]
        number = len(order)
        placed_now, started = table.when(seat, PlaceSub(number % 6 + 1)).events
        assert (placed_now.sub, placed_now.cell) == ((number - 1) // 3, (number % 6 + 1, 2))
        assert started.seat == (seat + 1) % 3
    assert order == [1, 2, 0] * 5
    assert started == TurnStarted(1, "ship"), "the starter opens the first voyage"
    assert table.state.voyage == 1


@pytest.mark.rule("SUB-14")
def test_a_cell_holds_any_number_of_vessels():
    table = reference(5)
    for _ in range(15):
        table.play(table.state.active, PlaceSub(3))
    assert all(cell == (3, 2) for fleet in table.state.subs for cell in fleet)
    table.play(0, MoveShip(3), MoveSub(0, (3, 3)))
    assert (3, 3) in REACH[3, 2]


def test_component_data_names_every_fleet_colour_and_motif():
    assert [fleet.id for fleet in BOX.fleet] == ["white", "purple", "brown", "black", "beige"]
    assert [colour.pattern for colour in BOX.colour] == ["coral", "sand", "kelp", "waves", "rock"]
    assert [colour.cs for colour in BOX.colour] == ["červená", "žlutá", "zelená", "modrá", "šedá"]
    assert tuple(sorted(MOTIFS)) == MOTIFS
    assert len(TREASURES) == 60


def test_a_drawn_sea_numbers_submarines_in_reading_order():
    sea = """
        .  01 . . . .
        1  .  . . . .
        .  .  . . . .
        .  .  . . . 0
    """
    assert fleets(2, sea) == [
        ((2, 2), (6, 5), None, None, None),
        ((2, 2), (1, 3), None, None, None),
    ]
