"""A game that watches its own redaction: telling again what was told must leave nothing out."""

import dataclasses
from functools import cache
from typing import Any

import msgspec

from games.game import AnyGame


class Leak(Exception):
    """A viewer would have been told more than it may know."""


@cache
def strict(game: AnyGame) -> AnyGame:
    """Give the game with a redaction that raises `Leak` when it tells what it would take out the second time.

    What it tells must also be an event of the game, so that clients can read it.
    """
    encode = msgspec.json.Encoder().encode
    decode = msgspec.json.Decoder(game.Event).decode

    def redact(event: Any, viewer: int | None, state: Any) -> Any:
        told = game.redact(event, viewer, state)
        if told is None or told is event:
            return told
        try:
            again = game.redact(decode(encode(told)), viewer, state)
        except Exception as error:
            raise Leak(
                f"{type(event).__name__} as told to {viewer} is no event: {error!r}"
            ) from error
        if again != told:
            raise Leak(f"{type(event).__name__} as told to {viewer} holds what is hidden from it")
        return told

    return dataclasses.replace(game, redact=redact, earlier=tuple(map(strict, game.earlier)))
