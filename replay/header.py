"""Check the header of a log, and find the service seed that the match's dice were made with."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from events.codec import ENCODER, RECORD_BYTES_MAX, Header, Newer, Unreadable, unseal_header
from events.record import AnyRecord, Record1
from games.game import AnyGame, Illegal
from games.match.commands import Actor, BranchMatch, CreateMatch, OpeningCommand
from games.match.events import MatchAbandoned, MatchCreated, MatchFinished
from games.match.seating import Issuer, branch, create
from games.match.seed import commitment, salt
from projections.folded import Folded, not_installed
from replay.evidence import Evidence
from replay.releases import is_released, release_of
from replay.report import Finding, Rule, difference, plain
from replay.travel import Games

REVEAL = re.compile(rb'"type":"match_(?:finished|abandoned)","secret":"([0-9a-f]{64})"')

REVEALING = frozenset((MatchFinished, MatchAbandoned))
"""Events that reveal the service seed as `secret`."""


class Reveal(NamedTuple):
    """The record that reveals the service seed."""

    place: int
    """Line of the record in the log. 0 if no record reveals the seed."""
    secret: str
    """32 bytes in hex. Empty if no record reveals the seed."""

    @property
    def service_seed(self) -> bytes:
        """The seed that the secret spells."""
        return bytes.fromhex(self.secret)


class HeaderCheck(NamedTuple):
    """The result of checking a header."""

    findings: list[Finding]
    service_seed: bytes = b""
    """The service seed. Empty if it is not known."""
    folded: Folded | None = None
    """Fold of record 1. None if the log cannot be folded."""
    same_rules: bool = False
    """Whether this release has the rules version that decided the log."""


def reveal(lines: Sequence[bytes]) -> Reveal:
    """Find the record that reveals the service seed."""
    for place in range(len(lines), 0, -1):
        if b'"secret"' in lines[place - 1] and (found := REVEAL.search(lines[place - 1])):
            return Reveal(place, found[1].decode())
    return Reveal(0, "")


def check_header(
    games: Games, data: bytes, evidence: Evidence, revealed: Reveal, *, redaction: bool
) -> HeaderCheck:
    """Check record 1 and fold it.

    The fold follows the viewers whose transcripts are known, and redacts for all viewers with
    `redaction`.
    """
    try:
        record = unseal_header(data)
        (header,) = record.events
    except Newer as error:
        return _stopped("format-not-here", str(error))
    except (Unreadable, ValueError) as error:
        return HeaderCheck([Finding("record", 1, f"the header cannot be read: {error}")])
    if (newest := games.get(header.game)) is None:
        return _stopped("game-not-here", not_installed(header.game))
    game = newest.under(header.rules) or newest
    if header.seats not in game.seats:
        return _stopped("header", f"{game.slug} cannot be played with {header.seats} seats")
    service_seed = evidence.secret or revealed.service_seed
    committed = not service_seed or commitment(service_seed) == header.commitment
    findings: list[Finding] = []
    same_rules = header.rules == game.version
    if same_rules:
        findings += _redecided(game, record, header, data)
    else:
        findings.append(_other_rules(game, header.rules))
    if (match := evidence.match) is not None and header.match != match:
        why = f"the log belongs to match {header.match}, not {match}"
        findings.append(difference("header", 1, why, "/events/0/match", match, header.match))
    present = {viewer for viewer in evidence.transcripts if viewer is None or viewer < header.seats}
    try:
        folded = Folded({game.slug: game}, data, present, redacted=redaction)
    except Exception as error:  # noqa: BLE001 - a forged header may break a game in any way
        findings.append(Finding("fold", 1, f"the header cannot be applied: {error!r}"))
        return HeaderCheck(findings, service_seed if committed else b"")
    if not committed and not _made(record, folded, service_seed):
        place = 0 if evidence.secret else revealed.place
        why = "the hash of the secret is not the commitment in record 1"
        findings.append(Finding("commitment", place, why))
        return HeaderCheck(findings, b"", folded, same_rules)
    if not committed:
        why = "the commitment is not the hash of the service seed that made the log"
        right = commitment(service_seed)
        place = "/events/0/commitment"
        findings.append(difference("commitment", 1, why, place, right, header.commitment))
    elif service_seed and same_rules and not folded.fits_digest(service_seed):
        findings.append(digest_finding(folded, service_seed))
    return HeaderCheck(findings, service_seed, folded, same_rules)


def _stopped(rule: Rule, message: str) -> HeaderCheck:
    return HeaderCheck([Finding(rule, 1, message)])


def _other_rules(game: AnyGame, rules: int) -> Finding:
    release = release_of(game.slug, rules)
    if release is not None:
        way_out = f"use release {release}, which has it"
    elif is_released(game.slug):
        way_out = "no release up to this one has that version"
    else:
        way_out = f"install a version of the package that declares {game.slug} that has it"
    why = f"decided under rules version {rules} of {game.slug} (this release has {game.version})"
    said = f"{why}: {way_out}"
    return difference("rules-version-not-here", 1, said, "/events/0/rules", game.version, rules)


def digest_finding(folded: Folded, service_seed: bytes) -> Finding:
    """Return the finding for a last record whose digest does not fit the fold."""
    expected, actual = folded.computed_digest(service_seed), folded.recorded_digest
    kinds = ", ".join(event["type"] for event in msgspec.json.decode(folded.last)["events"])
    why = (
        f"the state after {kinds or 'a record without events'} is not the recorded one, "
        "or a record before it was changed"
    )
    return difference("digest", folded.version, why, "/digest", expected, actual)


def _made(record: Header, folded: Folded, service_seed: bytes) -> bool:
    """Return whether the log began with a service seed, whatever its commitment says."""
    if isinstance(record, Record1):
        return salt(service_seed, 1) == record.salt
    return folded.fits_digest(service_seed)


def _opened(
    game: AnyGame, command: OpeningCommand, header: MatchCreated, issuer: Issuer
) -> list[Any]:
    """Decide the opening command again.

    What a branch takes from its parent is accepted as recorded. Only the parent's log can prove it.
    """
    if not isinstance(command, BranchMatch):
        return create(game, header.match, command, issuer, header.format)
    fork = header.branch
    if fork is None or (fork.parent, fork.number, fork.seat) != (
        command.parent, command.version, command.seat,
    ):  # fmt: skip
        raise Illegal("another-fork")
    if fork.closed and not header.private:
        raise Illegal("closed-and-public")
    return branch(game, header.match, command, issuer, header, fork, header.format)


def _encoded(record: Header) -> bytes:
    """Encode record 1 in its format. Format 1 wrote fields also at their defaults."""
    if not isinstance(record, Record1):
        return ENCODER.encode(record)
    (header,) = record.events
    written = {"command": _written(record.command), "events": [_written(header)]}
    return ENCODER.encode(msgspec.structs.asdict(record) | written)


def _written(opening: OpeningCommand | MatchCreated) -> dict[str, Any]:
    fields = msgspec.structs.asdict(opening)
    kept = {name: fields[name] for name in fields if fields[name] is not UNSET}
    if kept.get("branch", ...) is None:
        del kept["branch"]
    return {"type": opening.__struct_config__.tag, **kept}


def decide_header(game: AnyGame, record: AnyRecord, header: MatchCreated) -> MatchCreated:
    """Decide the opening command again, and return the header that follows.

    The commitment is taken as recorded. Raises `Illegal`.
    """
    issuer = Issuer(record.by.player or "", header.service, header.key, b"")
    (event,) = _opened(game, record.command, header, issuer)
    return msgspec.structs.replace(event, commitment=header.commitment)


def _redecided(game: AnyGame, record: Header, header: MatchCreated, data: bytes) -> list[Finding]:
    if record.by.player is None or record.by != Actor(player=record.by.player):
        why = "the actor of record 1 must be a player"
        return [Finding("sender", 1, why, path="/by", actual=plain(record.by))]
    try:
        expected = decide_header(game, record, header)
    except Illegal as error:
        return [_refused(f"refused: {error.code} {error.details}", record)]
    except Exception as error:  # noqa: BLE001 - forged options may break a game in any way
        return [_refused(f"the rules failed on the command: {error!r}", record)]
    if ENCODER.encode(expected) != ENCODER.encode(header):
        why = "the header does not follow from the command"
        return [difference("events", 1, why, "/events/0", expected, header, 1)]
    if (standard := _encoded(record)) != data:
        return [bytes_finding(1, standard, data)]
    if isinstance(record, Record1):
        return []
    if not record.release:
        return [Finding("bytes", 1, "record 1 does not name its release", path="/release")]
    command = record.command
    if isinstance(command, CreateMatch) and _sorted(command.options) != _sorted(header.options):
        why = "the command has other options than the header"
        return [difference("bytes", 1, why, "/command/options", header.options, command.options)]
    return []


def _sorted(options: dict[str, Any]) -> bytes:
    """Encode options, whose order is that of the request in the command."""
    return msgspec.json.encode(options, order="sorted")


def _refused(why: str, record: Header) -> Finding:
    return Finding("decision", 1, why, path="/command", actual=plain(record.command))


def bytes_finding(place: int, standard: bytes, data: bytes) -> Finding:
    """Return the finding for a line that is not encoded in the standard form."""
    why = "the line is not encoded in the standard form"
    return difference("bytes", place, why, "", standard.decode(), data.decode())


def too_long(place: int, data: bytes) -> Finding:
    """Return the finding for a line that is longer than any record."""
    why = f"the record has {len(data)} bytes, at most {RECORD_BYTES_MAX} are allowed"
    return Finding("record", place, why)
