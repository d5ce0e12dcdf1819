"""A good log holds; what can't be checked is said; witnesses are heard."""

import dataclasses
import re

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import file
from events.chain import Head, follow, sign
from events.codec import RECORD_BYTES_MAX
from events.keyring import Keyring, PublicKey, Revocation
from events.receipts import Receipt, sign_together
from events.record import at_text
from games import GAMES
from games.game import Illegal
from games.match.commands import Abandon, Actor, CreateMatch, PerMove, Phases, TakeSeat
from projections.folded import Folded
from replay.audit import audit
from replay.audits import audit_many
from replay.evidence import Evidence
from replay.transfer import BadUpload, upload
from tests.corpus import load, recorded_of
from tests.games.match.toy import TOY, Count, Note, Noted, Peek
from tests.recorder import KEYS, SECOND, SERVICE, SIGNING, START, Recorder
from tests.replay.forgery import opened, signed
from tests.replay.logs import ALL, TOYS, a_match, noted, toy


def checks(report):
    return {finding.rule for finding in report.findings}


def finished() -> Recorder:
    """Play the toy to its end, with notes, an undo and a clock running out."""
    recorder = noted(toy(goal=6, clock=Phases()))
    recorder.time_out()
    while recorder.match.status == "running":
        recorder.play(recorder.state.turn, Count(2))
    return recorder


def evidence(recorder, **more) -> Evidence:
    return Evidence("a log", recorder.lines, head=recorder.head(), **more)


def test_a_good_log_holds_and_everything_was_checked():
    recorder = finished()
    report = audit(TOYS, evidence(recorder, match="m_test"), KEYS)
    assert (report.verdict, report.findings, report.unchecked) == ("holds", [], [])
    assert report.figures.decided == report.figures.records == len(recorder.lines)
    assert report.figures.bytes == sum(map(len, recorder.lines))
    assert (report.match, report.game, report.rules) == ("m_test", "toy", 1)
    assert (report.status, report.head) == ("finished", recorder.folded.head)
    assert report.result == msgspec.to_builtins(TOY.result(recorder.state))


def test_an_abandoned_match_reveals_its_secret_too():
    recorder = toy()
    recorder.send(Actor(operator="p_op"), Abandon())
    report = audit(TOYS, evidence(recorder), KEYS)
    assert (report.verdict, report.unchecked, report.status) == ("holds", [], "abandoned")


def test_a_running_match_is_checked_as_far_as_its_secret_allows():
    recorder = noted(toy())
    report = audit(TOYS, evidence(recorder), KEYS)
    started = 5
    assert report.verdict == "holds"
    assert report.figures.sealed == 1
    assert report.figures.decided == len(recorder.lines) - 1
    assert report.unchecked == [
        "digests: the service seed is not known before the match ends",
        f"dice of records {started}: the service seed is not known",
    ]


def test_with_its_secret_a_running_match_is_checked_whole():
    recorder = noted(toy())
    report = audit(TOYS, evidence(recorder, secret=recorder.service_seed), KEYS)
    assert (report.verdict, report.unchecked) == ("holds", [])


def test_another_secret_is_not_the_one_committed_to():
    report = audit(TOYS, evidence(noted(toy()), secret=bytes(32)), KEYS)
    assert [(finding.record, finding.rule) for finding in report.findings] == [(0, "commitment")]


def test_without_head_or_key_the_signature_is_said_to_be_unchecked():
    recorder = finished()
    unsigned = audit(TOYS, Evidence("x", recorder.lines), KEYS)
    keyless = audit(TOYS, evidence(recorder))
    assert unsigned.verdict == "unauthenticated"
    assert unsigned.unchecked == ["signature: there is no signed head"]
    assert keyless.verdict == "unauthenticated"
    assert keyless.unchecked == ["signature: no public key is known"]


def forgeries() -> dict[str, Evidence]:
    """Make what a forger without the service's key can make of a log."""
    recorder = finished()
    head = recorder.head()
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(32))
    forger = PublicKey.of(stranger.public_key().public_bytes_raw()).service
    shorter = recorder.lines[:-2]
    cut = Head(head.match, len(shorter), recorder.folded.trail.heads[-3], SERVICE, "00" * 64)
    owned = [recorder.lines[0].replace(SERVICE.encode(), forger.encode()), *recorder.lines[1:]]
    *_, last = follow(owned)
    return {
        "garbage": Evidence(
            "x", recorder.lines, head=msgspec.structs.replace(head, signature="no hex")
        ),
        "foreign key": Evidence(
            "x", recorder.lines, head=sign(stranger, forger, head.match, head.version, head.head)
        ),
        "cut tail": Evidence("x", shorter, head=cut),
        "signed anew under the forger's id": Evidence(
            "x", owned, head=sign(stranger, forger, head.match, len(owned), last)
        ),
    }


@pytest.mark.parametrize("name", forgeries())
def test_without_a_key_nothing_holds(name):
    report = audit(TOYS, forgeries()[name])
    assert report.verdict in ("unauthenticated", "broken")
    assert "signature: no public key is known" in report.unchecked


@pytest.mark.parametrize("name", forgeries())
def test_with_the_key_no_forgery_holds(name):
    assert audit(TOYS, forgeries()[name], KEYS).verdict == "broken"


def test_a_log_of_another_service_is_unauthenticated():
    """It may be all right: only its signer is unknown here."""
    other = Keyring.of(bytes(32))
    report = audit(TOYS, evidence(finished()), other)
    assert report.verdict == "unauthenticated"
    assert report.findings == []
    expected = f"signature: signed with key {SERVICE}, which is not one of the known keys"
    assert report.unchecked == [expected]


def test_what_a_revoked_key_signed_later_does_not_count():
    recorder = finished()
    (key,) = KEYS.keys
    for at, verdict in ((recorder.at, "holds"), (recorder.at - 1, "unauthenticated")):
        revoked = msgspec.structs.replace(key, revoked=Revocation(at_text(at), "stolen"))
        report = audit(TOYS, evidence(recorder), Keyring((revoked,)))
        assert report.verdict == verdict
    assert "was revoked at" in report.unchecked[0]


def test_the_services_own_log_needs_no_signature_while_its_secret_is_not_revealed():
    recorder = noted(toy())
    own = Evidence("x", recorder.lines, secret=recorder.service_seed, own=True)
    assert audit(TOYS, own, KEYS).verdict == "holds"
    without = msgspec.structs.replace(own, secret=b"")
    assert audit(TOYS, without, KEYS).verdict == "unauthenticated"
    over = finished()
    revealed = Evidence("x", over.lines, secret=over.service_seed, own=True)
    assert audit(TOYS, revealed, KEYS).verdict == "unauthenticated"
    kept = msgspec.structs.replace(revealed, head=over.head())
    assert audit(TOYS, kept, KEYS).verdict == "holds"


def test_rules_that_are_not_here_are_named():
    recorder = finished()
    newer = dataclasses.replace(TOY, version=2)
    report = audit({"toy": newer}, evidence(recorder), KEYS)
    (finding,) = report.findings
    assert (finding.record, finding.rule) == (1, "rules-version-not-here")
    assert "rules version 1 of toy (this release has 2)" in finding.message
    assert report.figures.decided == 0
    assert report.result is not None, "it was folded all the same"


def test_a_game_that_is_not_here_is_named():
    report = audit(GAMES, evidence(finished()), KEYS)
    assert checks(report) == {"game-not-here"}
    (finding,) = report.findings
    assert "toy is not installed: install the package that declares it" in finding.message


def test_no_log_is_no_good_log():
    assert checks(audit(TOYS, Evidence("x", []))) == {"file"}


def test_the_log_of_another_match_is_told_from_the_one_asked_for():
    report = audit(TOYS, evidence(finished(), match="m_other"), KEYS)
    assert [(finding.record, finding.rule) for finding in report.findings] == [(1, "header")]


def test_a_late_move_is_a_figure():
    """The service may see a command microseconds after a deadline, before the clock does."""
    recorder = toy(clock=PerMove(30))
    recorder.play(0, Count(1), after=30 * SECOND + 250)
    report = audit(TOYS, evidence(recorder, secret=recorder.service_seed), KEYS)
    assert (report.verdict, report.figures.overdue_us) == ("holds", 250)


def test_a_player_sits_once():
    recorder = toy(seated=False)
    recorder.send(Actor(player="p_0"), TakeSeat(0))
    recorder.send(Actor(player="p_0"), TakeSeat(1))
    report = audit(TOYS, evidence(recorder), KEYS)
    assert [(finding.record, finding.rule) for finding in report.findings] == [(3, "sender")]


def test_a_command_counts_once():
    recorder = toy(seats=2)
    recorder.send(Actor(seat=0), Count(1), command_id="twice")
    recorder.send(Actor(seat=1), Count(1), command_id="twice")
    recorder.send(Actor(seat=0), Peek(), command_id="twice")
    report = audit(TOYS, evidence(recorder, secret=recorder.service_seed), KEYS)
    assert [(finding.record, finding.rule) for finding in report.findings] == [(6, "command-id")]


def receipted(receipts: list[Receipt]) -> list[Receipt]:
    """Sign receipts as the service does."""
    at = at_text(START)
    named = [msgspec.structs.replace(one, match="m_test", key=SERVICE, at=at) for one in receipts]
    return sign_together(SIGNING, named)


def test_what_nobody_signed_convicts_nobody():
    recorder = noted(toy())
    wrong = Receipt(3, recorder.folded.trail.heads[3])
    (signed_wrong,) = receipted([wrong])
    (key,) = KEYS.keys
    revoked = msgspec.structs.replace(key, revoked=Revocation(at_text(START - 1), "stolen"))
    changed = {"head": recorder.folded.trail.heads[4]}, {"version": 2}, {"at": ""}, {"index": 99}
    cases = [
        (msgspec.structs.replace(wrong, hint=True), KEYS, "nobody signed it"),
        (signed_wrong, Keyring.of(bytes(32)), "not one of the known keys"),
        (signed_wrong, Keyring((revoked,)), "had been revoked"),
        *((msgspec.structs.replace(signed_wrong, **change), KEYS, "") for change in changed),
    ]
    for receipt, keys, why in cases:
        report = audit(TOYS, evidence(recorder, receipts=[receipt]), keys)
        assert [finding.rule for finding in report.findings if finding.rule == "receipt"] == []
        (said,) = [gap for gap in report.unchecked if gap.startswith("receipt: ")]
        assert why in said
    other = msgspec.structs.replace(signed_wrong, match="m_other")
    assert audit(TOYS, evidence(recorder, receipts=[other]), KEYS).verdict == "holds"


def test_receipts_are_in_the_log():
    recorder = noted(toy())
    folded = recorder.folded
    good = [
        Receipt(3, folded.trail.heads[2]),
        Receipt(folded.number(1), folded.receipt(1), 1),
        Receipt(folded.number(None), folded.receipt(None), "spectator"),
    ]
    assert audit(TOYS, evidence(recorder, receipts=receipted(good)), KEYS).verdict == "holds"
    wrong = [
        Receipt(3, folded.trail.heads[3]),
        Receipt(folded.number(1), folded.trail.heads[0], 1),
        Receipt(99, folded.head),
        Receipt(99, folded.head, 7),
    ]
    report = audit(TOYS, evidence(recorder, receipts=receipted(wrong)), KEYS)
    last = folded.match.shown[1][-1]
    assert [finding.record for finding in report.findings] == [3, last, 0, 0]
    assert checks(report) == {"receipt"}


def test_what_a_viewer_was_sent_is_what_it_may_know():
    recorder = noted(toy())
    recorder.folded.follow((0, 1, None), recorder.lines)
    sent = {viewer: list(recorder.folded.told(viewer)) for viewer in (0, 1, None)}
    assert (
        audit(TOYS, evidence(recorder, transcripts=sent), KEYS, redaction=False).verdict == "holds"
    )
    shown = recorder.folded.match.shown
    record = msgspec.json.decode(sent[1][-1])
    record["events"].append(msgspec.to_builtins(Noted(0, 3)))
    sent[1][-1] = msgspec.json.encode(record)
    sent[None].append(sent[0][-1])
    report = audit(TOYS, evidence(recorder, transcripts=sent), KEYS)
    assert [(f.record, f.rule) for f in report.findings] == [
        (shown[1][-1], "transcript"),
        (0, "transcript"),
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_seat_was_sent_is_compared_without_the_check_of_redaction(slug):
    lines = load(recorded_of(slug)[0])
    folded = Folded.of(GAMES, lines, (0, None))
    sent = {viewer: list(folded.told(viewer)) for viewer in (0, None)}
    log = Evidence("a log", lines, head=signed(lines), transcripts=sent)
    report = audit(GAMES, log, KEYS, redaction=False)
    assert (report.verdict, report.findings) == ("holds", [])


def leaky(event, viewer, state):
    """Redact a note, all but its writer, for rivals: what is left out changes each time."""
    if isinstance(event, Noted) and viewer != event.seat:
        return Noted(event.seat, event.text // 2)
    return TOY.redact(event, viewer, state)


def test_a_redaction_that_is_not_done_with_the_first_time_is_found():
    recorder = toy()
    recorder.play(0, Note(8))
    game = dataclasses.replace(TOY, redact=leaky)
    report = audit({"toy": game}, evidence(recorder), KEYS)
    (finding,) = report.findings
    assert (finding.record, finding.rule) == (6, "redaction")
    fast = audit({"toy": game}, evidence(recorder), KEYS, redaction=False)
    assert fast.verdict == "holds"
    assert "redaction: skipped" in fast.unchecked


def test_an_event_that_all_should_see_but_a_rival_does_not_is_found():
    recorder = toy()
    recorder.play(0, Note(8))
    game = dataclasses.replace(TOY, withheld=frozenset())
    report = audit({"toy": game}, evidence(recorder), KEYS)
    assert (6, "redaction") in [(finding.record, finding.rule) for finding in report.findings]


def test_what_a_viewer_is_told_must_be_an_event():
    recorder = toy()
    recorder.play(0, Note(8))

    def odd(event, viewer, state):
        return Note(1) if isinstance(event, Noted) and viewer == 1 else event

    report = audit({"toy": dataclasses.replace(TOY, redact=odd)}, evidence(recorder), KEYS)
    assert [(finding.record, finding.rule) for finding in report.findings] == [(6, "redaction")]


def test_a_match_that_the_rules_would_not_open_is_a_finding():
    recorder = toy()

    def picky(seats, options, chance):
        raise Illegal("option-conflict")

    def broken(seats, options, chance):
        raise ZeroDivisionError

    for setup in (picky, broken):
        report = audit({"toy": dataclasses.replace(TOY, setup=setup)}, evidence(recorder), KEYS)
        assert (report.findings[0].record, report.findings[0].rule) == (1, "decision")


def test_what_was_sent_is_compared_whatever_it_is():
    recorder = noted(toy())
    for viewer, sent in ((1, b"[]"), (1, b"no JSON"), (1, b"\xff"), (99, b"{}")):
        log = evidence(recorder, transcripts={viewer: [sent]})
        assert checks(audit(TOYS, log, KEYS)) == {"transcript"}


@pytest.mark.parametrize("processes", [1, 2])
def test_many_logs_are_audited_in_their_order(processes):
    good = a_match()
    sound = Evidence("good", good, head=signed(good))
    logs = [sound, Evidence("bad", good[1:]), *[sound] * 3]
    reports = list(audit_many(iter(logs), KEYS, processes=processes))
    assert [(report.name, report.verdict) for report in reports] == [
        ("good", "holds"), ("bad", "broken"), *[("good", "holds")] * 3,
    ]  # fmt: skip


def test_dice_that_are_drawn_in_play_are_decided_again():
    """Tranquility draws at its start alone; here the rules draw with every move."""

    def lucky(draft, seat, command):
        TOY.decide_on(draft, seat, command)
        if command == Count(1):
            draft.add(Noted(seat, draft.chance.randbelow(1000)))

    game = dataclasses.replace(TOY, decide_on=lucky)
    recorder = Recorder(game, CreateMatch("toy", 2, {"goal": 6}))
    recorder.sit("", "")
    while recorder.match.status == "running":
        recorder.play(recorder.state.turn, Count(1))
    report = audit({"toy": game}, evidence(recorder), KEYS)
    assert (report.verdict, report.figures.decided) == ("holds", len(recorder.lines))


def test_tranquility_as_recorded_holds():
    report = audit(ALL, Evidence("x", a_match(), head=signed(a_match())), KEYS)
    assert (report.verdict, report.figures.sealed) == ("holds", 0)


def test_a_record_longer_than_any_and_an_odd_release_are_findings():
    long = "1" * RECORD_BYTES_MAX
    for release, message in ((long, "at most 262144 are allowed"), ("<b>", "$.release")):
        lines = a_match()
        forged = [msgspec.json.encode(opened(lines[0]) | {"release": release}), *lines[1:]]
        report = audit(GAMES, Evidence("forged", forged))
        assert report.verdict == "broken"
        first = report.findings[0]
        assert (first.rule, first.record) == ("record", 1)
        assert message in first.message
        with pytest.raises(BadUpload, match=re.escape(message)):
            upload(GAMES, file.write(forged, None))
