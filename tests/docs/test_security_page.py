"""The threat model names a test for every line, and each is there."""

import ast
import re
from pathlib import Path

from games.testing import suite
from service.base.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


def named_in(path: Path) -> set[str]:
    """Return the names of a module's tests, the laws of all games included where it runs them."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    }
    runs_laws = any(isinstance(n, ast.ImportFrom) and n.module == suite.__name__ for n in nodes)
    return names | (set(suite.__all__) if runs_laws else set())


def test_every_test_that_it_names_is_there():
    assert len(NAMED) > 30
    for path, name in NAMED:
        assert name in named_in(ROOT / path), f"{path}::{name}"


def test_every_threat_has_a_test():
    table = PAGE.split("## Threats")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 20
    for row in rows:
        assert re.search(r"`tests/[\w/]+\.py::\w+`", row), row


def test_the_limits_are_those_of_the_settings():
    assert Settings().rate_limit == "1000/second"
    assert Settings().guest_limit == "100/second"
    assert Settings().streams_max == 50
    assert (Settings().body_bytes_max, Settings().upload_bytes_max) == (64 << 10, 32 << 20)
    for told in ("1,000 a second", "100 a second", "| 50 |"):
        assert told in PAGE
