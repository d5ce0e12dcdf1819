"""Another hand at a service's log, and what an audit finds."""

import json

from redis import Redis

from service.embedded.servers import Server, Supervisor
from tests.events.accounts import EVERYTHING


def tampered(folder, change):
    """Let somebody change the log's Redis directly, with all rights."""
    server = Server.log(folder / "log", **EVERYTHING)
    with Supervisor(server) as running, Redis.from_url(running.url) as client:
        change(client)


def lines_of(client, match):
    return [fields[b"r"] for _, fields in client.xrange(f"log:{match}")]


def replaced(client, match, lines):
    """Write another log of a match in place of the stored one."""
    client.delete(f"log:{match}")
    for version, line in enumerate(lines, start=1):
        client.xadd(f"log:{match}", {"r": line}, id=f"0-{version}")


def findings(shiplog, *words):
    """Return exit status, and the findings by report."""
    done = shiplog("audit", "--all", "--json", "--fast", "--processes", 1, *words)
    told = json.loads(done.stdout)
    assert (told["verdict"] == "holds") == (done.exit_code == 0)
    return done.exit_code, {
        report["name"]: [(one["rule"], one["record"]) for one in report["findings"]]
        for report in told["reports"]
    }
