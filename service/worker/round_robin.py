"""Whose work is next: all owners take turns, however much one of them has waiting."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class RoundRobin:
    """Remembers how much each owner has had, as long as the owner has more waiting."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._had: dict[str, int] = {}

    def choose(self, waiting: Mapping[str, Sequence[T]], count: int) -> list[T]:
        """Choose at most so many pieces of work, each from the owner who has had least."""
        known = [self._had[owner] for owner in waiting if owner in self._had]
        newcomer = min(known, default=0)
        had = {owner: self._had.get(owner, newcomer) for owner in waiting}
        left = {owner: deque(work) for owner, work in waiting.items() if work}
        chosen: list[T] = []
        while left and len(chosen) < count:
            owner = min(left, key=had.__getitem__)
            chosen.append(left[owner].popleft())
            had[owner] += 1
            if not left[owner]:
                del left[owner]
        self._had = had
        return chosen
