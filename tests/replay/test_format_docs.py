"""What the docs say of logs and dice is so: their programs run, in other languages than ours, and find what is wrong."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from events import file
from games.chance import Chance
from games.match.seed import commitment, match_seed, salt, service_part
from replay.report import Check
from tests.corpus import load, recorded
from tests.recorder import PUBLIC
from tests.replay.forgery import changed, opened, rechained, signed
from tests.replay.logs import a_match

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEY = PUBLIC.public_bytes_raw().hex()
LINES = a_match()

with_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")


def blocks(page: str) -> dict[str, str]:
    """Give the named blocks of a page: a fence says language and file."""
    found = re.findall(
        r"^```\w+ (\S+)\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL
    )
    return dict(found)


@pytest.fixture
def run(tmp_path):
    """Write the docs' programs down and run one; give its exit status."""
    for page in ("log-format.md", "chance.md"):
        for name, text in blocks(page).items():
            (tmp_path / name).write_text(text)

    def run(name, *words):
        program = sys.executable if name.endswith(".py") else "node"
        done = subprocess.run(
            [program, name, *map(str, words)], cwd=tmp_path, capture_output=True, check=False
        )
        return done.returncode

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


@with_node
def test_the_javascript_verifier_holds_what_holds(run, path):
    path.write_bytes(file.write(LINES, signed(LINES)))
    assert run("verify.mjs", path, KEY) == 0
    assert len(blocks("log-format.md")["verify.mjs"].strip().splitlines()) <= 20


@with_node
@every_forgery
def test_the_javascript_verifier_finds_forgeries(run, path, forged):
    path.write_bytes(file.write(forged, HEAD))
    assert run("verify.mjs", path, KEY) != 0


@with_node
def test_the_javascript_verifier_knows_the_key(run, path):
    path.write_bytes(file.write(LINES, signed(LINES)))
    assert run("verify.mjs", path, "0" * 63 + "1") != 0


def test_the_python_verifier_holds_what_holds(run, path):
    path.write_bytes(file.write(LINES, signed(LINES)))
    assert run("verify.py", path) == 0


@every_forgery
def test_the_python_verifier_finds_forgeries(run, path, forged):
    path.write_bytes(file.write(forged, HEAD))
    assert run("verify.py", path) != 0


def test_the_python_verifier_finds_what_the_service_could_forge(run, path):
    salted = rechained(changed(LINES, 7, salt="0" * 32))
    header = opened(LINES[0])["events"]
    header[0]["commitment"] = "0" * 64
    committed = rechained(changed(LINES, 1, events=header))
    for forged in (salted, committed):
        path.write_bytes(file.write(forged, signed(forged)))
        assert run("verify.py", path) != 0


VECTORS = json.loads(blocks("chance.md")["vectors.json"])


def test_the_seed_vectors_are_ours():
    part = service_part(bytes.fromhex(VECTORS["master"]), VECTORS["match"])
    assert part.hex() == VECTORS["part"]
    assert commitment(part) == VECTORS["commitment"]
    assert match_seed(part, tuple(VECTORS["entropies"])).hex() == VECTORS["seed"]
    assert {v: salt(part, int(v)) for v in VECTORS["salts"]} == VECTORS["salts"]


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


CHECK = """
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { Chance, commitment, matchSeed, salt, servicePart } from "./chance.mjs";
const vectors = JSON.parse(readFileSync("vectors.json"));
const bytes = (hex) => Buffer.from(hex, "hex");
const part = servicePart(bytes(vectors.master), vectors.match);
assert.equal(part.toString("hex"), vectors.part);
assert.equal(commitment(part), vectors.commitment);
assert.equal(matchSeed(part, vectors.entropies).toString("hex"), vectors.seed);
for (const [v, text] of Object.entries(vectors.salts)) assert.equal(salt(part, v), text);
for (const row of vectors.dice) {
  const dice = new Chance(bytes(row.seed), row.version);
  const gives = row.randbelow?.map((n) => dice.randbelow(n)) ?? (row.sample ? dice.sample(row.sample, row.k) : dice.shuffle(row.shuffle));
  assert.deepEqual(gives.map(String), row.gives.map(String));
}
"""


@with_node
def test_the_vectors_are_those_of_a_second_implementation(run, tmp_path):
    (tmp_path / "check.mjs").write_text(CHECK)
    assert run("check.mjs") == 0
    wrong = json.dumps(VECTORS | {"seed": "0" * 64})
    (tmp_path / "vectors.json").write_text(wrong)
    assert run("check.mjs") != 0


@with_node
def test_a_second_implementation_deals_the_recorded_matches(run, path):
    """All of Tranquility's that are dealt so; a deal that the service changed is found."""
    dealt = 0
    for match in recorded("tranquility"):
        options = opened(load(match)[0])["events"][0]["options"]
        if options["variant"] in ("standard", "high_arch", "day_night"):
            assert run("deal.mjs", match) == 0, match
            dealt += 1
    assert dealt
    place = next(at for at, line in enumerate(LINES, start=1) if b'"type":"dealt"' in line)
    events = opened(LINES[place - 1])["events"]
    pile = next(event for event in events if event["type"] == "dealt")["piles"][0]
    pile[0], pile[1] = pile[1], pile[0]
    forged = rechained(changed(LINES, place, events=events))
    path.write_bytes(file.write(forged, signed(forged)))
    assert run("deal.mjs", path) != 0


def test_every_check_of_an_audit_is_explained():
    table = (DOCS / "log-format.md").read_text()
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", table, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}
    assert set(get_args(Check)) <= explained


def test_the_example_record_has_the_fields_in_their_order():
    example = re.search(r'^\{"v":12.*$', (DOCS / "log-format.md").read_text(), re.MULTILINE)
    assert example is not None
    assert list(json.loads(example[0])) == list(opened(LINES[5]))
