"""Files in a folder: written as a whole, and replaced only by whoever saw the last content."""

import multiprocessing

import pytest

import events.folder
from events.folder import SYNC_FILE_SYSTEM, TOGETHER, Folder, NoSuchPlace, Swapped, Unavailable


def test_files_are_read_back_by_name(tmp_path):
    folder = Folder(tmp_path / "new")
    assert folder.read("a/b") is None
    assert folder.names() == []
    folder.write("a/b", b"1")
    folder.write_all({"a/c": b"2", "d": b"3"})
    assert sorted(folder.names()) == ["a/b", "a/c", "d"]
    assert folder.names("a") == ["a/b", "a/c"]
    assert folder.read_all(["d", "a/b"]) == [b"3", b"1"]
    folder.remove("a")
    folder.remove("a")
    assert folder.names() == ["d"]
    with pytest.raises(Unavailable):
        folder.read_all(["d", "gone"])


@pytest.mark.parametrize("sync", [SYNC_FILE_SYSTEM, None])
def test_many_files_are_synced_together_where_the_system_can(tmp_path, monkeypatch, sync):
    monkeypatch.setattr(events.folder, "SYNC_FILE_SYSTEM", sync)
    folder, files = Folder(tmp_path), {f"{n % 3}/{n}": b"%d" % n for n in range(TOGETHER + 1)}
    folder.write("0/0", b"before")
    folder.write_all(files)
    assert {name: folder.read(name) for name in folder.names()} == files


def test_files_that_could_not_be_synced_are_not_renamed_into_place(tmp_path, monkeypatch):
    folder, files = Folder(tmp_path), {f"{n}": b"after" for n in range(TOGETHER)}
    folder.write("0", b"before")
    monkeypatch.setattr(events.folder, "SYNC_FILE_SYSTEM", lambda _: -1)
    with pytest.raises(Unavailable):
        folder.write_all(files)
    assert [path.name for path in tmp_path.iterdir()] == ["0"]
    assert folder.read("0") == b"before"


def test_a_file_is_replaced_only_if_it_is_as_expected(tmp_path):
    folder = Folder(tmp_path)
    folder.swap("f", None, b"1")
    folder.swap("f", b"1", b"2")
    for before in (None, b"1", b"3"):
        with pytest.raises(Swapped):
            folder.swap("f", before, b"4")
    assert folder.read("f") == b"2"


def count(place, times):
    """Add 1 to a number many times, each time until nobody was faster."""
    folder = Folder(place)
    for _ in range(times):
        while True:
            before = folder.read("n")
            try:
                folder.swap("n", before, str(int(before) + 1).encode())
            except Swapped:
                continue
            break


def test_of_many_processes_none_loses_a_change(tmp_path):
    Folder(tmp_path).write("n", b"0")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=count, args=(tmp_path, 20)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert Folder(tmp_path).read("n") == b"60"


def test_a_folder_that_cannot_be_written_is_unavailable(tmp_path):
    (tmp_path / "file").touch()
    folder = Folder(tmp_path / "file")
    for change in (
        lambda: folder.write("f", b""),
        lambda: folder.write_all({"f": b""}),
        lambda: folder.swap("f", None, b""),
    ):
        with pytest.raises(Unavailable):
            change()
    for place in ("nowhere://place", "ftp://localhost:1/place"):
        with pytest.raises(NoSuchPlace, match=place):
            Folder(place)
