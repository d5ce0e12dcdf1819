"""One suite for all stores."""

import asyncio
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import events.redis_store
from events.memory_store import MemoryStore
from events.store import Gap, StoreError, Taken
from tests.events.lines import chain_of, next_line

fresh = itertools.count()


async def fill(store, match, lines):
    for version, line in enumerate(lines, start=1):
        await store.append(match, version, line)


async def test_what_is_appended_is_read(store, match):
    lines = chain_of(5)
    await fill(store, match, lines)
    assert await store.read(match) == lines
    assert await store.read(match, 3) == lines[3:]
    assert await store.read(match, 5) == []
    assert await store.read(match, 9) == []
    assert await store.read(match, 1, 2) == lines[1:3]
    assert await store.read(match, 0, 99) == lines
    assert await store.read(match, 0, 0) == []


async def test_an_unknown_match_has_no_records(store, match):
    assert await store.read(match) == []


async def test_long_logs_are_read_in_pages(store, match, monkeypatch):
    monkeypatch.setattr(events.redis_store, "PAGE", 3)
    lines = chain_of(9)
    await fill(store, match, lines)
    assert await store.read(match) == lines
    assert await store.read(match, 2, 6) == lines[2:8]


async def test_the_same_bytes_again_are_done_already(store, match):
    lines = chain_of(4)
    await fill(store, match, lines)
    await fill(store, match, lines)
    assert await store.read(match) == lines


async def test_other_bytes_at_a_version_are_refused(store, match):
    lines = chain_of(3)
    await fill(store, match, lines)
    for version in (1, 2, 3):
        with pytest.raises(Taken) as refusal:
            await store.append(match, version, next_line(lines[: version - 1], "other"))
        assert not isinstance(refusal.value, Gap)
    assert await store.read(match) == lines


async def test_a_record_without_a_log_before_it_is_a_gap(store, match):
    with pytest.raises(Gap):
        await store.append(match, 2, chain_of(2)[1])
    assert await store.read(match) == []


@pytest.mark.parametrize(
    "data",
    [b"", b"\0\r\n*1\r\n$4\r\nPING\r\n", bytes(range(256)) * 1024],
    ids=["empty", "wire", "256 KiB"],
)
async def test_bytes_come_back_as_they_are(store, match, data):
    await store.append(match, 1, data)
    assert await store.read(match) == [data]
    await store.append(match, 1, data)


async def test_matches_lists_every_match(store, match):
    ids = {f"{match}-{index}" for index in range(30)}
    await asyncio.gather(*(store.append(id_, 1, b"{}") for id_ in ids))
    assert ids <= {found async for found in store.matches()}


async def test_many_matches_at_once(store, match):
    lines = chain_of(20)
    await asyncio.gather(*(fill(store, f"{match}-{index}", lines) for index in range(64)))
    logs = await asyncio.gather(*(store.read(f"{match}-{index}") for index in range(64)))
    assert all(log == lines for log in logs)


async def test_the_same_append_fifty_times_at_once_is_one_entry(store, match):
    lines = chain_of(2)
    await store.append(match, 1, lines[0])
    await asyncio.gather(*(store.append(match, 2, lines[1]) for _ in range(50)))
    assert await store.read(match) == lines


async def test_of_rivals_for_a_version_one_wins(store, match):
    first = chain_of(1)
    await store.append(match, 1, first[0])
    rivals = [next_line(first, f"rival{index}") for index in range(20)]
    outcomes = await asyncio.gather(
        *(store.append(match, 2, rival) for rival in rivals), return_exceptions=True
    )
    assert sorted(type(it).__name__ for it in outcomes) == ["NoneType"] + ["Taken"] * 19
    assert await store.read(match) == [*first, rivals[outcomes.index(None)]]


async def test_a_forgotten_match_is_gone_and_does_not_grow_again(store, match):
    lines = chain_of(3)
    await fill(store, match, lines[:2])
    await store.forget(match)
    assert await store.read(match) == []
    with pytest.raises(Gap):
        await store.append(match, 3, lines[2])


async def test_documents_are_overwritten(store, match):
    assert await store.document("player", match) is None
    first = await store.put_document("player", match, b'{"name":"Ada"}')
    second = await store.put_document("player", match, b'{"name":"Eva"}', first)
    assert await store.document("player", match) == second == (2, b'{"name":"Eva"}')
    assert match in {found async for found in store.documents("player")}
    assert match not in {found async for found in store.matches()}


async def test_the_same_document_again_is_written_already(store, match):
    first = await store.put_document("player", match, b"one")
    assert await store.put_document("player", match, b"one") == first
    second = await store.put_document("player", match, b"two", first)
    assert await store.put_document("player", match, b"two", first) == second


async def test_a_document_that_was_written_in_the_meantime_is_not_overwritten(store, match):
    first = await store.put_document("player", match, b"1")
    with pytest.raises(Taken):
        await store.put_document("player", match, b"rival")
    second = await store.put_document("player", match, b"2", first)
    third = await store.put_document("player", match, b"3", second)
    for before in (None, first, second):
        with pytest.raises(Taken):
            await store.put_document("player", match, b"rival", before)
    assert await store.document("player", match) == third


async def test_of_rivals_for_a_document_one_wins_at_a_time(store, match):
    await store.put_document("player", match, b"")

    async def add(writer):
        for _ in range(5):
            while True:
                before = await store.document("player", match)
                try:
                    await store.put_document("player", match, before.data + writer, before)
                    break
                except Taken:
                    continue

    writers = [b"%d" % number for number in range(8)]
    await asyncio.gather(*map(add, writers))
    found = (await store.document("player", match)).data
    assert [found.count(writer) for writer in writers] == [5] * 8


async def test_the_talk_of_a_match_goes_with_its_log(store, match):
    await store.append(match, 1, b"{}")
    await store.put_document("talk", match, b"[1]")
    await store.put_document("player", match, b"{}")
    await store.forget(match)
    assert await store.document("talk", match) is None
    assert match not in {found async for found in store.documents("talk")}
    assert await store.document("player", match) is not None


async def test_the_epoch_stands(store, match):
    epoch = await store.epoch()
    assert epoch
    await store.append(match, 1, b"{}")
    assert await store.epoch() == epoch


OPERATION = st.tuples(
    st.sampled_from(["append", "append", "append", "again", "rival", "read", "forget"]),
    st.integers(0, 2),
    st.integers(0, 5),
)


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(OPERATION, max_size=30))
async def test_every_store_does_as_the_one_in_memory(store, operations):
    model = MemoryStore()
    run = next(fresh)
    for name, index, version in operations:
        match = f"m_model_{id(model)}_{run}_{index}"
        lines = await model.read(match)
        if name == "forget":
            await model.forget(match)
            await store.forget(match)
        elif name == "append":
            await both(model, store, match, len(lines) + 1, next_line(lines))
        elif name in {"again", "rival"} and lines:
            place = version % len(lines)
            line = lines[place] if name == "again" else next_line(lines[:place], "rival")
            await both(model, store, match, place + 1, line)
        assert await store.read(match, version) == await model.read(match, version)


async def both(model, store, match, version, line):
    outcomes = []
    for each in (model, store):
        try:
            outcomes.append(await each.append(match, version, line))
        except StoreError as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]
