"""Errata that would excuse what no release decided, or that nobody vouches for."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from events.chain import follow
from events.errata import Erratum, Explained, encoded, signed
from games import GAMES
from replay.audit import Auditor
from replay.errata import drafted
from replay.transfer import file_evidence
from tests.recorder import KEYS, SERVICE, SIGNING
from tests.tampered.files import STRANGER, STRANGER_ID, Forger, Forgery
from tests.tampered.origin import Origin

WHEN = "2026-11-23T09:00:00.000000Z"


def _forgery(name: str, data: bytes, line: bytes) -> Forgery:
    return Forgery(f"erratum-{name}", data + line + b"\n", 0, frozenset(("erratum",)), blind=True)


def _sealed(erratum: Erratum, **fields: Any) -> bytes:
    return encoded(signed(SIGNING, msgspec.structs.replace(erratum, **fields)))


@cache
def _drafted(data: bytes) -> Erratum:
    """Draft the erratum of a file that the service itself forged."""
    log = file_evidence("forged", data)
    auditor = Auditor(GAMES, log, redaction=False)
    for line in log.lines:
        auditor.read(line)
    report = auditor.report(KEYS)
    return drafted(report, auditor.subject, "A bug.", SERVICE, WHEN, counts=True)


def cheated(o: Origin) -> Iterator[Forgery]:
    """Yield a result that the service changed, with errata that do not explain it."""
    *events, end = o.records[-1]["events"]
    forged = {"reason": "by-decree"} if o.format == 2 else {}
    data = o.sealed(o.with_record(o.last, events=[*events, *events[-1:], end | forged]))
    erratum = _drafted(data)
    (one, *others) = erratum.explains
    line = _sealed(erratum)
    yield _forgery("signature", data, line.replace(b"A bug.", b"A cat."))
    stranger = msgspec.structs.replace(erratum, key=STRANGER_ID)
    yield _forgery("stranger", data, encoded(signed(STRANGER, stranger)))
    yield _forgery("stranger-in-disguise", data, encoded(signed(STRANGER, erratum)))
    yield _forgery("other-match", data, _sealed(erratum, match="m_other"))
    yield _forgery("other-head", data, _sealed(erratum, head="0" * 64))
    wider = msgspec.structs.replace(one, record=o.middle)
    yield _forgery("too-broad", data, _sealed(erratum, explains=(one, *others, wider)))
    vaguer = msgspec.structs.replace(one, path="/events")
    yield _forgery("vague", data, _sealed(erratum, explains=(vaguer, *others)))
    chain = Explained("signature", o.last, path="/head")
    yield _forgery("beyond-the-rules", data, _sealed(erratum, explains=(one, *others, chain)))
    yield _forgery("release", data, _sealed(erratum, wrong="9.9.9"))
    yield _forgery("twice", data, line + b"\n" + line)
    yield _forgery("spaces", data, line.replace(b'"reason":', b'"reason": '))


def groundless(o: Origin) -> Iterator[Forgery]:
    """Yield a sound log with an erratum of the service."""
    *_, head = follow(o.lines)
    one = Explained("events", o.last, 1, "/events/0", {}, {})
    match = o.records[0]["events"][0]["match"]
    erratum = Erratum(
        match, o.last, head, (one,), "A bug.", "", "0.2.0", None, True, WHEN, SERVICE
    )  # fmt: skip
    yield _forgery("groundless", o.good, _sealed(erratum))
    yield _forgery("empty", o.good, _sealed(erratum, explains=()))


FORGERS: tuple[Forger, ...] = (cheated, groundless)
