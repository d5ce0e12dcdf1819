"""Records to bytes and back: bytes are pinned, nothing is dropped, old shapes are upcast."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import events.upcast
from events.codec import RECORD_BYTES_MAX, Unreadable, seal, unseal, unseal_header
from events.record import GENESIS, Record, Record1, at_micros, at_text
from events.upcast import Upcast, upcast
from games.match.commands import Actor, Bank, CreateMatch, TakeSeat
from games.match.events import MatchCreated, SeatTaken


class Sail(msgspec.Struct, frozen=True, tag="sail", tag_field="type", forbid_unknown_fields=True):
    """The toy game's command."""

    course: int


class Sailed(
    msgspec.Struct, frozen=True, tag="sailed", tag_field="type", forbid_unknown_fields=True
):
    """The toy game's event, as version 3 writes it."""

    x: int
    y: int
    wind: int


class Toy:
    """As much of a game as the codec looks at."""

    slug = "toy"
    version = 3
    Command = Sail
    Event = Sailed


TOY = Toy()
FIELDS = (
    2,
    "2026-11-21T09:00:00.123456Z",
    Actor(seat=1),
    "c-2",
    Sail(7),
    (Sailed(1, 2, 3), SeatTaken(1, "p_1", "Ěšč")),
)
RECORD = Record(*FIELDS, "00112233445566778899aabb")
RECORD_1 = Record1(*FIELDS, "00112233445566778899aabbccddeeff", "ab" * 32)
BYTES = (
    '{"v":2,"at":"2026-11-21T09:00:00.123456Z","by":{"seat":1},"id":"c-2",'
    '"command":{"type":"sail","course":7},'
    '"events":[{"type":"sailed","x":1,"y":2,"wind":3},'
    '{"type":"seat_taken","seat":1,"player":"p_1","entropy":"Ěšč"}],'
    '"digest":"00112233445566778899aabb"}'
).encode()
BYTES_1 = BYTES.replace(
    b'"digest":"00112233445566778899aabb"',
    b'"salt":"00112233445566778899aabbccddeeff","prev":"' + b"ab" * 32 + b'"',
)


def created(rules=3, record_format=2):
    return MatchCreated(
        format=record_format,
        match="m_1",
        game="toy",
        rules=rules,
        seats=2,
        options={"b": 1, "a": [None]},
        clock=Bank(60, 5),
        private=True,
        creator="p_0",
        commitment="c0" * 32,
        service="s",
        key="k1",
    )


def test_the_bytes_of_a_record_are_pinned():
    """Other bytes for the same record would break every log, export and receipt there is."""
    assert seal(RECORD) == BYTES
    assert seal(RECORD_1) == BYTES_1
    released = seal(msgspec.structs.replace(RECORD, release="0.2.0"))
    assert released == BYTES[:-1] + b',"release":"0.2.0"}'


def test_a_record_comes_back():
    assert unseal(TOY, created(), BYTES) == RECORD
    assert unseal(TOY, created(record_format=1), BYTES_1) == RECORD_1


def test_a_record_of_the_other_format_is_unreadable():
    with pytest.raises(Unreadable):
        unseal(TOY, created(), BYTES_1)
    with pytest.raises(Unreadable):
        unseal(TOY, created(record_format=1), BYTES)


def test_the_header_of_any_game_comes_back():
    command = CreateMatch("toy", 2, {"b": 1}, clock=Bank(60, 5), private=True)
    fields = (1, at_text(0), Actor(player="p_0"), "key", command)
    for header in (
        Record(*fields, (created(),), "0" * 24, "0.2.0"),
        Record1(*fields, (created(record_format=1),), "0" * 32, GENESIS),
    ):
        assert unseal_header(seal(header)) == header
    with pytest.raises(Unreadable, match="not a valid header"):
        unseal_header(BYTES)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"\xff",
        BYTES[:-1],
        BYTES + b"x",
        BYTES.replace(b'"digest"', b'"digits"'),
        BYTES.replace(b'"digest"', b'"more":1,"digest"'),
        BYTES.replace(b'"wind":3', b'"wind":3,"tide":4'),
        BYTES.replace(b'"wind":3', b'"wind":"3"'),
        BYTES.replace(b'"wind":3', b'"wind":' + b"[" * 99_999),
        BYTES.replace(b'"type":"sailed"', b'"type":"sunk"'),
        BYTES.replace("Ě".encode(), b"\xff"),
    ],
)
def test_what_is_not_a_record_of_the_game_is_unreadable(data):
    """A field or type that is not known must never be dropped quietly."""
    with pytest.raises(Unreadable):
        unseal(TOY, created(), data)
    with pytest.raises(Unreadable):
        unseal(TOY, created(rules=1), data)


def test_a_record_beyond_any_command_is_our_own_fault():
    with pytest.raises(AssertionError):
        seal(Record(1, "", Actor(), "", TakeSeat(entropy="x" * RECORD_BYTES_MAX), (), ""))


@given(st.integers(0, 4_000_000_000_000_000))
def test_times_come_back(micros):
    text = at_text(micros)
    assert at_micros(text) == micros
    assert text.endswith("Z")
    assert len(text) == 27


def test_times_in_text_sort_as_numbers():
    assert at_text(0) == "1970-01-01T00:00:00.000000Z"
    assert at_text(9) < at_text(10) < at_text(1_000_000)


def split_place(record):
    """Version 2 of the toy wrote x and y; before, there was `to: [x, y]`."""
    changed = [
        {"type": "sailed", "x": event["to"][0], "y": event["to"][1]}
        if event["type"] == "sailed"
        else event
        for event in record["events"]
    ]
    return record | {"events": changed}


def add_wind(record):
    """Version 3 writes the wind, which had been 0 until then."""
    changed = [
        event | {"wind": 0} if event["type"] == "sailed" else event for event in record["events"]
    ]
    return record | {"events": changed}


CHANGES = {"toy": (Upcast(2, split_place), Upcast(3, add_wind))}
OLD = {
    1: BYTES.replace(b'"x":1,"y":2,"wind":3', b'"to":[1,2]'),
    2: BYTES.replace(b'"wind":3', b'"wind":0').replace(b',"wind":0', b""),
    3: BYTES.replace(b'"wind":3', b'"wind":0'),
}


@pytest.mark.parametrize("rules", [1, 2, 3])
def test_an_old_record_is_read_in_the_present_shape(monkeypatch, rules):
    monkeypatch.setattr(events.upcast, "UPCASTS", CHANGES)
    record = unseal(TOY, created(rules), OLD[rules])
    assert record.events == (Sailed(1, 2, 0), RECORD.events[1])
    assert seal(record) == OLD[3]


def test_only_the_changes_since_are_applied_in_order():
    plain = {"events": [{"type": "sailed", "to": [4, 5]}]}
    assert upcast("toy", 1, plain, CHANGES) == {
        "events": [{"type": "sailed", "x": 4, "y": 5, "wind": 0}]
    }
    assert plain == {"events": [{"type": "sailed", "to": [4, 5]}]}
    assert upcast("toy", 3, plain, CHANGES) is plain
    assert upcast("other", 1, plain, CHANGES) is plain


def test_an_old_shape_without_its_change_is_unreadable():
    with pytest.raises(Unreadable):
        unseal(TOY, created(rules=1), OLD[1])
