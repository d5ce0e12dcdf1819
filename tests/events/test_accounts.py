"""No account may do more to a log than it sends, tried with every write command of the server."""

from contextlib import contextmanager

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from service.embedded.servers import Server, Supervisor, archiver_url, auditor_url
from tests.events.accounts import EVERYTHING
from tests.events.configured import PASSWORD, configured
from tests.events.lines import chain_of

LOG = "log:m"
ALLOWED = {"service": {"xadd", "getset", "getdel"}, "archiver": {"unlink"}, "auditor": set()}
"""Write commands of each account."""
SHAPES = tuple(
    tuple(line.split())
    for line in f"""
{LOG}
{LOG} 1
{LOG} 0-1
{LOG} other
{LOG} {LOG}
{LOG} 1 2
{LOG} MAXLEN 0
{LOG} g 0-1
{LOG} STORE {LOG}
{LOG} log:other 1
{LOG} log:other LEFT LEFT
{LOG} 0-99 r x
{LOG} * r x
{LOG} 0 x REPLACE
{LOG} 1 x y z
other {LOG}
log:other {LOG}
log:other 1 {LOG}
1 {LOG}
x 1 {LOG}
AND {LOG} log:other
CREATE {LOG} g 0
1 0 100 KEYS {LOG}
{LOG} {LOG} FROMLONLAT 1 1 BYRADIUS 1 m
""".splitlines()
)
"""Arguments with which commands of all kinds would reach the log."""
OTHERS = (
    "MULTI", "EVAL x 0", "EVALSHA x 0", "SCRIPT FLUSH", "FLUSHALL", "FLUSHDB", "SWAPDB 0 1",
    "CONFIG SET appendonly no", "CONFIG REWRITE", "ACL SETUSER default on nopass ~* +@all",
    "ACL LOAD", "DEBUG SLEEP 0", "SHUTDOWN NOSAVE", "REPLICAOF 127.0.0.1 1", "MODULE LIST",
    "CLIENT KILL TYPE normal", "BGREWRITEAOF", "SAVE", "MIGRATE h 1 log:m 0 1", "KEYS *",
    "FAILOVER", "FUNCTION FLUSH", "XGROUP CREATE log:m g 0", "PUBLISH c x", "OBJECT FREQ log:m",
)  # fmt: skip
"""What is no write command, or no command of a log, and may do harm."""


@contextmanager
def documented(folder):
    """Run the documented configuration; yield a client of each account."""
    with configured("redis-log.conf", folder) as path:
        users = {"service": "shiplog", "archiver": "archiver", "auditor": "auditor"}
        yield {
            account: Redis(unix_socket_path=str(path), username=user, password=PASSWORD)
            for account, user in users.items()
        }


@contextmanager
def embedded(folder):
    """Run the embedded server; yield a client of each account."""
    with Supervisor(Server.log(folder)) as server:
        yield {
            "service": Redis.from_url(server.url),
            "archiver": Redis.from_url(archiver_url(server.url)),
            "auditor": Redis.from_url(auditor_url(server.url)),
        }


@pytest.fixture(scope="module")
def writes(tmp_path_factory):
    """List the write commands of the server that is tested."""
    with (
        Supervisor(Server.log(tmp_path_factory.mktemp("all"), **EVERYTHING)) as server,
        Redis.from_url(server.url) as client,
    ):
        names = {name.decode() for name in client.execute_command("ACL", "CAT", "write")}
    assert {"set", "del", "xtrim", "xadd", "rename", "restore", "unlink", "sort"} <= names
    return sorted(names)


@pytest.fixture(params=[documented, embedded], ids=["documented", "embedded"])
def accounts(request, tmp_path):
    with request.param(tmp_path) as clients:
        for version, line in enumerate(chain_of(3), start=1):
            clients["service"].xadd(LOG, {"r": line}, id=f"0-{version}")
        yield clients
        for client in clients.values():
            client.close()


def stored(accounts):
    return [fields[b"r"] for _, fields in accounts["service"].xrange(LOG)]


def refused(client, name):
    """Return whether the account may not use a command, whatever its arguments.

    From Redis 7 on, servers list subcommands apart: `xgroup|create`.
    """
    forbidden = False
    for shape in SHAPES:
        try:
            client.execute_command(*name.split("|"), *shape)
        except NoPermissionError:
            forbidden = True
        except ResponseError as error:
            if "wrong number of arguments" not in str(error):
                return False
        else:
            return False
    return forbidden


def test_no_write_command_changes_what_a_log_has(accounts, writes):
    before = chain_of(3)
    for account in accounts.keys() - {"archiver"}:
        for name in set(writes) - ALLOWED[account]:
            assert refused(accounts[account], name), (account, name)
            assert stored(accounts) == before, (account, name)
        for words in OTHERS:
            with pytest.raises(ResponseError):
                accounts[account].execute_command(*words.split())
            assert stored(accounts) == before, (account, words)


def test_what_the_service_may_write_leaves_every_record(accounts):
    """Only new records after the last one. Its commands for players are refused for a log."""
    client, before = accounts["service"], chain_of(3)
    for words in (("GETSET", LOG, "x"), ("GETDEL", LOG), ("GET", LOG)):
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            client.execute_command(*words)
    for place in ("0-1", "0-3", "0-0"):
        with pytest.raises(ResponseError, match=r"equal or smaller|greater than 0-0"):
            client.execute_command("XADD", LOG, place, "r", "x")
    assert stored(accounts) == before
    client.execute_command("XADD", LOG, "0-4", "r", "x")
    assert stored(accounts) == [*before, b"x"]
    for words in ("SET player:p x", "DEL player:p", "GETSET other x", "XADD other 0-1 r x"):
        with pytest.raises(NoPermissionError):
            client.execute_command(*words.split())


def test_one_way_to_trim_a_log_cannot_be_forbidden(accounts):
    """XADD itself trims. `shiplog audit --all` names the log, by the checkpoint log."""
    accounts["service"].execute_command("XADD", LOG, "MAXLEN", "1", "0-4", "r", "x")
    assert stored(accounts) == [b"x"]


def test_the_archiver_may_only_remove(accounts, writes):
    client, before = accounts["archiver"], chain_of(3)
    for name in writes:
        if name not in ALLOWED["archiver"]:
            assert refused(client, name), name
    assert stored(accounts) == before
    with pytest.raises(NoPermissionError):
        client.xrange(LOG)
    with pytest.raises(NoPermissionError):
        client.unlink("player:p")
    client.unlink(LOG)
    assert stored(accounts) == []
