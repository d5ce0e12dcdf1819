"""What must hold, checked whenever something reaches the log's disk and at every answer.

The checks read bytes and use the audit, not the code that appends.
"""

from collections import Counter
from typing import Any

import msgspec

from events.chain import head_after
from events.record import GENESIS, at_micros
from games import GAMES
from games.match.clocks import SECOND
from projections.folded import Folded
from projections.rows import row
from projections.summary import summary
from replay.audit import audit
from replay.evidence import Evidence
from service.play.matches import Accepted, _answer
from tests.simulation.keyspace import Words

LOG = b"log:"
EARLY_US = 2 * SECOND
"""Largest error of a comparison of clocks over a slow network (microseconds)."""
AHEAD_US = 5 * SECOND
"""How far a record's time may be ahead: the tolerated skew of a process's clock."""


class Broken(AssertionError):
    """A promise was broken."""


class Given(msgspec.Struct):
    """An answer that a client was given."""

    player: str
    key: str
    accepted: Accepted


class Promises:
    """Follows what is on disk, and what clients were told."""

    def __init__(self) -> None:
        self.lines: dict[str, list[bytes]] = {}
        self.heads: dict[str, list[str]] = {}
        self.where: dict[str, dict[str, int]] = {}
        """The version of each command id, by match."""
        self.given: dict[str, dict[tuple[str, str], Given]] = {}
        self.seen: Counter[str] = Counter()
        """How often each kind of thing happened."""
        self.times: dict[str, list[int]] = {}
        """The times of the records (microseconds), by match."""
        self.allowed: dict[str, int] = {}
        """Time for a move (microseconds), by match."""
        self.lossy = False
        """Whether a failover without WAIT may have lost records."""
        self.deadlines: set[tuple[str, int, int]] = set()

    def written(self, commands: list[Words], now_us: int) -> None:
        """Take commands that have reached the disk of the log's server."""
        for words in commands:
            if words[0].upper() == b"XADD" and words[1].startswith(LOG):
                at = 3 if words[2] == b"NOMKSTREAM" else 2
                fields = dict(zip(words[at + 1 :: 2], words[at + 2 :: 2], strict=True))
                self._record(words[1][len(LOG) :].decode(), words[at], fields[b"r"], now_us)

    def _record(self, match: str, entry: bytes, data: bytes, now_us: int) -> None:
        lines = self.lines.setdefault(match, [])
        version = len(lines) + 1
        record = msgspec.json.decode(data)
        _hold(entry == b"0-%d" % version, f"{match}: {entry.decode()} follows {version - 1}")
        _hold(record["v"] == version, f"{match}: record {version} says it is {record['v']}")
        ids = self.where.setdefault(match, {})
        _hold(record["id"] not in ids, f"{match}: command {record['id']} counts twice")
        ids[record["id"]] = version
        heads = self.heads.setdefault(match, [])
        heads.append(head_after(2, heads[-1] if heads else GENESIS, data))
        lines.append(data)
        if version == 1:
            self.allowed[match] = record["command"]["clock"]["seconds"] * SECOND
            self.times[match] = []
        times, recorded = self.times[match], at_micros(record["at"])
        _hold(recorded >= max(times, default=0), f"{match}: record {version} is older than others")
        _hold(recorded <= now_us + AHEAD_US, f"{match}: record {version} is from the future")
        if record["command"]["type"] == "time_out":
            self._timeout(match, record["command"], now_us)
        times.append(recorded)

    def _timeout(self, match: str, command: dict[str, Any], now_us: int) -> None:
        """Take a timeout. A seat that is away is played for at once, without a clock of its own."""
        times = self.times[match]
        struck = (match, command["seat"], command["deadline"])
        _hold(struck not in self.deadlines, f"{match}: deadline {struck[2]} struck twice")
        if command["deadline"] > times[-1]:
            self.deadlines.add(struck)
            began = command["deadline"] - self.allowed[match]
            _hold(began in times, f"{match}: deadline {struck[2]} is not a move after a record")
        early = command["deadline"] - now_us
        _hold(early <= EARLY_US, f"{match}: a deadline struck {early / SECOND:.3f} s early")
        self.seen["timeout"] += 1

    def acknowledge(self, match: str, player: str, key: str, accepted: Accepted) -> None:
        """Take an answer to a client."""
        version = self.where.get(match, {}).get(key)
        if version is None or self.heads[match][version - 1] != accepted.head:
            _hold(self.lossy, f"{match}: acknowledged command {key} is not on disk as acknowledged")
            self.seen["lost by a failover"] += 1
            return
        before = self.given.setdefault(match, {}).setdefault(
            (player, key), Given(player, key, accepted)
        )
        same = msgspec.json.encode(before.accepted) == msgspec.json.encode(accepted)
        _hold(same, f"{match}: command {key} was answered in two ways")
        self.seen["acknowledged"] += 1

    def read(self, match: str, version: int, least: int) -> None:
        """Take what a client read after it was told of a version."""
        _hold(version >= least, f"{match}: version {version} was read after {least} was told")

    def survived(self, commands: list[Words], *, safe: bool, now_us: int) -> None:
        """Take the whole log of the server that is used from now on.

        Unless it is `safe`, what only the server before had may be lost. It is never hidden: the
        receipts of the players name other heads.
        """
        self.lossy = self.lossy or not safe
        self.lines, self.heads, self.where = {}, {}, {}
        self.deadlines.clear()
        self.times.clear()
        self.written(commands, now_us)
        for match, given in self.given.items():
            for key, one in list(given.items()):
                version = self.where.get(match, {}).get(one.key)
                kept = version and self.heads[match][version - 1] == one.accepted.head
                if kept:
                    continue
                _hold(not safe, f"{match}: acknowledged command {one.key} was lost by a failover")
                self.seen["lost by a failover"] += 1
                del given[key]

    def check_logs(self, secret: Any, told: dict[str, list[dict[Any, list[bytes]]]]) -> None:
        """Audit every match, with the records that viewers were sent, and compare all answers."""
        for match, lines in self.lines.items():
            folded = Folded(GAMES, lines[0])
            viewers = tuple(folded.match.shown)
            folded = Folded(GAMES, lines[0], viewers)
            answers: dict[int, list[Given]] = {}
            for one in self.given.get(match, {}).values():
                answers.setdefault(self.where[match][one.key], []).append(one)
            for version, data in enumerate(lines, start=1):
                if version > 1:
                    folded.extend(data)
                for one in answers.get(version, ()):
                    viewer = folded.players.get(one.player)
                    expected = _answer(folded, viewer, folded.latest[viewer])
                    same = msgspec.json.encode(expected) == msgspec.json.encode(one.accepted)
                    _hold(same, f"{match}: the answer to {one.key} differs from a re-read")
            seed = secret(match, folded.match.header.key)
            evidence = Evidence(match, lines, match, secret=seed, own=True)
            report = audit(GAMES, evidence)
            _hold(not report.findings, f"{match}: {report.findings}")
            for transcripts in told.get(match, ()):
                for viewer, records in transcripts.items():
                    expected = (folded.told(viewer) or [])[: len(records)]
                    _hold(expected == records, f"{match}: viewer {viewer} was shown other records")
                    for place, record in enumerate(map(msgspec.json.decode, records), start=1):
                        _hold(record["v"] == place, f"{match}: viewer {viewer} misses a version")
                        own = "command" not in record or record["by"] == {"seat": viewer}
                        _hold(own, f"{match}: viewer {viewer} was shown a rival's command")

    def check_rows(self, rows: dict[bytes, bytes]) -> None:
        """Compare the rows with those that the logs give."""
        expected = {
            match.encode(): msgspec.json.encode(row(summary(Folded.of(GAMES, lines).match)))
            for match, lines in self.lines.items()
        }
        _hold(rows == expected, "the rows differ from a rebuild")


def _hold(holds: bool, why: str) -> None:
    if not holds:
        raise Broken(why)
