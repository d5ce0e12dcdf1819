"""The log survives a crash at every point, and never contradicts what it signed."""

import shutil

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.leaves import MatchHead, commitment, due_leaves
from events.checkpoints.log import LOCK, STAGED, CheckpointLog
from events.checkpoints.notes import NOTE, Signer
from events.checkpoints.reader import CHECKPOINT, LEAVES, LogBroken, leaves_of
from events.checkpoints.tiles import entries_path
from events.folder import Folder, NoSuchPlace, Swapped, Unavailable
from events.record import at_text
from tests.events.checkpoints.entries import SIGNER, batches, check_whole, entry

OTHER = Signer("shiplog.example/log", Ed25519PrivateKey.from_private_bytes(b"\x02" * 32), NOTE)


def filled(place, *sizes):
    log = CheckpointLog(Folder(place), SIGNER)
    for batch in batches(*sizes):
        log.append(batch)
    return log


class Crash(BaseException):
    """The process is killed."""


class Mortal(Folder):
    """A folder that dies after a number of changes, the last of which is made or not."""

    def __init__(self, place, changes, *, last):
        super().__init__(place)
        self.left, self.last = changes, last
        self.locks = []

    def _counted(self, change, *given):
        self.left -= 1
        if self.left < 0:
            raise Crash
        if self.left == 0 and not self.last:
            raise Crash
        change(*given)
        if given[0] == LOCK:
            self.locks.append(given[2])
        if self.left == 0:
            raise Crash

    def write(self, name, data):
        self._counted(super().write, name, data)

    def write_all(self, files):
        for name, data in files.items():
            self.write(name, data)

    def swap(self, name, before, after):
        self._counted(super().swap, name, before, after)

    def remove(self, name):
        self._counted(super().remove, name)


def test_a_log_grows_by_batches_of_any_size(tmp_path):
    log = filled(tmp_path, 1, 3, 252, 1, 255, 300)
    assert log.checkpoint.size == 812
    check_whole(tmp_path, 812)


def test_it_goes_on_where_it_was_closed(tmp_path):
    sizes = [1, 300, 211, 1]
    for count, _ in enumerate(sizes, start=1):
        log = CheckpointLog(Folder(tmp_path), SIGNER)
        log.append(list(batches(*sizes))[count - 1])
        check_whole(tmp_path, sum(sizes[:count]))


@pytest.mark.parametrize("last", [True, False], ids=["made", "unmade"])
def test_a_crash_after_any_change_is_completed_by_the_next_process(tmp_path, last):
    """Whatever was signed stays, and what was not signed is appended by the next process."""
    sizes, changes = (250, 5, 3), 0
    while True:
        changes += 1
        place = tmp_path / str(changes)
        folder = Mortal(place, changes, last=last)
        try:
            log = CheckpointLog(folder, SIGNER)
            for batch in batches(*sizes):
                log.append(batch)
        except Crash:
            log = CheckpointLog(Folder(place), SIGNER)
            if size := log.checkpoint.size:
                check_whole(place, size, folder.locks)
            rest = range(log.checkpoint.size, 258) or [258]
            log.append([entry(number) for number in rest])
            check_whole(place, log.checkpoint.size, folder.locks)
            CheckpointLog(Folder(place), SIGNER)
            assert not Folder(place).names(STAGED)
            shutil.rmtree(place)
        else:
            break
    assert changes > 25


def test_partial_tiles_are_removed_once_they_are_full(tmp_path):
    filled(tmp_path, 100, 156, 5)
    names = [name for name in Folder(tmp_path).names("tile") if ".p/" in name]
    assert sorted(names) == ["tile/0/001.p/5", "tile/1/000.p/1", "tile/entries/001.p/5"]


def test_of_two_writers_one_succeeds_and_the_other_opens_the_log_again(tmp_path):
    one = filled(tmp_path, 4)
    two = CheckpointLog(Folder(tmp_path), SIGNER)
    one.append([entry(4)])
    with pytest.raises(Swapped):
        two.append([entry(4), entry(5)])
    again = CheckpointLog(Folder(tmp_path), SIGNER)
    again.append([entry(5)])
    check_whole(tmp_path, 6)


def test_the_leaves_of_a_match_are_filed_when_it_ends(tmp_path):
    log = CheckpointLog(Folder(tmp_path), SIGNER)
    log.append([entry(1, "opening", "m_a"), entry(1, "opening", "m_b")])
    assert leaves_of(Folder(tmp_path), "m_a") == []
    log.append([entry(5, "end", "m_a"), entry(2, "head", "m_b")])
    for one in (log, CheckpointLog(Folder(tmp_path), SIGNER)):
        assert one.last("m_a").kind == "end"
        assert one.last("m_b").version == 2
        assert one.last("m_c") is None
    placed = leaves_of(Folder(tmp_path), "m_a")
    assert [(one.index, one.leaf.kind) for one in placed] == [(0, "opening"), (2, "end")]


def broken(tmp_path, *, match="."):
    with pytest.raises(LogBroken, match=match):
        CheckpointLog(Folder(tmp_path), SIGNER)


def test_a_log_of_another_key_or_origin_is_not_continued(tmp_path):
    filled(tmp_path, 3)
    with pytest.raises(LogBroken, match="not signed by"):
        CheckpointLog(Folder(tmp_path), OTHER)
    other = Signer("other.example", Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
    with pytest.raises(LogBroken, match=r"expected 'other\.example'"):
        CheckpointLog(Folder(tmp_path), other)


def test_a_restored_part_stops_the_log(tmp_path):
    """Neither the lock nor the published part may go back."""
    place, old = tmp_path / "log", tmp_path / "old"
    filled(place, 3)
    shutil.copytree(place, old)
    CheckpointLog(Folder(place), SIGNER).append([entry(3)])
    shutil.copy(old / LOCK, place / LOCK)
    broken(place, match="restored or changed")
    (place / LOCK).unlink()
    broken(place, match="is missing, but a checkpoint was published")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tile/0/000.p/5", "is missing"),
        (entries_path(0, 5), "is missing"),
        (f"{LEAVES}/000000/000000000.jsonl", "No such file|FileNotFound"),
    ],
)
def test_a_missing_file_stops_the_log(tmp_path, name, why):
    filled(tmp_path, 5)
    (tmp_path / name).unlink()
    with pytest.raises((LogBroken, Unavailable), match=why):
        CheckpointLog(Folder(tmp_path), SIGNER)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tile/0/000.p/5", "root"),
        (entries_path(0, 5), "entries that were signed"),
        (LOCK, "not valid|not signed|signature line|not a checkpoint"),
        (CHECKPOINT, "not valid|not signed|signature line|not a checkpoint"),
        (f"{LEAVES}/000000/000000000.jsonl", "cannot be read"),
    ],
)
def test_a_flipped_bit_stops_the_log(tmp_path, name, why):
    filled(tmp_path, 5)
    data = bytearray((tmp_path / name).read_bytes())
    data[-5 if name in (LOCK, CHECKPOINT) else 3] ^= 1
    (tmp_path / name).write_bytes(data)
    broken(tmp_path, match=why)


def test_a_signed_bundle_that_is_gone_stops_the_log(tmp_path):
    folder = Mortal(tmp_path, 2, last=True)
    with pytest.raises(Crash):
        CheckpointLog(folder, SIGNER).append([entry(0)])
    assert folder.locks
    shutil.rmtree(tmp_path / STAGED)
    broken(tmp_path, match="is missing, but its checkpoint was signed")


def test_what_does_not_read_back_is_not_signed(tmp_path, monkeypatch):
    log = filled(tmp_path, 5)
    before = (tmp_path / LOCK).read_bytes()
    read = Folder.read

    def flipped(self, name):
        data = read(self, name)
        if name.startswith(STAGED):
            bundle = msgspec.msgpack.decode(data)
            bundle["entries"][0] = b"another"
            return msgspec.msgpack.encode(bundle)
        return data

    monkeypatch.setattr(Folder, "read", flipped)
    with pytest.raises(LogBroken, match="read back"):
        log.append([entry(5)])
    assert (tmp_path / LOCK).read_bytes() == before


def test_a_place_without_conditional_writes_is_refused():
    with pytest.raises(NoSuchPlace, match="S3 bucket"):
        CheckpointLog(Folder("memory://log"), SIGNER)


def head(version, shown, *, over=False):
    return MatchHead("m_1", version, f"{version:064}", version, shown, over, "0" * 64, 1)


def test_a_leaf_is_due_at_the_opening_the_end_and_when_spectators_were_shown_something():
    (opening,) = due_leaves(head(1, 1), None)
    assert (opening.kind, opening.version, opening.at) == ("opening", 1, at_text(1))
    assert due_leaves(head(1, 1), opening) == []
    assert due_leaves(head(3, 1), opening) == []
    (later,) = due_leaves(head(4, 2), opening)
    assert (later.kind, later.version, later.shown) == ("head", 4, 2)
    assert due_leaves(head(9, 2), later) == []
    (end,) = due_leaves(head(9, 3, over=True), later)
    assert (end.kind, end.version) == ("end", 9)
    assert due_leaves(head(9, 3, over=True), end) == []
    assert [leaf.kind for leaf in due_leaves(head(9, 3, over=True), None)] == ["opening", "end"]
    assert [leaf.kind for leaf in due_leaves(head(4, 2), None)] == ["opening", "head"]


def test_a_commitment_covers_every_field_and_needs_the_secret():
    leaf = due_leaves(head(4, 2), None)[1]
    known = "b6f87630bc3529904192b4dd0226bb5e88e8838326896b0b05db910c3faaed31"
    seen = {commitment(b"\x00" * 32, leaf)}
    for changed in (
        {"kind": "end"}, {"version": 5}, {"head": "1" * 64}, {"at": "t5"},
    ):  # fmt: skip
        seen.add(commitment(b"\x00" * 32, msgspec.structs.replace(leaf, **changed)))
    seen.add(commitment(b"\x01" * 32, leaf))
    assert len(seen) == 6
    assert commitment(b"\x00" * 32, leaf).hex() == known
