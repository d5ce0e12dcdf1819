"""Hints as jobs: the answer is of use while its seat has seen nothing newer."""

from typing import Any

import msgspec

from games.game import Illegal
from service.play.hints import Question, question
from service.process.context import Context
from service.worker.runtime import desk
from service.worker.task import Stale, Task


def give_hint(task: Task) -> Any:
    """Look ahead for the task's seat; gives the last `Hint` as plain values.

    How much is looked at follows from the seat's knowledge and the budget, and so does how long it takes.
    """

    async def look(context: Context) -> Question:
        return question(await context.lives.get(task.match), task.viewer)

    try:
        its = desk().run(look)
    except Illegal:
        raise Stale from None
    budget = task.arguments["budget"]
    played = 0

    def cancelled() -> bool:
        task.show(played, budget)
        return False

    hint = None
    for hint in its.answers(budget, cancelled):
        played = hint.playouts
    task.show(budget, budget)
    return msgspec.to_builtins(hint)
