"""A match at a table: given who sits there, when a command comes, then events or a refusal."""

from collections.abc import Sequence
from typing import Any

from games.game import AnyGame, Illegal
from games.match.clocks import SECOND
from games.match.commands import Actor, AddBot, Clock, CreateMatch, TakeSeat
from games.match.decide import decide
from games.match.fold import Told, fold, open_match
from games.match.model import Match
from games.match.seating import Issuer, create
from tests.games.match.toy import TOY

SERVICE_SEED = bytes(range(32))
START = 1_000_000 * SECOND


class Table:
    """A match that moves one second with every command."""

    def __init__(
        self,
        seats: int = 2,
        *,
        game: AnyGame = TOY,
        options: dict[str, Any] | None = None,
        clock: Clock | None = None,
        bots: Sequence[int] = (),
        seated: bool = True,
        **more: Any,
    ) -> None:
        command = CreateMatch(game.slug, seats, options or {}, clock, **more)
        events = create(game, "m_1", command, Issuer("p_host", "s", "k", SERVICE_SEED))
        self.match: Match = open_match(game, events[0])
        self.at = START
        self.told: Told = {}
        self._fold(Actor(player="p_host"), command, events)
        for seat in range(seats) if seated else ():
            if seat in bots:
                self.send(Actor(player="p_host"), AddBot(seat))
            else:
                self.send(Actor(player=f"p_{seat}"), TakeSeat(seat, f"e{seat}"))

    def _fold(self, actor: Actor, command: Any, events: Sequence[Any]) -> None:
        self.told = fold(
            self.match, self.match.version + 1, self.at, actor, command, events, [*self.match.shown]
        )

    def send(self, actor: Actor | int, command: Any, *, after_s: float = 1) -> list[Any]:
        """Decide and fold a command that comes so many seconds after the last."""
        self.at += round(after_s * SECOND)
        actor = Actor(seat=actor) if isinstance(actor, int) else actor
        events = decide(self.match, actor, command, self.at, SERVICE_SEED)
        self._fold(actor, command, events)
        return events

    def refused(self, actor: Actor | int, command: Any) -> Illegal:
        """Return the code with which a command is refused."""
        actor = Actor(seat=actor) if isinstance(actor, int) else actor
        try:
            decide(self.match, actor, command, self.at, SERVICE_SEED)
        except Illegal as error:
            return error
        raise AssertionError(f"accepted: {command}")

    def code(self, actor: Actor | int, command: Any) -> str:
        return self.refused(actor, command).code

    def number(self, seat: int | None) -> int:
        """Return a viewer's own version."""
        return len(self.match.shown[seat])
