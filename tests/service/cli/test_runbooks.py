"""The first steps of every alert, run as docs/runbooks.md writes them, in the state that fires it.

Commands of Shiplog and of Redis are run here. Those of the machine are named in `ELSEWHERE`.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from redis import Redis

from games import GAMES
from games.match.commands import CreateMatch
from service.embedded.servers import Server, Supervisor
from tests.events.accounts import EVERYTHING
from tests.recorder import Recorder
from tests.service.cli.tampering import lines_of, replaced

ROOT = Path(__file__).parents[3]
RUNBOOKS = (ROOT / "docs/runbooks.md").read_text()
RULES = yaml.safe_load((ROOT / "deploy/observe/alerts.yml").read_text())["groups"]
ALERTS = [rule["alert"] for group in RULES for rule in group["rules"] if "alert" in rule]
RUN = ("shiplog", "CONFIG", "INFO", "redis-cli")
PROSE = (
    "shiplog audit --follow",
    "shiplog backup",
    "shiplog import --keep",
    "shiplog worker",
    "redis-cli --latency",
    "CONFIG SET tls-cert-file",
)
"""Commands that a section mentions, or that need an argument which only its reader has."""


class Place(NamedTuple):
    """An installation in the state of an alert."""

    log: Redis
    work: Redis
    folder: Path
    finished: str
    waiting: str
    player: str
    shiplog: Callable[..., Any]


def lose(place: Place) -> None:
    place.log.delete(f"log:{place.finished}")


def evict(place: Place) -> None:
    lose(place)
    place.log.config_set("maxmemory-policy", "allkeys-lru")


def fill(place: Place) -> None:
    place.log.config_set("maxmemory", round(place.log.info()["used_memory"] * 1.05))


def empty_rows(place: Place) -> None:
    place.work.flushall()


def falsify_rows(place: Place) -> None:
    assert place.shiplog("rebuild").exit_code == 0
    current = place.work.hget("projections", "current").decode()
    place.work.zadd(f"{current}:deadlines", {"m_ghost": 1})


def lose_archive(place: Place) -> None:
    (place.folder / "archive").write_text("a file where the folder should be")


def find_archive(place: Place) -> None:
    (place.folder / "archive").unlink()


def lose_head(place: Place) -> None:
    replaced(place.log, place.finished, lines_of(place.log, place.finished))


def spoil(place: Place) -> None:
    """Write a record that this release cannot fold."""
    replaced(place.log, place.finished, [*lines_of(place.log, place.finished)[:3], b"{}"])


def nothing(_: Place) -> None:
    """Leave the installation whole: the first steps look, or follow a repair of the machine."""


class Case(NamedTuple):
    """The state of an alert, and the exit statuses of its steps other than 0."""

    harm: Callable[[Place], None]
    statuses: dict[str, int] = {}  # noqa: RUF012 - never changed
    repair: Callable[[Place], None] = nothing
    """What a person does after the first step."""


ALONE = {"shiplog doctor": 1}
"""Here no service and no worker runs, which the doctor says too."""
CASES = {
    "LogUnavailable": Case(nothing),
    "LogRestarted": Case(nothing),
    "LogNotWriting": Case(nothing),
    "LogEvicting": Case(
        evict, repair=lambda place: place.log.config_set("maxmemory-policy", "noeviction")
    ),
    "LogNearlyFull": Case(fill),
    "ReplicasLost": Case(nothing, ALONE),
    "DiskNearlyFull": Case(nothing),
    "ProjectionsLate": Case(falsify_rows, {**ALONE, "shiplog rebuild --verify": 1}),
    "ProjectionsIncomplete": Case(empty_rows),
    "MatchesParked": Case(spoil, {"shiplog audit <match>": 1, "shiplog rebuild": 1}),
    "ArchiveFailing": Case(lose_archive, {"shiplog audit <match>": 2}, find_archive),
    "BackupOld": Case(nothing),
    "CheckpointsFailing": Case(nothing),
    "AuditFindings": Case(
        lose, {"shiplog audit <match>": 2, "shiplog audit --all --against BACKUP": 1}
    ),
    "AuditRows": Case(falsify_rows),
    "AuditUnsigned": Case(lose_head, {"shiplog audit m_4c1f": 3, "shiplog audit --all --fast": 3}),
    "AuditCheckpoints": Case(lose),
}
"""Alerts whose first steps are commands of Shiplog or Redis."""
OTHERS = {
    "CertificateExpires": "blackbox_exporter and a certificate",
    "ServiceDown": "systemctl or kubectl",
    "RedisMemoryHigh": "as LogNearlyFull, or the loss of the work Redis, see ProjectionsIncomplete",
    "LogFillsSoon": "as LogNearlyFull",
    "WorkUnavailable": "the start of a server, see ProjectionsIncomplete for what follows",
    "ClockSkewed": "the clock of a machine",
    "ClockUnusable": "the clock of a machine",
    **dict.fromkeys(
        (
            "AppendSlow",
            "ServerErrors",
            "ErrorBudgetLow",
            "CommandsSlow",
            "LatencyBudgetLow",
            "ConflictsHigh",
            "CacheMissesHigh",
            "LoopLate",
            "DeadlinesLate",
            "BotsLate",
            "AuditLate",
            "NoWorkers",
            "QueueLong",
            "JobsFailing",
        ),
        "looks at metrics and logs, and at more processes",
    ),
}
"""Alerts whose first steps need what is not here."""


def steps(alert: str) -> list[str]:
    """Return the commands of a section, in order."""
    section = re.split(r"^## ", RUNBOOKS, flags=re.MULTILINE)
    (text,) = (one for one in section if one.splitlines()[0] == alert)
    text = text.partition("\n### ")[0]
    found = re.findall(r"^```\n(.*?)^```|`([^`]+)`", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for block, inline in found for line in block.splitlines() or [inline]]
    commands = [" ".join(line.split()) for line in lines]
    return [one for one in commands if one.split(" ")[0] in RUN and one not in PROSE]


@pytest.fixture
def place(shiplog, installation, monkeypatch):
    """Return an installation with a finished, a running and a waiting match, and a backup."""
    folder, finished = installation
    with (
        Supervisor(Server.log(folder / "log", **EVERYTHING)) as log,
        Supervisor(Server.work(folder / "work")) as work,
        Redis.from_url(log.url) as log_client,
        Redis.from_url(work.url) as work_client,
    ):
        monkeypatch.setenv("SHIPLOG_LOG_URL", log.url)
        monkeypatch.setenv("SHIPLOG_WORK_URL", work.url)
        monkeypatch.setenv("SHIPLOG_ARCHIVE", str(folder / "archive"))
        waiting = Recorder(GAMES["tranquility"], CreateMatch("tranquility", 2), "m_waiting")
        log_client.xadd("log:m_waiting", {"r": waiting.lines[0]}, id="0-1")
        assert shiplog("backup", "saved").exit_code == 0
        player = shiplog("token", "--role", "auditor").output.split()[0]
        yield Place(log_client, work_client, folder, finished, "m_waiting", player, shiplog)


def run(place: Place, command: str) -> tuple[int, str]:
    """Run a command with what a reader fills in; return its exit status and what it says."""
    filled = {
        "<match>": place.finished,
        "m_4c1f": place.finished,
        "MATCH…": place.waiting,
        "TEXT": "'Nobody came.'",
        "PLAYER": place.player,
        "DIR": "saved",
        "BACKUP": "saved",
        "/backup/now": "now",
    }
    for blank, value in filled.items():
        command = command.replace(blank, value)
    name, *words = shlex.split(command.removeprefix("redis-cli "))
    if name == "shiplog":
        result = place.shiplog(*words)
        assert result.exception is None or isinstance(result.exception, SystemExit), command
        return result.exit_code, result.output
    return 0, str(place.log.execute_command(name, *words))


@pytest.mark.parametrize("alert", CASES)
def test_the_first_steps_can_be_taken_in_the_state_of_the_alert(place, alert):
    case = CASES[alert]
    case.harm(place)
    commands = steps(alert)
    assert commands, "the section has commands"
    for number, command in enumerate(commands):
        status, told = run(place, command)
        assert status == case.statuses.get(command, 0), f"{command}: {told}"
        if number == 0:
            case.repair(place)
    lost = {"LogEvicting", "AuditFindings", "AuditCheckpoints"}
    if alert in lost:
        assert place.log.exists(f"log:{place.finished}"), "what was lost is there again"


def test_every_alert_is_tried_or_says_what_it_needs():
    assert sorted([*CASES, *OTHERS]) == sorted(ALERTS)
    for alert in OTHERS:
        assert not [one for one in steps(alert) if one.startswith("shiplog")], alert


def test_an_archive_that_cannot_be_read_is_named_with_what_to_check(place):
    lose_archive(place)
    for words in (("audit", place.finished), ("audit", "--all"), ("archive",)):
        result = place.shiplog(*words)
        assert result.exit_code != 0
        assert "The archive is unavailable: " in result.output
        assert f"{place.folder}/archive/" in result.output
        assert "Not a directory. Check where the archive is" in result.output
