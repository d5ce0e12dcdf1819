"""The program and the tables of the pages on logs and dice are right."""

import hmac
import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import get_args

import pytest

from events import file
from games import GAMES
from games.chance import Chance
from games.match.digest import canonical
from games.match.seed import commitment, derive_service_seed, match_seed, salt
from projections.folded import Folded
from replay.report import Rule
from tests.docs.fences import DOCS, named
from tests.replay.forgeries import FORGERIES, HEAD, LINES, WITH_ERRATA
from tests.replay.forgery import changed, opened, rechained, signed

SEEDS = DOCS.parent / "seeds" / "matches" / "captain_sonar"


@pytest.fixture
def run(tmp_path):
    """Write the page's programs down and run one; return its exit status."""
    for name, text in named("log-format.md").items():
        (tmp_path / name).write_text(text)

    def run(name, *words):
        command = [sys.executable, name, *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode

    return run


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


every_forgery = pytest.mark.parametrize("forged", FORGERIES.values(), ids=FORGERIES)


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


VECTORS = json.loads(named("chance.md")["vectors.json"])


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


BUCKETS = {"order_course": "course", "trace_section": "trace", "surface": "trace"}
SHOWN = {"course_ordered": "course", "section_traced": "trace", "surfaced": "trace"}


def paces_after(records):
    """Return the paces as the page on the log format describes them, without the rules."""
    paces, crews = {}, []
    for record in records:
        for event in record["events"]:
            if event["type"] == "setup_done" and event["mode"] == "real_time":
                crews = event["crew_seats"]
        command = record["command"]
        bucket = BUCKETS.get(command["type"])
        if command["type"] == "time_out":
            bucket = next((SHOWN[e["type"]] for e in record["events"] if e["type"] in SHOWN), None)
        seat = command.get("seat") if command["type"] == "time_out" else record["by"].get("seat")
        for crew, seats in enumerate(crews):
            if bucket and seat in seats:
                moment = datetime.fromisoformat(record["at"]) - datetime(1970, 1, 1, tzinfo=UTC)
                paces[f"{bucket}:{crew}"] = moment // timedelta(microseconds=1)
    return paces


@pytest.mark.parametrize("name", ["limit-2", "sunk-4", "sunk-1"])
def test_the_paces_in_a_digest_are_those_of_the_page(name):
    lines, _ = file.read((SEEDS / f"{name}.jsonl").read_bytes())
    records = [json.loads(line) for line in lines]
    secret = bytes.fromhex(records[-1]["events"][-1]["secret"])
    folded, head = Folded(GAMES, lines[0]), bytes(32)
    for record, line in zip(records, lines, strict=True):
        if record["v"] > 1:
            folded.extend(line)
        contents = json.loads(canonical(folded.match))
        contents["paces"] = paces_after(records[: record["v"]])
        text = json.dumps(contents, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        message = b"shiplog-digest-2\n" + record["v"].to_bytes(8, "big") + head + text.encode()
        assert hmac.new(secret, message, "sha256").hexdigest()[:24] == record["digest"]
        head = sha256(b"shiplog-record-2\n" + head + line).digest()
    assert bool(contents["paces"]) == (name != "sunk-1")
