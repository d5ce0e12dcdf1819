"""The archive: finished matches in files, written once, read back before anyone relies on them."""

import asyncio
import os
from pathlib import Path

import pytest

import events.archive
import events.folder
from events.archive import ArchiveStore, NotArchived
from events.backup import Backup
from events.store import Taken, Unavailable
from tests.events.archived import HEAD, LINES, signed
from tests.events.lines import chain_of


@pytest.fixture
def archive(tmp_path):
    return ArchiveStore(tmp_path / "archive")


def files(archive):
    return [path for path in Path(archive._folder._root).rglob("*") if path.is_file()]


async def test_what_is_stored_is_read(archive):
    await archive.store("m_1", LINES, HEAD)
    assert await archive.read("m_1") == LINES
    assert await archive.read("m_1", 2) == LINES[2:]
    assert await archive.read("m_1", 1, 2) == LINES[1:3]
    assert await archive.head("m_1") == HEAD
    assert [match async for match in archive.matches()] == ["m_1"]


async def test_an_empty_archive_has_nothing(archive):
    assert [match async for match in archive.matches()] == []
    assert await archive.read("m_1") == []
    assert await archive.head("m_1") is None


async def test_storing_again_changes_nothing(archive):
    await archive.store("m_1", LINES, HEAD)
    before = files(archive)[0].stat()
    await asyncio.gather(*(archive.store("m_1", LINES, HEAD) for _ in range(5)))
    assert files(archive)[0].stat().st_mtime_ns == before.st_mtime_ns


async def test_other_records_are_refused(archive):
    other = chain_of(5, "other")
    await archive.store("m_1", LINES, HEAD)
    with pytest.raises(Taken):
        await archive.store("m_1", other, signed("m_1", other))
    assert await archive.read("m_1") == LINES


async def test_many_matches_are_spread_over_folders(archive):
    for index in range(20):
        await archive.store(f"m_{index}", LINES, signed(f"m_{index}", LINES))
    assert {match async for match in archive.matches()} == {f"m_{i}" for i in range(20)}
    assert len({path.parent for path in files(archive)}) > 5


@pytest.mark.parametrize("match", ["", "../m", "a/b", "a.b", "a\0", "x" * 65, "é"])
async def test_what_is_no_id_never_becomes_a_path(archive, match):
    with pytest.raises(ValueError, match="not a match id"):
        await archive.store(match, LINES, HEAD)
    with pytest.raises(ValueError, match="not a match id"):
        await archive.read(match)


async def test_a_damaged_file_is_named_and_not_overwritten(archive):
    await archive.store("m_1", LINES, HEAD)
    path = files(archive)[0]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(NotArchived, match=r"m_1\.jsonl\.zst"):
        await archive.read("m_1")
    with pytest.raises(NotArchived):
        await archive.store("m_1", LINES, HEAD)
    assert path.read_bytes() == data


async def test_what_does_not_read_back_is_told(archive, monkeypatch):
    whole = events.folder.write_synced
    monkeypatch.setattr(events.folder, "write_synced", lambda path, data: whole(path, data[:-5]))
    with pytest.raises(NotArchived):
        await archive.store("m_1", LINES, HEAD)
    others = chain_of(4)
    data = events.archive.file.write(others, signed("m_2", others), packed=True)
    monkeypatch.setattr(events.folder, "write_synced", lambda path, _: whole(path, data))
    with pytest.raises(NotArchived, match="does not read back"):
        await archive.store("m_2", LINES, signed("m_2", LINES))


async def test_a_failing_disk_leaves_nothing_in_place(archive, monkeypatch):
    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Unavailable, match="No space left"):
        await archive.store("m_1", LINES, HEAD)
    assert files(archive) == []
    monkeypatch.undo()
    await archive.store("m_1", LINES, HEAD)
    assert await archive.read("m_1") == LINES


async def test_an_error_of_a_backup_does_not_blame_the_archive(tmp_path):
    (tmp_path / "matches").write_bytes(b"")
    backup = Backup(tmp_path)
    with pytest.raises(Unavailable, match="The backup is unavailable"):
        await backup.save(LINES, HEAD, None)


async def test_the_rest_of_a_crash_is_no_match(archive):
    await archive.store("m_1", LINES, HEAD)
    (files(archive)[0].parent / ".0123456789abcdef.part").write_bytes(b"half")
    assert [match async for match in archive.matches()] == ["m_1"]
