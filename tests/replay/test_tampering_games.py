"""Every kind of tampering with recorded matches of all games is found, and the record is named.

`test_tampering.py` tries each kind in depth on one match. Here each is tried on every game, at
several places. The forger has the service's own keys where they make the forgery better: digests
and signature are then made again.
"""

from dataclasses import replace
from functools import cache

import msgspec
import pytest

from events import file
from events.chain import sign
from events.codec import unseal
from games import GAMES
from games.match.events import MATCH_EVENT_TYPES
from games.match.seed import commitment
from projections.folded import Folded
from projections.rows import row
from projections.summary import summary
from replay.audit import audit
from replay.evidence import Evidence
from replay.header import reveal
from replay.transfer import file_evidence
from tests.corpus import load, recorded_of
from tests.games.laws import lacks
from tests.recorder import KEYS, SERVICE, SIGNING
from tests.replay.forgery import changed, opened, rechained, signed
from tests.tampered.records import nudged

LENGTH = 40
"""The match that is tampered with has more records."""
PLACES = 5
"""Records of each match that are tampered with."""


class Original:
    """A recorded match, and what a forger with the service's keys knows of it."""

    def __init__(self, slug: str):
        whole = (lines for lines in map(load, recorded_of(slug)) if len(lines) > LENGTH)
        self.lines = next(whole, None) or lacks(slug, f"recorded match of over {LENGTH} records")
        self.last = len(self.lines)
        self.service_seed = reveal(self.lines).service_seed
        self.folded = Folded.of(GAMES, self.lines)

    def places(self) -> list[int]:
        """Choose records in the middle of the game, evenly."""
        start = self.start() + 1
        return [start + (self.last - 1 - start) * n // PLACES for n in range(PLACES)]

    def start(self) -> int:
        """Find the record that starts the match."""
        return next(n for n, line in enumerate(self.lines, start=1) if b'"match_started"' in line)


original = cache(Original)
every_game = pytest.mark.parametrize("slug", GAMES)


def found(lines, head=None, **more):
    report = audit(GAMES, Evidence("forged", lines, head=head, **more), KEYS, redaction=False)
    assert (report.verdict == "broken") == bool(report.findings)
    return [(finding.record, finding.rule) for finding in report.findings]


def resealed(lines, match):
    """Check a forgery that the service itself digested and signed."""
    forged = rechained(lines, match.service_seed)
    return found(forged, signed(forged))


@every_game
def test_untouched_it_holds_redaction_and_all(slug):
    match = original(slug)
    log = Evidence("good", match.lines, head=signed(match.lines))
    report = audit(GAMES, log, KEYS)
    assert (report.verdict, report.unchecked, report.figures.decided) == ("holds", [], match.last)


@every_game
def test_a_flipped_bit(slug):
    """In the record itself or, where only the chain tells, in the next one."""
    match = original(slug)
    data = file.write(match.lines, signed(match.lines))
    for byte in range(7, len(data), len(data) // 60):
        place = data.count(b"\n", 0, byte) + 1
        flipped = bytearray(data)
        flipped[byte] ^= 1 << (byte % 8)
        report = audit(GAMES, file_evidence("a file", bytes(flipped)), KEYS, redaction=False)
        named = {finding.record for finding in report.findings}
        assert named & ({place, place + 1} if place < match.last else {0, match.last}), byte


@every_game
def test_a_dropped_record(slug):
    """Resealed, one that nothing follows from is missed by the signed head alone."""
    match = original(slug)
    for place in match.places():
        dropped = [*match.lines[: place - 1], *match.lines[place:]]
        assert found(dropped)[0] == (place, "number")
        assert found(rechained(dropped))[0][0] == place
        assert all(at >= place for at, _ in resealed(dropped, match))
        assert found(rechained(dropped, match.service_seed), signed(match.lines))


@every_game
def test_a_doubled_record(slug):
    match = original(slug)
    for place in match.places():
        doubled = [*match.lines[:place], match.lines[place - 1], *match.lines[place:]]
        assert (place + 1, "number") in found(doubled)
        assert resealed(doubled, match)[0][0] == place + 1


@every_game
def test_swapped_records(slug):
    match = original(slug)
    for place in match.places():
        swapped = list(match.lines)
        swapped[place - 1 : place + 1] = swapped[place], swapped[place - 1]
        assert found(swapped)[0] == (place, "number")
        assert resealed(swapped, match)[0][0] in (place, place + 1)


@every_game
def test_a_forged_event(slug):
    """One event less, one more, one number higher."""
    match = original(slug)
    for place in match.places():
        events = opened(match.lines[place - 1])["events"]
        for forged in (events[:-1], [*events, *events[-1:]], [*map(nudged, events)]):
            if forged != events:
                assert resealed(changed(match.lines, place, events=forged), match)[0][0] == place


@every_game
def test_nothing_follows_from_a_record_in_another_form(slug):
    """The release that decided it is repeated, which no record does."""
    match = original(slug)
    for place in match.places():
        forged = list(match.lines)
        record = opened(forged[place - 1]) | {"release": match.folded.release}
        forged[place - 1] = msgspec.json.encode(record)
        assert resealed(forged, match) == [(place, "bytes")]


@every_game
def test_a_forged_command(slug):
    """Another command than the one that these events follow from, or under another's name."""
    match = original(slug)
    for place in match.places():
        record = opened(match.lines[place - 1])
        others = [
            other
            for line in match.lines
            for other in [opened(line)["command"]]
            if other["type"] != record["command"]["type"] and other["type"] != "create_match"
        ]
        forged = changed(match.lines, place, command=others[0])
        assert resealed(forged, match)[0][0] == place
        assert resealed(changed(match.lines, place, by={"operator": "p_op"}), match)[0][0] == place


@every_game
def test_a_back_dated_record(slug):
    match = original(slug)
    for place in match.places():
        forged = changed(match.lines, place, at="2026-11-21T08:59:59.000000Z")
        assert (place, "time") in resealed(forged, match)


@every_game
def test_a_wrong_shuffle(slug):
    """The service deals anew, as it likes, in the record that starts the match."""
    match = original(slug)
    place = match.start()
    events = opened(match.lines[place - 1])["events"]
    shuffled = [
        event | {name: value[::-1]}
        for event in events
        for name, value in event.items()
        if mixed(value)
    ]
    if not shuffled:
        lacks(slug, "shuffled list in the set-up")
    for other in shuffled:
        dealt = [other if event["type"] == other["type"] else event for event in events]
        assert resealed(changed(match.lines, place, events=dealt), match)[0] == (place, "events")


def mixed(value) -> bool:
    return isinstance(value, list) and value != value[::-1]


@every_game
def test_a_timeout_that_was_not_due(slug):
    """The clock plays for a seat, though nothing has run out."""
    match = original(slug)
    place = match.places()[1]
    forged = changed(
        match.lines,
        place,
        by={"clock": True},
        command={"type": "time_out", "seat": 0, "deadline": 0},
    )
    assert resealed(forged, match)[0] == (place, "timeout")


@every_game
def test_a_changed_digest(slug):
    match = original(slug)
    for place in match.places():
        forged = changed(match.lines, place, digest="0" * 24)
        assert found(forged, signed(forged)) == [(place, "digest")]


@every_game
def test_a_planted_error_of_the_fold(slug):
    """A release that folds one event wrongly parts from the log at that record, and is named."""
    match = original(slug)
    records = [unseal(GAMES[slug], match.folded.match.header, line) for line in match.lines]
    kinds = [type(event) for record in records[match.start() :] for event in record.events]
    kind = next(kind for kind in kinds if kind not in MATCH_EVENT_TYPES)
    place = next(r.v for r in records if any(type(event) is kind for event in r.events))
    game = GAMES[slug].under(match.folded.match.header.rules)

    def wrong(state, event):
        game.apply(state, event)
        if type(event) is kind:
            name = next(name for name in NUMBERS if hasattr(state, name))
            setattr(state, name, getattr(state, name) + 1)

    games = {slug: replace(game, apply=wrong)}
    evidence = Evidence("log", match.lines, secret=match.service_seed)
    first = audit(games, evidence, KEYS, redaction=False).findings[0]
    assert first.record == place
    assert first.rule in ("digest", "events", "decision")


NUMBERS = ("turn", "turn_no", "turn_index", "round", "voyage")
"""Fields of states that count."""


@every_game
def test_a_wrong_commitment(slug):
    match = original(slug)
    header = opened(match.lines[0])["events"]
    header[0]["commitment"] = commitment(bytes(32))
    assert resealed(changed(match.lines, 1, events=header), match) == [(1, "commitment")]


@every_game
def test_a_wrong_secret(slug):
    """Revealed at the end: not the one committed to."""
    match = original(slug)
    place = reveal(match.lines).place
    events = opened(match.lines[place - 1])["events"]
    events[-1]["secret"] = bytes(32).hex()
    forged = rechained(changed(match.lines, place, events=events))
    assert found(forged, signed(forged)) == [(place, "commitment")]


@every_game
def test_a_wrong_signature(slug):
    match = original(slug)
    head = signed(match.lines)
    forged = msgspec.structs.replace(head, signature="00" * 64)
    assert found(match.lines, forged) == [(match.last, "signature")]
    other = sign(SIGNING, SERVICE, "m_other", head.version, head.head)
    assert found(match.lines, other) == [(0, "signature")]


@every_game
def test_a_resealed_chain(slug):
    """A log cut short, then chained and signed again, is consistent: only a signed head tells."""
    match = original(slug)
    shorter = match.lines[:-3]
    assert found(shorter, signed(match.lines), secret=match.service_seed)[-1] == (
        match.last - 3,
        "signature",
    )
    forged = changed(match.lines, match.places()[2], id="another")
    forged = rechained(forged, match.service_seed)
    assert found(forged, signed(match.lines)) == [(match.last, "signature")]
    assert found(forged, signed(forged)) == [], (
        "it follows from itself: this is what receipts are for"
    )


@every_game
def test_a_changed_projection(slug):
    """Whichever field of a row was changed, at any version; and a row that is ahead of its log."""
    match = original(slug)
    held = row(summary(match.folded.match))
    assert found(match.lines, row=msgspec.json.encode(held)) == []
    for name, value in (("creator", "p_x"), ("status", "running"), ("told_version", 1)):
        forged = msgspec.structs.replace(held.summary, **{name: value})
        data = msgspec.json.encode(msgspec.structs.replace(held, summary=forged))
        assert found(match.lines, row=data) == [(match.last, "projection")], name
    listed = msgspec.structs.replace(held, entries=held.entries[1:])
    assert found(match.lines, row=msgspec.json.encode(listed)) == [(match.last, "projection")]
    earlier = match.places()[1]
    then = row(summary(Folded.of(GAMES, match.lines[:earlier]).match))
    assert found(match.lines, row=msgspec.json.encode(then)) == []
    late = msgspec.structs.replace(then, summary=msgspec.structs.replace(then.summary, opened=0))
    assert found(match.lines, row=msgspec.json.encode(late))[0] == (earlier, "projection")
    ahead = msgspec.json.encode(msgspec.structs.replace(held, version=match.last + 1))
    assert found(match.lines, row=ahead) == [(0, "projection")]
    assert found(match.lines, row=b"{}") == [(0, "projection")]
