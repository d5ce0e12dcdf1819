"""`audit --follow` audits what is new, remembers it across a kill, and misses nothing."""

import json
import shutil

import pytest
from redis.asyncio import Redis

from events.archive import ArchiveStore
from events.checkpoints.leaves import Leaf, commitment
from events.checkpoints.log import CheckpointLog, Entry
from events.folder import Folder
from events.redis_store import RedisStore
from games import GAMES
from games.match.commands import Abandon, Actor, CreateMatch
from games.match.seed import leaf_secret
from projections.folded import Folded
from projections.rows import Rows
from projections.summary import summary
from replay.surface import heads_of
from service.base import metrics
from service.base.keys import Keys
from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.play.feed import Feed
from service.process import audit_checkpoints, audit_heads, auditing
from service.process.audit_journal import BadJournal, Journal
from service.process.auditing import StoreAuditor
from service.process.context import opened
from tests.events.accounts import EVERYTHING
from tests.recorder import Recorder
from tests.replay.errata import erratum_of, sealed, wrongly_won
from tests.replay.forgery import changed, rechained, signed
from tests.replay.logs import a_match
from tests.service.cli.conftest import SECRETS, write_secrets

KEYS = Keys(SECRETS)
MEMORY = 10_000_000


@pytest.fixture(scope="session")
def log_server(tmp_path_factory):
    """Run a log on which a test may do everything."""
    with Supervisor(Server.log(tmp_path_factory.mktemp("log"), **EVERYTHING)) as server:
        yield server


class Installation:
    """A store with its feed, and the process that audits it."""

    def __init__(self, store, log, work, folder):
        self.store = store
        self.log = log
        self.feed = Feed(work)
        self.rows = Rows(work)
        self.settings = Settings(data=folder)
        self.archive = ArchiveStore(str(folder / "archive"))
        self.path = folder / "audited.jsonl"
        self.start()

    def start(self, memory=MEMORY):
        """Start the process, which has only the journal to go by."""
        self.journal = Journal(self.path)
        self.auditor = StoreAuditor(
            self.store,
            self.archive,
            self.feed,
            KEYS,
            self.settings,
            self.journal,
            self.rows,
            memory,
            redaction=True,
        )

    def kill(self):
        """End the process without a last word."""
        self.journal.close()

    async def write(self, match, lines, *, announced=True, kept=None):
        """Write the records of a match that the store does not have."""
        for version in range(len(await self.store.read(match)) + 1, len(lines) + 1):
            if announced:
                await self.feed.announce(match, version)
            head = kept if version == len(lines) else None
            await self.store.append(match, version, lines[version - 1], b"", head)

    async def replace(self, match, lines):
        """Write another log of a match in place of the stored one. Nobody announces it."""
        await self.log.delete(f"log:{match}")
        await self.write(match, lines, announced=False)

    async def settle(self):
        """Let the process do all that is due; return the number of records that it read."""
        before = metrics.AUDIT_RECORDS._value.get()
        await self.auditor.step()
        while self.auditor.due:
            await self.auditor.step()
        return metrics.AUDIT_RECORDS._value.get() - before

    async def compare_rows(self):
        """Let the process compare all rows once, as it does regularly, and settle."""
        rows, records = self.auditor._rows, 0
        rows._next_round = 0.0
        while not rows._next_round or rows._left:
            records += await self.settle()
        return records + await self.settle()

    @property
    def reports(self):
        """The last report of each match."""
        lines = map(json.loads, self.path.read_bytes().splitlines())
        return {report["name"]: report for report in lines}

    def findings(self, match):
        return [one["rule"] for one in self.reports[match]["findings"]]


@pytest.fixture
async def installation(log_server, work, tmp_path, monkeypatch):
    monkeypatch.setattr(auditing, "WAIT_MS", 20)
    async with RedisStore(log_server.url) as store, Redis.from_url(log_server.url) as log:
        await log.flushall()
        made = Installation(store, log, work, tmp_path)
        yield made
        made.kill()
        await made.feed.aclose()


def running(match="m_running"):
    recorder = Recorder(GAMES["tranquility"], CreateMatch("tranquility", 2), match)
    recorder.sit("", "")
    return recorder


def go_on(recorder, moves=3):
    for _ in range(moves):
        seat = min(recorder.match.game.waiting(recorder.state))
        recorder.play(seat, recorder.match.game.legal(recorder.state, seat)[0])


async def test_a_match_is_audited_while_it_is_played_from_where_the_audit_stopped(installation):
    played = running()
    await installation.write("m_running", played.lines)
    assert await installation.settle() == len(played.lines)
    go_on(played)
    await installation.write("m_running", played.lines)
    assert await installation.settle() == 3
    assert await installation.settle() == 0
    played.send(Actor(operator="p_officer"), Abandon())
    head = KEYS.sign("m_running", len(played.lines), played.folded.head)
    await installation.write("m_running", played.lines, kept=head)
    await installation.settle()
    report = installation.reports["m_running"]
    assert (report["verdict"], report["status"], report["head"]) == (
        "holds", "abandoned", played.folded.head,
    )  # fmt: skip
    assert report["figures"]["bytes"] == sum(map(len, played.lines))


async def test_a_restored_match_goes_on_with_the_signed_head_of_its_backup(installation):
    played = running()
    await installation.write("m_running", played.lines, kept=signed(played.lines))
    await installation.settle()
    go_on(played)
    await installation.write("m_running", played.lines)
    assert await installation.settle() == 3
    assert installation.journal.failed == 0


async def test_after_a_kill_only_what_is_new_is_audited(installation):
    finished, played = a_match(), running()
    name = json.loads(finished[0])["events"][0]["match"]
    await installation.write(name, finished)
    await installation.write("m_running", played.lines)
    await installation.settle()
    installation.kill()
    go_on(played)
    await installation.write("m_running", played.lines, announced=False)
    installation.start()
    assert await installation.settle() == len(played.lines)
    assert installation.reports["m_running"]["head"] == played.folded.head


async def test_a_process_that_stops_leaves_the_heads_of_running_matches(installation):
    played = running()
    await installation.write("m_running", played.lines)
    await installation.settle()
    go_on(played)
    await installation.write("m_running", played.lines)
    await installation.settle()
    assert installation.reports["m_running"]["head"] != played.folded.head
    installation.auditor.note_running()
    assert installation.reports["m_running"]["head"] == played.folded.head


async def test_what_nobody_announced_is_found_by_comparing_all_matches(installation, monkeypatch):
    await installation.settle()
    await installation.write("m_running", running().lines, announced=False)
    assert await installation.settle() == 0
    monkeypatch.setattr(auditing, "COMPARE_S", 0.0)
    installation.kill()
    installation.start()
    assert await installation.settle() == len(running().lines)


async def test_a_record_that_follows_its_announcement_is_waited_for(installation):
    played = running()
    await installation.feed.announce("m_running", len(played.lines))
    await installation.auditor.step()
    assert installation.auditor.due == 1
    await installation.write("m_running", played.lines, announced=False)
    assert await installation.settle() == len(played.lines)


async def test_without_memory_matches_are_audited_from_their_first_record(installation):
    installation.kill()
    installation.start(memory=1)
    played = running()
    await installation.write("m_running", played.lines)
    await installation.settle()
    go_on(played)
    await installation.write("m_running", played.lines)
    assert await installation.settle() == len(played.lines)
    assert installation.journal.failed == 0


async def test_a_record_that_does_not_follow_is_a_finding(installation):
    played = running()
    await installation.write("m_running", played.lines)
    await installation.settle()
    go_on(played, 2)
    forged = changed(played.lines, len(played.lines), at="2026-11-21T08:00:00.000000Z")
    await installation.write("m_running", forged)
    await installation.settle()
    assert "time" in installation.findings("m_running")
    assert metrics.AUDIT_FINDINGS._value.get() == 1
    assert metrics.AUDIT_MATCHES._value.get() == 1


async def test_a_deleted_a_cut_and_a_rewritten_log_are_findings(installation, monkeypatch):
    """The rewritten one has the same length, and holds by itself."""
    monkeypatch.setattr(auditing, "COMPARE_S", 0.0)
    logs = {name: running(name) for name in ("m_deleted", "m_cut", "m_rewritten")}
    for name, played in logs.items():
        await installation.write(name, played.lines)
    await installation.settle()
    assert installation.journal.failed == 0
    await installation.log.delete("log:m_deleted")
    await installation.replace("m_cut", logs["m_cut"].lines[:-1])
    other = running("m_rewritten")
    lines = rechained(changed(other.lines, 2, at="2026-11-21T09:00:00.500000Z"), other.service_seed)
    await installation.replace("m_rewritten", lines)
    monkeypatch.setattr(audit_heads, "ROUND_S", 0.001)
    while installation.journal.failed < 3:
        await installation.settle()
    assert installation.findings("m_deleted") == ["deleted"]
    assert installation.findings("m_cut")[0] == "cut"
    assert installation.findings("m_rewritten")[0] == "rewritten"
    size = installation.path.stat().st_size
    await installation.settle()
    assert installation.path.stat().st_size == size, "each finding is reported once"


async def test_a_finding_is_looked_at_again_after_a_start(installation, monkeypatch):
    monkeypatch.setattr(auditing, "COMPARE_S", 0.0)
    played = running()
    await installation.write("m_running", played.lines)
    await installation.settle()
    await installation.replace("m_running", played.lines[:-1])
    await installation.settle()
    assert installation.journal.failed == 1
    installation.kill()
    installation.start()
    await installation.settle()
    assert installation.findings("m_running") == ["cut"]
    await installation.write("m_running", played.lines, announced=False)
    installation.kill()
    installation.start()
    await installation.settle()
    assert installation.journal.failed == 0


async def test_archived_matches_count(installation):
    finished = a_match()
    name = json.loads(finished[0])["events"][0]["match"]
    await installation.archive.store(name, finished, signed(finished))
    assert await installation.settle() == len(finished)
    assert installation.reports[name]["verdict"] == "holds"


async def test_a_damaged_file_in_the_archive_stops_no_other_audit(
    installation, monkeypatch, tmp_path
):
    monkeypatch.setattr(audit_checkpoints, "LOOK_S", 0.0)
    finished = a_match()
    name = json.loads(finished[0])["events"][0]["match"]
    await installation.archive.store(name, finished, signed(finished))
    await installation.settle()
    (path,) = (tmp_path / "archive").rglob(f"{name}.*")
    path.write_bytes(b"damaged")
    Committed(tmp_path).add(name, finished)
    await installation.write("m_running", running().lines)
    await installation.settle()
    await installation.settle()
    assert installation.findings(name) == ["file"]
    assert installation.reports["m_running"]["verdict"] == "holds"


async def test_heads_of_a_damaged_file_in_the_archive_lead_to_an_audit(
    installation, monkeypatch, tmp_path
):
    finished = a_match()
    name = json.loads(finished[0])["events"][0]["match"]
    await installation.archive.store(name, finished, signed(finished))
    await installation.settle()
    (path,) = (tmp_path / "archive").rglob(f"{name}.*")
    path.write_bytes(b"damaged")
    monkeypatch.setattr(audit_heads, "ROUND_S", 0.001)
    while not installation.journal.failed:
        await installation.settle()
    assert installation.findings(name) == ["file"]


async def test_a_log_that_breaks_the_audit_stops_no_other(installation, monkeypatch):
    def fail(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(auditing, "_read", fail)
    await installation.write("m_running", running().lines)
    await installation.settle()
    assert installation.findings("m_running") == ["fold"]
    monkeypatch.undo()
    await installation.write("m_other", running("m_other").lines)
    await installation.settle()
    assert installation.reports["m_other"]["verdict"] == "holds"


async def test_the_process_reads_the_services_own_servers_with_the_auditors_account(tmp_path):
    write_secrets(tmp_path)
    settings = Settings(data=tmp_path)
    async with opened(settings) as context:
        played = running()
        for version, line in enumerate(played.lines, start=1):
            await context.store.append("m_running", version, line)
        with Journal(tmp_path / "audited.jsonl") as journal:
            async with auditing.auditing(settings, journal, redaction=False) as auditor:
                while not journal.audited:
                    await auditor.step()
            assert journal.audited["m_running"].ok


async def test_a_match_that_has_got_an_erratum_is_audited_again(installation, monkeypatch):
    monkeypatch.setattr(auditing, "COMPARE_S", 0.0)
    race = wrongly_won()
    match = race.match.header.match
    await installation.write(match, race.lines, kept=race.head())
    await installation.settle()
    assert installation.findings(match) == ["events"]
    await installation.archive.add_erratum(match, sealed(erratum_of(race)))
    await installation.settle()
    report = installation.reports[match]
    assert (report["verdict"], len(report["errata"])) == ("holds", 1)


async def test_a_spoilt_row_is_a_finding_until_it_is_right_again(installation, work):
    finished, played = a_match(), running()
    name = json.loads(finished[0])["events"][0]["match"]
    await installation.write(name, finished, kept=signed(finished))
    await installation.write("m_running", played.lines)
    generation = await installation.rows.begin("current")
    right = summary(Folded.of(GAMES, finished).match)
    await installation.rows.apply(right)
    await installation.rows.apply(summary(played.match))
    await installation.settle()
    assert installation.journal.failed == 0
    for match in (name, "m_running"):
        stored = await installation.rows.raw(match)
        await work.hset(
            f"{generation}:rows", match, stored.replace(b'"private":false', b'"private":true')
        )
        await installation.compare_rows()
        assert installation.findings(match) == ["projection"]
        assert installation.journal.wrong_rows == 1
        assert metrics.AUDIT_ROW_FINDINGS._value.get() == 1
        await work.hset(f"{generation}:rows", match, stored)
        await installation.compare_rows()
        assert installation.findings(match) == []
        assert (installation.journal.failed, installation.journal.wrong_rows) == (0, 0)


async def test_a_row_that_is_behind_is_no_finding(installation):
    played = running()
    await installation.rows.begin("current")
    await installation.rows.apply(summary(played.match))
    go_on(played)
    await installation.write("m_running", played.lines)
    await installation.settle()
    assert await installation.compare_rows() == 0
    assert installation.findings("m_running") == []


async def test_a_signed_head_that_is_gone_is_missed(installation, monkeypatch):
    finished = a_match()
    name = json.loads(finished[0])["events"][0]["match"]
    await installation.write(name, finished, kept=signed(finished))
    await installation.settle()
    assert installation.reports[name]["verdict"] == "holds"
    await installation.replace(name, finished)
    monkeypatch.setattr(audit_heads, "ROUND_S", 0.001)
    while not installation.journal.unsigned:
        await installation.settle()
    assert installation.reports[name]["verdict"] == "unauthenticated"
    assert metrics.AUDIT_UNSIGNED._value.get() == 1


class Committed:
    """The checkpoint log of an installation."""

    def __init__(self, folder):
        self.place = folder / "checkpoints"
        self.log = CheckpointLog(Folder(self.place), KEYS.checkpoint_signer(""))

    def add(self, match, lines, *, head=None):
        """Commit to the last record of a match."""
        at, heads = json.loads(lines[-1])["at"], heads_of(lines)
        leaf = Leaf("head", match, len(lines), head or heads[-1], at)
        seed = KEYS.service_seed(match, json.loads(lines[0])["events"][0]["key"])
        self.log.append([Entry(commitment(leaf_secret(seed), leaf), leaf)])


async def test_the_checkpoint_log_is_checked_as_it_grows(installation, monkeypatch, tmp_path):
    """A log that contradicts it is named, also one that was gone before the first audit."""
    monkeypatch.setattr(audit_checkpoints, "LOOK_S", 0.0)
    committed, played = Committed(tmp_path), running()
    await installation.write("m_running", played.lines)
    committed.add("m_running", played.lines)
    await installation.settle()
    go_on(played)
    await installation.write("m_running", played.lines)
    committed.add("m_running", played.lines)
    await installation.settle()
    await installation.settle()
    assert metrics.AUDIT_LEAVES._value.get() == 2
    assert installation.journal.failed == 0
    gone, other = running("m_gone"), running("m_other")
    await installation.write("m_other", other.lines)
    committed.add("m_gone", gone.lines)
    committed.add("m_other", other.lines, head="0" * 64)
    for _ in range(2):
        await installation.settle()
        await installation.settle()
        assert installation.findings("m_gone") == ["deleted"]
        assert installation.findings("m_other") == ["rewritten"]
        assert metrics.AUDIT_LEAF_FINDINGS._value.get() == 2
        installation.kill()
        installation.start()


async def test_a_checkpoint_log_that_goes_back_or_is_damaged_is_told(
    installation, monkeypatch, tmp_path
):
    monkeypatch.setattr(audit_checkpoints, "LOOK_S", 0.0)
    committed, played = Committed(tmp_path), running()
    await installation.write("m_running", played.lines)
    committed.add("m_running", played.lines)
    committed.add("m_running", played.lines)
    for _ in range(2):
        await installation.settle()
    assert metrics.AUDIT_LEAF_FINDINGS._value.get() == 0
    installation.kill()
    shutil.rmtree(committed.place)
    Committed(tmp_path).add("m_running", played.lines)
    installation.start()
    await installation.settle()
    assert metrics.AUDIT_LEAF_FINDINGS._value.get() == 1
    (path,) = tmp_path.glob("*.checkpoint")
    path.write_text("nothing")
    installation.kill()
    with pytest.raises(BadJournal, match="is not the text of a checkpoint"):
        installation.start()
