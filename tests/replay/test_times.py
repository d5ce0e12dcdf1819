"""Answers have one form of time: RFC 3339, UTC, with microseconds."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from events import file
from games import GAMES
from replay.travel import Sight, picture, steps
from tests.corpus import recorded

SAID_TIMES = ("abandoned-1", "all-sunk-1", "all-sunk-3", "by-consent-1", "by-operator-1")
"""Matches with proposals, timeouts and operators."""
EPOCH_MICROS = 10**15
"""No other number in an answer is as large."""


def answers(sight: Sight) -> Iterator[Any]:
    """Yield records and pictures of recorded matches as they are shown, in plain values."""
    for path in recorded("ke_dnu"):
        if path.stem not in SAID_TIMES:
            continue
        lines, _ = file.read(path.read_bytes())
        for step in steps(GAMES, lines, sight):
            yield msgspec.to_builtins(step.told)
            yield msgspec.to_builtins(picture(step.folded, sight))


def numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, int):
        yield value


@pytest.mark.parametrize("sight", ["full", 0, None])
def test_no_answer_counts_from_1970(sight: Sight):
    seen = list(answers(sight))
    assert len(seen) > 1_000
    assert max(numbers(seen)) < EPOCH_MICROS


def test_what_a_proposal_and_a_timeout_say_of_time():
    kinds: dict[str, Any] = {}
    for answer in answers("full"):
        for event in answer.get("events", ()):
            kinds[event["type"]] = event
        if answer.get("command") is not None:
            kinds[answer["command"]["type"]] = answer["command"]
    assert is_time(kinds["proposal_made"]["expires"])
    assert is_time(kinds["time_out"]["deadline"])


def is_time(text: str) -> bool:
    return len(text) == len("2026-11-21T09:00:00.000000Z") and text[10] == "T" and text[-1] == "Z"
