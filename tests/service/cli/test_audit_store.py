"""`audit --all` compares store, archive and checkpoint log: whatever is done to a log is named.

The one who does it has the keys of the service.
"""

import asyncio
import re
import shlex
import shutil
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from service.base.settings import Settings
from service.process.context import opened
from tests.replay.forgery import changed, rechained, signed
from tests.replay.forgery import opened as record
from tests.service.cli.conftest import commit
from tests.service.cli.tampering import findings, lines_of, replaced, tampered

ROOT = Path(__file__).resolve().parents[3]


def test_what_nobody_touched_holds(shiplog, installation):
    _, finished = installation
    status, found = findings(shiplog)
    assert (status, found) == (0, {finished: [], "m_running": []})
    done = shiplog("audit", "--all", "--fast")
    assert "checkpoint log" not in done.stdout


@pytest.mark.parametrize("how", ["DEL", "UNLINK", "SET"])
def test_a_deleted_log_is_named(shiplog, installation, how):
    folder, finished = installation
    words = (how, f"log:{finished}", *(["x"] if how == "SET" else []))
    tampered(folder, lambda client: client.execute_command(*words))
    status, found = findings(shiplog)
    assert (status, found) == (1, {"m_running": [], finished: [("deleted", 0)]})
    done = shiplog("audit", "--all", "--fast")
    assert f"{finished}: 1 cause" in done.stdout
    assert "the log  deleted: " in done.stdout
    assert "has 2 leaves of it, the last of record" in done.stdout


def test_a_resumed_audit_names_what_is_gone_since(shiplog, installation):
    folder, finished = installation
    assert findings(shiplog, "--resume", "done.jsonl")[0] == 0
    tampered(folder, lambda client: client.delete(f"log:{finished}"))
    for _ in range(2):
        assert findings(shiplog, "--resume", "done.jsonl") == (1, {finished: [("deleted", 0)]})
    shutil.rmtree(folder / "checkpoints")
    done = shiplog("audit", "--all", "--resume", "done.jsonl")
    assert done.exit_code == 1
    assert "was audited before" in done.stdout


@pytest.fixture
def uncommitted(installation, monkeypatch):
    """Return an installation without a checkpoint log."""
    monkeypatch.setenv("SHIPLOG_CHECKPOINTS", "none")
    return installation


def test_a_resumed_audit_audits_a_match_that_has_grown(shiplog, uncommitted):
    folder, finished = uncommitted
    whole = []

    def hide(client):
        whole[:] = lines_of(client, finished)
        replaced(client, finished, whole[:-3])

    tampered(folder, hide)
    assert findings(shiplog, "--resume", "done.jsonl") == (0, {"m_running": [], finished: []})
    assert findings(shiplog, "--resume", "done.jsonl") == (0, {})
    tampered(folder, lambda client: replaced(client, finished, whole))
    assert findings(shiplog, "--resume", "done.jsonl") == (3, {finished: []}), "without its head"
    assert findings(shiplog, "--resume", "done.jsonl") == (3, {})


def test_a_resumed_audit_names_a_log_that_has_lost_an_audited_head(shiplog, uncommitted):
    """Also after it has grown again: the audited head is not in the log."""
    folder, finished = uncommitted
    assert findings(shiplog, "--resume", "done.jsonl")[0] == 0
    kept = []

    def cut(client):
        kept[:] = lines_of(client, finished)
        replaced(client, finished, kept[:-3])

    tampered(folder, cut)
    cut_at = ("cut", len(kept) - 3)
    assert findings(shiplog, "--resume", "done.jsonl") == (1, {finished: [cut_at]})
    assert findings(shiplog, "--resume", "done.jsonl") == (1, {})

    def redate(client):
        later = record(kept[-1])["at"].replace("2026", "2027")
        replaced(client, finished, rechained(changed(kept, len(kept), at=later)))

    tampered(folder, redate)
    status, found = findings(shiplog, "--resume", "done.jsonl")
    assert (status, found[finished][0]) == (1, ("rewritten", len(kept)))


def test_a_cut_log_is_named(shiplog, installation):
    """Even an empty one: its head was cut off by `XADD … MAXLEN`, which no account forbids."""
    folder, finished = installation

    def cut(client):
        replaced(client, finished, lines_of(client, finished)[:-3])

    tampered(folder, cut)
    status, found = findings(shiplog)
    assert status == 1
    assert "cut" in dict(found[finished])
    tampered(folder, lambda client: client.xtrim(f"log:{finished}", 0))
    assert dict(findings(shiplog)[1][finished])["cut"] == 0


def test_a_log_that_was_trimmed_by_the_services_own_command_is_named(shiplog, installation):
    folder, _ = installation

    def trim(client):
        last = lines_of(client, "m_running")[-1]
        client.execute_command("XADD", "log:m_running", "MAXLEN", "1", "0-99", "r", last)

    tampered(folder, trim)
    status, found = findings(shiplog)
    assert status == 1
    assert ("rewritten", 1) in found["m_running"]


def test_a_redated_log_is_named(shiplog, installation):
    """Its chain, salts and signature are as they should be."""
    folder, finished = installation

    def redate(client):
        lines = lines_of(client, finished)
        later = record(lines[-1])["at"].replace("2026", "2027")
        replaced(client, finished, rechained(changed(lines, len(lines), at=later)))

    tampered(folder, redate)
    status, found = findings(shiplog)
    assert status == 1
    assert [check for check, _ in found[finished]] == ["rewritten"]
    assert "its time is 2027" in shiplog("audit", "--all", "--fast").stdout


def test_a_log_signed_anew_under_another_id_is_named(shiplog, installation):
    folder, finished = installation

    def resign(client):
        lines = lines_of(client, finished)
        (header,) = record(lines[0])["events"]
        anew = rechained(changed(lines, 1, events=[header | {"service": "f" * 16}]))
        replaced(client, finished, anew)

    tampered(folder, resign)
    assert ("rewritten", 1) in findings(shiplog)[1][finished]


def test_swapped_logs_are_named(shiplog, installation):
    folder, finished = installation

    def swap(client):
        one, other = lines_of(client, finished), lines_of(client, "m_running")
        replaced(client, finished, other)
        replaced(client, "m_running", one)

    tampered(folder, swap)
    _, found = findings(shiplog)
    assert {("header", 1), ("rewritten", 1)} <= set(found[finished])
    assert {("header", 1), ("rewritten", 1)} <= set(found["m_running"])


def test_an_archive_that_says_otherwise_is_named(shiplog, installation):
    folder, finished = installation

    async def archive(cut):
        async with opened(Settings(data=folder)) as context:
            lines = await context.store.live.read(finished)
            lines = lines[: len(lines) - cut]
            await context.store.archive.store(finished, lines, signed(lines))

    asyncio.run(archive(2))
    status, found = findings(shiplog)
    assert status == 1
    assert [check for check, _ in found[finished]] == ["archive"]


def test_a_damaged_file_in_the_archive_is_named_beside_all_other_logs(shiplog, installation):
    folder, finished = installation
    assert shiplog("archive", finished).exit_code == 0
    (path,) = (folder / "archive").rglob(f"{finished}.jsonl.zst")
    path.write_bytes(path.read_bytes()[:200])
    status, found = findings(shiplog)
    assert (status, found["m_running"]) == (1, [])
    assert ("file", 0) in found[finished]
    for words in (("audit", finished), ("audit", "--all", "--fast"), ("compare", "--all")):
        done = shiplog(*words)
        assert (done.exit_code, f"{path.name}: The file cannot be" in done.output) == (1, True)
    stopped = shiplog("rebuild")
    assert f"{finished} cannot be folded: {path}: The file cannot be" in stopped.output
    assert ".. " not in stopped.output


def test_a_damaged_copy_in_the_archive_is_named(shiplog, installation):
    folder, finished = installation

    async def archive():
        async with opened(Settings(data=folder)) as context:
            lines = await context.store.live.read(finished)
            await context.store.archive.store(finished, lines, signed(lines))

    asyncio.run(archive())
    (path,) = (folder / "archive").rglob(f"{finished}.jsonl.zst")
    path.write_bytes(b"damaged")
    status, found = findings(shiplog)
    assert (status, found["m_running"]) == (1, [])
    assert ("file", 0) in found[finished]


def test_a_hidden_deletion_leaves_a_leaf_that_nothing_opens(shiplog, installation):
    """Who also erases what the leaves commit to is named by the tree."""
    folder, finished = installation
    tampered(folder, lambda client: client.delete(f"log:{finished}"))
    (page,) = (folder / "checkpoints/private/leaves").rglob("*.jsonl")
    lines = page.read_bytes().splitlines(keepends=True)
    padding = msgspec.json.encode({"kind": "padding", "version": 0, "at": "x"}) + b"\n"
    page.write_bytes(b"".join(padding if finished.encode() in line else line for line in lines))
    status, found = findings(shiplog)
    assert status == 1
    assert found["checkpoint log"] == [("checkpoint", 0)] * 2
    assert "a log may have been deleted" in shiplog("audit", "--all", "--fast").stdout


def test_a_damaged_tree_is_named(shiplog, installation):
    folder, _ = installation
    entries = max((folder / "checkpoints/tile/entries").rglob("[0-9]"))
    entries.write_bytes(entries.read_bytes()[::-1])
    status, found = findings(shiplog)
    assert (status, found["checkpoint log"][0]) == (1, ("checkpoint", 0))


def test_a_checkpoint_that_somebody_kept_convicts_a_tree_that_was_written_anew(
    shiplog, installation
):
    """Both logs are signed, and the new one agrees with the store that was changed before."""
    folder, finished = installation
    tree = folder / "checkpoints"
    (folder.parent / "kept").write_bytes((tree / "checkpoint").read_bytes())
    assert findings(shiplog, "--checkpoint", "kept")[0] == 0
    shutil.rmtree(tree)
    tampered(folder, lambda client: client.delete(f"log:{finished}"))
    done = shiplog("audit", "--all", "--checkpoint", "kept", "--json")
    assert (done.exit_code, "does not exist" in done.stdout) == (1, True)
    commit(folder)
    assert findings(shiplog) == (0, {"m_running": []})
    status, found = findings(shiplog, "--checkpoint", "kept")
    assert (status, found["checkpoint log"]) == (1, [("checkpoint", 0)])


def test_a_saved_checkpoint_must_be_one_of_the_log(shiplog, installation):
    folder, _ = installation
    (folder.parent / "other").write_text("no checkpoint\n")
    assert shiplog("audit", "--all", "--checkpoint", "other").exit_code == 2
    assert shiplog("audit", "m_running", "--checkpoint", "other").exit_code == 2


def test_a_match_without_leaves_is_said_to_be_unchecked(shiplog, installation):
    folder, _ = installation

    def add(client):
        lines = lines_of(client, "m_running")
        (header,) = record(lines[0])["events"]
        other = changed(lines[:1], 1, events=[header | {"match": "m_late"}])
        replaced(client, "m_late", other)

    tampered(folder, add)
    done = shiplog("audit", "--all", "--fast")
    assert "m_late: not checked: checkpoint log: the match has no leaves yet" in done.stdout


def first_steps(shiplog, alert, match):
    """Run the commands of an alert's runbook, and return their exit statuses."""
    page = (ROOT / "docs" / "runbooks.md").read_text()
    section = page.split(f"\n## {alert}\n")[1].split("\n## ")[0]
    (commands,) = re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    lines = commands.replace("m_4c1f", match).splitlines()
    return [shiplog(*shlex.split(line)[1:]).exit_code for line in lines]


def test_the_runbook_about_rows_ends_with_right_ones(
    shiplog, installation, work_server, monkeypatch
):
    _, finished = installation
    monkeypatch.setenv("SHIPLOG_WORK_URL", work_server.url)
    with Redis.from_url(work_server.url) as work:
        work.flushall()
        assert shiplog("rebuild").exit_code == 0
        rows = work.hget("projections", "current").decode() + ":rows"
        spoilt = work.hget(rows, finished).replace(b'"private":false', b'"private":true')
        work.hset(rows, finished, spoilt)
    assert first_steps(shiplog, "AuditRows", finished) == [1, 0, 0]


def test_the_runbook_about_signed_heads_leads_to_the_reason(shiplog, installation):
    folder, finished = installation
    tampered(folder, lambda log: replaced(log, finished, lines_of(log, finished)))
    assert first_steps(shiplog, "AuditUnsigned", finished) == [3, 0, 3]
    assert "there is no signed head" in shiplog("audit", finished).stdout


def test_the_runbook_about_checkpoints_names_what_contradicts_them(shiplog, installation):
    folder, finished = installation
    tampered(folder, lambda log: replaced(log, finished, lines_of(log, finished)[:-1]))
    assert first_steps(shiplog, "AuditCheckpoints", finished) == [1]
