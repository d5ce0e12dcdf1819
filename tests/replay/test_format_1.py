"""Matches in record format 1 are read, audited to the byte, and go on in format 1."""

from pathlib import Path

import msgspec
import pytest

from events.codec import unseal
from events.record import Record1, at_micros
from games import GAMES
from games.match.events import MatchFinished, MatchStarted
from projections.folded import Decided, Folded
from projections.summary import summary
from replay.audit import audit
from replay.evidence import Evidence
from replay.header import reveal
from replay.transfer import file_evidence
from tests.corpus import MATCHES, load
from tests.recorder import KEYS
from tests.replay.forgery import changed, opened, rechained, signed

CORPUS = Path(__file__).resolve().parents[1] / "events" / "format_1"
LOGS = sorted(CORPUS.glob("*/*.jsonl"))
SHORTEST = [min(CORPUS.glob(f"{slug}/*.jsonl"), key=lambda path: path.stat().st_size)
            for slug in GAMES]  # fmt: skip
every_log = pytest.mark.parametrize(
    "path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
every_game = pytest.mark.parametrize("path", SHORTEST, ids=lambda path: path.parent.name)


@every_log
def test_it_is_audited_to_the_byte(path):
    report = audit(GAMES, file_evidence(path.name, path.read_bytes()), KEYS)
    assert (report.verdict, report.unchecked) == ("holds", [])


@every_log
def test_the_same_match_in_format_2_says_the_same(path):
    """The same commands and events lead to the same states, results and rows."""
    old, new = (
        Folded.of(GAMES, load(log)) for log in (path, MATCHES / path.parent.name / path.name)
    )
    assert old.match.state == new.match.state
    assert old.match.shown == new.match.shown
    assert msgspec.json.encode(old.match.ending) == msgspec.json.encode(new.match.ending)
    assert msgspec.json.encode(summary(old.match)) == msgspec.json.encode(summary(new.match))


@every_game
def test_a_running_match_goes_on_in_it(path):
    """Decided anew, each record has the bytes that a release of that time gave it."""
    lines = load(path)
    folded = Folded(GAMES, lines[0])
    seed = reveal(lines).service_seed
    for line in lines[1:]:
        record = unseal(folded.match.game, folded.match.header, line)
        at = at_micros(record.at)
        decided = Decided(record.by, record.id, record.command, record.events, at)
        draft = folded.draft(decided, seed, "0.2.0")
        assert isinstance(draft.record, Record1)
        assert draft.data == line
        folded.accept(draft)


@every_game
def test_its_events_have_the_fields_of_that_time(path):
    lines = load(path)
    header = Folded(GAMES, lines[0]).match.header
    records = [unseal(GAMES[header.game], header, line) for line in lines]
    created, *events = [event for record in records for event in record.events]
    assert created.options == Folded.of(GAMES, lines).match.plain_options
    assert MatchStarted() in events
    ended = [event for event in events if type(event) is MatchFinished]
    assert ended in ([], [MatchFinished(event.secret) for event in ended])


@every_game
def test_tampering_is_found(path):
    lines = load(path)
    seed = reveal(lines).service_seed

    def found(forged):
        report = audit(GAMES, Evidence("forged", forged, head=signed(forged)), KEYS)
        return [(finding.record, finding.rule) for finding in report.findings]

    assert found(changed(lines, 5, id="another")) == [(6, "chain")]
    assert found(rechained(changed(lines, 5, salt="0" * 32))) == [(5, "salt")]
    assert found(rechained(changed(lines, 5, at="2026-11-21T08:59:59.000000Z"), seed))[0][0] == 5
    header = opened(lines[0])["events"]
    header[0]["commitment"] = "0" * 64
    assert found(rechained(changed(lines, 1, events=header), seed)) == [(1, "commitment")]
