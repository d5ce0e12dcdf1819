"""The parts of a process, opened together and closed in order. Only here are they put together."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from events.folder import Folder
from events.redis_store import RedisStore
from events.tiered_store import TieredStore
from games import GAMES
from games.game import AnyGame
from replay.examined import examine_types
from service.base import keys as secret_keys
from service.base.background import in_background
from service.base.clock import DAY_S
from service.base.keys import Keys
from service.base.rules import offered_games
from service.base.settings import Settings
from service.base.traces import traced
from service.base.waiting import Signal
from service.jobs.client import Jobs
from service.play.admission import Admission
from service.play.analyses import Analyses
from service.play.audience import Audience
from service.play.best_moments import BestMoments
from service.play.blocks import Blocks
from service.play.comments import Comments
from service.play.erasure import Erasure
from service.play.feed import Feed
from service.play.invitations import Invitations
from service.play.leftovers import Leftovers
from service.play.log_quota import LogQuota
from service.play.mailboxes import Mailboxes
from service.play.match_cache import MatchCache
from service.play.matches import Matches
from service.play.move_codes import MoveCodes
from service.play.notices import Notices
from service.play.own_data import OwnData
from service.play.players import Players
from service.play.published_log import PublishedLog
from service.play.push import Push
from service.play.readers import Readers
from service.play.receipts import Receipts
from service.play.record_news import RecordNews
from service.play.rematches import Rematches
from service.play.seeks import Seeks
from service.play.series import SeriesReader
from service.play.showings import Showings
from service.play.talk import Talk
from service.play.webhooks import Webhooks
from service.process.health import HealthReader
from service.process.stores import PATIENCE_S, Stores, open_stores

INVITED_S = 7 * DAY_S
"""Time after which invitations expire if waiting matches never do (seconds)."""


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of a running process."""

    settings: Settings
    keys: Keys
    store: TieredStore
    work: Any
    """An asyncio client of the work Redis, of bytes."""
    log_url: str
    work_url: str
    feed: Feed
    players: Players
    blocks: Blocks
    cache: MatchCache
    readers: Readers
    matches: Matches
    notices: Notices
    talk: Talk
    audience: Audience
    invitations: Invitations
    seeks: Seeks
    series: SeriesReader
    rematches: Rematches
    webhooks: Webhooks
    comments: Comments
    showings: Showings
    push: Push
    mailboxes: Mailboxes
    own_data: OwnData
    erasure: Erasure
    jobs: Jobs
    health: HealthReader
    analyses: Analyses
    admission: Admission
    receipts: Receipts
    weaknesses: tuple[str, ...]
    """Settings of the log's Redis weaker than fsync on every write, as allowed by the operator."""
    archiver: RedisStore
    """The log, with the account that may remove logs and rewrite the append file."""
    offered: Mapping[str, AnyGame]
    """The games, under the rules of new matches."""
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the process was asked to stop, so that load balancers use other processes."""
    closing: Signal = field(default_factory=Signal)
    """Set once the process is about to stop, so that open streams end."""
    published: PublishedLog | None = None
    """The checkpoint log, if there is one."""


@asynccontextmanager
async def opened(settings: Settings, patience_s: float = PATIENCE_S) -> AsyncIterator[Context]:
    """Open all parts. Start or join the embedded servers unless URLs are set.

    Commands wait `patience_s` for the log (seconds).
    """
    examine_types()
    async with AsyncExitStack() as stack:
        stack.enter_context(traced(settings))
        keys = secret_keys.load_or_make(settings.secrets_path)
        stores = await open_stores(stack, settings, patience_s)
        feed = Feed(stores.work)
        stack.push_async_callback(feed.aclose)
        news = RecordNews(stores.work)
        players = Players(stores.store, keys, news.tell)
        await stack.enter_async_context(in_background(news.follow(players)))
        jobs = Jobs(
            stores.work_url, settings.jobs_queued_max, settings.jobs_open_max, stores.patience
        )
        stack.callback(jobs.close)
        health = HealthReader(stores.live, stores.work, stores.work_url)
        stack.callback(health.close)
        yield _assembled(settings, keys, stores, feed, players, jobs, health)


def _assembled(
    settings: Settings,
    keys: Keys,
    stores: Stores,
    feed: Feed,
    players: Players,
    jobs: Jobs,
    health: HealthReader,
) -> Context:
    """Make the parts that nobody has to open or close, and put all together."""
    store, work = stores.store, stores.work
    closing = Signal()
    blocks = Blocks(players)
    notices = Notices(work, closing)
    cache = MatchCache(store, keys, GAMES, settings.cache_bytes)
    offered = offered_games(settings.rules, GAMES)
    matches = Matches(cache, store, feed, keys, GAMES, offered, LogQuota(settings.log_mb_per_day))
    invitations = Invitations(work, keys, players, blocks, notices, settings.waiting_s or INVITED_S)
    kept_s = None if store.archive is None else settings.archive_after_s
    talk = Talk(store, players, notices, blocks, kept_s)
    audience = Audience(work)
    seeks = Seeks(work, matches, blocks, notices)
    series = SeriesReader(work, keys)
    rematches = Rematches(work, cache, matches, players, blocks, notices, series)
    comments = Comments(work)
    moments = BestMoments(work, players)
    showings = Showings(work, closing)
    webhooks = Webhooks(players, keys, work, settings.webhooks_max, settings.reachable)
    push = Push(players, keys, work, settings.push_contact, settings.reachable)
    mailboxes = Mailboxes(
        players, keys, work, on=bool(settings.smtp_host), daily_max=settings.mail_links_max
    )
    own_data = OwnData(
        work, players, invitations, seeks, rematches, comments, talk, audience, moments
    )
    forgetful = (
        notices, invitations, seeks, rematches, webhooks, push, mailboxes, comments, audience,
        showings, moments, MoveCodes(work, keys), own_data, Leftovers(work),
    )  # fmt: skip
    return Context(
        settings=settings,
        keys=keys,
        store=store,
        work=work,
        log_url=stores.log_url,
        work_url=stores.work_url,
        feed=feed,
        players=players,
        blocks=blocks,
        cache=cache,
        readers=Readers(
            cache, settings.read_workers, settings.job_memory_mb, settings.cache_bytes // 4
        ),
        matches=matches,
        notices=notices,
        talk=talk,
        audience=audience,
        invitations=invitations,
        seeks=seeks,
        series=series,
        rematches=rematches,
        webhooks=webhooks,
        comments=comments,
        showings=showings,
        push=push,
        mailboxes=mailboxes,
        own_data=own_data,
        erasure=Erasure(players, talk, forgetful),
        jobs=jobs,
        health=health,
        analyses=Analyses(work, settings.analysis_commands),
        admission=Admission(stores.live, settings.log_reserve),
        receipts=Receipts(keys),
        weaknesses=stores.weaknesses,
        archiver=stores.archiver,
        offered=offered,
        closing=closing,
        published=_published(settings, keys),
    )


def _published(settings: Settings, keys: Keys) -> PublishedLog | None:
    """Return the checkpoint log, if there is one."""
    if (tree := settings.checkpoints_place) is None:
        return None
    return PublishedLog(Folder(tree), keys.checkpoint_signer(settings.checkpoint_origin).verifier)
