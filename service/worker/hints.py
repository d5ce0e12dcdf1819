"""Jobs that compute a hint, which is useful until the seat is shown something newer."""

from typing import Any

import msgspec

from games.game import Illegal
from service.play.hints import HintInput, hint_input
from service.process.context import Context
from service.worker.runtime import runtime
from service.worker.task import Stale, Task


def give_hint(task: Task) -> Any:
    """Compute a hint for the task's seat by looking ahead; return it as plain values.

    The amount of work follows only from the budget and from what the seat knows, so that the time
    it takes reveals nothing else.
    """

    async def look(context: Context) -> HintInput:
        return hint_input((await context.cache.recalled(task.match)).match, task.viewer)

    try:
        known = runtime().run(look)
    except Illegal:
        raise Stale from None
    budget = task.arguments["budget"]
    played = 0

    def cancelled() -> bool:
        task.show(played, budget)
        return False

    hint = None
    for hint in known.hints(budget, cancelled):
        played = hint.playouts
    task.show(budget, budget)
    return msgspec.to_builtins(hint)
