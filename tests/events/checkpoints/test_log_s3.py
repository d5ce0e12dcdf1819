"""The log in a bucket: conditional writes take the place of the file lock."""

import pytest

from events.checkpoints.log import LOCK, CheckpointLog
from events.folder import Folder, Swapped, Unavailable
from tests.events.checkpoints.entries import SIGNER, batches, check_whole, entry
from tests.events.s3 import REGION


@pytest.fixture
def place(s3, bucket, monkeypatch):
    """Return a function that opens the folder in the bucket, as another process would."""
    options = {"endpoint_url": s3, "client_kwargs": {"region_name": REGION}}

    def folder(*_):
        return Folder(f"s3://{bucket}/tree", key="test", secret="test", **options)

    monkeypatch.setattr("tests.events.checkpoints.entries.Folder", folder)
    return folder


def test_a_log_grows_in_a_bucket(place):
    for batch in batches(1, 255, 4):
        CheckpointLog(place(), SIGNER).append(batch)
    check_whole(place, 260)
    assert place().names("tile/0/000.p") == []


def test_of_two_writers_in_a_bucket_one_succeeds(place):
    for size in (0, 1):
        one, two = CheckpointLog(place(), SIGNER), CheckpointLog(place(), SIGNER)
        one.append([entry(size)])
        with pytest.raises(Swapped):
            two.append([entry(size), entry(size + 1)])
    check_whole(place, 2)


def test_an_object_that_changed_after_it_was_read_is_not_replaced(place, monkeypatch):
    folder = place()
    folder.write(LOCK, b"one")
    read = folder._files.cat_file

    def late(path, **given):
        data = read(path, **given)
        if data == b"one":
            place().write(LOCK, b"two")
        return data

    monkeypatch.setattr(folder._files, "cat_file", late)
    with pytest.raises(Swapped):
        folder.swap(LOCK, b"one", b"three")
    assert place().read(LOCK) == b"two"


def test_a_bucket_that_is_not_there_is_unavailable(s3):
    options = {"endpoint_url": s3, "client_kwargs": {"region_name": REGION}}
    folder = Folder("s3://no-such-bucket/tree", key="test", secret="test", **options)
    with pytest.raises(Unavailable):
        folder.swap(LOCK, None, b"one")
