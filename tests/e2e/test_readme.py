"""`shiplog run`: the README's tour works as it stands, and nothing is left behind."""

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.e2e.service import running, wait_until

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent.parent
TOUR_S = 120


def test_the_tour_works_as_it_stands(tmp_path):
    tour = re.search(r"```bash\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert tour
    with running(tmp_path, "run", demo="0", bot_pause_ms="0") as service:
        shiplog = str(Path(sys.executable).parent / "shiplog")
        script = (
            tour[1]
            .replace("http://127.0.0.1:8000", service.url)
            .replace(".venv/bin/shiplog", shiplog)
        )
        done = subprocess.run(
            ["bash", "-c", script],
            capture_output=True,
            text=True,
            timeout=TOUR_S,
            cwd=tmp_path,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr
    codes = re.findall(r'"code":"([a-z-]+)"', done.stdout)
    assert len(codes) == 1, codes
    assert '"type":"seat_taken"' in done.stdout
    assert '"patch":[' in done.stdout


def test_nothing_is_left_when_run_is_killed(tmp_path):
    with running(tmp_path, "run", demo="0") as service:
        assert httpx.get(f"{service.url}/health/live").status_code == 200
        service.kill()
        wait_until(lambda: not answers(service.url))


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/live", timeout=1).status_code == 200
    except httpx.HTTPError:
        return False
