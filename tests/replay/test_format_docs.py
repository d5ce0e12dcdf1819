"""The program and the tables of the pages on logs and dice are right."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from events import file
from games.chance import Chance
from games.match.seed import commitment, derive_service_seed, match_seed, salt
from replay.report import Rule
from tests.replay.forgery import changed, opened, rechained, signed
from tests.replay.logs import a_match

DOCS = Path(__file__).resolve().parents[2] / "docs"
LINES = a_match()


def blocks(page: str) -> dict[str, str]:
    """Return the named code blocks of a page: a fence names language and file."""
    found = re.findall(
        r"^```\w+ (\S+)\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL
    )
    return dict(found)


@pytest.fixture
def run(tmp_path):
    """Write the page's programs down and run one; return its exit status."""
    for name, text in blocks("log-format.md").items():
        (tmp_path / name).write_text(text)

    def run(name, *words):
        command = [sys.executable, name, *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode

    return run


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


HEAD = signed(LINES)
OTHER = changed(LINES, 7, id="other")
FORGERIES = {
    "changed": OTHER,
    "dropped": [*LINES[:6], *LINES[7:]],
    "swapped": [*LINES[:6], LINES[7], LINES[6], *LINES[8:]],
    "cut": LINES[:-1],
    "rechained": rechained(OTHER),
}
every_forgery = pytest.mark.parametrize("forged", FORGERIES.values(), ids=FORGERIES)


WITH_ERRATA = [[], [b'{"erratum":{}}'] * 2]


@pytest.mark.parametrize("errata", WITH_ERRATA)
def test_the_python_verifier_holds_what_holds(run, path, errata):
    path.write_bytes(file.write(LINES, signed(LINES), errata))
    assert run("verify.py", path) == 0


@every_forgery
def test_the_python_verifier_finds_forgeries(run, path, forged):
    path.write_bytes(file.write(forged, HEAD))
    assert run("verify.py", path) != 0


GOOD = file.write(LINES, HEAD)
OTHER_MATCH = GOOD.replace(b'{"match":"', b'{"match":"other_')
assert OTHER_MATCH.count(b"other_") == 1


@pytest.mark.parametrize(
    "data",
    [
        GOOD[:-1],
        GOOD + b'{"v":',
        GOOD + b'{"erratum":{}',
        GOOD.replace(b"\n", b'\n{"erratum":{}}\n', 1),
        OTHER_MATCH,
        HEAD.head.encode(),
        b"",
    ],
)
def test_the_python_verifier_finds_damaged_files(run, path, data):
    path.write_bytes(data)
    assert run("verify.py", path) == 1


def test_the_python_verifier_finds_what_the_service_could_forge(run, path):
    header = opened(LINES[0])["events"]
    header[0]["commitment"] = "0" * 64
    forged = rechained(changed(LINES, 1, events=header))
    path.write_bytes(file.write(forged, signed(forged)))
    assert run("verify.py", path) != 0


VECTORS = json.loads(blocks("chance.md")["vectors.json"])


def test_the_seed_vectors_are_ours():
    service_seed = derive_service_seed(bytes.fromhex(VECTORS["master"]), VECTORS["match"])
    assert service_seed.hex() == VECTORS["serviceSeed"]
    assert commitment(service_seed) == VECTORS["commitment"]
    assert match_seed(service_seed, tuple(VECTORS["entropies"])).hex() == VECTORS["seed"]
    assert {v: salt(service_seed, int(v)) for v in VECTORS["salts"]} == VECTORS["salts"]


@pytest.mark.parametrize("row", VECTORS["dice"])
def test_the_dice_vectors_are_ours(row):
    dice = Chance(bytes.fromhex(row["seed"]), row["version"])
    if "randbelow" in row:
        given = [dice.randbelow(int(n)) for n in row["randbelow"]]
    elif "sample" in row:
        given = dice.sample(row["sample"], row["k"])
    else:
        given = list(row["shuffle"])
        dice.shuffle(given)
    assert given == [int(n) for n in row["gives"]]


def test_every_check_of_an_audit_is_explained():
    table = (DOCS / "log-format.md").read_text()
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", table, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}
    assert set(get_args(Rule)) <= explained


def test_the_example_record_has_the_fields_in_their_order():
    example = re.search(r'^\{"v":12.*$', (DOCS / "log-format.md").read_text(), re.MULTILINE)
    assert example is not None
    assert list(json.loads(example[0])) == list(opened(LINES[5]))
