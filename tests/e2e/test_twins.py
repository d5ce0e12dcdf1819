"""Two matches that differ only in what a viewer can't know give it the same answers, byte for byte.

Heads are hashes of whole records and always differ; they are blanked. The keyed digest in each
record makes them reveal nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import MISSING, fields
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from msgspec import UNSET, UnsetType
from redis.asyncio import Redis

from events.memory_store import MemoryStore
from games import GAMES
from games.chance import Chance
from games.game import AnyGame, Illegal
from games.playout import Ply, seed_of
from projections.folded import Folded
from projections.notices import standing
from service.base.settings import Settings
from service.base.waiting import Signal
from service.http.app import build
from service.play import answers
from service.play.answers import Answer, Limits
from service.play.blocks import Blocks
from service.play.feed import Feed
from service.play.invitations import Invitations
from service.play.match_cache import MatchCache
from service.play.matches import Matches
from service.play.notices import Notices
from service.play.players import Players
from service.play.readers import Readers
from service.play.receipts import Receipts
from service.process.context import Context
from tests.e2e.twins import KEYS, MATCH, PLIES, Log, log_of, twins, walked
from tests.games.laws import hidden_laws_of

pytestmark = pytest.mark.long

HASH = re.compile(r'"[0-9a-f]{64}"')
PATHS = (
    "", "?at={middle}", "/legal", "/events", "/timeline", "/diff?from={middle}&to={last}",
    "/blame?path=", "/blame?path=/waiting&of=match", "/blame?path=/view&of=match",
    "/blame?path=&at={middle}&causes=true",
    "/bisect?when=view.phase&of=match&all=true",
)  # fmt: skip
PARTS = [one.name for one in fields(Context) if one.default_factory is MISSING]
TWINS = 3


def notices_of(game: AnyGame, lines: Sequence[bytes], seat: int) -> list[Any]:
    """Return what a seat's player is told while a match goes on, each notice once."""
    folded = Folded({game.slug: game}, lines[0])
    told: list[Any] = []
    before: set[Any] = set()
    for line in lines[1:]:
        folded.extend(line)
        now = {one for one in standing(folded.match) if one.seat == seat}
        told += sorted(now - before, key=repr)
        before = now
    return told


async def here(_limits: Limits, function: Any, arguments: tuple[Any, ...]) -> Answer:
    """Compute an answer without a process, which would have to start for each test."""
    return Answer(function(*arguments), None, 0.0)


class Service:
    """A service whose matches are given as logs, each under an id that it does not show."""

    def __init__(self, tmp: Path) -> None:
        """Build one that stores in memory."""
        self._store = store = MemoryStore()
        self._players = players = Players(store, KEYS)
        self._tokens: dict[str, str] = {}
        self._ids = (f"{MATCH}_{number:04}" for number in count())
        feed = Feed(None)
        cache = MatchCache(store, KEYS, GAMES, 1 << 24)
        notices = Notices(Redis(), Signal())
        context = Context(
            **dict.fromkeys(PARTS)
            | {
                "settings": Settings(data=tmp, work_ms=1_000_000),
                "keys": KEYS,
                "store": store,
                "work": Redis(),
                "feed": feed,
                "players": players,
                "cache": cache,
                "readers": Readers(cache, 1, 0, 1 << 24, compute=here),
                "matches": Matches(cache, store, feed, KEYS, GAMES),
                "notices": notices,
                "invitations": Invitations(Redis(), KEYS, players, Blocks(players), notices, 60),
                "receipts": Receipts(KEYS),
                "weaknesses": (),
                "offered": GAMES,
            }
        )
        self.app = build(context)

    async def told(
        self, http: TestClient[Any], log: Log, viewer: int | None, numbers: dict[str, int]
    ) -> list[str]:
        """Ask for everything that a viewer may ask for about a match with this log."""
        match = next(self._ids)
        for version, line in enumerate(log(match=match), start=1):
            await self._store.append(match, version, line)
        player = "p_spectator" if viewer is None else f"p_{viewer}"
        if player not in self._tokens:
            _, self._tokens[player] = await self._players.create("Ada", player=player)
        headers = {"Authorization": f"Bearer {self._tokens[player]}"}
        paths = [f"/matches/{match}{path.format(**numbers)}" for path in PATHS]
        answers = [http.get(path, headers=headers) for path in paths]
        assert [answer.text for answer in answers if answer.status_code != 200] == []
        return [HASH.sub('"#"', answer.text).replace(match, MATCH) for answer in answers]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_twins_get_the_same_answers(game, tmp_path):
    compared = 0
    service = Service(tmp_path)
    with TestClient(service.app) as http:
        for seats, viewer, mine, other in twins(game):
            assert mine() != other()
            if viewer is not None:
                assert notices_of(game, mine(), viewer) == notices_of(game, other(), viewer)
            numbers = {"middle": seats + 1, "last": seats + 1}
            first = await service.told(http, mine, viewer, numbers)
            assert first == await service.told(http, other, viewer, numbers)
            compared += 1
    assert compared, "some twins were compared"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_bots_in_twins_give_the_same_reasons(game):
    """They are asked about every version, and refuse the same ones."""
    if game.players.blueprint is None:
        pytest.skip(f"{game.slug} declares no blueprint")
    laws = hidden_laws_of(game.slug)
    seats, options = laws.tables[0]
    told = set[str]()
    for number in range(TWINS):
        history = walked(game, seats, options, number)
        for viewer in (0, None):
            twin = laws.rehistory(history, viewer, Chance(seed_of(number), 1 << 40))
            if twin is None:
                continue
            bots = [seat for seat in range(seats) if seat != viewer]
            mine, other = (
                reasons(log_of(game, seats, options, one, history, bots=bots), viewer)
                for one in (history, twin)
            )
            assert mine == other
            told.update(mine)
    assert len(told) > 1, "some moves have reasons, and some have none"


def reasons(lines: Sequence[bytes], viewer: int | None) -> list[str]:
    """Return the reason of every version while the match runs, or the code of the refusal."""
    numbers = range(1, Folded.of(GAMES, lines).number(viewer) + 1)
    return [reason_or_code(lines, viewer, number) for number in numbers]


def reason_or_code(lines: Sequence[bytes], viewer: int | None, number: int) -> str:
    """Return the answer about one version as bytes of JSON, or the code of the refusal."""
    try:
        return answers.reason(lines, viewer, number, over=False).decode()
    except Illegal as error:
        return error.code


@pytest.mark.parametrize("slug", ["captain_sonar", "submarine"])
async def test_spectators_learn_nothing_of_what_is_delayed(slug, tmp_path):
    """The twins are a match and the same match without its latest records."""
    game = GAMES[slug]
    seats, options = hidden_laws_of(game.slug).tables[0]
    history = walked(game, seats, options, 0)
    known = history[: PLIES // 2]
    numbers = {"middle": seats + 1, "last": seats + 1}
    service = Service(tmp_path)
    with TestClient(service.app) as http:

        async def answers(plies: Sequence[Ply], delay: int | UnsetType) -> list[str]:
            recent = len(plies) - len(known)
            log = partial(log_of, game, seats, options, plies, history, delay=delay, recent=recent)
            return await service.told(http, log, None, numbers)

        assert await answers(history, 3_600) == await answers(known, 3_600)
        assert await answers(history, UNSET) != await answers(known, UNSET)
