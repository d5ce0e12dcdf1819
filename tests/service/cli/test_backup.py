"""Backups are whole, share what has not changed, and name what is lost or damaged."""

import asyncio
import json
import os
import shutil
import time

import pytest

from events.record import at_micros
from events.tiered_store import TieredStore
from games.match.clocks import SECOND
from service.base.clock import DAY_S
from service.base.settings import Settings
from service.process.context import opened
from tests.service.cli.conftest import logs_in, write_secrets

NAMES = ("first", "second")
PARTS = {"old": ".2026-11-20T120000Z.0123abcd.part", "new": ".2026-11-23T110000Z.89ab4567.part"}


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


def test_an_existing_folder_is_not_written_to(shiplog, saved):
    result = shiplog("backup", saved)
    assert (result.exit_code, "exists" in result.output) == (2, True)


def test_where_there_has_never_been_a_service_nothing_is_saved(shiplog, empty):
    """A job without the service's settings would replace a series of backups by empty ones."""
    token, follow = ("token", "--role", "operator"), ("audit", "--follow")
    series = ("backup", "series", "--keep", 1)
    for words in (("backup", "none"), series, ("rebuild",), token, follow):
        result = shiplog(*words)
        assert (result.exit_code, "There is no log in" in result.output) == (2, True)
    assert not list(empty.iterdir())


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


@pytest.fixture
def read(monkeypatch):
    """Note which matches are read from the service's stores."""
    found = []
    real = TieredStore.read

    async def noting(self, match, *more):
        found.append(match)
        return await real(self, match, *more)

    monkeypatch.setattr(TieredStore, "read", noting)
    return found


def test_an_archived_match_is_read_from_its_archive_once(shiplog, own, files, read, monkeypatch):
    """It is final, so later backups share the file of the first one, also from a bucket."""
    assert shiplog("archive", own).exit_code == 0
    assert shiplog("backup", "first").exit_code == 0
    assert own in read
    read.clear()
    result = shiplog("backup", "second", "--since", "first", "--with-secrets")
    assert result.exit_code == 0, result.output
    assert read == ["m_running"]
    one, other = (json.loads((files / name / "manifest.json").read_text()) for name in NAMES)
    assert one["matches"] == other["matches"]
    shutil.rmtree(files / "first")
    later = files / "later"
    monkeypatch.setenv("SHIPLOG_DATA", str(later))
    assert shiplog("restore", "second").exit_code == 0
    assert logs_in(later)[0].keys() == {own, "m_running"}


def archived_file(folder, match):
    (path,) = (folder / "archive").rglob(f"{match}.jsonl.zst")
    return path


def test_what_the_archive_has_lost_is_kept_from_the_earlier_backup(shiplog, own, files):
    """An archive that is not mounted looks empty, and a series soon deletes its older backups."""
    assert shiplog("archive", own).exit_code == 0
    assert shiplog("backup", "first").exit_code == 0
    archived_file(files / "own", own).unlink()
    for name, before in (("second", "first"), ("third", "second")):
        lost = shiplog("backup", name, "--since", before)
        assert (lost.exit_code, f"{own}: the log has lost it" in lost.output) == (1, True)
        assert f"shiplog restore {name} --missing" in lost.output
    shutil.rmtree(files / "first")
    restored = shiplog("restore", "third", "--missing")
    assert (restored.exit_code, "restored: 1 matches" in restored.stdout) == (0, True)
    assert shiplog("backup", "fourth", "--since", "third").exit_code == 0


def test_a_damaged_file_in_the_archive_stops_no_backup(shiplog, own, files):
    assert shiplog("archive", own).exit_code == 0
    archived_file(files / "own", own).write_bytes(b"damaged")
    saved = shiplog("backup", "saved", "--with-secrets")
    assert (saved.exit_code, f"{own}.jsonl.zst: The file is cut short" in saved.output) == (1, True)
    manifest = json.loads((files / "saved" / "manifest.json").read_text())
    assert [entry["match"] for entry in manifest["matches"]] == ["m_running"]
    assert [entry["match"] for entry in manifest["damaged"]] == [own]


def test_a_damaged_earlier_backup_of_a_running_match_is_named(shiplog, service, files):
    assert shiplog("backup", "first").exit_code == 0
    (path,) = (files / "first" / "matches").rglob("m_running*")
    path.write_bytes(b"damaged")
    refused = shiplog("backup", "second", "--since", "first")
    assert (refused.exit_code, "m_running.jsonl.zst: The file is cut short" in refused.output) == (
        1,
        True,
    )
    assert not (files / "second").exists()


def test_a_damaged_earlier_backup_is_not_shared(shiplog, own, files):
    assert shiplog("archive", own).exit_code == 0
    assert shiplog("backup", "first").exit_code == 0
    (path,) = (files / "first" / "matches").rglob(f"{own}*")
    path.write_bytes(b"")
    refused = shiplog("backup", "second", "--since", "first")
    assert (refused.exit_code, own in refused.output) == (1, True)
    assert not (files / "second").exists()


def test_a_series_shares_files_and_keeps_the_newest_backups(
    shiplog, kept, files, empty, monkeypatch
):
    monkeypatch.setenv("SHIPLOG_DATA", str(kept[0]))
    series = files / "series"
    noon = at_micros("2026-11-21T12:00:00.000000Z")
    for day in range(3):
        begun = noon + day * DAY_S * SECOND
        monkeypatch.setattr("service.process.backup.now_micros", lambda now=begun: now)
        result = shiplog("backup", series, "--keep", "2", "--with-secrets")
        assert result.exit_code == 0, result.output
        if not (series / "notes.txt").exists():
            (series / "notes.txt").write_text("not a backup")
            for name, age_s in (("old", 2 * DAY_S), ("new", 60)):
                part = series / PARTS[name]
                part.mkdir()
                os.utime(part, (time.time() - age_s,) * 2)
    left = sorted(path.name for path in series.iterdir())
    assert left == [
        PARTS["new"], "2026-11-22T120000Z", "2026-11-23T120000Z", "notes.txt",
    ]  # fmt: skip
    assert "deleted: " in result.stdout
    before, newest = (series / name for name in left[1:3])
    for path in (before / "matches").rglob("*.zst"):
        assert path.samefile(newest / path.relative_to(before))
    monkeypatch.setenv("SHIPLOG_DATA", str(empty))
    assert shiplog("restore", newest).exit_code == 0


def test_a_series_knows_what_it_follows(shiplog, service):
    refused = shiplog("backup", "series", "--keep", "2", "--since", ".")
    assert (refused.exit_code, "not both" in refused.output) == (2, True)
