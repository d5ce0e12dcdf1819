"""Judge errata: which findings of an audit they explain, and which errata explain nothing.

An erratum excuses only what a faulty release may have decided. It must name each finding exactly as
this audit reports it, and the ending to which the same commands lead under the rules of this
release. Otherwise it explains nothing, and is a finding itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec

from events.checkpoints.leaves import PlacedLeaf
from events.codec import ENCODER, unseal
from events.errata import (
    ERRATA_MAX,
    REASON_MAX,
    BadErratum,
    Erratum,
    Explained,
    SignedErratum,
    decoded,
    objection,
)
from events.keyring import Keyring
from events.record import at_micros
from events.release import RELEASE
from games.match.decide import decide
from games.match.events import MatchCreated
from games.match.model import Ending, Match
from projections.folded import Decided, Folded
from replay.report import ExplainedFinding, Finding, Report, Rule
from replay.travel import Games

EXPLAINABLE: frozenset[Rule] = frozenset(("decision", "timeout", "events", "digest"))
"""Rules about what a release decided. Nothing else may be explained by an erratum."""


class Released(msgspec.Struct, frozen=True):
    """The release of a record. Other fields are ignored."""

    release: str = ""


RELEASED = msgspec.json.Decoder(Released)


class Explanation(NamedTuple):
    """What the errata of a log explain."""

    errata: list[SignedErratum]
    """The errata that are valid."""
    explained: list[ExplainedFinding]
    objections: list[Finding]
    """One finding for each erratum that is not valid."""


@dataclass(frozen=True)
class Subject:
    """The log that the errata must be about."""

    games: Games
    lines: Sequence[bytes]
    service_seed: bytes
    match: Match | None
    """The match as recorded. None if the log could not be folded."""
    heads: Sequence[str]

    @cached_property
    def ending(self) -> Ending | None:
        """The ending to which the recorded commands lead here, or None if it is the recorded one.

        It is also None if the rules refuse one of the commands, or if they lead to no ending.
        """
        if self.match is None:
            return None
        found = _redecided(self.games, self.match.header, self.lines, self.service_seed)
        return None if ENCODER.encode(found) == ENCODER.encode(self.match.ending) else found


def explain(
    lines: Sequence[bytes],
    found: Sequence[Finding],
    keys: Keyring,
    subject: Subject,
    leaves: Sequence[PlacedLeaf] | None,
) -> Explanation:
    """Apply errata, each given as its line, to the findings of an audit.

    `leaves` are those of the match in the checkpoint log. None if the log is not at hand.
    """
    if len(lines) > ERRATA_MAX:
        why = f"there are {len(lines)} errata, at most {ERRATA_MAX} are allowed"
        return Explanation([], [], [Finding("erratum", 0, why)])
    made = Explanation([], [], [])
    left = list(found)
    for number, line in enumerate(lines, start=1):
        try:
            given = _sound(decoded(line), keys, leaves)
            covered = _covered(given.erratum, left, subject)
        except BadErratum as error:
            why = f"erratum {number} explains nothing: {error}"
            made.objections.append(Finding("erratum", 0, why))
            continue
        made.errata.append(given)
        made.explained.extend(ExplainedFinding(len(made.errata), finding) for finding in covered)
        left = [finding for finding in left if finding not in covered]
    return made


def drafted(
    report: Report, subject: Subject, reason: str, key: str, at: str, *, counts: bool
) -> Erratum:
    """Return an erratum, not signed yet, that explains all findings of a report.

    Raises `BadErratum` if no erratum can.
    """
    if not reason.strip() or len(reason) > REASON_MAX:
        raise BadErratum(f"The reason must have 1 to {REASON_MAX} characters.")
    if not report.findings:
        raise BadErratum("The audit finds nothing that an erratum could explain.")
    if subject.match is None or not subject.match.over:
        raise BadErratum("Only a match that has ended can have an erratum.")
    for finding in report.findings:
        if finding.rule not in EXPLAINABLE:
            where = f"record {finding.record}: {finding.rule}: {finding.message}"
            raise BadErratum(f"No erratum can explain {where}.")
    explains = tuple(map(named, report.findings))
    return Erratum(
        match=subject.match.header.match,
        version=len(subject.heads),
        head=subject.heads[-1],
        explains=explains,
        reason=reason,
        wrong=_release(subject.lines, explains[0].record),
        mended=RELEASE,
        ending=subject.ending,
        counts=counts,
        at=at,
        key=key,
    )


def named(finding: Finding) -> Explained:
    """Return how an erratum names a finding."""
    return Explained(
        finding.rule,
        finding.record,
        finding.event,
        finding.path,
        finding.expected,
        finding.actual,
    )


def _sound(
    given: SignedErratum, keys: Keyring, leaves: Sequence[PlacedLeaf] | None
) -> SignedErratum:
    """Return an erratum to which somebody is bound. Raises `BadErratum`."""
    if (why := objection(given, keys, leaves)) is not None:
        raise BadErratum(why)
    return given


def _covered(erratum: Erratum, found: Sequence[Finding], subject: Subject) -> list[Finding]:
    """Return the findings that an erratum explains. Raises `BadErratum` if it is not valid."""
    match, heads = subject.match, subject.heads
    if match is None:
        raise BadErratum("the log cannot be folded to its end")
    if erratum.match != match.header.match:
        raise BadErratum(f"it is about match {erratum.match}")
    if erratum.version != len(heads) or erratum.head != heads[-1]:
        raise BadErratum(f"it is about another log, with head {erratum.head[:16]}…")
    if not match.over:
        raise BadErratum("the match has not ended")
    covered = [_the_one(explained, found) for explained in erratum.explains]
    if not covered:
        raise BadErratum("it names no finding")
    if any(covered.count(finding) > 1 for finding in covered):
        raise BadErratum("it names a finding twice")
    wrong = _release(subject.lines, covered[0].record)
    if erratum.wrong != wrong:
        known = f"release {wrong} decided the record" if wrong else "the log names no release"
        raise BadErratum(f"it blames release {erratum.wrong}, but {known}")
    if ENCODER.encode(erratum.ending) != ENCODER.encode(subject.ending):
        raise BadErratum("its ending is not the one to which these commands lead here")
    return covered


def _the_one(explained: Explained, found: Sequence[Finding]) -> Finding:
    """Return the finding that an erratum names. Raises `BadErratum`."""
    where = f"{explained.rule} at record {explained.record}"
    if explained.rule not in EXPLAINABLE:
        raise BadErratum(f"no erratum can explain {where}")
    same = [finding for finding in found if named(finding) == explained]
    if not same:
        raise BadErratum(f"it explains {where}, which this audit does not find")
    return same[0]


def _release(lines: Sequence[bytes], record: int) -> str:
    """Return the release that decided a record; empty in format 1."""
    found = (RELEASED.decode(line).release for line in reversed(lines[:record]))
    return next(filter(None, found), "")


def _redecided(
    games: Games, header: MatchCreated, lines: Sequence[bytes], service_seed: bytes
) -> Ending | None:
    """Return the ending that the same commands have if every one is decided again, or None."""
    folded = Folded.opened(games, header)
    try:
        for place, line in enumerate(lines):
            game = folded.match.game
            record = unseal(game, header, line)
            at = at_micros(record.at)
            events = record.events
            if place:
                events = decide(folded.match, record.by, record.command, at, service_seed)
            made = Decided(record.by, record.id, record.command, events, at)
            folded.accept(folded.draft(made, service_seed, folded.release))
    except Exception:  # noqa: BLE001 - the rules may refuse or fail in any way
        return None
    return folded.match.ending
