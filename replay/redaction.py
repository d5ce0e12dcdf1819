"""Check redaction while it runs: redacting a redacted event again must not change it."""

import dataclasses
from functools import cache
from typing import Any

import msgspec

from games.game import AnyGame


class Leak(Exception):
    """A redacted event still contains something that is hidden, or is withheld unexpectedly."""


@cache
def strict(game: AnyGame) -> AnyGame:
    """Return the game with a `redact` that raises `Leak` if a second redaction removes more.

    A redacted event must also be a valid event of the game, so that clients can read it.
    """
    withheld = game.withheld
    encode = msgspec.json.Encoder().encode
    decode = msgspec.json.Decoder(game.Event).decode

    def redact(event: Any, viewer: int | None, state: Any) -> Any:
        told = game.redact(event, viewer, state)
        if told is None and not (withheld is None or type(event) in withheld):
            why = f"is withheld from {viewer}, which the game does not say of its type"
            raise Leak(f"{type(event).__name__} {why}")
        if told is None or told is event:
            return told
        try:
            again = game.redact(decode(encode(told)), viewer, state)
        except Exception as error:
            why = f"is not a valid event as redacted for {viewer}: {error!r}"
            raise Leak(f"{type(event).__name__} {why}") from error
        if again != told:
            why = f"contains hidden information as redacted for {viewer}"
            raise Leak(f"{type(event).__name__} {why}")
        return told

    return dataclasses.replace(game, redact=redact, earlier=tuple(map(strict, game.earlier)))
