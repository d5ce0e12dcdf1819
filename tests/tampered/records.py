"""Tampering with records: bytes, fields, commands, events, dice, order; with and without keys."""

from collections.abc import Iterator, Sequence

from events import file
from events.record import at_text
from games.match.seed import commitment
from tests.replay.forgery import Plain, opened, rechained, signed
from tests.tampered.files import Forger, Forgery
from tests.tampered.origin import Origin, by_player, encoded, kinds

PAST = "2026-11-21T08:59:59.000000Z"
FORMS = frozenset(("bytes", "record"))
NEXT = frozenset(("digest", "chain"))
DRAWN = frozenset(("decks", "finds", "layout", "pads", "piles"))
"""Fields of set-up events with dice."""
DRAWING_IN_PLAY = frozenset(("ke_dnu", "tranquility"))
"""Games that draw dice after the set-up."""


def _one(name: str, data: bytes, record: int, *checks: str, blind: bool = False) -> Forgery:
    return Forgery(name, data, record, frozenset(checks), blind)


def spelling(o: Origin) -> Iterator[Forgery]:
    """Yield records that say the same in other bytes, signed by the service itself."""
    n = o.middle
    line, record = o.lines[n - 1], o.records[n - 1]
    kind = record["command"]["type"].encode()
    seat = b'"seat":%d' % record["by"]["seat"]
    number = b'{"v":%d,' % n
    for name, spelled in (
        ("space", line.replace(b":", b": ", 1)),
        ("tab", line.replace(b",", b",\t", 1)),
        ("space-inside", b"{ " + line[1:]),
        ("carriage-return", line.replace(b",", b",\r", 1)),
        ("escaped-letter", line.replace(b'"id":"c', b'"id":"\\u0063', 1)),
        ("escaped-type", line.replace(b'"type":"', b'"type":"\\u%04x' % kind[0], 1).replace(
            b"\\u%04x%c" % (kind[0], kind[0]), b"\\u%04x" % kind[0], 1)),
        ("escaped-key", line.replace(b'"events"', b'"e\\u0076ents"', 1)),
        ("doubled-version", number + line[1:]),
        ("doubled-id", line.replace(b'"id":', b'"id":"x","id":', 1)),
        ("doubled-command", line.replace(b'"command":', b'"command":null,"command":', 1)),
        ("doubled-type", line.replace(b'"type":', b'"type":"resign","type":', 1)),
        ("doubled-seat", line.replace(seat, b'"seat":0,' + seat, 1)),
        ("fields-reordered", encoded(dict(reversed(record.items())))),
        ("actor-with-default", line.replace(seat + b"}", seat + b',"clock":false}', 1)),
    ):  # fmt: skip
        if spelled and spelled != line:
            yield _one(f"spelling-{name}", _kept(o, n, spelled), n, *FORMS)
    for name, spelled in (
        ("version-as-float", line.replace(number, b'{"v":%d.0,' % n, 1)),
        ("version-with-exponent", line.replace(number, b'{"v":%de0,' % n, 1)),
        ("version-as-text", line.replace(number, b'{"v":"%d",' % n, 1)),
        ("leading-zero", line.replace(number, b'{"v":0%d,' % n, 1)),
        ("infinite-number", line.replace(seat, b'"seat":1e999', 1)),
        ("not-a-number", line.replace(seat, b'"seat":NaN', 1)),
        ("unknown-field", line[:-1] + b',"note":"x"}'),
        ("missing-field", encoded({key: record[key] for key in record if key != "id"})),
        ("null-events", line.replace(b'"events":[', b'"events":null,"was":[', 1)),
        ("invalid-utf-8", line.replace(b'"id":"', b'"id":"\xff', 1)),
        ("overlong-utf-8", line.replace(b'"id":"', b'"id":"\xc1\xa3', 1)),
        ("lone-surrogate", line.replace(b'"id":"', b'"id":"\\ud800', 1)),
        ("lone-surrogate-in-event", line.replace(b':[{"type":"', b':[{"type":"\\ud800', 1)),
        ("id-as-number", encoded(record | {"id": 5})),
        ("id-in-a-list", encoded(record | {"id": [record["id"]]})),
        ("id-null", encoded(record | {"id": None})),
        ("release-as-number", encoded(record | {"release": 5})),
        ("release-null", encoded(record | {"release": None})),
        ("operator-in-a-list", encoded(record | {"by": {"operator": ["p_op"]}})),
        ("player-as-number", encoded(record | {"by": {"player": 5}})),
        ("command-without-type", encoded(record | {"command": {}})),
        ("event-without-type", encoded(record | {"events": [{}]})),
        ("nul", line.replace(b'"id":"', b'"id":"\\u0000', 1)),
        ("invisible-letter", line.replace(b'"id":"', '"id":"\u200b'.encode(), 1)),
        ("two-records-in-a-line", line + o.lines[n]),
    ):
        yield _one(f"spelling-{name}", _kept(o, n, spelled), n, *FORMS)
    beyond = line.replace(number, b'{"v":%d,' % 10**30, 1)
    yield _one("spelling-version-beyond-64-bits", _kept(o, n, beyond), n, "number")
    for name, values in (
        ("seats", {"seats": 10**9}),
        ("match-with-escapes", {"match": "m_\x1b[2J"}),
        ("match-with-line-feed", {"match": "m_1\n"}),
        ("match-empty", {"match": ""}),
        ("commitment-short", {"commitment": "zz"}),
        ("commitment-empty", {"commitment": ""}),
        ("commitment-upper-case", {"commitment": commitment(bytes(32)).upper()}),
    ):
        header = o.records[0]["events"][0] | values
        line = encoded(o.records[0] | {"events": [header]})
        yield _one(f"header-{name}", _kept(o, 1, line), 1, "record", "header")
    command = o.records[0]["command"]
    for name, values in (
        ("game-as-number", {"game": 5}),
        ("game-in-a-list", {"game": [command["game"]]}),
        ("rules-as-text", {"rules": "1"}),
        ("rules-null", {"rules": None}),
        ("clock-as-number", {"clock": 60}),
        ("clock-in-a-list", {"clock": []}),
    ):
        requested = command | {key: values[key] for key in values if key != "rules"}
        header = o.records[0]["events"][0] | values
        line = encoded(o.records[0] | {"command": requested, "events": [header]})
        yield _one(f"header-{name}", _kept(o, 1, line), 1, "record", "header")
    header = o.records[0]["events"][0]
    line = encoded(o.records[0] | {"events": [header, header]})
    yield _one("header-doubled", _kept(o, 1, line), 1, "record")
    if o.format == 2:
        yield from _defaults(o)


def _defaults(o: Origin) -> Iterator[Forgery]:
    """Yield headers with fields that the service leaves out."""
    command, header = o.records[0]["command"], o.records[0]["events"][0]
    for name, values in (
        ("private", {"private": False}),
        ("options", {"options": {}}),
        ("clock", {"clock": None}),
        ("away", {"away_after": 3}),
    ):
        lines = o.with_record(1, command=command | values, events=[header | values])
        yield _one(f"default-{name}", o.sealed(lines), 1, "bytes")
    for name, options in (("default", {"variant": "standard"}), ("unknown", {"zz": 1})):
        lines = o.with_record(1, command=command | {"options": options})
        yield _one(f"command-option-{name}", o.sealed(lines), 1, "bytes", "decision", "events")


def nested(o: Origin) -> Iterator[Forgery]:
    """Yield a line that exhausts the stack of a careless decoder."""
    n = o.middle
    deep = b"[" * 100_000 + b"]" * 100_000
    for name, line in (("record", o.lines[n - 1]), ("head", encoded(o.head))):
        forged = _kept(o, n, line[:-1] + b',"x":' + deep + b"}")
        yield _one(f"deeply-nested-{name}", forged, 0, "file")


def _kept(o: Origin, place: int, line: bytes) -> bytes:
    """Return a file with one line replaced to the byte, signed by the service."""
    lines = o.with_line(place, line)
    return file.write(lines, signed(lines))


def unkeyed(o: Origin) -> Iterator[Forgery]:
    """Yield changes that anybody can make: digests, salts and signature are the old ones."""
    n, record = o.middle, o.records[o.middle - 1]
    yield _one("id-changed", o.stale(o.with_record(n, id="another")), n + 1, *NEXT)
    yield _one("last-id-changed", o.stale(o.with_record(o.last, id="another")), 0, "file")
    header = o.records[0]["events"][0]
    for name, values in (
        ("private", {"private": not header.get("private", False)}),
        ("creator", {"creator": "p_9"}),
        ("commitment", {"commitment": commitment(bytes(32))}),
    ):
        checks = ("commitment",) if name == "commitment" else ("events", "bytes")
        data = o.stale(o.with_record(1, events=[header | values]))
        yield _one(f"header-{name}", data, 1, *checks)
    data = o.stale(o.with_record(1, events=[header | {"key": "k9"}]))
    yield _one("header-key", data, 2, *NEXT)
    if o.format == 1:
        yield from _chained(o)
        return
    digest, other = record["digest"], o.records[n - 2]["digest"]
    for name, value in (
        ("changed", digest[::-1]),
        ("zero", "0" * 24),
        ("of-the-record-before", other),
        ("upper-case", digest.upper()),
        ("longer", digest + "00"),
        ("shorter", digest[:-2]),
        ("empty", ""),
    ):
        yield _one(f"digest-{name}", o.stale(o.with_record(n, digest=value)), n, "digest", *FORMS)
    listed = o.stale(o.with_record(n, digest=[digest]))
    yield _one("digest-in-a-list", listed, n, "digest", "record")
    none = encoded({key: record[key] for key in record if key != "digest"})
    yield _one("digest-missing", o.stale(o.with_line(n, none)), n, "digest", "record")
    first = {key: value for key, value in o.records[0].items() if key != "release"}
    yield _one("release-missing", o.sealed(o.with_line(1, encoded(first))), 1, "bytes")
    yield _one("release-empty-at-first", o.sealed(o.with_record(1, release="")), 1, "bytes")
    yield _one("release-changed", o.stale(o.with_record(1, release="9.9.9")), 2, "digest")
    release = o.records[0]["release"]
    for name, value in (
        *(("odd", "<b>"), ("long", "1" * 65), ("huge", "1" * 300_000)),
        ("line-feed", f"{release}\n"),
    ):
        yield _one(f"release-{name}", o.stale(o.with_record(1, release=value)), 1, "record")
    for name, value in (("repeated", release), ("empty", "")):
        again = o.sealed(o.with_line(n, encoded(record | {"release": value})))
        yield _one(f"release-{name}", again, n, "bytes")
    again = o.stale(o.with_line(n, encoded(record | {"release": "9.9.9"})))
    yield _one("release-added", again, n + 1, "digest")


def _chained(o: Origin) -> Iterator[Forgery]:
    n, record = o.middle, o.records[o.middle - 1]
    yield _one("prev-changed", o.stale(o.with_record(n, prev="0" * 64)), n, "chain")
    yield _one(
        "prev-upper-case", o.stale(o.with_record(n, prev=record["prev"].upper())), n, "chain"
    )
    yield _one("salt-changed", o.stale(o.with_record(n, salt="0" * 32)), n, "salt")
    other = o.records[n - 2]["salt"]
    yield _one("salt-of-the-record-before", o.stale(o.with_record(n, salt=other)), n, "salt")


def times(o: Origin) -> Iterator[Forgery]:
    """Yield times that run backwards or have another form, and clocks that ran out too early."""
    n, at = o.middle, o.records[o.middle - 1]["at"]
    yield _one("time-before-the-match", o.sealed(o.with_record(n, at=PAST)), n, "time")
    for name, text in (
        ("without-microseconds", at[:19] + "Z"),
        ("with-a-space", at.replace("T", " ")),
        ("with-an-offset", at[:-1] + "+00:00"),
        ("lower-case", at.lower()),
        ("no-such-month", at[:5] + "13" + at[7:]),
        ("hour-24", at[:11] + "24:00:00.000000Z"),
        ("arabic-digits", "\u0662" + at[1:]),
        ("empty", ""),
    ):
        yield _one(f"time-{name}", o.sealed(o.with_record(n, at=text)), n, "time")
    for name, text in (("before-1970", f"1969{at[4:]}"), ("of-year-0", f"0000{at[4:]}")):
        yield _one(f"time-{name}", o.sealed(o.with_record(1, at=text)), 1, "time")
    ran = {"by": {"clock": True}, "command": {"type": "time_out", "seat": 0, "deadline": 0}}
    yield _one("time-out-invented", o.sealed(o.with_record(n, **ran)), n, "timeout", blind=True)


def early(o: Origin) -> Iterator[Forgery]:
    """Yield a clock that ran out a microsecond too early."""
    for n, record in enumerate(o.records, start=1):
        if record["command"]["type"] == "time_out":
            at = at_text(record["command"]["deadline"] - 1)
            if at >= o.records[n - 2]["at"]:
                data = o.sealed(o.with_record(n, at=at))
                yield _one("time-out-early", data, n, "timeout", blind=True)
                return


def running(o: Origin) -> Iterator[Forgery]:
    """Yield logs that have not ended, with digests that nobody can compute before."""
    if o.format == 1:
        return
    for n in (1, o.middle):
        for name, text in (("word", "x"), ("empty", ""), ("long", "0" * 40), ("nul", "\0")):
            lines = o.with_record(n, digest=text)[: o.middle]
            yield _one(f"running-digest-{name}-{n}", file.write(lines, signed(lines)), n, "digest")


def senders(o: Origin) -> Iterator[Forgery]:
    """Yield records that name another sender, or the same command twice."""
    n, record = o.middle, o.records[o.middle - 1]
    seat, seats = record["by"]["seat"], o.records[0]["events"][0]["seats"]
    for name, by, blind in (
        ("other-seat", {"seat": (seat + 1) % seats}, True),
        ("no-such-seat", {"seat": seats}, False),
        ("negative-seat", {"seat": -1}, False),
        ("nobody", {}, False),
        ("two", {"seat": seat, "operator": "p_op"}, False),
        ("seated-player-without-seat", {"player": _player_of(o, seat)}, False),
        ("operator", {"operator": "p_op"}, True),
        ("clock", {"clock": True}, True),
    ):
        data = o.sealed(o.with_record(n, by=by))
        yield _one(f"sender-{name}", data, n, "sender", "decision", "events", blind=blind)
    earlier = o.first(lambda other: other["by"] == record["by"])
    if earlier is not None and earlier < n:
        data = o.sealed(o.with_record(n, id=o.records[earlier - 1]["id"]))
        yield _one("id-repeated", data, n, "command-id")
    for name, text in (("empty", ""), ("with-a-space", "a b"), ("too-long", "x" * 65)):
        yield _one(f"id-{name}", o.sealed(o.with_record(n, id=text)), n, "record")


def _player_of(o: Origin, seat: int) -> str:
    taken = [event for record in o.records for event in record["events"]
             if event["type"] == "seat_taken" and event["seat"] == seat]  # fmt: skip
    return taken[-1]["player"] if taken else "p_0"


def decisions(o: Origin) -> Iterator[Forgery]:
    """Yield commands that the rules refuse, and records moved, put in or taken out."""
    n, record = o.middle, o.records[o.middle - 1]
    kind = record["command"]["type"]
    other = next(r["command"] for r in o.records[o.start :]
                 if by_player(r) and r["command"]["type"] != kind)  # fmt: skip
    refused = "decision", "events"
    yield _one("command-other", o.sealed(o.with_record(n, command=other)), n, *refused, blind=True)
    invented = {"command": {"type": "resign"}, "events": [], "id": "inserted"}
    data = o.sealed(o.with_line(n, encoded(record | invented), o.lines[n - 1]))
    yield _one("record-inserted", data, n, *refused, blind=True)
    data = o.sealed([*o.lines[:1], *o.lines[2:]])
    yield _one("seat-removed", data, o.start - 1, "decision", "events", "sender", blind=True)
    data = o.stale(o.with_line(n))
    yield _one("record-removed", data, n, "number", "digest", "decision")
    swapped = [*o.lines[: n - 1], o.lines[n], o.lines[n - 1], *o.lines[n + 1 :]]
    yield _one("records-swapped", o.stale(swapped), n, "number")
    yield _one("record-doubled", o.stale(o.with_line(n, *[o.lines[n - 1]] * 2)), n + 1, "number")
    after = encoded(record | {"id": "after-the-end"})
    yield _one("record-after-the-end", o.sealed([*o.lines, after]), o.last + 1, *refused)
    if o.slug != "tranquility" or o.format != 2:
        return
    moved = o.sealed([*o.lines[:1], *o.lines[n:], *o.lines[1:n]])
    yield _one("records-rotated", moved, 2, *refused, "time", "timeout", "sender")


def outcomes(o: Origin) -> Iterator[Forgery]:
    """Yield events that do not follow from their command, resealed: added, removed, changed."""
    n, events = o.middle, o.records[o.middle - 1]["events"]
    yield from _outcome(o, "event-removed", n, events[:-1])
    yield from _outcome(o, "event-doubled", n, [*events, events[-1]])
    many = o.first(lambda r: by_player(r) and len(r["events"]) > 1, o.start)
    if many is not None:
        yield from _outcome(o, "events-reversed", many, o.records[many - 1]["events"][::-1])
    yield from _outcome(o, "event-nudged", n, [*map(nudged, events)])
    foreign = [*events, {"type": "seat_freed", "seat": 0}]
    yield from _outcome(o, "event-of-the-match-added", n, foreign)
    yield from _results(o)


def flags(o: Origin) -> Iterator[Forgery]:
    """Yield a record with a flag turned, such as what shows an event to others."""
    flagged = o.first(lambda r: any(flipped(event) != event for event in r["events"]), o.start)
    if flagged is not None:
        yield from _outcome(o, "flag", flagged, [*map(flipped, o.records[flagged - 1]["events"])])


def undone(o: Origin) -> Iterator[Forgery]:
    """Yield an undo that goes back further than was agreed."""
    place = o.first(lambda r: "undone" in kinds(r))
    if place is not None:
        events = o.records[place - 1]["events"]
        back = [e | {"to": e["to"] - 1} if e["type"] == "undone" else e for e in events]
        yield from _outcome(o, "undone-further", place, back)


def _outcome(o: Origin, name: str, place: int, events: Sequence[Plain]) -> Iterator[Forgery]:
    if list(events) != o.records[place - 1]["events"]:
        data = o.sealed(o.with_record(place, events=events))
        yield _one(name, data, place, "events", "record", blind=True)


def _results(o: Origin) -> Iterator[Forgery]:
    *before, end = o.records[-1]["events"]
    if o.format == 1:
        return
    for name, value in (
        ("winners", [] if end["winners"] else [0]),
        ("places", end["places"][::-1]),
        ("scores", [score + 1 for score in end["scores"]]),
        ("reason", "resigned" if end["reason"] != "resigned" else "agreed"),
        ("result", None),
    ):
        if value != end[name]:
            forged = [*before, end | {name: value}]
            yield from _outcome(o, f"result-{name}", o.last, forged)


def nudged(event: Plain) -> Plain:
    """Change the first number or word of an event, except its type."""
    for name, value in event.items():
        if type(value) is int:
            return event | {name: value + 1}
        if isinstance(value, str) and name != "type":
            return event | {name: value + "x"}
    return event


def flipped(event: Plain) -> Plain:
    """Turn the first flag of an event."""
    for name, value in event.items():
        if type(value) is bool:
            return event | {name: not value}
    return event


def dice(o: Origin) -> Iterator[Forgery]:
    """Yield dice that do not follow from the secret, and secrets that were not committed to."""
    yield from _dealt(o)
    seated = o.first(lambda r: "seat_taken" in kinds(r))
    if seated is not None and seated < o.start:
        record = o.records[seated - 1]
        lucky = [event | {"entropy": "lucky"} for event in record["events"]]
        command = record["command"] | {"entropy": "lucky"}
        yield _one("entropy", o.sealed(o.with_record(seated, command=command, events=lucky)),
                   o.start, "events")  # fmt: skip
    header = o.records[0]["events"][0] | {"commitment": commitment(bytes(32))}
    yield _one("commitment", o.sealed(o.with_record(1, events=[header])), 1, "commitment")
    *before, end = o.records[-1]["events"]
    for name, secret in (
        ("zero", bytes(32).hex()),
        ("upper-case", end["secret"].upper()),
        ("hidden", ""),
    ):
        lines = o.with_record(o.last, events=[*before, end | {"secret": secret}])
        checks = ("commitment", "events", "record")
        yield _one(f"secret-{name}", _resigned(o, lines), o.last, *checks)
    lines = o.with_record(1, events=[header])
    lines[-1] = encoded(
        opened(lines[-1]) | {"events": [*before, end | {"secret": bytes(32).hex()}]}
    )
    yield _one("secret-of-other-dice", _reseeded(o, lines), o.start, "events")


def _dealt(o: Origin) -> Iterator[Forgery]:
    """Yield another deal in the set-up."""
    events = o.records[o.start - 1]["events"]
    for number, event in enumerate(events):
        for name in DRAWN & event.keys():
            forged = [*events[:number], event | {name: event[name][::-1]}, *events[number + 1 :]]
            data = o.sealed(o.with_record(o.start, events=forged))
            yield _one(f"dice-of-{name}", data, o.start, "events")


def thrown(o: Origin) -> Iterator[Forgery]:
    """Yield a record in play whose dice fell otherwise."""
    if o.slug in DRAWING_IN_PLAY and o.thrown is not None:
        place, fallen = o.thrown
        data = o.sealed(o.with_record(place, events=fallen))
        yield _one("dice-in-play", data, place, "events")


def _resigned(o: Origin, lines: Sequence[bytes]) -> bytes:
    forged = rechained(lines) if o.format == 1 else lines
    return file.write(forged, signed(forged))


def _reseeded(o: Origin, lines: Sequence[bytes]) -> bytes:
    forged = rechained(lines, bytes(32))
    return file.write(forged, signed(forged))


def headers(o: Origin) -> Iterator[Forgery]:
    """Yield headers that the service itself wrote otherwise, all resealed."""
    header = o.records[0]["events"][0]
    for name, values, checks in (
        ("one-seat-more", {"seats": header["seats"] + 1}, ("events", "header")),
        ("countless-seats", {"seats": 1000}, ("header", "record")),
        ("no-such-option", {"options": {"variant": "none"}}, ("events", "record")),
        ("no-such-game", {"game": "chess"}, ("game-not-here", "record")),
        ("no-such-rules", {"rules": 9}, ("rules-version-not-here",)),
        ("later-format", {"format": 3}, ("format-not-here",)),
        ("other-creator", {"creator": "p_9"}, ("events",)),
        ("other-format", {"format": 3 - o.format}, ("record",)),
        ("away", {"away_after": 0}, ("events", "bytes")),
    ):
        lines = o.with_record(1, events=[header | values])
        blind = name in ("no-such-game", "no-such-rules", "later-format")
        yield _one(f"header-{name}", o.sealed(lines), 1, *checks, blind=blind or True)
    command = o.records[0]["command"] | {"seats": header["seats"] + 1}
    data = o.sealed(o.with_record(1, command=command))
    yield _one("opening-command", data, 1, "events", "decision", blind=True)
    data = o.sealed(o.with_record(1, by={"operator": "p_op"}))
    yield _one("opening-sender", data, 1, "sender", "record")


FORGERS: tuple[Forger, ...] = (
    *(unkeyed, running, times, senders, decisions, outcomes, dice, headers),
)
RARE: tuple[Forger, ...] = (early, flags, undone, thrown)
"""What a short match may have nothing for."""
