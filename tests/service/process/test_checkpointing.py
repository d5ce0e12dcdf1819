"""Heads of matches enter the log at a beat: each once, and hidden records tell nothing."""

import asyncio
from types import SimpleNamespace

import pytest

from events.archive import ArchiveStore
from events.checkpoints.leaves import due_leaves
from events.checkpoints.log import CheckpointLog
from events.checkpoints.reader import LogBroken, leaves_of, read_leaves
from events.errata import decoded, leaf_of
from events.folder import Folder
from events.tiered_store import TieredStore
from games import GAMES
from games.match.commands import Actor, CreateMatch, ProposeAbandon, TakeSeat
from projections.folded import Folded
from projections.summary import summary
from replay.committed import published_leaves
from service.base.keys import Keys
from service.base.settings import Settings
from service.play.feed import key_of
from service.play.projector import Projector
from service.process.checkpointing import PADDING_S, Checkpointer, match_head
from tests.e2e.twins import twins
from tests.games.match.toy import Count, Note
from tests.projections.recorded import no_errata
from tests.replay.errata import changed, erratum_of, sealed, wrongly_won
from tests.replay.logs import toy
from tests.service.cli.conftest import SECRETS as RECORDED
from tests.service.table import ADA, BOB, SECRETS

pytestmark = pytest.mark.long

KEYS = Keys(SECRETS)


class Checkpointed:
    """A service process that writes the rows and extends a checkpoint log."""

    def __init__(self, process, place, archive=None, keys=KEYS, **settings):
        self.place = place
        self.keys = keys
        store = TieredStore(process.store, archive)
        context = SimpleNamespace(
            settings=Settings(checkpoints=str(place), **settings),
            keys=keys,
            store=store,
            cache=process.cache,
            work=process.work,
        )
        self.checkpointer = Checkpointer(context, str(place))
        self.projector = Projector(
            process.cache,
            store,
            process.feed,
            process.work,
            GAMES,
            no_errata,
            noted=True,
        )
        self.process = process

    async def beat(self):
        """Follow what happened, then extend the log; return the kinds of the new leaves."""
        before = self.size
        for _ in range(3):
            await self.projector.step()
        await self.checkpointer.beat(self.projector)
        return [leaf.kind for leaf in self.leaves[before:]]

    @property
    def size(self):
        return CheckpointLog(Folder(self.place), self.keys.checkpoint_signer("")).checkpoint.size

    @property
    def leaves(self):
        return list(read_leaves(Folder(self.place), self.size))


@pytest.fixture
async def one(start, tmp_path):
    process = Checkpointed(start(), tmp_path / "tree")
    assert await process.beat() == ["padding"]
    return process


async def opened(process, seats=1):
    return await process.matches.create(ADA, CreateMatch("tranquility", seats), None)


async def test_a_match_has_a_leaf_at_its_opening_while_it_changes_and_at_its_end(one):
    process = one.process
    live = await opened(process)
    assert await one.beat() == ["opening"]
    assert await one.beat() == []
    await process.matches.play(live, ADA, TakeSeat(), None)
    assert await one.beat() == ["head"]
    assert await one.beat() == []
    await process.matches.play(live, ADA, ProposeAbandon(), None)
    assert await one.beat() == ["end"]
    assert await one.beat() == []
    match = live.match.header.match
    placed = leaves_of(Folder(one.place), match)
    assert [leaf.leaf.version for leaf in placed] == [1, 2, 3]
    assert [leaf.leaf.head for leaf in placed] == live.folded.trail.heads


async def test_what_happens_between_two_beats_is_one_leaf(one):
    process = one.process
    live = await opened(process, 2)
    await process.matches.play(live, ADA, TakeSeat(), None)
    await process.matches.play(live, BOB, TakeSeat(), None)
    assert await one.beat() == ["opening", "head"]
    assert one.leaves[-1].version == 3


async def test_an_erratum_that_came_from_elsewhere_gets_its_leaf_at_the_next_opening(
    start, tmp_path, work
):
    """Such as one of a backup, or of a release that knew no such leaves."""
    race = wrongly_won()
    match = race.match.header.match
    archive = ArchiveStore(tmp_path / "archive")
    await archive.store(match, race.lines, race.head())
    line, forged = sealed(erratum_of(race)), changed(sealed(erratum_of(race)), counts=False)
    await archive.add_erratum(match, line)
    await archive.add_erratum(match, forged)
    keys = Keys(RECORDED)
    one = Checkpointed(start(), tmp_path / "tree", archive, keys)
    async with asyncio.timeout(60):
        while not one.size:
            await one.beat()
    assert sorted(leaf.kind for leaf in one.leaves if leaf.match) == ["end", "erratum", "opening"]
    log = keys.checkpoint_signer("").verifier
    found = published_leaves(Folder(one.place), log, match, race.service_seed)
    assert leaf_of(decoded(line)) in [placed.leaf for placed in found]
    assert len(found) == 3
    one.checkpointer._log = None
    assert await one.beat() == []
    (row,) = await one.projector.rows.summaries(await one.projector.rows.generation(), [match])
    assert row.errata == 1


async def test_another_process_goes_on_and_repeats_nothing(one, start, work):
    """Also when the work Redis has lost everything."""
    live = await opened(one.process)
    await one.beat()
    before = one.leaves
    await one.process.matches.play(live, ADA, TakeSeat(), None)
    await one.projector._stop()
    await work.flushall()
    other = Checkpointed(start(), one.place)
    kinds = []
    async with asyncio.timeout(60):
        while not kinds:
            kinds = await other.beat()
    assert kinds + await other.beat() == ["head"]
    assert other.leaves[: len(before)] == before


async def test_a_process_that_does_not_lead_signs_nothing(one, start):
    other = Checkpointed(start(), one.place)
    await opened(other.process)
    assert await other.beat() == []
    assert not other.projector.leading
    async with asyncio.timeout(60):
        while not (kinds := await one.beat()):
            assert await other.beat() == []
    assert kinds == ["opening"]


async def test_the_leader_signs_also_what_others_have_written(one, start):
    other = Checkpointed(start(), one.place)
    async with asyncio.timeout(60):
        while len(other.projector.held) < len(one.projector.held):
            await other.projector.step()
            await one.projector.step()
    matches = [(await opened(other.process)).match.header.match for _ in range(10)]
    theirs = [match for match in matches if key_of(match).encode() in other.projector.held]
    assert theirs
    async with asyncio.timeout(60):
        while {leaf.match for leaf in one.leaves if leaf.match} != set(matches):
            assert await other.beat() == []
            await one.beat()


async def test_two_that_lead_for_a_moment_contradict_nothing(one, start):
    other = Checkpointed(start(), one.place)
    await opened(one.process)
    await one.projector.step()
    await other.projector.step()
    other.projector.leading = True
    await one.checkpointer.beat(one.projector)
    row = summary((await other.process.cache.get(one.leaves[-1].match)).match)
    other.checkpointer.note(row)
    await other.checkpointer.beat(other.projector)
    assert [leaf.kind for leaf in one.leaves] == ["padding", "opening"]


async def test_a_quiet_log_shows_signs_of_life(one, noon):
    one.checkpointer._log = None
    assert await one.beat() == []
    noon.tick(PADDING_S + 1)
    assert await one.beat() == ["padding"]
    assert await one.beat() == []


async def test_a_damaged_tree_stops_the_log_and_nothing_else(one):
    live = await opened(one.process)
    (one.place / "tile/0/000.p/1").unlink()
    one.checkpointer._log = None
    await one.projector.step()
    with pytest.raises(LogBroken):
        await one.checkpointer.beat(one.projector)
    assert await one.process.matches.play(live, ADA, TakeSeat(), None)


async def test_a_new_log_begins_with_the_last_checkpoint_of_the_one_before(one, start, tmp_path):
    await one.projector._stop()
    before = tmp_path / "tree" / "checkpoint"
    new = Checkpointed(start(), tmp_path / "new", checkpoint_before=before)
    await new.beat()
    assert new.leaves[0].kind == "predecessor"
    (entries,) = (tmp_path / "new/tile/entries").rglob("1")
    assert entries.read_bytes()[2:] == before.read_bytes()


def schedule(game, lines):
    """Return kind and spectator's version of each leaf, with a beat after every record."""
    folded, last, found = None, None, []
    for line in lines:
        if folded is None:
            folded = Folded({game.slug: game}, line)
        else:
            folded.extend(line)
        for leaf in due_leaves(match_head(folded, folded.match.at), last):
            last = leaf
            found.append((leaf.kind, leaf.shown))
    return found


def test_hidden_records_make_no_leaf_due():
    """A note is shown to its writer's crew alone. The next leaf covers it."""
    quiet, noted = toy(), toy()
    for recorder in (quiet, noted):
        recorder.play(0, Count(1))
    for _ in range(5):
        noted.play(0, Note(1), after=0)
    assert schedule(quiet.match.game, quiet.lines) == schedule(noted.match.game, noted.lines)
    for recorder in (quiet, noted):
        recorder.play(1, Count(1))
    assert schedule(quiet.match.game, quiet.lines) == schedule(noted.match.game, noted.lines)
    assert quiet.match.version < noted.match.version
    assert noted.send(Actor(seat=0), Note(2))


def test_records_of_a_match_with_a_spectator_delay_make_leaves_due_as_late_as_they_are_shown():
    recorder = toy(delay=60)
    recorder.play(0, Count(1), after=30)
    folded = Folded.of({recorder.match.game.slug: recorder.match.game}, recorder.lines)
    moved = folded.match.at
    start = match_head(folded, moved)
    assert match_head(folded, moved + 59_000_000) == start
    assert start.shown < match_head(folded, moved + 60_000_000).shown


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_twins_have_leaves_at_the_same_times(game):
    """Two matches that differ only in what a viewer cannot know."""
    compared = 0
    for _seats, _viewer, mine, other in twins(game, 60):
        assert schedule(game, mine()) == schedule(game, other())
        compared += 1
    assert compared, "some twins were compared"
