"""What the service sends for the audit in the page: Python, rules by their hash, one policy."""

import gzip
import hashlib
import io
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from games import GAMES
from service.http import page_audit
from service.http.web import DIST
from tests.e2e.service import Running

ROOT = Path(__file__).parents[2]
BUILT = sorted(path for path in (DIST / "audit").rglob("*") if path.is_file())
SENT_BYTES_MAX = 8_000_000
BLOCKED = """
import sys
for name in ("cryptography", "zstandard"):
    sys.modules[name] = None
sys.path.insert(0, sys.argv[1])
sys.modules["page_crypto"] = type(sys)("page_crypto")
sys.modules["page_crypto"].verify = None
sys.modules["compression"] = type(sys)("compression")
sys.modules["compression"].zstd = type(sys)("zstd")
sys.modules["compression"].zstd.CompressionParameter = type(
    "P", (), {"compression_level": 1, "checksum_flag": 2}
)
sys.platform = "emscripten"
import replay.page
assert "games.submarine" not in sys.modules, "only the game of the log is loaded"
"""


def test_only_the_worker_may_run_webassembly(service: Running):
    for path in BUILT:
        name = str(path.relative_to(DIST)).removesuffix(".gz")
        answer = httpx.get(f"{service.url}/{name}")
        assert answer.status_code == 200
        allowed = "'wasm-unsafe-eval'" in answer.headers["content-security-policy"]
        assert allowed == (".worker-" in name), name
        assert "immutable" in answer.headers["cache-control"]
    policy = httpx.get(service.url).headers["content-security-policy"]
    assert "wasm" not in policy
    assert "worker-src 'self'" in policy


def test_webassembly_is_sent_compressed_and_as_what_it_is(service: Running):
    path = next(path for path in BUILT if path.name == "pyodide.asm.wasm.gz")
    url = f"{service.url}/{path.relative_to(DIST)}".removesuffix(".gz")
    with httpx.stream("GET", url) as answer:
        sent = sum(map(len, answer.iter_raw()))
    assert answer.headers["content-type"] == "application/wasm"
    assert sent == path.stat().st_size
    _, rules = page_audit.rules_archive()
    assert sum(path.stat().st_size for path in BUILT) + len(rules) < SENT_BYTES_MAX


def test_the_rules_are_named_by_their_hash(service: Running):
    answer = httpx.get(f"{service.url}/audit/rules.zip", follow_redirects=True)
    digest = hashlib.sha256(answer.content).hexdigest()
    assert answer.url.path == f"/audit/rules-{digest}.zip"
    assert answer.history[0].headers["cache-control"] == "no-cache"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.content == page_audit.rules_archive()[1]


@pytest.mark.parametrize(
    "path", ["/audit/rules-00.zip", "/audit/none.js", "/audit/../index.html", "/audit/%2e%2e/x"]
)
def test_nothing_else_is_there(service: Running, path: str):
    assert httpx.get(service.url + path).status_code == 404


def test_the_rules_need_neither_cryptography_nor_zstandard(tmp_path: Path):
    _, data = page_audit.rules_archive()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path)
    assert {f"games/{slug}/__init__.py" for slug in GAMES} <= names
    assert not any("template" in name or name.startswith("service") for name in names)
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, tmp_path], capture_output=True, text=True, check=False,
        cwd=tmp_path, env={},
    )  # fmt: skip
    assert done.stderr == ""


def test_the_standard_library_is_compiled_ahead():
    """Browsers keep its folder for ever, so the name has version and hash."""
    path = next(path for path in BUILT if path.name == "python_stdlib.zip.gz")
    assert re.fullmatch(r"python-\d+\.\d+\.\d+-[0-9a-f]{8}", path.parent.name)
    names = zipfile.ZipFile(io.BytesIO(gzip.decompress(path.read_bytes()))).namelist()
    assert {"enum.pyc", "email/parser.pyc"} <= set(names)
    assert not any(name.endswith(".py") for name in names)


def test_the_page_has_the_msgspec_that_the_service_has():
    versions = [
        re.search(r"^msgspec==(\S+)", (ROOT / name).read_text(), re.MULTILINE)
        for name in ("web/pyodide.lock", "requirements.lock")
    ]
    first, second = (found and found[1] for found in versions)
    assert first == second
