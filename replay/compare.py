"""Compare rules: decide a corpus of logs under the rules that are here, and say where each first goes another way.

This is the regression test of a change of rules. Where an audit asks whether a log follows from the rules that it was
played by, a comparison asks what the present rules would have made of the same commands.
"""

import dataclasses
from collections.abc import Sequence
from functools import cache

import msgspec

from events.codec import ENCODER, unseal, unseal_header
from events.record import AnyRecord, at_micros
from games.chance import Sealed
from games.game import AnyGame, Illegal
from games.match.commands import CreateMatch
from games.match.decide import decide
from games.match.events import MatchAbandoned, MatchCreated, MatchFinished
from games.match.seating import Issuer, create
from projections.folded import Folded
from replay.audit import Evidence, first_difference
from replay.header import reveal
from replay.travel import Games

SECRET = frozenset((MatchFinished, MatchAbandoned))


class Divergence(msgspec.Struct, frozen=True):
    """The first record that the rules that are here decide otherwise."""

    version: int
    command: str
    """Its type."""
    message: str


class Comparison(msgspec.Struct, frozen=True):
    """What came of one log."""

    name: str
    match: str | None
    game: str | None
    rules: int | None
    """The version that decided it."""
    here: int | None
    """The version that it was compared with."""
    records: int
    decided: int
    """Records that follow as recorded, up to the first that does not."""
    sealed: int
    """Records whose dice are not known: they are taken as they stand."""
    differs: Divergence | None


def compare(games: Games, evidence: Evidence) -> Comparison:
    """Decide a log's commands again, whatever rules have decided it, up to the first difference."""
    lines = evidence.lines
    try:
        header = unseal_header(lines[0]).events[0]
    except Exception as error:  # noqa: BLE001 - a log may be damaged in any way
        return _unread(evidence, f"no header: {error}")
    if (game := games.get(header.game)) is None:
        return _unread(evidence, f"a log of {header.game}")
    game = _alone(game)
    part = evidence.secret or bytes.fromhex(reveal(lines).secret)
    decided = sealed = 0
    differs = None
    folded: Folded | None = None
    for place, data in enumerate(lines, start=1):
        try:
            record = unseal(game, header.rules, data)
            message = _opening(game, record, header) if folded is None else None
            if folded is None:
                folded = Folded({game.slug: game}, data)
            else:
                message = _difference(folded, record, part)
                folded.extend(data, record)
        except Sealed:
            sealed += 1
            assert folded is not None, "record 1 draws no dice"
            folded.extend(data)
            continue
        except Exception as error:  # noqa: BLE001 - other rules may make nothing of what was recorded, in any way
            message = f"{type(error).__name__}: {error}"
            record = None
        if message is not None:
            differs = Divergence(place, _named(record), message)
            break
        decided += 1
    return Comparison(
        evidence.name, header.match, header.game, header.rules, game.version,
        len(lines), decided, sealed, differs,
    )  # fmt: skip


@cache
def _alone(game: AnyGame) -> AnyGame:
    """Give a game without the earlier rules that stand beside: those are not what is compared with."""
    return dataclasses.replace(game, earlier=()) if game.earlier else game


def _opening(game: AnyGame, record: AnyRecord, header: MatchCreated) -> str | None:
    """Open the match again; a branch's options have been found good in its parent."""
    if not isinstance(record.command, CreateMatch):
        return None
    issuer = Issuer(header.creator, header.service, header.key, b"")
    try:
        (event,) = create(game, header.match, record.command, issuer)
    except Illegal as error:
        return f"refused: {error.code}"
    lasting = {"rules": header.rules, "commitment": header.commitment}
    return first_difference(record.events, (msgspec.structs.replace(event, **lasting),))


def _difference(folded: Folded, record: AnyRecord, part: bytes) -> str | None:
    try:
        events = decide(folded.match, record.by, record.command, at_micros(record.at), part)
    except Illegal as error:
        return f"refused: {error.code} {error.details or ''}".rstrip()
    return first_difference(_lasting(record.events), _lasting(events))


def _lasting(events: Sequence[object]) -> list[object]:
    """Leave the secret out: the log may not reveal it yet."""
    return [
        msgspec.structs.replace(event, secret="") if type(event) in SECRET else event  # type: ignore[type-var]
        for event in events
    ]


def _named(record: AnyRecord | None) -> str:
    return "?" if record is None else msgspec.json.decode(ENCODER.encode(record.command))["type"]


def _unread(evidence: Evidence, why: str) -> Comparison:
    differs = Divergence(1, "?", why)
    return Comparison(evidence.name, None, None, None, None, len(evidence.lines), 0, 0, differs)
