"""The commands about logs, a folder of files for them, and a service's log with two matches."""

import asyncio
import shutil

import msgspec
import pytest
from typer.testing import CliRunner

from events import file
from events.checkpoints.log import CheckpointLog
from events.folder import Folder
from events.store import append_all
from games import GAMES
from games.match.commands import CreateMatch
from games.match.seed import derive_service_seed
from projections.folded import Folded
from service.base.keys import Keys, SecretFile
from service.base.settings import Settings
from service.cli import app, output
from service.process.checkpointing import entries_of
from service.process.context import opened
from tests.record_matches import Plan, Table, players_of
from tests.recorder import MASTER, PUBLIC, SIGNING, Recorder
from tests.replay.forgery import changed, rechained, signed
from tests.replay.forgery import opened as record
from tests.replay.logs import a_match

GAME = GAMES["tranquility"]
SECRETS = SecretFile({"k1": MASTER.hex()}, "k1", "22" * 32, SIGNING.private_bytes_raw().hex())
KEYS = Keys(SECRETS)
KEY = PUBLIC.public_bytes_raw().hex()
FORGED = ("forged.jsonl", "doubled.jsonl")


def widen(monkeypatch, columns):
    """Print to so many columns; a console reads its width from the environment only once."""
    for console in (output.out, output.err):
        monkeypatch.setattr(console, "_width", columns)


@pytest.fixture
def shiplog(monkeypatch):
    """Run the command line; return its result."""
    widen(monkeypatch, 200)

    def run(*words, stdin=None):
        return CliRunner().invoke(app, [str(word) for word in words], input=stdin)

    return run


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write a good export, plain and packed, a tampered and a damaged one.

    Change to their folder.
    """
    lines = a_match()
    forged = rechained(changed(lines, 9, digest="0" * 24))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHIPLOG_DATA", str(tmp_path / "nothing"))
    good = file.write(lines, signed(lines))
    (tmp_path / "good.jsonl").write_bytes(good)
    (tmp_path / "good.jsonl.zst").write_bytes(file.write(lines, signed(lines), packed=True))
    (tmp_path / "forged.jsonl").write_bytes(file.write(forged, signed(forged)))
    (tmp_path / "cut.jsonl").write_bytes(good[:-40])
    return tmp_path


@pytest.fixture(scope="session")
def kept(tmp_path_factory):
    """Write a finished and a running match into a log; return its folder and the former's id."""
    folder = tmp_path_factory.mktemp("data")
    write_secrets(folder)
    plan = Plan(3, 2, {}, None, ("", ""), "random", "", 0)
    table = Table(GAME, plan, players_of(GAME))
    assert table.play()
    running = Recorder(GAME, CreateMatch("tranquility", 2), "m_running")
    running.sit("", "")

    async def put(context):
        for recorder in (table.recorder, running):
            match = recorder.match.header.match
            head = recorder.head() if recorder.match.over else None
            await append_all(context.store, match, recorder.lines, head=head)

    within(folder, put)
    return folder, table.recorder.match.header.match


@pytest.fixture
def service(kept, files, monkeypatch):
    """Use the service's data folder; return its finished match's id."""
    folder, finished = kept
    monkeypatch.setenv("SHIPLOG_DATA", str(folder))
    return finished


@pytest.fixture
def own(kept, files, monkeypatch):
    """Use a copy of the service's data folder; return its finished match's id."""
    folder, finished = kept
    shutil.copytree(folder, files / "own", ignore=shutil.ignore_patterns("*.sock", "*.pid"))
    monkeypatch.setenv("SHIPLOG_DATA", str(files / "own"))
    return finished


def write_secrets(folder):
    path = folder / "secrets.json"
    path.write_bytes(msgspec.json.encode(SECRETS))
    path.chmod(0o600)


@pytest.fixture
def audit(shiplog, files):
    """Audit a good log, one with another digest, and one with an event that was recorded twice."""
    lines = a_match()
    events = record(lines[11])["events"]
    doubled = rechained(changed(lines, 12, events=[*events, events[-1]]))
    (files / "doubled.jsonl").write_bytes(file.write(doubled, signed(doubled)))

    def run(*words, logs=("good.jsonl", *FORGED), key=KEY):
        return shiplog("audit", *logs, "--public-key", key, *words)

    return run


def seed_of(match):
    return derive_service_seed(MASTER, match)


@pytest.fixture(scope="module")
def committed(kept, tmp_path_factory):
    """Copy the service's log, and write a checkpoint log that has committed to its matches."""
    folder = tmp_path_factory.mktemp("committed") / "data"
    source, finished = kept
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.sock", "*.lock"))

    commit(folder)
    return folder, finished


def commit(folder):
    """Write a checkpoint log that has committed to all matches of the store."""

    async def append(context):
        log = CheckpointLog(Folder(folder / "checkpoints"), KEYS.checkpoint_signer(""))
        for match in [match async for match in context.store.matches()]:
            folded = Folded.of(GAMES, await context.store.read(match))
            log.append(entries_of(folded, seed_of(match), None, folded.match.at))

    within(folder, append)


@pytest.fixture
def installation(committed, tmp_path, monkeypatch):
    """Return a copy to tamper with, and the id of its finished match."""
    folder, finished = committed
    copy = tmp_path / "data"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.sock", "*.lock"))
    monkeypatch.setenv("SHIPLOG_DATA", str(copy))
    monkeypatch.chdir(tmp_path)
    return copy, finished


def within(folder, work):
    """Run a coroutine with the parts of a service."""

    async def run():
        async with opened(Settings(data=folder)) as context:
            return await work(context)

    return asyncio.run(run())


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
            players = {
                player: (await store.document("player", player)).data
                async for player in store.documents("player")
            }
            return matches, players

    return asyncio.run(read())
