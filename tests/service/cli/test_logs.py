"""The verbs that show logs, and carry them: each takes a match's id or an exported file."""

import json
import subprocess
import sys

import jsonpatch
import pytest

from events import file
from tests.recorder import PUBLIC
from tests.replay.forgery import changed, opened, signed
from tests.replay.logs import a_match
from tests.service.cli.conftest import write_secrets


def test_replay_prints_every_record(shiplog, files):
    result = shiplog("replay", "good.jsonl")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > len(a_match())
    part = json.loads(shiplog("replay", "good.jsonl", "--from", 5, "--to", 7, "--json").stdout)
    assert [moment["v"] for moment in part] == [5, 6, 7]


def test_a_table_in_a_pipe_has_its_values_whole(files):
    words = ["-c", "from service.cli import main; main()", "replay", "good.jsonl"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    assert max(map(len, done.stdout.splitlines())) > 80
    assert "…" not in done.stdout


@pytest.mark.parametrize("place", [1, 20])
@pytest.mark.parametrize("verb", [["replay"], ["diff", 1, 20], ["blame", "/turn"], ["analyse"]])
def test_the_record_of_a_forged_log_that_cannot_be_applied_is_named(shiplog, tmp_path, verb, place):
    record = opened(a_match()[place - 1])
    event = record["events"][0]
    forged = event | ({"options": {"zz": 1}} if place == 1 else {"seat": 77})
    lines = changed(a_match(), place, events=[forged, *record["events"][1:]])
    (tmp_path / "forged.jsonl").write_bytes(file.write(lines, signed(lines)))
    done = shiplog(verb[0], tmp_path / "forged.jsonl", *verb[1:])
    assert done.exit_code == 1
    assert f"record {place} cannot be applied" in done.stderr


def test_replay_shows_a_seat_its_own_commands_alone(shiplog, files):
    for words, seats in ((("--seat", 1), {1}), (("--spectator",), set()), ((), {0, 1, 2})):
        told = json.loads(shiplog("replay", "good.jsonl", *words, "--json").stdout)
        sent = {m["by"].get("seat") for m in told if m["command"] is not None and m["by"]}
        assert sent - {None} == seats


def test_replay_steps_on_back_and_there(shiplog, files):
    result = shiplog("replay", "good.jsonl", "--step", "--from", 5, "--to", 9, stdin="\n\nb\n9\n\n")
    assert result.exit_code == 0
    assert [word for word in ("[5/9]", "[6/9]", "[7/9]", "[9/9]") if word in result.stdout]
    assert "waiting: seat" in result.stdout
    turns = shiplog("replay", "good.jsonl", "--step", "--from", 5, stdin="t\nbt\nq\n")
    moments = json.loads(shiplog("replay", "good.jsonl", "--json").stdout)
    there = next(moment["v"] for moment in moments if moment["turn"] > moments[4]["turn"])
    assert f"[{there}/" in turns.stdout
    assert shiplog("replay", "good.jsonl", "--step", stdin="q\n").exit_code == 0


def test_inspect_shows_state_view_and_record(shiplog, files):
    state = json.loads(shiplog("inspect", "good.jsonl", "--at", 9, "--json").stdout)
    view = json.loads(shiplog("inspect", "good.jsonl", "--at", 9, "--seat", 0, "--json").stdout)
    assert state["version"] == view["version"] == 9
    assert state["state"]["hands"][0] == view["view"]["hands"][0]
    assert set(view["view"]["hands"][1]) == {"?"}
    record = json.loads(shiplog("inspect", "good.jsonl", "--at", 9, "--record", "--json").stdout)
    assert record == json.loads(a_match()[8])
    last = json.loads(shiplog("inspect", "good.jsonl", "--record", "--json").stdout)
    assert last["v"] == len(a_match())
    path = shiplog("inspect", "good.jsonl", "--path", "state.turn")
    assert path.stdout.strip().isdigit()


def test_diff_is_the_patch_between_two_versions(shiplog, files):
    before, after = (
        json.loads(shiplog("inspect", "good.jsonl", "--at", at, "--json").stdout) for at in (8, 12)
    )
    found = shiplog("diff", "good.jsonl", 8, 12, "--json")
    assert found.exit_code == 1, "as diff does"
    difference = json.loads(found.stdout)
    assert jsonpatch.apply_patch(before, difference["patch"]) == after
    assert "/state/" in shiplog("diff", "good.jsonl", 8, 12, "--patch").stdout
    assert shiplog("diff", "good.jsonl", 8, 12).stdout.splitlines() == difference["words"]
    assert shiplog("diff", "good.jsonl", 8, 8).exit_code == 0


def test_blame_names_record_command_and_rule(shiplog, files):
    told = json.loads(shiplog("blame", "good.jsonl", "/turn", "--json").stdout)
    state = json.loads(shiplog("inspect", "good.jsonl", "--path", "state.turn", "--json").stdout)
    assert told["value"] == state
    by = told["set_by"]
    record = shiplog("inspect", "good.jsonl", "--at", by["record"]["v"], "--record", "--json")
    assert json.loads(record.stdout)["command"] == by["record"]["command"]
    result = shiplog("blame", "good.jsonl", "/turn")
    assert result.exit_code == 0
    assert by["rules"][0] in result.stdout
    assert len(result.stdout.splitlines()) == 1 + len(told["history"])
    assert shiplog("blame", "good.jsonl", "/status", "--of", "match").exit_code == 0
    assert shiplog("blame", "good.jsonl", "/nowhere").exit_code == 1
    assert shiplog("blame", "good.jsonl", "/turn", "--seat", 1).exit_code == 0


def test_bisect_finds_the_version(shiplog, files):
    """In one log or in many; what never holds is a finding."""
    result = shiplog("bisect", "good.jsonl", "turn > `2`", "--json")
    (hit,) = json.loads(result.stdout)
    first = hit["found"]["first"]["record"]["v"]
    turns = [
        json.loads(
            shiplog("inspect", "good.jsonl", "--at", at, "--path", "state.turn", "--json").stdout
        )
        for at in (first - 1, first)
    ]
    assert turns[0] <= 2 < turns[1]
    several = shiplog("bisect", "good.jsonl", "forged.jsonl", "turn > `2`", "--all")
    assert several.exit_code == 0
    assert "forged.jsonl" in several.stdout
    assert shiplog("bisect", "good.jsonl", "turn > `999`").exit_code == 1
    assert shiplog("bisect", "good.jsonl", "turn > `2`", "--seat", 0).exit_code == 0


def test_bisect_looks_through_a_whole_store(shiplog, service):
    result = shiplog("bisect", "--store", "turn > `1`", "--json")
    assert [hit["log"] for hit in json.loads(result.stdout)] == [service]
    assert shiplog("blame", service, "/turn").exit_code == 0


def test_export_packs_unpacks_and_never_overwrites(shiplog, files):
    assert shiplog("export", "good.jsonl", "--packed", "-o", "again.jsonl.zst").exit_code == 0
    assert shiplog("export", "again.jsonl.zst").exit_code == 0
    assert (files / "again.jsonl").read_bytes() == (files / "good.jsonl").read_bytes()
    assert shiplog("export", "again.jsonl.zst").exit_code == 2
    assert (
        shiplog("export", "good.jsonl.zst", "-o", "-").stdout_bytes
        == (files / "good.jsonl").read_bytes()
    )


def test_import_verifies(shiplog, files):
    key = PUBLIC.public_bytes_raw().hex()
    assert shiplog("import", "good.jsonl.zst", "--public-key", key).exit_code == 0
    assert shiplog("import", "good.jsonl.zst").exit_code == 3
    assert shiplog("import", "good.jsonl.zst", "--allow-unsigned").exit_code == 0
    forged = shiplog("import", "forged.jsonl")
    assert forged.exit_code == 1
    assert "8 of" in forged.stdout
    assert shiplog("import", "cut.jsonl").exit_code == 1
    told = json.loads(shiplog("import", "forged.jsonl", "--json").stdout)
    assert told["findings"][0]["rule"] == "digest"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("replay", "cut.jsonl"), 1),
        (("replay", "good.jsonl", "--from", 9999), 1),
        (("replay", "good.jsonl", "--from", 5, "--to", 2), 2),
        (("export", "cut.jsonl"), 1),
        (("inspect", "missing.jsonl"), 2),
        (("inspect", "good.jsonl", "--at", 9999), 1),
        (("inspect", "good.jsonl", "--at", 9999, "--record"), 1),
        (("inspect", "good.jsonl", "--path", "]["), 2),
        (("inspect", "good.jsonl", "--seat", 3), 2),
        (("inspect", "good.jsonl", "--seat", 1, "--spectator"), 2),
        (("diff", "good.jsonl", 1), 2),
        (("blame", "good.jsonl", "turn"), 2),
        (("blame", "good.jsonl", "/turn", "--of", "table"), 2),
        (("bisect", "turn"), 2),
        (("bisect", "good.jsonl", "]["), 2),
        (("bisect", "good.jsonl", "turn", "--store"), 2),
        (("diff", "good.jsonl", 1, 9999), 1),
        (("replay", "m_1"), 2),
        (("replay", "."), 2),
        (("import", "missing.jsonl"), 2),
    ],
)
def test_exit_statuses(shiplog, files, words, status):
    assert shiplog(*words).exit_code == status


def test_a_file_that_cannot_be_read_is_named(shiplog, files):
    refused = shiplog("bisect", "good.jsonl", "cut.jsonl", "turn")
    assert "cut.jsonl: The file is cut short" in refused.stderr
    assert ".: Is a directory" in shiplog("replay", ".").stderr


def test_a_match_is_exported_by_its_id_and_restored_elsewhere(shiplog, service, files, monkeypatch):
    assert shiplog("export", service).exit_code == 0
    exported = (files / f"{service}.jsonl").read_bytes()
    lines, head = file.read(exported)
    assert head == signed(lines)
    elsewhere = files / "elsewhere"
    (elsewhere / "log").mkdir(mode=0o700, parents=True)
    write_secrets(elsewhere)
    monkeypatch.setenv("SHIPLOG_DATA", str(elsewhere))
    assert shiplog("import", f"{service}.jsonl", "--keep").exit_code == 0
    assert shiplog("import", f"{service}.jsonl", "--keep").exit_code == 0, "again is the same"
    restored = shiplog("export", service, "-o", "-")
    assert restored.stdout_bytes == exported
    unsigned = files / "unsigned.jsonl"
    unsigned.write_bytes(file.write(lines, None))
    assert shiplog("import", unsigned, "--keep").exit_code == 1
