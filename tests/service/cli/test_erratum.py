"""`shiplog erratum`: shown before it is signed, kept, and carried along by every copy."""

import asyncio
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from events import file
from events.checkpoints.log import CheckpointLog
from events.checkpoints.reader import leaves_of
from events.folder import Folder
from events.store import append_all
from games import GAMES
from projections.folded import Folded
from projections.rows import Rows
from projections.tables import places, settle
from service.process.checkpointing import entries_of
from service.process.errata import all_errata
from tests.recorder import PUBLIC
from tests.replay.errata import changed, erratum_of, sealed, wrongly_won
from tests.service.cli.conftest import within, write_secrets

ROOT = Path(__file__).resolve().parents[3]
KEY = PUBLIC.public_bytes_raw().hex()
RACE = wrongly_won()
MATCH = RACE.match.header.match
LOSER = RACE.match.ending.winners[0]
WHY = "The loser was named as the winner."


@pytest.fixture(scope="module")
def decided(tmp_path_factory):
    """Write a match of a faulty release into a log, and build its row."""
    folder = tmp_path_factory.mktemp("faulty")
    write_secrets(folder)

    async def put(context):
        await append_all(context.store, MATCH, RACE.lines, head=RACE.head())

    within(folder, put)
    return folder


@pytest.fixture
def faulty(decided, files, shiplog, work_server, monkeypatch):
    """Use a copy of the service with that match, with rows; return its folder."""
    folder = files / "faulty"
    monkeypatch.setenv("SHIPLOG_WORK_URL", work_server.url)
    with Redis.from_url(work_server.url) as work:
        work.flushall()
    shutil.copytree(decided, folder, ignore=shutil.ignore_patterns("*.sock", "*.pid"))
    monkeypatch.setenv("SHIPLOG_DATA", str(folder))
    assert shiplog("rebuild").exit_code == 0
    return folder


@pytest.fixture
def standings(faulty, work_server):
    """Return the number of won matches of each player."""

    async def read():
        async with AsyncRedis.from_url(work_server.url) as work:
            rows = Rows(work)
            await settle(rows, await rows.generation(), "tranquility")
            found = await places(rows, "tranquility", "rated", 0, 10)
            return {line.name: line.standing.won for line in found}

    return lambda: asyncio.run(read())


def test_it_shows_what_it_covers_and_signs_only_if_told_to(shiplog, faulty):
    done = shiplog("erratum", MATCH, "--reason", WHY, stdin="n\n")
    assert done.exit_code == 2
    for part in (
        WHY,
        f"record {len(RACE.lines)}",
        "/winners/0: expected",
        f"the corrected result is {RACE.match.ending.reason}: winners [{1 - LOSER}]",
    ):
        assert part in done.stdout
    assert "Nothing was signed." in done.stderr
    assert shiplog("audit", MATCH).exit_code == 1


def test_the_audit_holds_and_says_so_and_the_standings_follow(shiplog, faulty, standings):
    assert standings() == {f"p_{LOSER}": 1, f"p_{1 - LOSER}": 0}
    done = shiplog("erratum", MATCH, "--reason", WHY, "--yes")
    assert done.exit_code == 0, done.output
    told = shiplog("audit", MATCH)
    assert told.exit_code == 0, told.output
    assert "holds, with 1 erratum" in told.stdout
    assert WHY in told.stdout
    assert standings() == {f"p_{LOSER}": 0, f"p_{1 - LOSER}": 1}
    assert shiplog("rebuild", "--verify").stdout.endswith("The old projections were the same.\n")
    everything = shiplog("audit", "--all", "--fast")
    assert everything.exit_code == 0, everything.output
    again = shiplog("erratum", MATCH, "--reason", WHY, "--yes")
    assert (again.exit_code, "nothing that an erratum" in again.stderr) == (1, True)


def test_an_unrated_match_leaves_the_standings(shiplog, faulty, standings):
    assert shiplog("erratum", MATCH, "--reason", WHY, "--unrated", "--yes").exit_code == 0
    assert standings() == {}
    assert "does not count for the standings" in shiplog("audit", MATCH).stdout


def test_a_resumed_audit_looks_again_once_there_is_an_erratum(shiplog, faulty):
    words = ("audit", "--all", "--fast", "--resume", "done.jsonl")
    assert shiplog(*words).exit_code == 1
    assert shiplog("erratum", MATCH, "--reason", WHY, "--yes").exit_code == 0
    assert shiplog(*words).exit_code == 0


def test_exports_imports_and_backups_carry_it(shiplog, faulty, files, monkeypatch):
    assert shiplog("erratum", MATCH, "--reason", WHY, "--yes").exit_code == 0
    for name, packed in (("out.jsonl", ()), ("out.jsonl.zst", ("--packed",))):
        assert shiplog("export", MATCH, "--out", name, *packed).exit_code == 0
        done = shiplog("audit", name, "--public-key", KEY)
        assert (done.exit_code, "with 1 erratum" in done.stdout) == (0, True)
    assert shiplog("export", "out.jsonl.zst", "--out", "again.jsonl").exit_code == 0
    assert (files / "again.jsonl").read_bytes() == (files / "out.jsonl").read_bytes()
    assert shiplog("backup", "saved").exit_code == 0
    for name, words in (("restored", ("restore", "saved")), ("kept", ("import", "out.jsonl"))):
        folder = files / name
        folder.mkdir()
        shutil.copy(faulty / "secrets.json", folder)
        monkeypatch.setenv("SHIPLOG_DATA", str(folder))
        within(folder, signed_errata)
        done = shiplog(*words, *(["--keep"] if words[0] == "import" else []))
        assert done.exit_code == 0, done.output
        told = shiplog("audit", MATCH)
        assert told.exit_code == 0, told.output
        assert len(within(folder, signed_errata)[MATCH]) == 1


async def signed_errata(context):
    return await all_errata(context)


def test_a_backup_whose_errata_were_changed_is_refused(shiplog, faulty, files):
    assert shiplog("erratum", MATCH, "--reason", WHY, "--yes").exit_code == 0
    assert shiplog("backup", "saved").exit_code == 0
    (path,) = (files / "saved").rglob("*.errata.jsonl")
    for data in (path.read_bytes() * 2, b""):
        path.write_bytes(data)
        done = shiplog("restore", "saved", "--missing")
        assert done.exit_code != 0
        assert f"The errata of {MATCH} do not match the manifest." in done.stderr.replace("\n", " ")


def test_a_forged_erratum_in_the_archive_is_found_and_changes_no_standing(
    shiplog, faulty, standings
):
    assert shiplog("erratum", MATCH, "--reason", WHY, "--unrated", "--yes").exit_code == 0
    (path,) = (faulty / "archive").rglob("*.errata.jsonl")
    path.write_bytes(changed(path.read_bytes().rstrip(), counts=True) + b"\n")
    done = shiplog("audit", "--all", "--json", "--fast")
    assert done.exit_code == 1
    (report,) = json.loads(done.stdout)["reports"]
    assert "erratum" in {finding["rule"] for finding in report["findings"]}
    assert shiplog("rebuild").exit_code == 0
    assert standings() == {f"p_{LOSER}": 1, f"p_{1 - LOSER}": 0}


@pytest.fixture
def committed(faulty):
    """Begin the checkpoint log of the service, with the leaves of its match."""

    async def commit(context):
        log = CheckpointLog(Folder(faulty / "checkpoints"), context.keys.checkpoint_signer(""))
        folded = Folded.of(GAMES, RACE.lines)
        log.append(entries_of(folded, RACE.service_seed, None, folded.match.at))

    within(faulty, commit)
    return faulty


def leaves_in(folder):
    """Return the leaves of the match in the checkpoint log."""
    return [one.leaf.kind for one in leaves_of(Folder(folder / "checkpoints"), MATCH)]


def test_an_erratum_enters_the_checkpoint_log_as_it_is_signed(shiplog, committed, standings):
    assert leaves_in(committed) == ["opening", "end"]
    assert shiplog("erratum", MATCH, "--reason", WHY, "--yes").exit_code == 0
    assert leaves_in(committed) == ["opening", "end", "erratum"]
    for words in ((MATCH,), ("--all", "--fast")):
        told = shiplog("audit", *words)
        assert told.exit_code == 0, told.output
        assert "errata: the checkpoint log" not in told.stdout
    assert standings() == {f"p_{LOSER}": 0, f"p_{1 - LOSER}": 1}


def test_an_erratum_without_a_leaf_changes_nothing_and_one_that_is_gone_is_named(
    shiplog, committed, standings
):
    """A thief of the key adds one with a past date. A thief of the archive removes one."""

    async def plant(context):
        await context.store.archive.add_erratum(MATCH, sealed(erratum_of(RACE, counts=False)))
        assert await all_errata(context) == {MATCH: []}

    within(committed, plant)
    assert shiplog("rebuild").exit_code == 0
    assert standings() == {f"p_{LOSER}": 1, f"p_{1 - LOSER}": 0}
    told = shiplog("audit", MATCH)
    assert told.exit_code == 1
    assert "no leaf of it is known in the checkpoint log" in " ".join(told.output.split())
    (path,) = (committed / "archive").rglob("*.errata.jsonl")
    path.unlink()
    assert shiplog("erratum", MATCH, "--reason", WHY, "--yes").exit_code == 0
    path.unlink()
    told = shiplog("audit", "--all", "--json", "--fast")
    (report,) = json.loads(told.stdout)["reports"]
    gone = [one["message"] for one in report["findings"] if one["rule"] == "erratum"]
    assert [message.endswith("but it is gone") for message in gone] == [True]


def test_a_file_gets_its_erratum_at_the_end(shiplog, faulty, files):
    data = file.write(RACE.lines, RACE.head())
    (files / "race.jsonl").write_bytes(data)
    secrets = faulty / "secrets.json"
    done = shiplog("erratum", "race.jsonl", "--reason", WHY, "--secrets", secrets, "--yes")
    assert done.exit_code == 0, done.output
    found = (files / "race.jsonl").read_bytes()
    assert found.startswith(data)
    assert found.removeprefix(data).startswith(b'{"erratum":')
    assert shiplog("audit", "race.jsonl", "--public-key", KEY).exit_code == 0
    assert shiplog("audit", "race.jsonl").exit_code == 1, "nobody's key is known"


def test_it_is_refused_where_it_would_prove_nothing(shiplog, faulty, files, monkeypatch):
    good = shiplog("erratum", "good.jsonl", "--reason", WHY, "--yes")
    assert "nothing that an erratum could explain" in good.stderr
    forged = shiplog("erratum", "forged.jsonl", "--reason", " ", "--yes")
    assert "The reason must have 1 to 1000 characters." in forged.stderr
    packed = shiplog("erratum", "good.jsonl.zst", "--reason", WHY)
    assert "Run: shiplog export good.jsonl.zst" in packed.stderr
    monkeypatch.setenv("SHIPLOG_ARCHIVE", "none")
    nowhere = shiplog("erratum", MATCH, "--reason", WHY, "--yes")
    assert (nowhere.exit_code, "set SHIPLOG_ARCHIVE" in nowhere.stderr) == (2, True)


@pytest.mark.parametrize("form", ["sarif", "junit", "ndjson", "json"])
def test_other_programs_read_it_too(shiplog, faulty, form):
    assert shiplog("erratum", MATCH, "--reason", WHY, "--yes").exit_code == 0
    done = shiplog("audit", MATCH, "--format", form)
    assert done.exit_code == 0
    match form:
        case "sarif":
            results = json.loads(done.stdout)["runs"][0]["results"]
            (fail,) = [one for one in results if one["kind"] == "fail"]
            assert fail["suppressions"] == [{"kind": "external", "justification": WHY}]
        case "junit":
            assert '<property name="errata" value="1" />' in done.stdout
            assert "<failure" not in done.stdout
        case "ndjson":
            found = [json.loads(line) for line in done.stdout.splitlines()]
            assert [one.get("erratum") for one in found if one["type"] == "finding"] == [1]
            assert found[-2]["errata"][0]["erratum"]["reason"] == WHY
        case _:
            (report,) = json.loads(done.stdout)["reports"]
            assert (report["verdict"], report["findings"]) == ("holds", [])
            assert [one["erratum"] for one in report["explained"]] == [1]


def test_the_runbook_leads_to_a_match_that_holds(shiplog, faulty):
    page = (ROOT / "docs" / "runbooks.md").read_text()
    section = page.split("### Correct a match of a faulty release")[1].split("\n## ")[0]
    (commands,) = re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    statuses = []
    for line in commands.replace("m_4c1f", MATCH).splitlines():
        done = shiplog(*shlex.split(line)[1:], stdin="y\n")
        statuses.append(done.exit_code)
    assert statuses == [1, 0, 0]
    assert "holds, with 1 erratum" in done.stdout
