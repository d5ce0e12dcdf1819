"""Explain a record: what the log says, and what the rules of this release decide.

Both worlds start from the state before the record, as it follows from the recorded events.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.codec import ENCODER, unseal
from events.record import AnyRecord, at_micros
from games.chance import Sealed
from games.game import Illegal
from games.match.commands import Actor
from games.match.decide import decide
from games.match.model import Match
from games.wire import PatchOperation, RecordedCommand, RecordedEvent, Time
from projections.folded import Folded
from projections.told import told_command, told_event
from replay.blame import rules_of
from replay.diff import patch
from replay.facts import Fact, facts
from replay.header import decide_header, reveal
from replay.history import History
from replay.travel import FullView, NoSuchVersion, picture, plain
from replay.words import words

NO_PROOF = ""
"""The digest of a record that nobody stores."""


class World(msgspec.Struct, frozen=True):
    """A record's events, and what they change."""

    events: list[RecordedEvent]
    rules: list[str]
    """Ids of the rules that the events name."""
    words: list[str]
    """The changes in text for people. The wording may change."""
    patch: list[PatchOperation] | None
    """JSON Patch (RFC 6902) from `before`. Null if the events cannot be applied."""


class Explanation(msgspec.Struct, frozen=True):
    """A record as recorded, and as this release decides it."""

    match: str
    game: str
    record: int
    at: Time
    by: Actor
    player: str | None
    """The player in the seat that acted."""
    command: RecordedCommand
    rules: list[str]
    """Ids of the rules that the command names."""
    before: FullView | None
    """Everything about the match before the record. Null for record 1."""
    recorded: World
    """The match as recorded."""
    decided: World | None
    """Null if this release decides no events: `undecided` says why."""
    undecided: str | None
    """Why this release decides no events; null if it does."""
    same: bool
    """Whether the recorded events follow from the command."""
    patch: list[PatchOperation]
    """JSON Patch (RFC 6902) from the match as decided to the match as recorded."""
    facts: list[Fact]
    """What the rule read of the game's state, in its order."""


def explain(history: History, record: int, service_seed: bytes = b"") -> Explanation:
    """Explain a record of a log.

    Without a service seed (`b""`), the one that the log reveals is used. Raises `NoSuchVersion`,
    `Unreadable` and the errors of `Folded`.
    """
    lines = history.lines
    if not 1 <= record <= len(lines):
        raise NoSuchVersion(record, len(lines))
    service_seed = service_seed or reveal(lines).service_seed
    known = history.at("full", max(1, record - 1))
    decoded = unseal(known.match.game, known.match.header, lines[record - 1])
    events, undecided = _decided(known, decoded, service_seed)
    before = recorded = decided = None
    if record > 1:
        before = _shown(known)
        recorded = _extended(history.at("full", record - 1), lines[record - 1])
        decided = _drafted(history.at("full", record - 1), decoded, events)
    match, encode, seat = known.match, msgspec.json.encode, decoded.by.seat
    full = picture(known, "full")
    return Explanation(
        match=match.header.match,
        game=match.game.slug,
        record=record,
        at=decoded.at,
        by=decoded.by,
        player=_player(match, seat),
        command=told_command(decoded.command),
        rules=rules_of(decoded.command),
        before=full if record > 1 and isinstance(full, FullView) else None,
        recorded=_world(match, decoded.events, before, recorded),
        decided=None if events is None else _world(match, events, before, decided),
        undecided=undecided,
        same=events is not None and encode(tuple(events)) == encode(decoded.events),
        patch=patch(decided, recorded) if decided and recorded else [],
        facts=facts(history, record, service_seed),
    )


def _player(match: Match, seat: int | None) -> str | None:
    """Return the player in a seat, which a forged record may have invented."""
    if seat is None or not 0 <= seat < len(match.chairs):
        return None
    return match.chairs[seat].player


def _decided(
    folded: Folded, record: AnyRecord, service_seed: bytes
) -> tuple[Sequence[Any] | None, str | None]:
    """Return the events that the rules decide, or None with the reason."""
    match = folded.match
    try:
        if record.v == 1:
            return (decide_header(match.game, record, record.events[0]),), None
        at = at_micros(record.at)
        return decide(match, record.by, record.command, at, service_seed), None
    except Sealed:
        return None, "the dice are not known before the match ends"
    except Illegal as error:
        return None, f"refused: {error.code} {error.details or ''}".rstrip()
    except Exception as error:  # noqa: BLE001 - a forged record may fail in any way
        return None, f"the rules failed on the command: {error!r}"


def _extended(folded: Folded, data: bytes) -> dict[str, Any] | None:
    """Return the match after the record as recorded. None if its events cannot be applied."""
    try:
        folded.extend(data)
    except Exception:  # noqa: BLE001 - forged events may fail in any way
        return None
    return _shown(folded)


def _drafted(
    folded: Folded, record: AnyRecord, events: Sequence[Any] | None
) -> dict[str, Any] | None:
    """Return the match after the record as decided. None if no events can be applied."""
    if events is None:
        return None
    fields = (record.at, record.by, record.id, record.command, tuple(events))
    try:
        drafted = folded.next_record(fields, folded.release, NO_PROOF)
        folded.extend(ENCODER.encode(drafted), drafted)
    except Exception:  # noqa: BLE001 - the fold may be what is wrong
        return None
    return _shown(folded)


def _shown(folded: Folded) -> dict[str, Any]:
    """Return the match in plain values, without its head, which differs with every byte."""
    shown = plain(folded, "full")
    del shown["head"]
    return shown


def _world(
    match: Match,
    events: Sequence[Any],
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> World:
    named = [rule for event in events for rule in rules_of(event)]
    told = [told_event(match, event) for event in events]
    rules = list(dict.fromkeys(named))
    if before is None or after is None:
        return World(told, rules, [], None)
    return World(told, rules, words(match.game, before, after), patch(before, after))
