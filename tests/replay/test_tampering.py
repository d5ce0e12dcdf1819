"""Every kind of tampering with a real log is found, and the report names the record.

A forger without keys can change bytes; the service itself can make digests and signature again.
Only matches that the service invents whole remain: receipts find those.
"""

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from events import file
from events.chain import sign
from events.receipts import Receipt, sign_together
from games.match.commands import Actor, Resign
from games.match.seed import commitment
from replay.audit import audit
from replay.evidence import Evidence
from replay.transfer import file_evidence
from tests.games.match.toy import Count, Note
from tests.recorder import KEYS, SERVICE, SIGNING, Recorder
from tests.replay.forgery import changed, opened, rechained, signed
from tests.replay.logs import ALL, a_match, toy

LINES = a_match(2)
LAST = len(LINES)
GOOD = file.write(LINES, signed(LINES))
SERVICE_SEED = bytes.fromhex(opened(LINES[-1])["events"][-1]["secret"])

forging = settings(max_examples=150)


def found(lines, head=None, *, receipts=(), service_seed=b""):
    """Return what an audit finds, as (place, check)."""
    log = Evidence("forged", lines, head=head, receipts=receipts, secret=service_seed)
    report = audit(ALL, log, KEYS, redaction=False)
    assert (report.verdict == "broken") == bool(report.findings)
    return [(finding.record, finding.rule) for finding in report.findings]


def found_in(data: bytes):
    report = audit(ALL, file_evidence("a file", data), KEYS, redaction=False)
    return [(finding.record, finding.rule) for finding in report.findings]


def events_of(place: int) -> list:
    return opened(LINES[place - 1])["events"]


def place_of(kind: str) -> int:
    """Find the first record with such a command or event."""
    return next(
        place
        for place, line in enumerate(LINES, start=1)
        for record in [opened(line)]
        if kind in (record["command"]["type"], *(event["type"] for event in record["events"]))
    )


def test_untouched_it_holds():
    assert found(LINES, signed(LINES)) == []
    assert found_in(GOOD) == []


@forging
@given(at=st.integers(0, 8 * len(GOOD) - 1))
def test_a_flipped_bit_is_found_where_it_is(at):
    """Anywhere in the file: that record is named or, if only the chain tells, the next one."""
    byte, bit = divmod(at, 8)
    place = GOOD.count(b"\n", 0, byte) + 1
    flipped = bytearray(GOOD)
    flipped[byte] ^= 1 << bit
    findings = found_in(bytes(flipped))
    assert findings
    named = {version for version, _ in findings}
    if place < LAST:
        assert named & {place, place + 1}
    else:
        assert {check for _, check in findings} & {"file", "signature"} or LAST in named


@forging
@given(size=st.integers(0, len(GOOD) - 1))
def test_a_truncated_file_is_found(size):
    findings = found_in(GOOD[:size])
    assert (0, "file") in findings


@forging
@given(size=st.integers(0, 6000), packed=st.data())
def test_a_damaged_packed_file_is_found_or_reads_the_same(size, packed):
    data = bytearray(file.write(LINES, signed(LINES), packed=True))
    data[packed.draw(st.integers(0, len(data) - 1))] ^= 1 << packed.draw(st.integers(0, 7))
    log = file_evidence("a file", bytes(data[: max(size, len(data) - size)]))
    assert (
        list(log.lines) == list(LINES) or audit(ALL, log, KEYS, redaction=False).verdict == "broken"
    )


@forging
@given(place=st.integers(1, LAST - 1))
def test_a_dropped_record_is_named(place):
    dropped = [*LINES[: place - 1], *LINES[place:]]
    assert found(dropped)[0] == (place, "number" if place > 1 else "record")
    assert found(rechained(dropped))[0][0] in (place, 1)
    assert min(found(rechained(dropped, SERVICE_SEED), signed(LINES))) <= (LAST - 1, "signature")


def test_a_dropped_last_record_is_missed_by_the_signature():
    assert found(LINES[:-1], signed(LINES)) == [(LAST - 1, "signature")]


@forging
@given(place=st.integers(1, LAST))
def test_a_doubled_record_is_named(place):
    doubled = [*LINES[:place], LINES[place - 1], *LINES[place:]]
    assert (place + 1, "number") in found(doubled)
    assert found(rechained(doubled))[0][0] == place + 1
    assert found(rechained(doubled, SERVICE_SEED))[0] in [
        (place + 1, "command-id"),
        (place + 1, "sender"),
        (2, "record"),
    ]


@forging
@given(place=st.integers(1, LAST - 1))
def test_swapped_records_are_named(place):
    swapped = list(LINES)
    swapped[place - 1 : place + 1] = swapped[place], swapped[place - 1]
    assert found(swapped)[0][0] in (place, 1)
    assert found(rechained(swapped))[0][0] in (place, 1)


@forging
@given(place=st.integers(2, LAST - 1), data=st.data())
def test_a_forged_event_is_named_however_it_is_chained(place, data):
    """Any number or word in any event of any record."""
    events = events_of(place)
    paths = [path for path in leaves(events) if path[-1] != "type"]
    if not paths:
        return
    path = data.draw(st.sampled_from(paths))
    owner = events
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = other(owner[path[-1]])
    forged = rechained(changed(LINES, place, events=events), SERVICE_SEED)
    assert found(forged, signed(forged))[0][0] == place


def leaves(value, path=()):
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, (*path, key))
    elif value is not None:
        yield path


def other(value):
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}x"


def test_a_missing_and_an_added_event_are_named():
    place = place_of("cards_drawn")
    events = events_of(place)
    for forged_events in (events[:-1], [*events, events[-1]], events[::-1]):
        forged = rechained(changed(LINES, place, events=forged_events), SERVICE_SEED)
        assert found(forged, signed(forged))[0] == (place, "events")


def test_a_forged_command_is_named():
    place = place_of("discard_two")
    command = opened(LINES[place - 1])["command"]
    forged = rechained(changed(LINES, place, command=command | {"cards": command["cards"][::-1]}))
    assert found(forged, signed(forged))[0] == (place, "events")
    forged = rechained(changed(LINES, place, command={"type": "play_start", "card": "start_1"}))
    assert found(forged, signed(forged))[0] == (place, "decision")


def test_a_command_under_anothers_name_is_named():
    place = place_of("discard_two")
    seat = opened(LINES[place - 1])["by"]["seat"]
    for by, check in (
        ({"seat": 1 - seat}, "decision"),
        ({"seat": 9}, "sender"),
        ({"seat": -1}, "sender"),
        ({"seat": seat, "operator": "p_op"}, "sender"),
        ({"player": f"p_{seat}"}, "sender"),
        ({}, "sender"),
        ({"clock": True}, "decision"),
    ):
        forged = rechained(changed(LINES, place, by=by))
        assert found(forged, signed(forged))[0] == (place, check), by


@forging
@given(place=st.integers(2, LAST))
def test_a_back_dated_record_is_named(place):
    forged = rechained(changed(LINES, place, at="2026-11-21T08:59:59.000000Z"))
    assert (place, "time") in found(forged, signed(forged))


@pytest.mark.parametrize(
    "at", ["2026-11-21T10:00:00Z", "2026-11-21 10:00:00.000000Z", "2026-13-21T10:00:00.000000Z", ""]
)
def test_a_time_in_another_form_is_named(at):
    forged = rechained(changed(LINES, 6, at=at))
    assert (6, "time") in found(forged, signed(forged))


def test_a_timeout_that_was_not_due_is_named():
    place = place_of("timed_out")
    before = opened(LINES[place - 2])["at"]
    forged = rechained(changed(LINES, place, at=before))
    assert found(forged, signed(forged))[0] == (place, "timeout")
    command = opened(LINES[place - 1])["command"]
    forged = rechained(changed(LINES, place, command=command | {"deadline": 0}))
    assert found(forged, signed(forged))[0] == (place, "timeout")


def test_a_wrong_shuffle_is_named_though_the_service_itself_made_it():
    place = place_of("match_started")
    events = events_of(place)
    dealt = next(event for event in events if event["type"] == "dealt")
    top, *rest = dealt["piles"][0]
    dealt["piles"][0] = [*rest, top]
    forged = rechained(changed(LINES, place, events=events), SERVICE_SEED)
    assert found(forged, signed(forged))[0] == (place, "events")


@forging
@given(place=st.integers(1, LAST))
def test_a_changed_digest_is_named(place):
    digest = opened(LINES[place - 1])["digest"]
    forged = changed(LINES, place, digest=digest[::-1])
    assert found(forged, signed(forged)) == [(place, "digest")]


@forging
@given(place=st.integers(1, LAST - 1))
def test_a_change_that_the_rules_allow_is_named_by_the_next_digest(place):
    """Ids and times are the sender's and the service's own: nothing else contradicts them."""
    forged = changed(LINES, place, id="another")
    assert found(forged, signed(forged)) == [(place + 1, "digest")]


def test_a_changed_secret_is_named():
    events = events_of(LAST)
    events[-1]["secret"] = bytes(32).hex()
    forged = rechained(changed(LINES, LAST, events=events))
    assert found(forged, signed(forged)) == [(LAST, "commitment")]
    assert found(forged, signed(forged), service_seed=SERVICE_SEED) == [(LAST, "events")]
    events[-1]["secret"] = "none"
    forged = rechained(changed(LINES, LAST, events=events))
    assert (LAST, "events") in found(forged, signed(forged))


def test_a_changed_commitment_is_named():
    header = events_of(1)
    header[0]["commitment"] = commitment(bytes(32))
    forged = rechained(changed(LINES, 1, events=header), SERVICE_SEED)
    assert found(forged, signed(forged)) == [(1, "commitment")]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seats", 1),
        ("seats", 1 << 40),
        ("options", {"variant": "none"}),
        ("options", {"variant": "high_arch"}),
        ("creator", "p_1"),
        ("away_after", 0),
        ("format", 1),
        ("format", 3),
        ("rules", 9),
        ("game", "chess"),
        ("match", "m_other"),
        ("service", "0" * 16),
    ],
)
def test_a_changed_header_is_named(field, value):
    header = events_of(1)
    header[0][field] = value
    forged = rechained(changed(LINES, 1, events=header))
    named = {place for place, _ in found(forged, signed(LINES))}
    assert named & {0, 1}


@pytest.mark.parametrize("place", [1, 2, LAST])
def test_another_spelling_of_the_same_is_named(place):
    for spelled in (
        LINES[place - 1].replace(b":", b": ", 1),
        LINES[place - 1].replace(b'"id":"c', b'"id":"\\u0063', 1),
        b'{"v":1,' + LINES[place - 1][1:],
        b'{"digest":"","v"' + LINES[place - 1][4:],
    ):
        assert spelled != LINES[place - 1]
        forged = [*LINES[: place - 1], spelled, *LINES[place:]]
        checks = {check for version, check in found(forged) if version == place}
        assert checks & {"bytes", "record"}


@pytest.mark.parametrize("place", [1, 2, LAST])
@pytest.mark.parametrize("wrong", ["", "c 1", "ě", "c\n", "c" * 65])
def test_an_id_that_no_client_may_send_is_named(place, wrong):
    forged = rechained(changed(LINES, place, id=wrong))
    assert (place, "record") in found(forged)


def test_a_wrong_signature_is_found():
    head = signed(LINES)
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(32))
    name, last, digest = head.match, LAST, head.head
    forged = [
        msgspec.structs.replace(head, signature="00" * 64),
        msgspec.structs.replace(head, signature="none"),
        msgspec.structs.replace(head, signature=head.signature.upper()),
        msgspec.structs.replace(head, service="0" * 16),
        sign(stranger, SERVICE, name, last, digest),
        sign(stranger, "0" * 16, name, last, digest),
        signed_as("m_other"),
    ]
    for wrong in forged:
        assert {check for _, check in found(LINES, wrong)} == {"signature"}, wrong


def signed_as(match: str):
    from tests.recorder import SIGNING

    head = signed(LINES)
    return sign(SIGNING, SERVICE, match, head.version, head.head)


def test_records_beyond_the_signed_head_are_named():
    shorter = signed(LINES[:-3])
    assert found(LINES, shorter) == [(LAST - 2, "signature")]


def test_a_match_made_up_whole_is_found_by_a_receipt():
    """The service decides and signs another end of a match; a player has seen another head."""
    played, made_up = (toy(seats=2, goal=9) for _ in range(2))
    for recorder in (played, made_up):
        recorder.play(0, Count(2))
    played.play(1, Count(2))
    made_up.play(1, Count(1))
    made_up.send(Actor(seat=1), Resign())
    told = Receipt(played.folded.number(1), played.folded.receipt(1), 1, key=SERVICE)
    (receipt,) = sign_together(SIGNING, [told])
    assert found(made_up.lines, made_up.head()) == []
    assert found(made_up.lines, made_up.head(), receipts=[receipt]) == [(5, "receipt")]


def test_a_record_after_the_end_is_named():
    recorder: Recorder = toy(seats=2, goal=2)
    recorder.play(0, Count(2))
    note = opened(recorder.lines[-1]) | {"command": {"type": "note", "text": 1}, "id": "more"}
    note["events"] = [{"type": "noted", "seat": 0, "text": 1}]
    forged = rechained([*recorder.lines, msgspec.json.encode(note)], recorder.service_seed)
    assert found(forged, signed(forged)) == [(5, "decision")]
    assert Note(1), "which is legal before"


@settings(max_examples=300)
@given(data=st.data())
def test_no_file_breaks_the_audit(data):
    """Junk, nonsense values and torn lines end in a report."""
    junk = st.binary(max_size=60) | st.sampled_from(
        [b"{}", b"[]", b"null", b'{"v":2}', b"\xff" * 9]
    )
    lines = list(data.draw(st.sampled_from([LINES, LINES[:8], []])))
    for _ in range(data.draw(st.integers(1, 4))):
        lines.insert(data.draw(st.integers(0, len(lines))), data.draw(junk))
    if len(lines) > 1 and data.draw(st.booleans()):
        place = data.draw(st.integers(1, len(lines)))
        try:
            name = data.draw(
                st.sampled_from(["v", "at", "by", "id", "command", "events", "digest"])
            )
            value = data.draw(st.sampled_from([None, -1, "", [], {}, 1 << 70, {"seat": "0"}]))
            lines = changed(lines, place, **{name: value})
        except (msgspec.DecodeError, AssertionError, AttributeError, TypeError, UnicodeDecodeError):
            pass
    assert audit(ALL, Evidence("junk", lines), KEYS).verdict == "broken"
