"""A real service in a process of its own, and a client of it."""

import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx

from service.embedded.servers import find_binary
from tests.e2e.documented import check_refusal

SCRIPT = "from service.cli import main; main()"
START_S = 60
UNLIMITED = "1000000/second"
"""Tests come faster than people do."""


class Running:
    """One `shiplog` process."""

    def __init__(
        self,
        data: Path,
        *verb: str,
        script: str = SCRIPT,
        release: Path | None = None,
        **settings: str | None,
    ) -> None:
        """Start a verb, of an unpacked release if one is named. A setting of None is left out."""
        self.data = data
        self._script = script
        self._release = release
        self._verb = verb
        self._settings = settings
        self.process = self._start()
        self.url = self._url() if verb[0] in ("serve", "run") else ""

    def _start(self) -> subprocess.Popen[str]:
        environ = {
            name: value for name, value in os.environ.items() if not name.startswith("SHIPLOG_")
        }
        settings = {
            "data": str(self.data),
            "port": "0",
            "log_level": "warning",
            "rate_limit": UNLIMITED,
            "guest_limit": UNLIMITED,
            "sign_in_limit": UNLIMITED,
            "work_ms": "1000000",
            **self._settings,
        }
        environ |= {
            f"SHIPLOG_{name.upper()}": value
            for name, value in settings.items()
            if value is not None
        }
        if self._release is not None:
            environ["PYTHONPATH"] = str(self._release)
            # It may not know the package from which this release takes its server.
            environ["PATH"] = f"{find_binary().parent}{os.pathsep}{environ['PATH']}"
        errors = (self.data / f"{self._verb[0]}.err").open("a")
        process = subprocess.Popen(
            [sys.executable, "-c", self._script, *self._verb],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environ,
            cwd=self._release,
            text=True,
        )
        errors.close()
        return process

    def _url(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"it did not come up: {self.errors()}"
        return found[0]

    def errors(self) -> str:
        return (self.data / f"{self._verb[0]}.err").read_text()[-3_000:]

    def kill(self) -> None:
        """Kill -9, and wait until it is gone."""
        self.process.kill()
        self.close()

    def stop(self) -> int:
        """SIGTERM; return the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.close()

    def close(self) -> int:
        status = self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


@contextmanager
def running(data: Path, *verb: str, **settings: str) -> Iterator[Running]:
    """Run a process for as long as a test takes."""
    process = Running(data, *verb, **settings)
    try:
        yield process
    finally:
        process.stop()


@contextmanager
def running_with_worker(data: Path, **settings: str) -> Iterator[Running]:
    """Run a service and its worker, under the same settings."""
    with running(data, "serve", **settings) as service, running(data, "worker", **settings):
        yield service


def own_name(name: str = "Ada") -> str:
    """Return a name that no other test uses, for a player who comes to own it."""
    return f"{name} {secrets.token_hex(4)}"


class Player:
    """A player at a service."""

    def __init__(self, url: str, name: str = "Ada") -> None:
        hooks = {"response": [check_refusal]}
        self.http = httpx.Client(base_url=url, timeout=60, event_hooks=hooks)
        answer = self.http.post("/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        welcome = answer.json()
        self.name = name
        self.id: str = welcome["player"]
        self.token: str = welcome["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **more: Any) -> Any:
        answer = self.http.get(path, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def open_match(self, game: str = "tranquility", seats: int = 2, **more: Any) -> str:
        answer = self.http.post("/matches", json={"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()["match"]

    def send(
        self, match: str, command: dict[str, Any], key: str | None = None, **headers: str
    ) -> httpx.Response:
        headers = {"Idempotency-Key": key or secrets.token_hex(8), **headers}
        return self.http.post(f"/matches/{match}/commands", json=command, headers=headers)

    def do(self, match: str, command: dict[str, Any]) -> Any:
        answer = self.send(match, command)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def legal(self, match: str) -> list[dict[str, Any]]:
        return self.get(f"/matches/{match}/legal")["commands"]


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code of a call that was refused."""
    return answer.status_code, answer.json()["code"]


def wait_until(what: Any, seconds: float = 60) -> Any:
    """Return the first true answer, or fail after a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s")
