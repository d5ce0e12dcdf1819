"""Hints: from the seat's knowledge alone, equal for equal views, dropped when stale."""

import msgspec
import pytest

from events.memory_store import MemoryStore
from games import GAMES
from games.chance import Chance
from games.game import Illegal
from games.match.commands import Resign
from games.playout import at_random, plies, seed_of
from service.play.hints import hint_input, is_advised
from service.play.match_cache import MatchCache
from service.worker import task as asked
from tests.e2e.twins import KEYS, MATCH, log_of
from tests.games.laws import hidden_laws_of
from tests.service.table import BOB, GAME

BUDGET = 24
PLIES = range(12, 48, 5)
TWINS = 3


def ask(table, seat, version, budget=BUDGET):
    return asked.run("hint", table.match, version, seat, {"budget": budget})


def refused(cached, seat):
    with pytest.raises(Illegal) as refusal:
        hint_input(cached.match, seat)
    return refusal.value.code


def test_a_job_gives_the_hint(table):
    """The same as asking directly: a command that is legal, why, and how sure."""
    table.open("", "")
    seat = table.to_act
    hint = ask(table, seat, table.version)
    *_, direct = hint_input(table.cached.match, seat).hints(BUDGET)
    assert hint == msgspec.to_builtins(direct)
    legal = GAME.legal(table.cached.match.state, seat)
    assert hint["command"] in [msgspec.to_builtins(command) for command in legal]
    assert hint["reason"]["words"]
    assert 0 < hint["playouts"] <= BUDGET


def test_the_same_question_has_the_same_answer(table):
    table.open("", "")
    seat = table.to_act
    assert ask(table, seat, table.version) == ask(table, seat, table.version)


def test_a_hint_is_dropped_when_its_seat_has_seen_more(table):
    table.open("", "")
    seat, version = table.to_act, table.version
    table.move()
    assert ask(table, seat, version) is None


def test_a_hint_is_dropped_while_it_is_made(table, monkeypatch):
    """The match goes on during the first playouts."""
    table.open("", "")
    seat = table.to_act
    monkeypatch.setattr(asked, "NOTE_US", -1)
    shown = asked.Task.show
    played = []

    def show(task, done, total):
        played.append(done)
        if len(played) == 3:
            table.move()
        shown(task, done, total)

    monkeypatch.setattr(asked.Task, "show", show)
    assert ask(table, seat, table.version, budget=2000) is None
    assert len(played) == 3


def test_only_a_seat_that_is_to_act_is_advised(table):
    table.open()
    assert refused(table.cached, 0) == "match-not-started"
    table.open("", "")
    seat = table.to_act
    assert refused(table.cached, 1 - seat) == "not-your-turn"
    assert refused(table.cached, None) == "not-a-seat"
    table.cached.match.paused = table.version
    assert refused(table.cached, seat) == "match-paused"
    table.cached.match.paused = None
    table.play(BOB, Resign())
    assert refused(table.cached, 0) == "game-over"


def test_a_table_may_agree_to_play_without_hints(table):
    """Tranquility's option `hints`; whoever asks is told so, on turn or not."""
    table.open("", "", options={"hints": "off"})
    cached = table.cached
    assert cached.match.status == "running"
    assert [refused(cached, seat) for seat in (0, 1)] == ["hints-off", "hints-off"]
    assert not is_advised(cached.match, table.to_act)
    assert refused(cached, None) == "not-a-seat"


def test_a_question_that_went_stale_unseen_is_dropped(table):
    """If the seat is not to act any more when the job begins, nothing is refused or returned."""
    table.open("", "")
    assert ask(table, 1 - table.to_act, table.version) is None


async def cached_match(lines):
    store = MemoryStore()
    for version, line in enumerate(lines, start=1):
        await store.append(MATCH, version, line)
    return await MatchCache(store, KEYS, GAMES, 1 << 24).get(MATCH)


def hints_and_work(cached, viewer):
    """Return all answers and the number of commands played for them, which makes their time."""
    played = 0

    def cancelled():
        nonlocal played
        played += 1
        return False

    answers = list(hint_input(cached.match, viewer).hints(BUDGET, cancelled))
    return [msgspec.json.encode(hint) for hint in answers], played


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_twins_get_the_same_hints(game):
    """Two matches that differ only in what the seat can't know: same bytes after the same work."""
    if game.players.blueprint is None:
        pytest.skip(f"{game.slug} declares no blueprint")
    laws = hidden_laws_of(game.slug)
    compared = 0
    for number, (seats, raw) in enumerate(laws.tables[:6]):
        seed = seed_of(number)
        options = msgspec.convert(raw, game.Options)
        walk = plies(game, seats, options, seed, at_random(Chance(seed, 1 << 41)))
        history = []
        for state, ply in walk:
            history.append(ply)
            if len(history) in PLIES and game.waiting(state):
                viewer = min(game.waiting(state))
                twin = laws.rehistory(history, viewer, Chance(seed, 1 << 40))
                if twin is not None:
                    mine = await cached_match(log_of(game, seats, raw, history, history))
                    other = await cached_match(log_of(game, seats, raw, twin, history))
                    assert hints_and_work(mine, viewer) == hints_and_work(other, viewer)
                    compared += 1
            if len(history) >= PLIES.stop or compared >= TWINS:
                break
        if compared >= TWINS:
            break
    assert compared
