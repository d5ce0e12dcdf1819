"""Backups are whole, checked, and refused when they are not what was signed."""

import asyncio
import json
import shutil

import pytest

from service.base.settings import Settings
from service.process.context import opened
from tests.service.cli.conftest import write_secrets


@pytest.fixture
def saved(shiplog, service, files):
    """Back the service's log up; return the folder."""
    result = shiplog("backup", "saved", "--with-secrets")
    assert result.exit_code == 0, result.output
    return files / "saved"


@pytest.fixture
def empty(files, monkeypatch):
    """Begin with a new data folder; return it."""
    folder = files / "fresh"
    folder.mkdir()
    monkeypatch.setenv("SHIPLOG_DATA", str(folder))
    return folder


def logs_in(folder):
    """Read everything in a service's log."""

    async def read():
        async with opened(Settings(data=folder)) as context:
            store = context.store
            matches = {match: await store.read(match) async for match in store.matches()}
            players = {player: await store.player(player) async for player in store.players()}
            return matches, players

    return asyncio.run(read())


def put(folder, **players):
    async def write():
        async with opened(Settings(data=folder)) as context:
            for player, data in players.items():
                await context.store.put_player(player, data)

    asyncio.run(write())


def test_what_is_restored_is_what_was_saved(shiplog, kept, saved, empty):
    result = shiplog("restore", saved)
    assert result.exit_code == 0, result.output
    assert "restored: 2 matches" in result.stdout
    assert logs_in(empty) == logs_in(kept[0])


def test_a_backup_says_what_it_holds_and_no_place(shiplog, kept, saved):
    manifest = json.loads((saved / "manifest.json").read_text())
    assert {entry["match"] for entry in manifest["matches"]} == {kept[1], "m_running"}
    assert manifest["keys"] == ["k1"]
    assert manifest["rules"]["tranquility"] >= 1
    assert str(kept[0]) not in (saved / "manifest.json").read_text()
    assert oct((saved / "secrets.json").stat().st_mode)[-3:] == "600"
    assert shiplog("restore", saved, "--check").exit_code == 0


def test_secrets_are_saved_only_if_asked_for(shiplog, service, files):
    assert shiplog("backup", "bare").exit_code == 0
    assert not (files / "bare" / "secrets.json").exists()


def test_without_the_secret_file_nothing_is_restored(shiplog, saved, empty):
    """A new one would fit no match: their dice and the players' tokens hang on the old."""
    (saved / "secrets.json").unlink()
    result = shiplog("restore", saved)
    assert (result.exit_code, "secrets.json is missing" in result.output) == (2, True)
    assert not (empty / "log").exists()


def test_another_services_keys_do_not_do(shiplog, saved, empty):
    path = empty / "secrets.json"
    file = json.loads((saved / "secrets.json").read_text())
    path.write_text(json.dumps(file | {"signing": "77" * 32}))
    path.chmod(0o600)
    result = shiplog("restore", saved)
    assert (result.exit_code, "another service's key" in result.output) == (1, True)


def test_missing_master_keys_are_named(shiplog, saved, empty):
    path = empty / "secrets.json"
    file = json.loads((saved / "secrets.json").read_text())
    path.write_text(json.dumps(file | {"master": {"k2": "55" * 32}, "current": "k2"}))
    path.chmod(0o600)
    result = shiplog("restore", saved)
    assert (result.exit_code, "not in the secret file: k1" in result.output) == (1, True)


def test_a_log_that_is_not_empty_is_left_alone(shiplog, saved, empty):
    shutil.copy(saved / "secrets.json", empty / "secrets.json")
    put(empty, p_someone=b"{}")
    result = shiplog("restore", saved)
    assert (result.exit_code, "it has player p_someone" in result.output) == (1, True)
    assert logs_in(empty) == ({}, {"p_someone": b"{}"})


@pytest.mark.parametrize("harm", ["manifest", "signature", "file", "swapped", "missing", "players"])
def test_a_changed_backup_is_refused_before_anything_is_written(shiplog, saved, empty, harm):
    one, other = sorted((saved / "matches").rglob("*.zst"))
    match harm:
        case "manifest":
            path = saved / "manifest.json"
            path.write_text(path.read_text().replace('"players": 0', '"players": 1'))
        case "signature":
            (saved / "manifest.sig").write_text("00" * 64)
        case "file":
            one.write_bytes(one.read_bytes()[:-1])
        case "swapped":
            one.write_bytes(other.read_bytes())
        case "missing":
            one.unlink()
        case "players":
            (saved / "players.jsonl.zst").unlink()
    result = shiplog("restore", saved)
    assert result.exit_code == 1, result.output
    assert not (empty / "log").exists(), "it is checked before a server is asked"


def test_a_folder_that_was_cut_off_is_no_backup(shiplog, saved, empty):
    (saved / "manifest.json").unlink()
    result = shiplog("restore", saved)
    assert (result.exit_code, "incomplete" in result.output) == (1, True)


def test_an_existing_folder_is_not_written_to(shiplog, saved):
    result = shiplog("backup", saved)
    assert (result.exit_code, "exists" in result.output) == (2, True)


def test_unchanged_matches_share_their_files(shiplog, saved, files):
    result = shiplog("backup", "later", "--since", saved)
    assert result.exit_code == 0, result.output
    for path in (saved / "matches").rglob("*.zst"):
        assert path.samefile(files / "later" / path.relative_to(saved))


def test_a_log_that_does_not_hang_together_is_saved_as_it_is_and_named(
    shiplog, files, monkeypatch, empty
):
    folder = files / "harmed"
    folder.mkdir()
    write_secrets(folder)
    lines = (files / "forged.jsonl").read_bytes().splitlines()[:-1]

    async def write():
        async with opened(Settings(data=folder)) as context:
            await context.store.append("m_harmed", 1, lines[0])
            await context.store.append("m_harmed", 2, lines[2])

    asyncio.run(write())
    monkeypatch.setenv("SHIPLOG_DATA", str(folder))
    result = shiplog("backup", "saved", "--with-secrets")
    assert (result.exit_code, "m_harmed: record 2" in result.output) == (1, True)
    harmed = (files / "saved" / "damaged" / "m_harmed.jsonl").read_bytes()
    assert harmed == lines[0] + b"\n" + lines[2] + b"\n"
    monkeypatch.setenv("SHIPLOG_DATA", str(empty))
    result = shiplog("restore", files / "saved")
    assert (result.exit_code, "not restored: m_harmed" in result.output) == (1, True)
    assert logs_in(empty) == ({}, {})
