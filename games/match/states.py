"""Earlier states of the effective line, folded from the nearest checkpoint."""

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from games.match.line import Entry
from games.match.model import Checkpoint, Match
from games.match.packing import packed, unpacked

ENCODER = msgspec.json.Encoder()
CHECKPOINT_EVERY = 8
"""Entries between recent checkpoints, to which most undos go. A jump folds half as many."""
RECENT = 32
"""Entries between checkpoints further back: a checkpoint takes a few kilobytes."""


def first(match: Match) -> Any:
    """Return the state before any event of the match; a branch has one of its own."""
    if match.start is not None:
        return match.start.copy()
    return match.game.initial(match.header.seats, match.options)


def keep(match: Match, entries: int) -> None:
    """Store the state after so many entries as a checkpoint; thin out those further back."""
    match.checkpoints.append(Checkpoint(entries, match.state.copy()))
    if entries % RECENT == 0:
        match.checkpoints = [
            kept
            for kept in match.checkpoints
            if kept.recalled or kept.entries % RECENT == 0 or kept.entries > entries - RECENT
        ]


def pack(match: Match) -> None:
    """Pack what is seldom read: earlier states and all but the end of the line."""
    match.line.pack()
    match.checkpoints[:-1] = [_packed(match, earlier) for earlier in match.checkpoints[:-1]]


def _packed(match: Match, checkpoint: Checkpoint) -> Checkpoint:
    if checkpoint.packed:
        return checkpoint
    data = ENCODER.encode(checkpoint.state)
    match.sample = match.sample or packed(data)
    return msgspec.structs.replace(checkpoint, state=None, packed=packed(data, match.sample))


def _state_of(match: Match, checkpoint: Checkpoint) -> Any:
    """Return a copy of a checkpoint's state."""
    if not checkpoint.packed:
        return checkpoint.state.copy()
    data = unpacked(checkpoint.packed, match.sample)
    return msgspec.json.decode(data, type=match.game.State)


def state_after(match: Match, entries: int) -> Any:
    """Return the game's state after so many entries of the effective line."""
    start, state = 0, None
    for checkpoint in reversed(match.checkpoints):
        if checkpoint.entries <= entries:
            start, state = checkpoint.entries, _state_of(match, checkpoint)
            break
    if state is None:
        state = first(match)
    go_on(match, state, match.line[start:entries])
    return state


def go_on(match: Match, state: Any, entries: Iterable[Entry]) -> None:
    """Fold the events of entries into a state."""
    apply = match.game.apply
    for entry in entries:
        for event in entry.events:
            apply(state, event)


def rewind(match: Match, version: int, kept: Collection[int]) -> list[Entry]:
    """Rewind to a version of the log; drop the later entries except the kept ones and return them.

    Seats still know what they have looked at since (`Game.recall`).
    """
    entries, standing = match.line.until(version), frozenset(kept)
    before, state = match.state, state_after(match, entries)
    dropped: list[Entry] = []
    for entry in match.line.cut(entries):
        if entry.version not in standing:
            dropped.append(entry)
            continue
        match.line.append(entry)
        for event in entry.events:
            match.game.apply(state, event)
    match.state = state
    while match.checkpoints and match.checkpoints[-1].entries > entries:
        match.checkpoints.pop()
    if match.game.recall is not None:
        match.game.recall(state, before)
        if match.checkpoints and match.checkpoints[-1].entries == len(match.line):
            match.checkpoints.pop()
        match.checkpoints.append(Checkpoint(len(match.line), state.copy(), recalled=True))
    return dropped
