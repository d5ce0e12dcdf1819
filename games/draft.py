"""Drafts: the events of one command, added one by one, and the state after them."""

from collections.abc import Callable
from typing import Generic, TypeVar

from games.chance import Chance

StateT = TypeVar("StateT")
EventT = TypeVar("EventT")


class Draft(Generic[StateT, EventT]):
    """The events of one command so far, and the state after them.

    Rules read `state`, add events and read `state` again. Whoever opens the draft decides
    whether it works on a copy (`Game.draft`) or in place (`Game.step`).
    """

    __slots__ = ("_apply", "_chance", "events", "state")

    def __init__(
        self, state: StateT, apply: Callable[[StateT, EventT], None], chance: Chance | None
    ) -> None:
        """Open a draft that changes `state` itself. Without `chance` there are no dice."""
        self.state = state
        self.events: list[EventT] = []
        self._apply = apply
        self._chance = chance

    def add(self, event: EventT) -> None:
        """Append an event and fold it into the state."""
        self._apply(self.state, event)
        self.events.append(event)

    @property
    def chance(self) -> Chance:
        """The dice of this command."""
        assert self._chance is not None, "this draft has no dice: ask `has_dice` first"
        return self._chance

    @property
    def has_dice(self) -> bool:
        """Whether chance may be used. A seat that leaves may do so without dice."""
        return self._chance is not None
