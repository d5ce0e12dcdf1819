"""Earlier states of the effective line, folded from the nearest checkpoint."""

from collections.abc import Collection
from typing import Any

from games.match.model import Checkpoint, Entry, Match

CHECKPOINT_EVERY = 8
"""Entries between recent checkpoints, to which most undos go. A jump folds half as many."""
RECENT = 32
"""Entries between checkpoints further back: a checkpoint takes a few kilobytes."""


def first(match: Match) -> Any:
    """Return the state before any event of the match; a branch has one of its own."""
    if match.start is not None:
        return match.start.copy()
    return match.game.initial(match.header.seats, match.options)


def keep(match: Match) -> None:
    """Store the current state if a checkpoint is due, and thin out those further back."""
    entries = len(match.line)
    if entries % CHECKPOINT_EVERY == 0:
        match.checkpoints.append(Checkpoint(entries, match.state.copy()))
    if entries % RECENT == 0:
        match.checkpoints = [
            kept
            for kept in match.checkpoints
            if kept.recalled or kept.entries % RECENT == 0 or kept.entries > entries - RECENT
        ]


def state_after(match: Match, entries: int) -> Any:
    """Return the game's state after so many entries of the effective line."""
    start, state = 0, None
    for checkpoint in reversed(match.checkpoints):
        if checkpoint.entries <= entries:
            start, state = checkpoint.entries, checkpoint.state.copy()
            break
    if state is None:
        state = first(match)
    apply = match.game.apply
    for entry in match.line[start:entries]:
        for event in entry.events:
            apply(state, event)
    return state


def entries_until(match: Match, version: int) -> int:
    """Count the entries of the effective line up to a version of the log."""
    low, high = 0, len(match.line)
    while low < high:
        middle = (low + high) // 2
        if match.line[middle].version <= version:
            low = middle + 1
        else:
            high = middle
    return low


def rewind(match: Match, version: int, kept: Collection[int] = ()) -> list[Entry]:
    """Rewind to a version of the log; drop the later entries except the kept ones and return them.

    Seats still know what they have looked at since (`Game.recall`).
    """
    entries = entries_until(match, version)
    before, state = match.state, state_after(match, entries)
    dropped = [entry for entry in match.line[entries:] if entry.version not in kept]
    later = [entry for entry in match.line[entries:] if entry.version in kept]
    for entry in later:
        for event in entry.events:
            match.game.apply(state, event)
    match.state = state
    match.line[entries:] = later
    while match.checkpoints and match.checkpoints[-1].entries > entries:
        match.checkpoints.pop()
    if match.game.recall is not None:
        match.game.recall(state, before)
        if match.checkpoints and match.checkpoints[-1].entries == len(match.line):
            match.checkpoints.pop()
        match.checkpoints.append(Checkpoint(len(match.line), state.copy(), recalled=True))
    return dropped
