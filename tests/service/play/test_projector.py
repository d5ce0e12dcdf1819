"""The projector: rows follow the log whatever happens to the work Redis, the feed or itself."""

import asyncio
import random
from contextlib import asynccontextmanager

import msgspec
import pytest

from games import GAMES
from games.match.commands import Actor, AddBot, CreateMatch, PerMove, TakeSeat
from projections.entries import DEADLINES
from projections.rebuild import compare, rebuild
from projections.rows import POINTER, NoRows, Rows
from service.play import projector as module
from service.play.caller import Caller
from service.play.feed import KEPT, key_of, starts
from service.play.leases import LEASE, MEMBERS, lease_of
from service.play.listings import Listings, Wanted
from service.play.matches import Submission
from service.play.projector import PARKED, following
from tests.projections.recorded import no_errata

ADA, BOB = Caller("p_ada"), Caller("p_bob")
GAME = GAMES["tranquility"]


async def opened(process, **fields):
    """Open a match between two people."""
    command = CreateMatch("tranquility", 2, {"variant": "competitive"}, **fields)
    cached = await process.matches.create(ADA, command, None)
    await process.matches.play(cached, ADA, TakeSeat(seat=0), None)
    await process.matches.play(cached, BOB, TakeSeat(seat=1), None)
    return cached


async def move(process, match, dice, moves=1):
    for _ in range(moves):
        cached = await process.cache.get(match)
        if cached.match.status != "running":
            return
        seat = min(GAME.waiting(cached.match.state))
        command = dice.choice(GAME.legal(cached.match.state, seat))
        await process.matches.play(cached, (ADA, BOB)[seat], command, None)


async def until(check, seconds=60.0):
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not await check():  # noqa: ASYNC110 - what is waited for happens in Redis
            await asyncio.sleep(0.01)


def rows_at(process, match, version):
    """Return a check that the row of a match is at a version."""

    async def check():
        rows = process.projector.rows
        try:
            found = await rows.summaries(await rows.generation(), [match])
        except NoRows:
            return False
        return bool(found) and found[0].version >= version

    return check


async def agrees_with_the_log(process, store):
    """Compare the rows with those that the logs give."""
    rebuilt = await rebuild(
        store, GAMES, process.projector.rows, lambda *_: None, no_errata, verify=True
    )
    return rebuilt.differences == []


async def test_what_is_played_is_in_the_lobby_at_once(start):
    process = start()
    async with following(process.projector):
        cached = await opened(process)
        match = cached.match.header.match
        await until(rows_at(process, match, 3))
        lobby = await Listings(process.work).lobby("tranquility", "running")
        assert [one.match for one in lobby.matches] == [match]
        assert [seat.player for seat in lobby.matches[0].seats] == ["p_ada", "p_bob"]
        history = await Listings(process.work).history("p_bob", Wanted())
        assert history.matches == lobby.matches


async def test_a_private_match_is_in_its_players_own_history_alone(start):
    process = start()
    async with following(process.projector):
        cached = await opened(process, private=True)
        await until(rows_at(process, cached.match.header.match, 3))
        projections = Listings(process.work)
        assert (await projections.lobby()).matches == []
        assert (await projections.history("p_ada", Wanted())).matches == []
        own = await projections.history("p_ada", Wanted(), private=True)
        assert [one.private for one in own.matches] == [True]


async def test_open_matches_learn_what_other_processes_append(start):
    """An event stream waits for `changed`; who appended elsewhere can't set it."""
    here, there = start(), start()
    async with following(here.projector), following(there.projector):
        mine = await opened(here)
        match = mine.match.header.match
        theirs = await there.cache.get(match)
        changed = theirs.changed
        await move(here, match, random.Random(1))
        async with asyncio.timeout(60):
            await changed.wait()
        assert theirs.folded.version == mine.folded.version


ALL = frozenset(starts())


def shared(*processes):
    """Return a check that processes share all partitions in equal parts, and that one leads."""

    async def check():
        held = [process.projector.held for process in processes]
        fair = -(-len(ALL) // len(held))
        return (
            sum(map(len, held)) == len(ALL)
            and frozenset().union(*held) == ALL
            and max(map(len, held)) <= fair
            and sum(process.projector.leading for process in processes) == 1
        )

    return check


async def test_processes_share_the_rows_and_take_over_from_those_that_go(start, store):
    first, second, third = start(), start(), start()
    dice = random.Random(11)
    async with following(first.projector):
        await until(shared(first))
        async with following(second.projector):
            await until(shared(first, second))
            async with following(third.projector):
                await until(shared(first, second, third))
                matches = [(await opened(first)).match.header.match for _ in range(12)]
                for match in matches:
                    await until(rows_at(second, match, 3))
            await until(shared(first, second))
            for match in matches:
                await move(third, match, dice, 2)
                await until(rows_at(first, match, (await third.cache.get(match)).folded.version))
        await until(shared(first))
        assert await agrees_with_the_log(first, store)


async def test_only_the_holder_of_a_partition_folds_its_matches(start):
    """So the work is divided by the number of processes."""
    first, second, player = start(), start(), start()
    async with following(first.projector), following(second.projector):
        await until(shared(first, second))
        matches = [(await opened(player)).match.header.match for _ in range(8)]
        for match in matches:
            await until(rows_at(first, match, 3))
            holder, other = (
                (first, second)
                if key_of(match).encode() in first.projector.held
                else (second, first)
            )
            assert holder.cache.peek(match) is not None
            assert other.cache.peek(match) is None


async def test_a_holder_that_stops_for_a_moment_writes_nothing_wrong(start, store, work):
    """Its leases expire, the other takes all over, and the first goes on as if nothing was."""
    first, second = start(), start()
    dice = random.Random(12)
    async with following(first.projector), following(second.projector):
        await until(shared(first, second))
        matches = [(await opened(first)).match.header.match for _ in range(6)]
        for _ in range(2):
            await work.delete(*map(lease_of, ALL), LEASE, MEMBERS)
            for match in matches:
                await move(first, match, dice)
            await until(shared(first, second))
        for match in matches:
            await until(rows_at(second, match, (await first.cache.get(match)).folded.version))
        assert await agrees_with_the_log(first, store)


async def test_rows_that_were_doubted_while_all_logs_were_folded_are_not_complete(work):
    """The leader folds them again."""
    rows = Rows(work)
    generation, before = await rows.begin("current"), await rows.doubted()
    await rows.doubt()
    await rows.complete(generation, before)
    assert not await rows.is_complete(generation)
    await rows.complete(generation, await rows.doubted())
    assert await rows.is_complete(generation)


async def _true(value):
    return value


async def test_a_killed_projector_is_succeeded_and_nothing_is_missed(start, store):
    """Killed between a row and its checkpoint: the successor reads a little again."""
    first, second = start(), start()
    cached = await opened(first)
    match = cached.match.header.match
    async with following(first.projector):
        await until(rows_at(first, match, 3))
    for lease in (LEASE, *map(lease_of, ALL)):
        await first.work.set(lease, "a holder that was killed", px=300)
    await move(first, match, random.Random(2), 5)
    async with following(second.projector):
        await until(rows_at(second, match, cached.folded.version))
        assert await agrees_with_the_log(second, store)


@pytest.mark.parametrize("point", ["before", "between"])
async def test_a_crash_around_the_checkpoint_changes_nothing(start, store, monkeypatch, point):
    process = start()
    cached = await opened(process)
    match = cached.match.header.match
    crashes = [True]
    apply_all, hset = Rows.apply_all, process.work.hset

    async def failing_apply(self, *args, **more):
        if point == "before" and crashes and crashes.pop():
            raise ConnectionError
        return await apply_all(self, *args, **more)

    async def failing_hset(key, *args, **fields):
        if key == module.POSITIONS and point == "between" and crashes and crashes.pop():
            raise ConnectionError
        return await hset(key, *args, **fields)

    monkeypatch.setattr(Rows, "apply_all", failing_apply)
    process.work.hset = failing_hset
    async with following(process.projector):
        await move(process, match, random.Random(3), 5)
        await until(lambda: _true(not crashes))
        await until(rows_at(process, match, cached.folded.version))
        assert await agrees_with_the_log(process, store)


async def test_duplicated_and_reordered_announcements_change_nothing(start, store):
    process = start()
    dice = random.Random(4)
    async with following(process.projector):
        cache = [await opened(process) for _ in range(3)]
        for _ in range(60):
            cached = dice.choice(cache)
            await move(process, cached.match.header.match, dice)
            stale = dice.randint(1, cached.folded.version)
            await process.feed.announce(cached.match.header.match, stale)
        for cached in cache:
            await until(rows_at(process, cached.match.header.match, cached.folded.version))
        assert await agrees_with_the_log(process, store)


async def test_a_record_that_comes_late_is_looked_for_again(start, store):
    """The announcement comes first: the record may be late or never come.

    Older news do not hide it.
    """
    process, elsewhere = start(), start()
    async with following(process.projector):
        cached = await opened(elsewhere)
        match = cached.match.header.match
        await until(rows_at(process, match, 3))
        append = store.append

        async def slowly(*args):
            await process.feed.announce(match, 3)
            await asyncio.sleep(0.5)
            await append(*args)

        store.append = slowly
        await process.feed.announce("m_never", 1)
        await move(elsewhere, match, random.Random(5))
        await until(rows_at(process, match, 4))


async def test_a_wiped_redis_comes_back_from_the_log_by_itself(start, store, work):
    """While matches run, without a restart, again and again."""
    process, other = start(), start()
    dice = random.Random(6)
    async with following(process.projector), following(other.projector):
        cache = [await opened(process, clock=PerMove(seconds=600)) for _ in range(3)]
        matches = [cached.match.header.match for cached in cache]
        for _ in range(3):
            for match in matches:
                await move(process, match, dice, 3)
            await work.flushall()
            for match in matches[:2]:
                await move(other, match, dice, 2)
            for match in matches:
                version = (await process.cache.get(match)).folded.version
                await until(rows_at(process, match, version))
            due = await process.projector.rows.due(DEADLINES, 1 << 60, 0, 10)
            assert sorted(one.member for one in due) == sorted(matches)
        leader = process if process.projector.leading else other
        rows = leader.projector.rows
        await until(lambda: _complete(rows))
        assert (await Listings(process.work).lobby()).complete
        assert await agrees_with_the_log(process, store)


async def _complete(rows):
    return await rows.is_complete(await rows.generation())


async def test_open_matches_learn_what_a_wiped_feed_has_lost(start, work):
    here, there = start(), start()
    async with following(here.projector), following(there.projector):
        mine = await opened(here)
        match = mine.match.header.match
        await until(rows_at(here, match, 3))
        theirs = await there.cache.get(match)
        await until(lambda: _complete(here.projector.rows))
        here.feed.announce = lambda *_: _true(None)
        await move(here, match, random.Random(14))
        assert theirs.folded.version < mine.folded.version
        await work.flushall()
        await until(lambda: _true(theirs.folded.version == mine.folded.version))


async def test_what_a_restarted_redis_has_lost_is_folded_again(start, work):
    process = start()
    async with following(process.projector):
        match = (await opened(process)).match.header.match
        await until(rows_at(process, match, 3))
        await until(lambda: _complete(process.projector.rows))
        generation = await process.projector.rows.generation()
        await work.hdel(f"{generation}:rows", match)
        await work.hset(POINTER, "server", "the one before")
        await until(rows_at(process, match, 3))


async def test_the_lobby_answers_503_while_there_are_no_rows(start, work):
    process = start()
    projections = Listings(process.work)
    for ask in (projections.lobby, lambda: projections.history("p_ada", Wanted())):
        with pytest.raises(module.Problem) as refused:
            await ask()
        assert (refused.value.status, refused.value.code) == (503, "work-unavailable")


async def test_who_fell_behind_the_trimmed_feed_folds_all_logs_again(start, store):
    process = start()
    cached = await opened(process)
    match = cached.match.header.match
    async with following(process.projector):
        await until(rows_at(process, match, 3))
        await until(lambda: _complete(process.projector.rows))
    await move(process, match, random.Random(8), 3)
    pipe = process.work.pipeline(transaction=False)
    for _ in range(KEPT + 600):
        pipe.xadd(key_of(match), {b"m": b"m_other", b"v": 1}, maxlen=KEPT, approximate=True)
    await pipe.execute()
    async with following(process.projector):
        await until(rows_at(process, match, cached.folded.version))
        await until(lambda: _complete(process.projector.rows))
        assert await agrees_with_the_log(process, store)


@asynccontextmanager
async def unknown_event(store, match):
    """Append an event of an unknown type to a match's log."""
    lines = store._logs[match]
    record = msgspec.json.decode(lines[-1])
    poison = {**record, "v": len(lines) + 1, "id": "poison", "events": [{"type": "no_such"}]}
    lines.append(msgspec.json.encode(poison))
    yield len(lines)


async def test_a_poison_event_parks_its_match_and_no_other(start, store, work):
    process, elsewhere = start(), start()
    async with following(process.projector):
        bad, good = await opened(elsewhere), await opened(elsewhere)
        match = bad.match.header.match
        await until(rows_at(process, match, 3))
        async with unknown_event(store, match) as version:
            await elsewhere.feed.announce(match, version)
            await until(lambda: work.hexists(PARKED, match))
            await move(elsewhere, good.match.header.match, random.Random(9), 4)
            await until(rows_at(process, good.match.header.match, 7))
        parked = msgspec.json.decode(await work.hget(PARKED, match))
        assert parked["version"] == version
        await work.flushall()
        await until(rows_at(process, good.match.header.match, 7))
        await until(lambda: work.hexists(PARKED, match))


async def test_standings_follow_the_results(start, store):
    process = start()
    dice = random.Random(10)
    async with following(process.projector):
        for _ in range(3):
            cached = await opened(process)
            await move(process, cached.match.header.match, dice, 1_000)
            assert cached.match.status == "finished"

        async def ranked():
            table = await Listings(process.work).standings("tranquility")
            return [line.played for line in table.lines] == [3, 3]

        await until(ranked)
        table = await Listings(process.work).standings("tranquility")
        assert {line.player for line in table.lines} == {"p_ada", "p_bob"}
        assert table.lines[0].rating >= table.lines[1].rating
        assert await agrees_with_the_log(process, store)


async def test_cooperative_games_have_a_table_of_their_own(start):
    process = start()
    dice = random.Random(11)
    async with following(process.projector):
        cached = await process.matches.create(ADA, CreateMatch("tranquility", 2), None)
        await process.matches.play(cached, ADA, AddBot(seat=1), None)
        await process.matches.play(cached, ADA, TakeSeat(seat=0), None)
        while cached.match.status == "running":
            seat = dice.choice(sorted(GAME.waiting(cached.match.state)))
            command = dice.choice(GAME.legal(cached.match.state, seat))
            sent = Submission(Actor(seat=seat), f"move-{cached.folded.version}", command)
            assert await process.matches.play_at(cached, sent, cached.folded.version)

        async def ranked():
            return bool((await Listings(process.work).standings("tranquility")).lines)

        await until(ranked)
        table = await Listings(process.work).standings("tranquility")
        assert table.table == "together"
        assert {(line.player, line.bot) for line in table.lines} == {
            ("p_ada", None),
            (None, "heuristic"),
        }


async def test_announcements_that_could_not_be_made_are_made_up_for(start, work):
    """A short outage without a wipe must not leave a row, and its deadline, behind."""
    process = start()
    async with following(process.projector):
        cached = await opened(process)
        match = cached.match.header.match
        await until(rows_at(process, match, 3))
        await until(lambda: _complete(process.projector.rows))
        execute = process.feed._write

        async def refuse(_announcements):
            raise ConnectionError

        process.feed._write = refuse
        await move(process, match, random.Random(12), 2)
        process.feed._write = execute
        await until(rows_at(process, match, cached.folded.version))


async def test_rebuilding_while_matches_run_misses_nothing(start, store):
    process = start()
    dice = random.Random(13)
    async with following(process.projector):
        cache = [await opened(process) for _ in range(4)]
        names = [cached.match.header.match for cached in cache]

        async def keep_playing():
            for _ in range(40):
                await move(process, dice.choice(names), dice)

        playing = asyncio.create_task(keep_playing())
        for _ in range(3):
            await rebuild(store, GAMES, process.projector.rows, lambda *_: None, no_errata)
        await playing
        for cached in cache:
            await until(rows_at(process, cached.match.header.match, cached.folded.version))
        generation = await process.projector.rows.generation()
        other = await process.projector.rows.begin("building")
        assert generation != other
        await process.projector.rows.abandon()
        assert await agrees_with_the_log(process, store)
        assert await compare(process.projector.rows, generation, generation) == []
