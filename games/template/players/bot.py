"""Bots. They see a view and redacted records, never the state."""

from collections.abc import Sequence

from games.chance import Chance
from games.game import Seen
from games.template.commands import Command
from games.template.model import View


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Leave a multiple of what can be taken plus one; without that, take at random."""
    most = seen.options.most
    good = [command for command in legal if (view.stones - command.count) % (most + 1) == 0]
    return chance.choice(good or legal)
