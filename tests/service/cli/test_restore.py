"""Backups are restored whole, and refused when they are not what was signed."""

import asyncio
import json
import shutil

import msgspec
import pytest

from events import file
from events.store import append_all
from games.match.commands import CreateMatch
from service.base import keys
from service.base.problems import Problem
from service.base.settings import Settings
from service.play.talk import TRANSCRIPT, Message, Spoken
from service.process.context import opened
from service.process.lead_check import LooseLeads, find_loose
from tests.recorder import Recorder
from tests.service.cli.conftest import GAME, logs_in, within


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


def test_a_check_writes_nothing(shiplog, saved, empty):
    result = shiplog("restore", saved, "--check")
    assert result.exit_code == 0, result.output
    assert list(empty.iterdir()) == []


def test_a_restore_brings_the_secrets_of_the_backup(shiplog, saved, empty):
    assert shiplog("restore", saved).exit_code == 0
    brought = empty / "secrets.json"
    assert keys.read(brought) == keys.read(saved / "secrets.json")
    assert brought.stat().st_mode & 0o777 == 0o600


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
