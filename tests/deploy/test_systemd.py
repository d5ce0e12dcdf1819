"""The units load, say what they mean, and leave nothing open that they do not need."""

import re
import shlex
import subprocess
import sys
from hashlib import sha256

import pytest

from service.base.environment import load
from service.embedded.servers import find_binary
from tests.deploy.conftest import DEPLOY, told, tool
from tests.events.cluster import until

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
EXPOSED_MAX = 15
"""Tenths: 1.5 of 10 is `OK`, as systemd counts it."""


@pytest.fixture
def units(tmp_path):
    """Copy the units, naming programs that are here."""
    for path in (*UNITS, DEPLOY / "systemd" / "shiplog.target"):
        text = path.read_text().replace("/opt/shiplog/.venv/bin/shiplog", sys.executable)
        text = text.replace("/opt/shiplog/deploy", str(DEPLOY))
        (tmp_path / path.name).write_text(text.replace("/usr/bin/redis-server", str(find_binary())))
    return tmp_path


def test_systemd_takes_the_units(units):
    told(tool("systemd-analyze"), "verify", *sorted(units.iterdir()))


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_is_hardened(path):
    told(
        tool("systemd-analyze"), "security", "--offline=true", f"--threshold={EXPOSED_MAX}",
        "--no-pager", path,
    )  # fmt: skip


def test_the_environment_file_is_one_that_the_service_takes():
    lines = (DEPLOY / "systemd" / "shiplog.env").read_text().splitlines()
    pairs = [line.partition("=") for line in lines if line and not line.startswith("#")]
    settings = load({name: value for name, _, value in pairs})
    assert settings.log_url.startswith("unix://")
    assert settings.drain_s < 60, "TimeoutStopSec leaves time for what is under way then"


def mode(path):
    """Return a file's permissions, which a server sets after it has made the file."""
    return oct(path.stat().st_mode)[-3:] if path.exists() else ""


@pytest.mark.parametrize("name", ["log", "work"])
def test_a_redis_starts_with_the_words_of_its_unit(tmp_path, name):
    """Except for the machine's folders, systemd's notice, and TLS, which some servers lack."""
    mark = sha256(b"secret").hexdigest()
    text = (DEPLOY / f"redis-{name}.conf").read_text()
    kept = [line for line in text.splitlines() if not line.startswith("tls-")]
    filled = re.sub(r"<sha256-of-[a-z-]+>", mark, "\n".join(kept))
    (tmp_path / "redis.conf").write_text(filled)
    unit = (DEPLOY / "systemd" / f"shiplog-{name}.service").read_text()
    line = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1]
    words = [
        word.replace(f"/etc/shiplog/redis-{name}.conf", str(tmp_path / "redis.conf"))
        .replace(f"/run/shiplog-{name}", str(tmp_path))
        .replace(f"/var/lib/shiplog-{name}", str(tmp_path))
        .replace("/usr/bin/redis-server", str(find_binary()))
        .replace("/opt/shiplog/deploy", str(DEPLOY))
        for word in shlex.split(
            line.replace("--supervised systemd", "").replace("--tls-port 0", "")
        )
    ]
    with (tmp_path / "words").open("w") as out:
        process = subprocess.Popen(words, stdout=out, stderr=out, cwd=tmp_path)
    try:
        path = tmp_path / "redis.sock"
        until(lambda: mode(path) == "660" or process.poll() is not None)
        assert process.poll() is None, (tmp_path / "words").read_text()
    finally:
        process.kill()
        process.wait()
