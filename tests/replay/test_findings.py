"""First causes are told from what follows from them; values are whole."""

import dataclasses

import jsonpatch
import msgspec

from replay.audit import audit
from replay.evidence import Evidence
from replay.findings import FINDINGS_MAX, Findings
from replay.report import Finding, difference
from tests.games.match.toy import TOY, Count, Counted
from tests.recorder import KEYS
from tests.replay.forgery import changed, opened, rechained
from tests.replay.logs import TOYS, noted, toy
from tests.replay.miscounted import miscounting, played


def found(recorder, lines, games=TOYS):
    evidence = Evidence("log", lines, secret=recorder.service_seed)
    return audit(games, evidence, KEYS, redaction=False).findings


def causes(findings):
    return [(finding.record, finding.rule, finding.caused_by) for finding in findings]


def test_each_wrong_decision_of_a_release_is_a_first_cause():
    """The log says what the state was, so the audit knows that nothing else is wrong."""
    recorder = played(miscounting(Count(2)))
    findings = found(recorder, recorder.lines)
    assert causes(findings) == [(6, "events", None), (9, "events", None)]
    first = findings[0]
    assert (first.event, first.path) == (1, "/events/0")
    assert first.actual == opened(recorder.lines[5])["events"][0]
    assert jsonpatch.apply_patch(first.expected, list(first.patch)) == first.actual


def test_a_wrong_fold_is_found_at_the_record_where_it_happens():
    recorder = played(TOY)

    def apply(state, event):
        TOY.apply(state, event)
        if event == Counted(0, 4):
            state.turn = (state.turn + 1) % 2

    findings = found(recorder, recorder.lines, {"toy": dataclasses.replace(TOY, apply=apply)})
    assert causes(findings)[0] == (6, "digest", None)
    assert len(findings) > 1
    assert {finding.caused_by for finding in findings[1:]} == {6}
    assert "counted" in findings[0].message


def test_what_follows_from_forged_events_names_them():
    recorder = noted(toy())
    place = next(v for v, line in enumerate(recorder.lines, 1) if b'"counted"' in line)
    events = opened(recorder.lines[place - 1])["events"]
    forged = rechained(changed(recorder.lines, place, events=[*events, *events]))
    findings = found(recorder, forged)
    assert causes(findings) == [(place, "events", None), (place + 1, "digest", place)]


def test_values_are_never_cut():
    text = "x" * 10_000
    finding = difference("events", 3, "why", "/events/0", {"text": text}, {"text": text + "y"}, 1)
    assert finding.expected == {"text": text}
    assert finding.actual == {"text": text + "y"}
    assert msgspec.json.decode(msgspec.json.encode(finding), type=Finding) == finding


def test_first_causes_are_listed_however_much_follows():
    findings = Findings([Finding("digest", 1, "")])
    findings.extend(Finding("decision", place, "") for place in range(2, 500))
    findings.agree(599)
    findings.add(Finding("events", 600, ""))
    assert causes(findings.listed[:1] + findings.listed[-1:]) == [
        (1, "digest", None),
        (600, "events", None),
    ]
    assert len(findings.listed) == FINDINGS_MAX + 2
    assert findings.unlisted == 498 - FINDINGS_MAX
