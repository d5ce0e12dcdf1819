"""Open an audit: the header, and the secret that the match's dice were made with."""

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import msgspec

from events.codec import ENCODER, Unreadable, unseal_header
from events.record import Record
from games.game import AnyGame, Illegal
from games.match.commands import BranchMatch, By, OpeningCommand
from games.match.events import MatchCreated
from games.match.seating import FORMAT, Issuer, branch, create
from games.match.seed import commitment, salt
from projections.folded import Folded, Viewer
from replay.releases import release_of
from replay.report import Check, Finding
from replay.travel import Games

REVEAL = re.compile(rb'"type":"match_(?:finished|abandoned)","secret":"([0-9a-f]{64})"')

Header = Record[OpeningCommand, MatchCreated]


class Reveal(NamedTuple):
    """Where a log gives the service's part of its seed away."""

    place: int
    """0: nowhere."""
    secret: str
    """32 bytes in hex."""


class Opening(NamedTuple):
    """How an audit begins."""

    findings: list[Finding]
    part: bytes = b""
    """The service's part of the seed; empty if not known."""
    folded: Folded | None = None
    """As of record 1; None if there is nothing to go on with."""
    same_rules: bool = False
    """The rules that decided the log are those that are here."""


def reveal(lines: Sequence[bytes]) -> Reveal:
    """Find the revealed secret."""
    for place in range(len(lines), 0, -1):
        if b'"secret"' in lines[place - 1] and (found := REVEAL.search(lines[place - 1])):
            return Reveal(place, found[1].decode())
    return Reveal(0, "")


def opened(
    games: Games,
    data: bytes,
    match: str | None,
    secret: bytes,
    revealed: Reveal,
    followed: Collection[Viewer] | None,
) -> Opening:
    """Take record 1, following these viewers, or all of them (None).

    `match` is the id that the log should have, `secret` the service's part if known otherwise.
    """
    try:
        record = unseal_header(data)
        (header,) = record.events
    except (Unreadable, ValueError) as error:
        return Opening([Finding(1, "record", f"no header: {error}")])
    if header.format != FORMAT:
        return _stopped("format-not-here", f"format {header.format}; {FORMAT} is here")
    if (newest := games.get(header.game)) is None:
        return _stopped("game-not-here", f"a log of {header.game}")
    game = newest.under(header.rules) or newest
    if header.seats not in game.seats:
        return _stopped("header", f"{header.seats} seats")
    part, findings = _part(record, header, secret, revealed)
    same_rules = header.rules == game.version
    if same_rules:
        findings += _redecided(game, record, header, data)
    else:
        findings.append(_other_rules(game, header.rules))
    if match is not None and header.match != match:
        findings.append(Finding(1, "header", f"the log of {header.match}, not of {match}"))
    try:
        viewers = (*range(header.seats), None) if followed is None else followed
        folded = Folded({game.slug: game}, data, viewers)
    except Exception as error:  # noqa: BLE001 - a forged header may break a game in any way
        findings.append(Finding(1, "fold", f"can't be folded: {error!r}"))
        return Opening(findings, part)
    return Opening(findings, part, folded, same_rules)


def _stopped(check: Check, message: str) -> Opening:
    return Opening([Finding(1, check, message)])


def _other_rules(game: AnyGame, rules: int) -> Finding:
    release = release_of(game.slug, rules)
    has_it = (
        "no release up to this one has that" if release is None else f"release {release} has it"
    )
    why = (
        f"decided under version {rules} of the rules of {game.slug}, "
        f"version {game.version} is here: {has_it}"
    )
    return Finding(1, "rules-version-not-here", why)


def _part(
    record: Header, header: MatchCreated, secret: bytes, revealed: Reveal
) -> tuple[bytes, list[Finding]]:
    """Give the secret, if it is the one that the match began with.

    Where only the commitment disagrees with it and the first salt does not, the commitment was changed.
    """
    part = secret or bytes.fromhex(revealed.secret)
    if not part or commitment(part) == header.commitment:
        return part, []
    if salt(part, 1) == record.salt:
        why = "not the hash of the secret that the salts were made with"
        return part, [Finding(1, "commitment", why)]
    place = 0 if secret else revealed.place
    return b"", [Finding(place, "commitment", "the secret is not the one that record 1 commits to")]


def _opened(
    game: AnyGame, command: OpeningCommand, header: MatchCreated, issuer: Issuer
) -> list[Any]:
    """Open the match again. What a branch has of its parent is taken as it stands: only the parent's log knows it."""
    if not isinstance(command, BranchMatch):
        return create(game, header.match, command, issuer)
    fork = header.branch
    if fork is None or (fork.parent, fork.number, fork.seat) != (
        command.parent, command.version, command.seat,
    ):  # fmt: skip
        raise Illegal("another-fork")
    if fork.closed and not header.private:
        raise Illegal("closed-and-public")
    return branch(game, header.match, command, issuer, header, fork)


def _redecided(game: AnyGame, record: Header, header: MatchCreated, data: bytes) -> list[Finding]:
    if record.by.player is None or record.by != By(player=record.by.player):
        return [Finding(1, "sender", "a match is opened by a player")]
    issuer = Issuer(record.by.player, header.service, header.key, b"")
    try:
        (event,) = _opened(game, record.command, header, issuer)
    except Illegal as error:
        return [Finding(1, "decision", f"refused: {error.code} {error.details}")]
    except Exception as error:  # noqa: BLE001 - forged options may break a game in any way
        return [Finding(1, "decision", f"the rules fail: {error!r}")]
    follows = msgspec.structs.replace(event, commitment=header.commitment)
    if ENCODER.encode(follows) != ENCODER.encode(header):
        return [Finding(1, "events", "not the header that follows from the command")]
    if ENCODER.encode(record) != data:
        return [Finding(1, "bytes", "not the one encoding of what it says")]
    return []
