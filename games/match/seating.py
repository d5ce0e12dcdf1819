"""Opening a match, taking and leaving seats. The match starts when the last seat is taken."""

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from games.chance import SEED_BYTES, Chance
from games.game import AnyGame, Illegal, Tagged
from games.match.commands import Actor, AddBot, BranchMatch, CreateMatch, RemoveBot, TakeSeat
from games.match.dice import dice
from games.match.events import BotSeated, Fork, MatchCreated, MatchStarted, SeatFreed, SeatTaken
from games.match.model import Match
from games.match.seed import commitment

FORMAT = 2
"""Record format of new matches: raised when the fields of records change."""


class Issuer(NamedTuple):
    """Who opens a match, with which keys."""

    creator: str
    service: str
    key: str
    service_seed: bytes
    """The service seed."""


def create(
    game: AnyGame, match: str, command: CreateMatch, issuer: Issuer, record_format: int = FORMAT
) -> list[MatchCreated]:
    """Open a match; raises `Illegal` if its options do not go together."""
    try:
        options = msgspec.convert(command.options, game.Options)
    except msgspec.ValidationError as error:
        raise Illegal("bad-option", reason=str(error)) from None
    if command.seats not in game.seats:
        raise Illegal("bad-player-count", least=game.seats[0], most=game.seats[-1])
    if command.stand_in is not UNSET and command.stand_in not in game.players.bots:
        raise Illegal("no-such-level", levels=game.players.levels)
    _require_setup(game, command.seats, msgspec.json.encode(options))
    header = MatchCreated(
        format=record_format,
        match=match,
        game=game.slug,
        rules=game.version,
        seats=command.seats,
        options=_recorded(options, game, record_format),
        clock=command.clock,
        private=command.private,
        away_after=command.away_after,
        undo_limit=command.undo_limit,
        creator=issuer.creator,
        commitment=commitment(issuer.service_seed),
        service=issuer.service,
        key=issuer.key,
        stand_in=command.stand_in,
        proposal_seconds=command.proposal_seconds,
        spectator_delay=command.spectator_delay,
        bot_pace=command.bot_pace,
    )
    return [header]


@lru_cache(maxsize=256)
def _require_setup(game: AnyGame, seats: int, options: bytes) -> None:
    """Set a game up, to see whether its options go together; raises `Illegal`.

    Most matches have options that others had. A refusal is not cached.
    """
    game.setup(seats, msgspec.json.decode(options, type=game.Options), Chance(bytes(SEED_BYTES), 0))


def _recorded(options: Any, game: AnyGame, record_format: int) -> dict[str, Any]:
    """Return options as the header has them: since format 2 without those at their defaults."""
    plain = msgspec.to_builtins(options)
    if record_format == 1:
        return plain
    defaults = msgspec.to_builtins(msgspec.convert({}, game.Options))
    return {name: value for name, value in plain.items() if value != defaults.get(name, UNSET)}


def branch(
    game: AnyGame,
    match: str,
    command: BranchMatch,
    issuer: Issuer,
    parent: MatchCreated,
    fork: Fork,
    record_format: int = FORMAT,
) -> list[MatchCreated]:
    """Open a match that goes on from another, under this release's rules version."""
    header = msgspec.structs.replace(
        parent,
        format=record_format,
        match=match,
        rules=game.version,
        clock=command.clock,
        private=command.private,
        away_after=command.away_after,
        undo_limit=command.undo_limit,
        creator=issuer.creator,
        commitment=commitment(issuer.service_seed),
        service=issuer.service,
        key=issuer.key,
        branch=fork,
    )
    return [header]


def take_seat(match: Match, actor: Actor, command: TakeSeat, service_seed: bytes) -> list[Tagged]:
    """Seat a player."""
    _require_waiting(match)
    if actor.player is None:
        raise Illegal("already-seated")
    seat = _free_seat(match, command.seat)
    taken = SeatTaken(seat, actor.player, command.entropy)
    return [taken, *_start(match, seat, command.entropy, service_seed)]


def add_bot(match: Match, actor: Actor, command: AddBot, service_seed: bytes) -> list[Tagged]:
    """Seat a bot, as the creator or as anyone at the table."""
    _require_waiting(match)
    _require_table(match, actor)
    if command.level not in match.game.players.bots:
        raise Illegal("no-such-level", levels=match.game.players.levels)
    seat = _free_seat(match, command.seat)
    return [BotSeated(seat, command.level), *_start(match, seat, "", service_seed)]


def leave_seat(match: Match, actor: Actor) -> list[Tagged]:
    """Leave a seat before the match has started."""
    _require_waiting(match)
    if actor.seat is None:
        raise Illegal("not-a-seat")
    return [SeatFreed(actor.seat)]


def remove_bot(match: Match, actor: Actor, command: RemoveBot) -> list[Tagged]:
    """Remove a bot before the match has started."""
    _require_waiting(match)
    _require_table(match, actor)
    if command.seat >= match.header.seats or not match.chairs[command.seat].bot:
        raise Illegal("no-such-bot")
    return [SeatFreed(command.seat)]


def _require_waiting(match: Match) -> None:
    if match.status != "waiting":
        raise Illegal("match-started")


def _require_table(match: Match, actor: Actor) -> None:
    if actor.seat is None and actor.player != match.header.creator and actor.operator is None:
        raise Illegal("not-at-the-table")


def _free_seat(match: Match, wished: int | None) -> int:
    free = [seat for seat, chair in enumerate(match.chairs) if not chair.taken]
    if wished is None:
        return free[0]
    if wished >= match.header.seats:
        raise Illegal("no-such-seat", seats=match.header.seats)
    if wished not in free:
        raise Illegal("seat-taken")
    return wished


def _start(match: Match, seat: int, entropy: str, service_seed: bytes) -> list[Tagged]:
    """Return the events that start the match, if that seat was the last free one."""
    others = [chair for s, chair in enumerate(match.chairs) if s != seat]
    if not all(chair.taken for chair in others):
        return []
    started = MatchStarted() if match.header.format == 1 else MatchStarted(match.plain_options)
    if match.start is not None:
        return [started]
    entropies = [chair.entropy for chair in match.chairs]
    entropies[seat] = entropy
    chance = dice(service_seed, tuple(entropies), match.version + 1)
    return [started, *match.game.setup(match.header.seats, match.options, chance)]
