"""Backups are whole, checked, and refused when they are not what was signed."""

import asyncio
import json
import os
import shutil
import time

import msgspec
import pytest

from events import file
from events.record import at_micros
from events.store import append_all
from events.tiered_store import TieredStore
from games.match.clocks import SECOND
from games.match.commands import CreateMatch
from service.base import keys
from service.base.clock import DAY_S
from service.base.problems import Problem
from service.base.settings import Settings
from service.play.talk import TRANSCRIPT, Message, Spoken
from service.process.context import opened
from service.process.lead_check import LooseLeads, find_loose
from tests.recorder import Recorder
from tests.service.cli.conftest import GAME, within, write_secrets

NAMES = ("first", "second")
PARTS = {"old": ".2026-11-20T120000Z.0123abcd.part", "new": ".2026-11-23T110000Z.89ab4567.part"}


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


def put(folder, matches=(), **players):
    async def write():
        async with opened(Settings(data=folder)) as context:
            for match, lines in dict(matches).items():
                await append_all(context.store, match, lines)
            for player, data in players.items():
                await context.store.put_document("player", player, data)

    asyncio.run(write())


def say(folder, match, *players):
    """Store a message of each player in a match."""
    messages = [
        Spoken(Message(player, "2026-11-21T12:00:00.000000Z", seat, "table", "ahoy"), player)
        for seat, player in enumerate(players)
    ]

    async def write():
        async with opened(Settings(data=folder)) as context:
            await context.store.put_document("talk", match, msgspec.json.encode(messages))

    asyncio.run(write())


def speakers_in(folder, match):
    async def read():
        async with opened(Settings(data=folder)) as context:
            kept = await context.store.document("talk", match)
            return [one.player for one in TRANSCRIPT.decode(kept.data)]

    return asyncio.run(read())


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


def test_a_check_writes_nothing(shiplog, saved, empty):
    result = shiplog("restore", saved, "--check")
    assert result.exit_code == 0, result.output
    assert list(empty.iterdir()) == []


def test_a_restore_brings_the_secrets_of_the_backup(shiplog, saved, empty):
    assert shiplog("restore", saved).exit_code == 0
    brought = empty / "secrets.json"
    assert keys.read(brought) == keys.read(saved / "secrets.json")
    assert brought.stat().st_mode & 0o777 == 0o600


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
    assert "with --missing only what the log has lost" in result.output
    assert logs_in(empty) == ({}, {"p_someone": b"{}"})


def test_only_what_the_log_has_lost_is_restored(shiplog, kept, saved, empty):
    matches, _ = logs_in(kept[0])
    lines = matches[kept[1]]
    shutil.copy(saved / "secrets.json", empty / "secrets.json")
    put(empty, {kept[1]: lines[:5]}, p_someone=b"{}")
    result = shiplog("restore", saved, "--missing")
    assert result.exit_code == 0, result.output
    written = len(lines) - 5 + len(matches["m_running"])
    assert f"restored: 2 matches, {written} records, 0 players" in result.stdout
    assert logs_in(empty) == (matches, {"p_someone": b"{}"})
    assert "restored: 0 matches, 0 records" in shiplog("restore", saved, "--missing").stdout


def test_talk_is_restored_except_that_of_players_who_are_erased_by_now(
    shiplog, kept, files, empty, monkeypatch
):
    shutil.copy(kept[0] / "secrets.json", empty / "secrets.json")
    say(empty, "m_1", "p_ada", "p_eva")
    assert shiplog("backup", "chatty").exit_code == 0
    manifest = json.loads((files / "chatty" / "manifest.json").read_text())
    assert (manifest["format"], manifest["talk"]) == (2, 1)
    later = files / "later"
    later.mkdir()
    shutil.copy(kept[0] / "secrets.json", later / "secrets.json")
    monkeypatch.setenv("SHIPLOG_DATA", str(later))
    put(later, p_eva=b'{"name":"","created":"","generation":0,"erased":true}')
    assert shiplog("restore", files / "chatty", "--missing").exit_code == 0
    assert speakers_in(later, "m_1") == ["p_ada"]
    say_again = shiplog("restore", files / "chatty", "--missing")
    assert say_again.exit_code == 0, say_again.output
    (files / "chatty" / "talk.jsonl.zst").unlink()
    result = shiplog("restore", files / "chatty", "--check")
    assert (result.exit_code, "talk.jsonl.zst is missing" in result.output) == (1, True)


def test_players_who_are_there_stay_as_they_are(shiplog, kept, files, empty, monkeypatch):
    """A player who was erased after the backup stays erased."""
    shutil.copy(kept[0] / "secrets.json", empty / "secrets.json")
    put(empty, p_kept=b'{"name":"Ada"}', p_lost=b'{"name":"Eva"}')
    assert shiplog("backup", "people").exit_code == 0
    later = files / "later"
    later.mkdir()
    shutil.copy(kept[0] / "secrets.json", later / "secrets.json")
    monkeypatch.setenv("SHIPLOG_DATA", str(later))
    put(later, p_kept=b'{"erased":true}')
    result = shiplog("restore", files / "people", "--missing")
    assert "restored: 0 matches, 0 records, 1 players" in result.stdout
    assert logs_in(later)[1] == {"p_kept": b'{"erased":true}', "p_lost": b'{"name":"Eva"}'}


@pytest.mark.parametrize("how", ["whole", "missing"])
def test_a_name_is_still_its_owners_after_a_restore(shiplog, kept, files, empty, monkeypatch, how):
    """With the names come the ways back, and nothing is loose."""
    shutil.copy(kept[0] / "secrets.json", empty / "secrets.json")

    async def own(context) -> str:
        player, _ = await context.players.create("Nemo")
        await context.players.set_code(player, "r_nemo")
        return player

    async def suggested(context) -> tuple[str, LooseLeads]:
        with pytest.raises(Problem) as refusal:
            await context.players.create("NEM0")
        return refusal.value.extra["suggestion"], await find_loose(context.store)

    nemo = within(empty, own)
    assert shiplog("backup", "named").exit_code == 0
    later = files / "later"
    later.mkdir()
    shutil.copy(kept[0] / "secrets.json", later / "secrets.json")
    monkeypatch.setenv("SHIPLOG_DATA", str(later))
    if how == "missing":
        put(later, **{nemo: logs_in(empty)[1][nemo]})
    options = ("--missing",) if how == "missing" else ()
    result = shiplog("restore", files / "named", *options)
    assert result.exit_code == 0, result.output
    assert logs_in(later)[1] == logs_in(empty)[1]
    assert within(later, suggested) == ("NEM0 2", LooseLeads(missing=0, stray=0))


def test_a_match_that_went_on_after_the_backup_keeps_its_records(
    shiplog, kept, files, empty, monkeypatch
):
    lines = logs_in(kept[0])[0][kept[1]]
    later = files / "later"
    later.mkdir()
    for folder, count in ((empty, 5), (later, len(lines))):
        shutil.copy(kept[0] / "secrets.json", folder / "secrets.json")
        put(folder, {kept[1]: lines[:count]})
    assert shiplog("backup", "early").exit_code == 0
    monkeypatch.setenv("SHIPLOG_DATA", str(later))
    result = shiplog("restore", files / "early", "--missing")
    assert "restored: 0 matches, 0 records" in result.stdout
    assert logs_in(later)[0] == {kept[1]: lines}


def test_a_match_with_other_records_is_named_and_left_alone(shiplog, kept, saved, empty):
    matches, _ = logs_in(kept[0])
    other = Recorder(GAME, CreateMatch("tranquility", 2), "m_running")
    other.sit("heuristic", "")
    shutil.copy(saved / "secrets.json", empty / "secrets.json")
    put(empty, {"m_running": other.lines})
    result = shiplog("restore", saved, "--missing")
    assert result.exit_code == 1
    assert "not restored: m_running: record 3 is another one than in the backup" in result.output
    assert logs_in(empty)[0] == {**matches, "m_running": other.lines}


@pytest.mark.parametrize("harm", [
    "manifest", "signature", "head", "file", "swapped", "missing", "players",
])  # fmt: skip
def test_a_changed_backup_is_refused_before_anything_is_written(shiplog, saved, empty, harm):
    one, other = sorted((saved / "matches").rglob("*.zst"))
    match harm:
        case "manifest":
            path = saved / "manifest.json"
            path.write_text(path.read_text().replace('"players": 0', '"players": 1'))
        case "signature":
            (saved / "manifest.sig").write_text("00" * 64)
        case "head":
            lines, head = file.read(one.read_bytes())
            forged = msgspec.structs.replace(head, signature="00" * 64)
            one.write_bytes(file.write(lines, forged, packed=True))
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
    assert list(empty.iterdir()) == [], "it is checked before a server is asked"


@pytest.mark.parametrize(("late", "status"), [(False, 1), (True, 0)])
def test_a_backup_that_a_revoked_key_signed_is_refused_or_doubted(
    shiplog, saved, empty, late, status
):
    """A thief of the key can make operators of players, and write an earlier date."""
    manifest = json.loads((saved / "manifest.json").read_text())
    path = empty / "secrets.json"
    shutil.copy(saved / "secrets.json", path)
    assert shiplog("secrets", "rotate").exit_code == 0
    at = manifest["ended"] if late else manifest["begun"]
    revoke = ("secrets", "revoke", manifest["service"], "--reason", "stolen", "--at", at)
    assert shiplog(*revoke, "--size", 0).exit_code == 0
    result = shiplog("restore", saved, "--check")
    assert (result.exit_code, f"was revoked at {at}" in result.stderr) == (status, True)


def test_a_folder_that_was_cut_off_is_no_backup(shiplog, saved, empty):
    (saved / "manifest.json").unlink()
    result = shiplog("restore", saved)
    assert (result.exit_code, "incomplete" in result.output) == (1, True)


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
