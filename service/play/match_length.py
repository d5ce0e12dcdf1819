"""How many records a match takes, so that it can neither grow nor be halted without end."""

from typing import Any

from games.match.commands import Answer, ProposeAbandon, Resign, is_match_command
from games.match.model import Match

RECORDS_MAX = 10_000
"""Number of records, as shown to a seat, after which it has only what is left of its share.

Records that are hidden from the seat do not count, or the refusal would tell how many there are.
The longest matches that people play have some hundreds. Each record costs whoever looks at the
match for the first time.
"""
ENDING = (Resign, ProposeAbandon, Answer)
"""Commands that may end a match at any time."""


def takes(match: Match, seat: int | None, command: Any) -> bool:
    """Return whether a match is short enough to take a command of a seat.

    Then it takes only what may end it, and moves of seats that have used less than their share:
    whoever fills a match with commands that cost nothing does not keep the others from winning.
    """
    if len(match.shown[seat]) < RECORDS_MAX or isinstance(command, ENDING):
        return True
    if seat is None or is_match_command(command):
        return False
    return match.line.count_by(seat) < RECORDS_MAX // len(match.chairs)
