"""The parts of a process, opened together and closed in order. Only here are they put together."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from events.append_writer import Limits
from events.archive import ArchiveStore
from events.connection import client_of
from events.folder import Folder
from events.patience import SILENT_S, Patience
from events.redis_store import RedisStore
from events.tiered_store import TieredStore
from games import GAMES
from games.game import AnyGame
from replay.examined import examine_types
from service.base import keys as secret_keys
from service.base import metrics
from service.base.background import in_background
from service.base.keys import Keys
from service.base.rules import offered_games
from service.base.settings import Settings
from service.base.traces import store_kind, traced
from service.base.waiting import Signal
from service.embedded.servers import Server, archiver_url, running
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
from service.process.timekeeping import timekeeping

MIB = 1024 * 1024
INVITED_S = 7 * 86_400
"""Time after which invitations expire if waiting matches never do (seconds)."""
PATIENCE_S = 5.0
"""Time for which a command waits for the log before it gets 503 (seconds)."""
SILENCE_S = 3.0
"""Silence after which a connection to the log is replaced (seconds)."""
WORKER_PATIENCE_S = 20.0
"""The same for the jobs of a worker, for which nobody waits (seconds)."""
WORK_CONNECTIONS = 100
"""Maximum number of connections of a process to the work Redis."""


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
        log_url = settings.log_url or await stack.enter_async_context(
            running(Server.log(settings.data / "log"))
        )
        work_url = settings.work_url or await stack.enter_async_context(
            running(Server.work(settings.data / "work"))
        )
        metrics.REPLICAS_WANTED.set(settings.wait_replicas)
        metrics.LOG_RESERVE.set(settings.log_reserve)
        limits = Limits(total_s=patience_s, reply_s=SILENCE_S, replicas=settings.wait_replicas)
        live = await stack.enter_async_context(
            store_kind(settings)(log_url, limits, on_batch=metrics.batch_written)
        )
        await stack.enter_async_context(timekeeping(live))
        weaknesses = await live.check_durability(weaker_allowed=settings.durability == "weaker")
        place = settings.archive_place
        remover = await stack.enter_async_context(
            store_kind(settings)(_archiver_url(settings, log_url), limits)
        )
        store = TieredStore(live, None if place is None else ArchiveStore(place), remover)
        patience = Patience()
        work = work_client(work_url, patience)
        stack.push_async_callback(work.aclose)
        feed = Feed(work)
        stack.push_async_callback(feed.aclose)
        news = RecordNews(work)
        players = Players(store, keys, news.tell)
        await stack.enter_async_context(in_background(news.follow(players)))
        blocks = Blocks(players)
        cache = MatchCache(store, keys, GAMES, settings.cache_mb * MIB)
        jobs = Jobs(work_url, settings.jobs_queued_max, settings.jobs_open_max, patience)
        stack.callback(jobs.close)
        health = HealthReader(live, work, work_url)
        stack.callback(health.close)
        offered = offered_games(settings.rules, GAMES)
        matches = Matches(
            cache, store, feed, keys, GAMES, offered, LogQuota(settings.log_mb_per_day)
        )
        tree = settings.checkpoints_place
        signer = keys.checkpoint_signer(settings.checkpoint_origin)
        closing = Signal()
        notices = Notices(work, closing)
        invitations = Invitations(
            work, keys, players, blocks, notices, settings.waiting_s or INVITED_S
        )
        talk = Talk(
            store,
            players,
            notices,
            blocks,
            None if store.archive is None else settings.archive_after_s,
        )
        audience = Audience(work)
        seeks = Seeks(work, matches, blocks, notices)
        series = SeriesReader(work, keys)
        rematches = Rematches(work, cache, matches, players, blocks, notices, series)
        comments = Comments(work)
        moments = BestMoments(work, players)
        own_data = OwnData(
            work, players, invitations, seeks, rematches, comments, talk, audience, moments
        )
        showings = Showings(work, closing)
        webhooks = Webhooks(players, keys, work, settings.webhooks_max, settings.reachable)
        push = Push(players, keys, work, settings.push_contact, settings.reachable)
        mailboxes = Mailboxes(
            players,
            keys,
            work,
            on=bool(settings.smtp_host),
            daily_max=settings.mail_links_max,
        )
        yield Context(
            settings,
            keys,
            store,
            work,
            log_url,
            work_url,
            feed,
            players,
            blocks,
            cache,
            Readers(
                cache, settings.read_workers, settings.job_memory_mb, settings.cache_mb * MIB // 4
            ),
            matches,
            notices,
            talk,
            audience,
            invitations,
            seeks,
            series,
            rematches,
            webhooks,
            comments,
            showings,
            push,
            mailboxes,
            own_data,
            Erasure(
                players,
                talk,
                (
                    notices,
                    invitations,
                    seeks,
                    rematches,
                    webhooks,
                    push,
                    mailboxes,
                    comments,
                    audience,
                    showings,
                    moments,
                    MoveCodes(work, keys),
                    own_data,
                    Leftovers(work),
                ),
            ),
            jobs,
            health,
            Analyses(work, settings.analysis_commands),
            Admission(live, settings.log_reserve),
            Receipts(keys),
            tuple(weaknesses),
            remover,
            offered,
            closing=closing,
            published=None if tree is None else PublishedLog(Folder(tree), signer.verifier),
        )


def work_client(url: str, patience: Patience | None = None) -> Any:
    """Return an asyncio client of the work Redis, of bytes.

    Calls beyond the number of connections wait: a burst of one caller must refuse nobody.
    """
    return client_of(
        BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            max_connections=WORK_CONNECTIONS,
            timeout=SILENT_S,
            socket_connect_timeout=SILENT_S,
            retry=Retry(NoBackoff(), 1),
            driver_info=None,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
        ),
        patience,
    )


def _archiver_url(settings: Settings, log_url: str) -> str:
    """Return the URL of the log for the account that may remove archived matches."""
    if settings.log_archiver_url:
        return settings.log_archiver_url
    return log_url if settings.log_url else archiver_url(log_url)
