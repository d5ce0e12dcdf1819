"""A journal remembers the last report of each log, and the last head that nobody contradicted."""

import pytest

from replay.report import Figures, Finding, Report
from service.process import audit_journal
from service.process.audit_journal import BadJournal, Journal

HEADS = [character * 64 for character in "abcd"]


def report(name, version, *findings):
    verdict = "broken" if findings else "holds"
    return Report(
        name, verdict, findings, (), Figures(version, 0, 0, 0, 0), head=HEADS[version - 1]
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def test_it_is_read_again(path):
    with Journal(path) as journal:
        journal.add(report("m", 1))
        journal.add(report("m", 2))
        journal.add(report("n", 1, Finding("time", 1, "early")))
        before = dict(journal.audited)
    with Journal(path) as journal:
        assert dict(journal.audited) == before
        assert (journal.audited["m"].version, journal.failed) == (2, 1)


def test_a_contradicted_head_replaces_none_that_was_seen(path):
    with Journal(path) as journal:
        journal.add(report("m", 3))
        journal.add(report("m", 2, Finding("cut", 2, "shorter")))
        audited = journal.audited["m"]
    assert audited.is_head_of(HEADS[:2])
    assert not audited.is_head_of(HEADS[:3])
    assert audited.contradicted_by(HEADS[:2]).rule == "cut"
    assert audited.contradicted_by(HEADS) is None
    assert audited.contradicted_by([*HEADS[:2], HEADS[3]]).rule == "rewritten"


def test_outdated_reports_are_removed(path, monkeypatch):
    monkeypatch.setattr(audit_journal, "ROOM", 0)
    with Journal(path) as journal:
        for version in (1, 2, 3):
            journal.add(report("m", version))
        journal.add(report("m", 2, Finding("cut", 2, "shorter")))
        before = dict(journal.audited)
        journal.compact()
        assert len(path.read_bytes().splitlines()) == 2
        journal.add(report("n", 1))
        with pytest.raises(BadJournal, match="in use"):
            Journal(path)
    with Journal(path) as journal:
        assert {name: journal.audited[name] for name in before} == before
        assert len(journal.audited) == 2
