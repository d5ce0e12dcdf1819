"""Twins: logs of two matches that are the same to a viewer."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from games.chance import Chance
from games.game import AnyGame
from games.match.commands import Actor, AddBot, CreateMatch, TakeSeat
from games.match.events import BotSeated, MatchStarted, SeatTaken
from games.match.seating import Issuer, create
from games.playout import Ply, at_random, plies, seed_of
from projections.folded import Decided, Folded
from service.base.clock import now_micros
from service.base.keys import Keys, SecretFile
from tests.games.laws import hidden_laws_of

KEYS = Keys(SecretFile({"k": "11" * 32}, "k", "22" * 32, "33" * 32))
MATCH = "m_twin"
PLIES = 40
LEVEL = "medium"
NOON = 1_700_000_000_000_000
"""The same time for all records: hidden ones take none, so twins may differ in their number."""


def sent(ply: Ply, history: Sequence[Ply]) -> Any:
    """Return a ply's command.

    If a twin left a rival's command open, use one of that seat's plies.
    """
    if ply.command is not None:
        return ply.command
    return next(other.command for other in history if other.seat == ply.seat and other.command)


def walked(
    game: AnyGame, seats: int, options: dict[str, Any], number: int, length: int = PLIES
) -> list[Ply]:
    """Return the first plies of a random playout."""
    seed, chosen = seed_of(number), msgspec.convert(options, game.Options)
    walk = plies(game, seats, chosen, seed, at_random(Chance(seed, 1 << 41)))
    return [ply for _state, ply in islice(walk, length)]


def log_of(
    game: AnyGame,
    seats: int,
    options: dict[str, Any],
    history: Sequence[Ply],
    original: Sequence[Ply],
    *,
    delay: int | UnsetType = UNSET,
    recent: int = 0,
    bots: Collection[int] = (),
    match: str = MATCH,
) -> list[bytes]:
    """Write a playout as the log of a match, with so many `recent` records of this moment.

    Bots sit at the seats of `bots`, people at all others.
    """
    part = KEYS.service_seed(match, "k")
    opened = CreateMatch(game.slug, seats, options, spectator_delay=delay)
    header = create(game, match, opened, Issuer("p_0", KEYS.service, "k", part))
    steps: list[tuple[Actor, Any, list[Any]]] = [(Actor(player="p_0"), opened, header)]
    for seat in range(seats):
        started = [MatchStarted(), *history[0].events] if seat == seats - 1 else []
        if seat in bots:
            taken = (Actor(player="p_0"), AddBot(seat, LEVEL), BotSeated(seat, LEVEL))
        else:
            taken = (Actor(player=f"p_{seat}"), TakeSeat(seat), SeatTaken(seat, f"p_{seat}", ""))
        steps.append((*taken[:2], [taken[2], *started]))
    steps += [(Actor(seat=ply.seat), sent(ply, original), list(ply.events)) for ply in history[1:]]
    folded = Folded.opened({game.slug: game}, header[0])
    lines: list[bytes] = []
    for version, (by, command, events) in enumerate(steps, start=1):
        time = NOON if version <= len(steps) - recent else now_micros()
        draft = folded.draft(Decided(by, f"c{version}", command, events, time), part, "0.2.0")
        folded.accept(draft)
        lines.append(draft.data)
    return lines


class Log(Protocol):
    """Writes the log of a match."""

    def __call__(self, *, match: str = MATCH) -> list[bytes]:
        """Return the records of the match with this id."""
        ...


def twins(game: AnyGame, length: int = PLIES) -> Iterator[tuple[int, int | None, Log, Log]]:
    """Yield seats, a viewer, and the logs of two matches that are the same to the viewer."""
    laws = hidden_laws_of(game.slug)
    for number, (seats, options) in enumerate(laws.tables[:: max(1, len(laws.tables) // 3)]):
        history = walked(game, seats, options, number, length)
        for viewer in (*range(seats), None):
            twin = laws.rehistory(history, viewer, Chance(seed_of(number), 1 << 40))
            if twin is not None:
                log = partial(log_of, game, seats, options)
                yield seats, viewer, partial(log, history, history), partial(log, twin, history)
