"""Compare rules: decide recorded commands under the current rules, and find the first difference.

This is the regression test for a change of rules. An audit checks a log against the rules under
which it was played. A comparison checks what the current rules make of the same commands.
"""

import dataclasses
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from events.codec import unseal, unseal_header
from events.record import AnyRecord, at_micros
from games.chance import Sealed
from games.game import AnyGame, Illegal
from games.match.commands import CreateMatch
from games.match.decide import decide
from games.match.events import MatchCreated
from games.match.seating import Issuer, create
from projections.folded import Folded, not_installed, why_not
from replay.evidence import Evidence
from replay.header import REVEALING, digest_finding, reveal
from replay.redecide import first_difference, refusal
from replay.report import Figures, Finding, Report
from replay.travel import Games


def compare(games: Games, evidence: Evidence) -> Report:
    """Decide the commands of a log under the current rules, up to the first difference.

    The report has this one finding, or none. Nothing else is checked.
    """
    lines = evidence.lines
    if not lines:
        first = next(iter(evidence.findings), Finding("file", 0, "there are no records"))
        return _report(evidence, first)
    try:
        header = unseal_header(lines[0]).events[0]
    except Exception as error:  # noqa: BLE001 - a log may be damaged in any way
        why = f"the header cannot be read: {error}"
        return _report(evidence, Finding("record", 1, why))
    if (game := games.get(header.game)) is None:
        return _report(evidence, Finding("game-not-here", 1, not_installed(header.game)))
    game = _without_earlier(game)
    service_seed = evidence.secret or reveal(lines).service_seed
    decided = sealed = 0
    differs = None
    folded: Folded | None = None
    for place, data in enumerate(lines, start=1):
        try:
            record = unseal(game, header, data)
            differs = _opening(game, record, header) if folded is None else None
            if folded is None:
                folded = Folded({game.slug: game}, data)
            else:
                differs = _difference(folded, record, service_seed)
                folded.extend(data, record)
            if differs is None and service_seed and header.rules == game.version:
                differs = _other_state(folded, service_seed)
        except Sealed:
            sealed += 1
            assert folded is not None, "record 1 draws no dice"
            folded.extend(data)
            continue
        except Exception as error:  # noqa: BLE001 - other rules may fail on these records anyhow
            differs = Finding("fold", place, why_not(error))
        if differs is not None:
            break
        decided += 1
    status = None if folded is None else folded.match.status
    about = {"match": header.match, "game": header.game, "rules": header.rules, "status": status}
    return _report(evidence, differs, decided, sealed, **about)


@cache
def _without_earlier(game: AnyGame) -> AnyGame:
    """Return a game without its earlier rules versions, so that only the current one is used."""
    return dataclasses.replace(game, earlier=()) if game.earlier else game


def _opening(game: AnyGame, record: AnyRecord, header: MatchCreated) -> Finding | None:
    """Compare the header. The options of a branch were checked in its parent."""
    if not isinstance(record.command, CreateMatch):
        return None
    issuer = Issuer(header.creator, header.service, header.key, b"")
    try:
        (event,) = create(game, header.match, record.command, issuer, header.format)
    except Illegal as error:
        return refusal(record.v, record, error)
    lasting = {"rules": header.rules, "commitment": header.commitment}
    return first_difference(1, record.events, (msgspec.structs.replace(event, **lasting),))


def _other_state(folded: Folded, service_seed: bytes) -> Finding | None:
    """Compare the state with the recorded digest, which only the same rules version must have."""
    return None if folded.fits_digest(service_seed) else digest_finding(folded, service_seed)


def _difference(folded: Folded, record: AnyRecord, service_seed: bytes) -> Finding | None:
    try:
        events = decide(folded.match, record.by, record.command, at_micros(record.at), service_seed)
    except Illegal as error:
        return refusal(record.v, record, error)
    return first_difference(record.v, _lasting(record.events), _lasting(events))


def _lasting(events: Sequence[object]) -> list[object]:
    """Remove the secret from events, because the log may not reveal it yet."""
    return [
        msgspec.structs.replace(event, secret="")  # type: ignore[type-var]
        if type(event) in REVEALING
        else event
        for event in events
    ]


def _report(
    evidence: Evidence, differs: Finding | None, decided: int = 0, sealed: int = 0, **about: Any
) -> Report:
    lines = evidence.lines
    return Report(
        evidence.name,
        "holds" if differs is None else "broken",
        findings=() if differs is None else (differs,),
        unchecked=(f"dice of {sealed} records: the service seed is not known",) if sealed else (),
        figures=Figures(len(lines), sum(map(len, lines)), decided, sealed, 0),
        **about,
    )
