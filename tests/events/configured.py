"""A log's server on a documented configuration."""

import hashlib
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from service.embedded.server_folder import ask
from service.embedded.servers import find_binary

DEPLOY = Path(__file__).parents[2] / "deploy"
PASSWORD = "secret"


@contextmanager
def configured(name, folder):
    """Run a server on a documented configuration, without TLS and in a folder of the test's."""
    mark = hashlib.sha256(PASSWORD.encode()).hexdigest()
    text = (DEPLOY / name).read_text()
    for owner in ("the", "the-archivers", "the-auditors"):
        text = text.replace(f"<sha256-of-{owner}-password>", mark)
    lines = text.splitlines()
    kept = [line for line in lines if not line.startswith("tls-")]
    path = folder / "redis.sock"
    (folder / "redis.conf").write_text(
        "\n".join([*kept, f"dir {folder}", f"unixsocket {path}", ""])
    )
    with (folder / "server.log").open("w") as out:
        process = subprocess.Popen([find_binary(), folder / "redis.conf"], stdout=out)
    try:
        while ask(path) != "up":
            assert process.poll() is None, (folder / "server.log").read_text()
            time.sleep(0.01)
        yield path
    finally:
        process.kill()
        process.wait()
