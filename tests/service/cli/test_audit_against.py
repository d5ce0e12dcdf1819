"""`audit --all --against BACKUP` names what a service has lost since the backup."""

import shutil
from pathlib import Path

import pytest

from tests.replay.forgery import opened as record
from tests.service.cli.tampering import findings, lines_of, replaced, tampered


@pytest.fixture
def backed_up(shiplog, installation):
    """Back the service up, and take its checkpoint log away."""
    folder, finished = installation
    assert shiplog("backup", "saved").exit_code == 0
    shutil.rmtree(folder / "checkpoints")
    return folder, finished


def test_what_a_backup_has_holds(shiplog, backed_up):
    _, finished = backed_up
    assert findings(shiplog, "--against", "saved") == (0, {finished: [], "m_running": []})


def test_a_lost_log_is_named_and_restored_as_the_runbook_says(shiplog, backed_up):
    folder, finished = backed_up
    tampered(folder, lambda client: client.delete(f"log:{finished}"))
    assert findings(shiplog) == (0, {"m_running": []}), "nothing else knows of the match"
    lost = {finished: [("deleted", 0)], "m_running": []}
    assert findings(shiplog, "--against", "saved") == (1, lost)
    told = shiplog("audit", "--all", "--against", "saved")
    assert "the backup has" in " ".join(told.stdout.split())
    assert shiplog("restore", "saved", "--missing").exit_code == 0
    assert findings(shiplog, "--against", "saved") == (0, {finished: [], "m_running": []})


def test_a_log_that_is_shorter_or_another_than_in_the_backup_is_named(shiplog, backed_up):
    folder, _ = backed_up

    def cut(client):
        replaced(client, "m_running", lines_of(client, "m_running")[:-1])

    tampered(folder, cut)
    status, found = findings(shiplog, "--against", "saved")
    assert (status, found["m_running"]) == (1, [("cut", 2)])

    def other(client):
        lines = lines_of(client, "m_running")
        where = lines[-1].replace(b'"id":"', b'"id":"x', 1)
        assert record(where)["v"] == len(lines)
        replaced(client, "m_running", [*lines[:-1], where, where])

    tampered(folder, other)
    _, found = findings(shiplog, "--against", "saved")
    assert ("rewritten", 3) in found["m_running"]


def test_a_resumed_audit_names_what_the_backup_has(shiplog, backed_up):
    folder, finished = backed_up
    assert findings(shiplog, "--resume", "done.jsonl")[0] == 0
    tampered(folder, lambda client: client.delete(f"log:{finished}"))
    words = ("--resume", "done.jsonl", "--against", "saved")
    assert findings(shiplog, *words) == (1, {finished: [("deleted", 0)]})


def test_a_folder_that_is_no_backup_of_this_service_is_refused(shiplog, backed_up):
    refused = shiplog("audit", "--all", "--against", ".")
    assert (refused.exit_code, "is not a backup" in refused.stderr) == (2, True)
    manifest = Path("saved", "manifest.json")
    manifest.write_bytes(manifest.read_bytes() + b" ")
    refused = shiplog("audit", "--all", "--against", "saved")
    assert (refused.exit_code, "was changed" in refused.stderr) == (2, True)
    alone = shiplog("audit", "m_running", "--against", "saved")
    assert (alone.exit_code, "--against needs --all" in alone.output) == (2, True)
