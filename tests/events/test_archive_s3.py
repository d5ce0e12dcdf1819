"""The archive in a bucket: a server of the S3 protocol in this process."""

import boto3
import pytest

from events.archive import ArchiveStore, NotArchived
from events.folder import NoSuchPlace
from events.memory_store import MemoryStore
from events.store import Taken, Unavailable
from events.tiered_store import TieredStore
from tests.events.archived import HEAD, LINES, signed
from tests.events.lines import chain_of
from tests.events.s3 import ACCESS, REGION


@pytest.fixture
def archive(s3, bucket):
    return at(s3, bucket)


def at(s3, bucket):
    options = {"endpoint_url": s3, "client_kwargs": {"region_name": REGION}}
    return ArchiveStore(f"s3://{bucket}/logs", key="test", secret="test", **options)


async def test_a_match_is_kept_and_read_back(archive):
    await archive.store("m_1", LINES, HEAD)
    assert await archive.read("m_1") == LINES
    assert await archive.read("m_1", 1, 2) == LINES[1:3]
    assert await archive.head("m_1") == HEAD
    assert await archive.read("m_2") == []
    assert [match async for match in archive.matches()] == ["m_1"]


async def test_an_empty_bucket_has_nothing(archive):
    assert [match async for match in archive.matches()] == []


async def test_other_records_are_refused(archive):
    await archive.store("m_1", LINES, HEAD)
    await archive.store("m_1", LINES, HEAD)
    other = chain_of(5, "other")
    with pytest.raises(Taken):
        await archive.store("m_1", other, signed("m_1", other))


async def test_a_damaged_object_is_named(archive, s3, bucket):
    await archive.store("m_1", LINES, HEAD)
    client = boto3.client("s3", endpoint_url=s3, **ACCESS)
    (entry,) = client.list_objects_v2(Bucket=bucket)["Contents"]
    client.put_object(Bucket=bucket, Key=entry["Key"], Body=b"damaged")
    with pytest.raises(NotArchived, match="m_1"):
        await archive.read("m_1")


async def test_a_bucket_that_is_not_there_keeps_nothing(s3):
    live = MemoryStore()
    for version, line in enumerate(LINES, start=1):
        await live.append("m_1", version, line)
    store = TieredStore(live, at(s3, "nobodys"))
    with pytest.raises(Unavailable):
        await store.retire("m_1", LINES, HEAD)
    assert await store.read("m_1") == LINES


async def test_a_match_moves_to_the_bucket(archive):
    live = MemoryStore()
    for version, line in enumerate(LINES, start=1):
        await live.append("m_1", version, line)
    store = TieredStore(live, archive)
    await store.retire("m_1", LINES, HEAD)
    assert await live.read("m_1") == []
    assert await store.read("m_1", 2) == LINES[2:]


def test_a_place_that_nobody_knows_is_refused():
    with pytest.raises(NoSuchPlace, match="nowhere"):
        ArchiveStore("nowhere://bucket")
