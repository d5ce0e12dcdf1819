"""Matches of the toy of the search, by the card that seat 0 holds."""

from functools import cache

from games.match.commands import CreateMatch
from tests.games.search.toy import GAME
from tests.recorder import Recorder

BUDGET = 8_000
"""Enough for hundreds of worlds: a game of the toy has two commands."""


def seated(number: int) -> Recorder:
    given = Recorder(GAME, CreateMatch("toy", 2), f"m_{number}")
    given.sit("", "")
    return given


@cache
def dealt(card: int, command, *rest) -> Recorder:
    """Play a match in which seat 0 holds that card."""
    given = next(given for given in map(seated, range(400)) if given.state.cards[0] == card)
    for seat, sent in enumerate((command, *rest)):
        given.play(seat, sent)
    return given
