"""The cookbook `docs/replay.md`: every example prints what the page says.

`COLUMNS=160 python -m tests.service.cli.test_replay_docs` writes down anew what they print.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from service.cli import app
from tests.recorder import PUBLIC
from tests.service.cli.conftest import widen

ROOT = Path(__file__).resolve().parents[3]
PATH = ROOT / "docs" / "replay.md"
PAGE = PATH.read_text()
KEY = PUBLIC.public_bytes_raw().hex()


class Example(NamedTuple):
    line: str
    """The line on the page, `$` and all."""
    command: str
    status: int
    prints: str


def examples() -> list[Example]:
    """Find the commands of the page's consoles, each with what it prints."""
    found: list[Example] = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, prints = example.partition("\n")
            command, _, note = line.partition("   # exits with ")
            found.append(Example(f"$ {line}\n", command, int(note or 0), prints))
    return found


EXAMPLES = examples()


def run(shiplog, command: str) -> tuple[int, str]:
    """Run an example; return its status and what it prints."""
    result = shiplog(*shlex.split(command.replace("PUBLIC_KEY", KEY))[1:])
    return result.exit_code, trimmed(result.stdout)


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_prints_what_the_page_says(shiplog, monkeypatch, example):
    monkeypatch.chdir(ROOT)
    widen(monkeypatch, 160)
    assert run(shiplog, example.command) == (example.status, trimmed(example.prints))


def test_the_library_does_what_the_page_says():
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_there_are_examples():
    assert {shlex.split(example.command)[1] for example in EXAMPLES} == {
        "replay", "inspect", "diff", "blame", "explain", "bisect", "audit",
    }  # fmt: skip


def main() -> None:
    """Write the page anew, with what its examples print now."""
    page = PAGE
    for example in EXAMPLES:
        _, printed = run(lambda *words: CliRunner().invoke(app, words), example.command)
        said = f"{printed}\n" if printed else ""
        page = page.replace(example.line + example.prints, example.line + said, 1)
    PATH.write_text(page)


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
