"""Stores to test: in memory, on a real embedded server, on a real cluster of three."""

import itertools
import os

import pytest

from events.append_lane import Limits
from events.memory_store import MemoryStore
from service.embedded.servers import Server, Supervisor, archiver_url
from tests.events.accounts import ArchivedStore
from tests.events.cluster import cluster_of
from tests.events.s3 import ACCESS

QUICK = Limits(total_s=4.0, reply_s=2.0)
numbers = itertools.count()


@pytest.fixture(scope="session")
def log_server(tmp_path_factory):
    """One server of the log for all tests that do not harm it."""
    folder = tmp_path_factory.mktemp("log")
    with Supervisor(Server.log(folder, **{"user watcher": "on nopass -@all +monitor"})) as server:
        yield server


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory):
    with cluster_of(tmp_path_factory.mktemp("cluster")) as nodes:
        yield f"redis+cluster://127.0.0.1:{nodes[0].port}"


@pytest.fixture(params=["memory", "redis", "cluster"])
async def store(request):
    """Every kind of store."""
    if request.param == "memory":
        yield MemoryStore()
        return
    if request.param == "redis":
        url = request.getfixturevalue("log_server").url
        urls = (url, archiver_url(url))
    else:
        url = request.getfixturevalue("cluster_url")
        urls = tuple(url.replace("//", f"//{user}:any@") for user in ("shiplog", "archiver"))
    async with ArchivedStore(*urls, QUICK) as store:
        yield store


@pytest.fixture
async def redis_store(log_server):
    async with ArchivedStore(log_server.url, archiver_url(log_server.url), QUICK) as store:
        yield store


@pytest.fixture
def match():
    """Name a match of which no store has heard."""
    return f"m_{os.getpid()}_{next(numbers)}"


# Few tests need S3, and its packages take long to import.
@pytest.fixture(scope="module")
def s3():
    """Serve S3 on a free port of this machine."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3):
    import boto3

    name = f"bucket-{next(numbers)}"
    boto3.client("s3", endpoint_url=s3, **ACCESS).create_bucket(Bucket=name)
    return name
