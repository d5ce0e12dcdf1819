"""Two servers, and the parts of a process on them."""

import pytest

from service.base.clock import correction
from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.process.context import opened


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("servers")
    with (
        Supervisor(Server.log(folder / "log")) as log,
        Supervisor(Server.work(folder / "work")) as work,
    ):
        yield log.url, work.url


@pytest.fixture
async def context(servers, tmp_path):
    log, work = servers
    settings = Settings(
        data=tmp_path,
        log_url=log,
        work_url=work,
        bot_pause_ms=0,
        worker_poll_ms=20,
        log_level="error",
        push_contact="mailto:ops@play.example",
        push_delay_s=0,
        public_url="https://play.example",
        smtp_host="127.0.0.1",
        smtp_tls="none",
        mail_from="Shiplog <play@play.example>",
        mail_delay_s=0,
    )
    async with opened(settings) as context:
        await context.work.flushall()
        yield context


@pytest.fixture
def own_clock(monkeypatch):
    """Leave a frozen clock alone, which the servers do not share."""
    monkeypatch.setattr(correction, "compare", lambda *_: None)
    monkeypatch.setattr(correction, "micros", 0)
