"""A match that a faulty release decided, and errata of it."""

import dataclasses
import random
from functools import cache
from typing import Any

import msgspec

from events.errata import Erratum, SignedErratum, encoded, signed
from events.keyring import Keyring
from games import GAMES
from games.match.commands import CreateMatch
from replay.audit import Auditor
from replay.errata import drafted
from replay.evidence import Evidence
from replay.report import Report
from tests.games.match.toy import TOY, Count
from tests.recorder import KEYS, SERVICE, SIGNING, Recorder
from tests.replay.logs import ALL

WHEN = "2026-11-23T09:00:00.000000Z"
REASON = "The release counted one too few."


def _miscount(draft, seat, command):
    TOY.decide_on(draft, seat, Count(1) if command == Count(2) else command)


FAULTY = dataclasses.replace(TOY, decide_on=_miscount)
"""The toy game as a faulty release had it: every step counts one."""


def wrongly_decided(game=FAULTY, *, ended: bool = True) -> Recorder:
    """Play to 3 of 3. By the rules, 1 and 2 are 3, so seat 1 has won and not seat 0."""
    recorder = Recorder(game, CreateMatch("toy", 2, {"goal": 3}))
    recorder.sit("", "")
    for seat, by in ((0, 1), (1, 2)):
        recorder.play(seat, Count(by))
    if game is FAULTY and ended:
        recorder.play(0, Count(1))
    return recorder


def wrongly_scored() -> Recorder:
    """Play to the end. The faulty release names the loser as the winner."""
    result = dataclasses.replace(TOY, result=_loser)
    recorder = Recorder(result, CreateMatch("toy", 2, {"goal": 3}))
    recorder.sit("", "")
    for turn in range(3):
        recorder.play(turn % 2, Count(1))
    return recorder


def _loser(state) -> Any:
    found = TOY.result(state)
    return found and type(found)([state.turn])


def audited(recorder: Recorder, *errata: bytes, keys: Keyring = KEYS, **more: Any) -> Report:
    """Audit a match with the rules as they should be."""
    return auditor_of(recorder, errata=errata, **more).report(keys)


def auditor_of(recorder: Recorder, **more: Any) -> Auditor:
    """Read a match with the rules as they should be."""
    secret = recorder.service_seed
    log = Evidence("log", recorder.lines, head=recorder.head(), secret=secret, **more)
    auditor = Auditor(ALL, log, redaction=False)
    for line in recorder.lines:
        auditor.read(line)
    return auditor


def erratum_of(
    recorder: Recorder, reason: str = REASON, *, counts: bool = True, **changes: Any
) -> Erratum:
    """Draft an erratum that explains all findings, and change some of its fields."""
    auditor = auditor_of(recorder)
    report = auditor.report(KEYS)
    made = drafted(report, auditor.subject, reason, SERVICE, WHEN, counts=counts)
    return msgspec.structs.replace(made, **changes)


def sealed(erratum: Erratum) -> bytes:
    """Sign an erratum as the service does, and return its line."""
    return encoded(signed(SIGNING, erratum))


def changed(line: bytes, **fields: Any) -> bytes:
    """Change fields of a signed erratum without the key."""
    given = msgspec.json.decode(line, type=SignedErratum)
    erratum = msgspec.structs.replace(given.erratum, **fields)
    return encoded(msgspec.structs.replace(given, erratum=erratum))


@cache
def wrongly_won(match: str = "m_faulty", seed: int = 1) -> Recorder:
    """Play a race that a faulty release gives to the loser."""
    game = GAMES["tranquility"]

    def result(state: Any) -> Any:
        found = game.result(state)
        if found is None:
            return None
        losers = [seat for seat in range(state.players) if seat not in found.winners]
        return msgspec.structs.replace(found, winners=losers)

    command = CreateMatch("tranquility", 2, {"variant": "competitive"})
    recorder = Recorder(dataclasses.replace(game, result=result), command, match)
    recorder.sit("", "")
    dice = random.Random(seed)
    while recorder.match.status == "running":
        seat = dice.choice(sorted(game.waiting(recorder.state)))
        recorder.play(seat, dice.choice(game.legal(recorder.state, seat)))
    return recorder
