"""The model of Redis answers as a real server does."""

import random

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from projections.rows import APPLY, APPLY_KEYS, DUE, WRITTEN, _arguments
from service.embedded.servers import Server, Supervisor
from service.play.leases import SHARE
from tests.projections.recorded import history
from tests.simulation.keyspace import Keyspace, Refusal, Status
from tests.simulation.scripts import digest_of

KEYS = (b"a", b"b", b"c")
VALUES = (b"1", b"2", b"word")
COMMANDS = (
    ("XADD", "key", "entry", "r", "value"),
    ("XADD", "key", "NOMKSTREAM", "entry", "r", "value"),
    ("XADD", "key", "MAXLEN", "2", "entry", "r", "value"),
    ("XRANGE", "key", "-", "+"),
    ("XRANGE", "key", "entry", "+", "COUNT", "2"),
    ("XRANGE", "key", "entry", "entry"),
    ("XREVRANGE", "key", "+", "-", "COUNT", "1"),
    ("XLEN", "key"),
    ("GET", "key"),
    ("SET", "key", "value"),
    ("SET", "key", "value", "NX", "EX", "100"),
    ("GETSET", "key", "value"),
    ("GETDEL", "key"),
    ("DEL", "key"),
    ("UNLINK", "key"),
    ("HSET", "key", "value", "value"),
    ("HSETNX", "key", "value", "value"),
    ("HGET", "key", "value"),
    ("HMGET", "key", "value", "value"),
    ("HKEYS", "key"),
    ("HGETALL", "key"),
    ("HDEL", "key", "value"),
    ("ZADD", "key", "number", "value"),
    ("ZREM", "key", "value"),
    ("ZRANGE", "key", "0", "-1"),
    ("ZRANGE", "key", "0", "0"),
    ("ZADD", "same scores", "0", "value"),
    ("ZRANGEBYLEX", "same scores", "[1", "+"),
    ("ZSCORE", "key", "value"),
)


@pytest.fixture
def real(tmp_path):
    with (
        Supervisor(Server.work(tmp_path / "work")) as server,
        Redis.from_url(server.url, protocol=3) as client,
    ):
        client.response_callbacks.clear()
        yield client


def drawn(chance: random.Random) -> list[bytes]:
    """Draw a command."""
    words = {
        "key": lambda: chance.choice(KEYS),
        "value": lambda: chance.choice(VALUES),
        "number": lambda: b"%d" % chance.randint(-3, 3),
        "entry": lambda: b"0-%d" % chance.randint(1, 9),
    }
    return [words[word]() if word in words else word.encode() for word in chance.choice(COMMANDS)]


def plain(answer):
    """Return an answer in a form that both sides share."""
    if isinstance(answer, (Refusal, ResponseError)):
        return "refused", str(answer).removeprefix("ERR ").split(" ")[0]
    if isinstance(answer, Status):
        return answer.text.encode()
    if isinstance(answer, (list, tuple)):
        return [plain(one) for one in answer]
    return float(answer) if isinstance(answer, (int, float)) else answer


def answered(client: Redis, words: list[bytes]):
    try:
        return client.execute_command(*words)
    except ResponseError as error:
        return error


@pytest.mark.parametrize("seed", range(20))
def test_random_commands_get_the_answers_of_a_real_server(real, seed):
    chance = random.Random(seed)
    model = Keyspace(lambda: 0)
    for _ in range(300):
        words = drawn(chance)
        expected, found = plain(answered(real, words)), plain(model.execute(words)[0])
        if words[0] == b"ZSCORE" and isinstance(found, bytes):
            found = float(found)
        assert found == expected, words


def run(real: Redis, model: Keyspace, script: str, keys: list[str], *given):
    """Run a script at both, and compare the answers."""
    words = [one if isinstance(one, bytes) else str(one).encode() for one in (*keys, *given)]
    model.scripts.add(digest_of(script))
    head = [b"EVALSHA", digest_of(script), b"%d" % len(keys)]
    found, _ = model.execute([*head, *words])
    expected = real.execute_command("EVAL", script, len(keys), *words)
    assert plain(found) == plain(expected)


def contents(read) -> dict:
    """Return what a server keeps of the projections."""
    rows = read("HGETALL", "g1:rows")
    indexes = {}
    for key in sorted(read("SCAN", "0", "COUNT", "10000")[1]):
        if key.startswith(b"g1:") and key != b"g1:rows":
            members = read("ZRANGE", key, "0", "-1")
            indexes[key] = {one: float(read("ZSCORE", key, one)) for one in members}
    return {
        "rows": rows,
        "indexes": indexes,
        "told": read("XLEN", "notices"),
        "written": read("XLEN", WRITTEN),
    }


def test_a_script_exists_once_it_is_loaded(real):
    model, text = Keyspace(lambda: 0), b"return 1"
    sha = digest_of(text.decode())
    for words in ([b"EXISTS", sha], [b"LOAD", text], [b"EXISTS", sha, b"0" * 40]):
        assert plain(model.call("SCRIPT", *words)) == plain(real.execute_command("SCRIPT", *words))


@pytest.mark.parametrize("seed", range(5))
def test_the_scripts_of_the_projections_do_the_same_in_python(real, seed):
    model = Keyspace(lambda: 0)
    for execute in (real.execute_command, model.call):
        execute("HSET", "projections", "current", "g1")
    summaries = list(history(seed))
    random.Random(seed).shuffle(summaries)
    for start in range(0, len(summaries), 3):
        some = summaries[start : start + 3]
        given = _arguments(some, "", lambda _: [("p_ada", "news")], noted=start % 2 == 0)
        run(real, model, APPLY, APPLY_KEYS, *given)
        run(real, model, DUE, ["projections"], "deadlines", 1 << 52, 0, 10)
    assert contents(model.call) == contents(real.execute_command)
    for holder in (b"one", b"two", b"one", b"two", b"three", b"one", b"two", b"three"):
        leases = [f"lease:{number}" for number in range(8)]
        run(real, model, SHARE, ["members", "lead", *leases], holder, 3_000)
