"""A mail server that a test runs: it keeps what arrives, and answers as it is told."""

import asyncio
import email
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.smtp import SMTP

LINK = re.compile(r"https?://\S+")
ACCEPTED = "250 OK"
PUBLIC = "https://play.example"
"""Where links in e-mails of a service lead."""


class MailServer:
    """What has arrived, and how to answer."""

    def __init__(self) -> None:
        self.port = 0
        self.arrived: list[EmailMessage] = []
        self.recipient: Callable[[str], str] = lambda _: ACCEPTED
        """Answers to the address of a recipient."""
        self.data: Callable[[], str] = lambda: ACCEPTED
        """Answers to an e-mail."""

    @property
    def settings(self) -> dict[str, str]:
        """Settings of a service that sends its e-mail here."""
        return {
            "public_url": PUBLIC,
            "smtp_host": "127.0.0.1",
            "smtp_port": str(self.port),
            "smtp_tls": "none",
            "mail_from": "Shiplog <play@play.example>",
        }

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, to: str, _: Any) -> str:  # noqa: N802
        answer = self.recipient(to)
        if answer == ACCEPTED:
            envelope.rcpt_tos.append(to)
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.data()
        if answer == ACCEPTED:
            found = email.message_from_bytes(envelope.content, _class=EmailMessage, policy=default)
            self.arrived.append(found)
        return answer

    def to(self, address: str) -> list[EmailMessage]:
        return [one for one in self.arrived if one["To"] == address]


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    """Return the text of an e-mail, or its HTML."""
    part = message.get_body((kind,))
    assert part is not None
    return part.get_content()


def link_of(message: EmailMessage) -> str:
    """Return the first link of an e-mail."""
    return LINK.findall(text_of(message))[0]


def token_of(message: EmailMessage) -> str:
    """Return the token in the first link of an e-mail."""
    return link_of(message).partition("#")[2].partition(".")[2]


@contextmanager
def mail_serving() -> Iterator[MailServer]:
    """Run a mail server for as long as a test takes, in a thread of its own."""
    handler = MailServer()
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        serving = loop.create_server(lambda: SMTP(handler, loop=loop), "127.0.0.1", 0)
        server = loop.run_until_complete(serving)
        handler.port = server.sockets[0].getsockname()[1]
        ready.set()
        loop.run_forever()
        server.close()
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    try:
        yield handler
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
