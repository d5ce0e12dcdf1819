"""The rocks step after an action (TRA-37)."""

from games.game import Illegal
from games.tranquility.commands import KeepRocks, MoveRocks
from games.tranquility.events import CardsDiscarded, RocksKept, RocksMoved
from games.tranquility.fold import Draft
from games.tranquility.rules.refusals import exactly, no_monster, row_exists, row_open
from games.tranquility.rules.turn import after_rocks


def move_rocks(draft: Draft, command: MoveRocks) -> None:
    """Move the rocks to another row with a free cell."""
    state = draft.state
    row_exists(state, command.row)
    if command.row == state.rocks_row:
        raise Illegal("same-row", row=command.row)
    row_open(state, command.row)
    draft.add(RocksMoved(state.active, command.row))
    after_rocks(draft)


def keep_rocks(draft: Draft, command: KeepRocks) -> None:
    """Discard two cards to leave the rocks where they are."""
    exactly(command.cards, 2)
    no_monster(command.cards)
    draft.add(CardsDiscarded(draft.state.active, command.cards, 2, "rocks"))
    draft.add(RocksKept(draft.state.active))
    after_rocks(draft)
