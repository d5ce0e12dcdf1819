"""A log, and forgeries of it that an audit finds."""

from tests.replay.forgery import changed, rechained, signed
from tests.replay.logs import a_match

LINES = a_match()
HEAD = signed(LINES)
OTHER = changed(LINES, 7, id="other")
FORGERIES = {
    "changed": OTHER,
    "dropped": [*LINES[:6], *LINES[7:]],
    "swapped": [*LINES[:6], LINES[7], LINES[6], *LINES[8:]],
    "cut": LINES[:-1],
    "rechained": rechained(OTHER),
}
WITH_ERRATA = [[], [b'{"erratum":{}}'] * 2]
