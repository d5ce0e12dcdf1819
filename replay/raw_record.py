"""A record whose events are not decoded, for the fast path of an audit."""

from functools import cache
from typing import Any, Generic, TypeVar, Union

import msgspec

from events.record import CommandId, Release
from games.game import AnyGame
from games.match.commands import Actor, MatchCommand

C = TypeVar("C")


class RawRecord(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True, gc=False):
    """A record whose events are not decoded."""

    v: int
    at: str
    by: Actor
    id: CommandId
    command: C
    events: msgspec.Raw
    digest: str = ""
    """Since record format 2."""
    release: Release = ""
    """Since record format 2."""
    salt: str = ""
    """Record format 1."""
    prev: str = ""
    """Record format 1."""


@cache
def raw_decoder(game: AnyGame) -> msgspec.json.Decoder[RawRecord[Any]]:
    """Return the decoder of a game's records that leaves events undecoded."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value
    return msgspec.json.Decoder(RawRecord[commands])
