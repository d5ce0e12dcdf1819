"""The facts that decided a record: the values that its rule read, and the records that set them.

A fact's own origin is found in the same way, with a blame of its path at the version before. So one
can go back from a value to everything that led to it. Records that were undone are left out.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from jsonpointer import JsonPointer

from events.codec import unseal
from events.record import at_micros
from games.match import states
from games.match.decide import decide
from games.match.model import Match
from replay.history import History
from replay.reads import Reads, traced
from replay.subject import NOTHING, value_at


class Fact(msgspec.Struct, frozen=True):
    """A value of the game's state that a rule read when it decided a command."""

    path: str
    """JSON Pointer into the game's state before the record."""
    value: Any
    """The value there."""
    set_by: int
    """Version of the record that set the value. 0 if it stood so from the start."""


def facts(history: History, record: int, service_seed: bytes = b"") -> list[Fact]:
    """Return what the rule of a record read, in its order.

    Without a service seed (`b""`), the list ends where dice are drawn. Raises `NoSuchVersion` and
    the errors of `Folded`.
    """
    if record <= 1:
        return []
    match = history.at("full", record - 1).match
    state = match.state
    if state is None:
        return []
    decoded = unseal(match.game, match.header, history.lines[record - 1])
    reads = Reads()
    match.state = traced(state, reads)
    with suppress(Exception):  # a command that is refused has read its facts too
        decide(match, decoded.by, decoded.command, at_micros(decoded.at), service_seed)
    match.state = state
    return _with_origins(match, list(reads.paths))


def _with_origins(match: Match, paths: Sequence[str]) -> list[Fact]:
    """Return facts with the records of the effective line that set them last."""
    pointers = [JsonPointer(path) for path in paths]
    state = states.first(match)
    values = _values(state, pointers)
    origins = [0] * len(pointers)
    for entry in match.line:
        for event in entry.events:
            match.game.apply(state, event)
        before, values = values, _values(state, pointers)
        for place, (was, value) in enumerate(zip(before, values, strict=True)):
            if was is not value and was != value:
                origins[place] = entry.version
    return [
        Fact(path, value, origin)
        for path, value, origin in zip(paths, values, origins, strict=True)
        if value is not NOTHING
    ]


def _values(state: Any, pointers: Sequence[JsonPointer]) -> list[Any]:
    document = msgspec.json.decode(msgspec.json.encode(state))
    return [value_at(pointer, document) for pointer in pointers]
