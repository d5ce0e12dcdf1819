"""Send e-mails through the operator's SMTP server, over one connection per job."""

import asyncio
import re
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email.message import EmailMessage
from typing import NamedTuple

from aiosmtplib import (
    SMTP,
    SMTPConnectError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from events.record import at_text
from service.base.clock import now_micros
from service.base.settings import Settings
from service.play.deliveries import Failure, Try

LIMIT_S = 15
"""Time limit of each step of the conversation (seconds)."""
DELIVERED = 250
NO_MAILBOX = (550, 551, 553)
ENHANCED = re.compile(r"5\.\d{1,3}\.\d{1,3}")
"""A permanent status as in RFC 3463."""
OF_MAILBOX = re.compile(r"5\.1\.\d{1,3}|5\.2\.1")
"""Those that speak of the recipient's address, rather than of the sender or of a policy."""


class Mailed(NamedTuple):
    """What came of an e-mail."""

    tried: Try
    gone: bool = False
    """Whether there is no such mailbox."""


class Outcome(NamedTuple):
    """The answer of the server, or why there was none."""

    status: int | None
    error: Failure | None = None


class Mailer:
    """A connection to the mail server, opened for the first e-mail."""

    def __init__(self, settings: Settings) -> None:
        """Prepare to connect."""
        self._settings = settings
        self._lock = asyncio.Lock()
        self._smtp: SMTP | None = None
        self._down: Outcome | None = None
        """Why the server lets nobody in. Other e-mails of the job are then not tried."""

    async def send(self, message: EmailMessage) -> Mailed:
        """Send an e-mail."""
        async with self._lock:
            began, watch = now_micros(), time.perf_counter()
            gone = False
            outcome = self._down
            if outcome is None:
                try:
                    smtp = await self._connected()
                except (SMTPException, OSError) as error:
                    outcome = self._down = _outcome(error)
                else:
                    outcome, gone = await _send(smtp, message)
            ms = round((time.perf_counter() - watch) * 1_000)
            return Mailed(Try(at_text(began), *outcome, ms), gone)

    async def close(self) -> None:
        """Close the connection."""
        if self._smtp is not None:
            with suppress(SMTPException, OSError):
                await self._smtp.quit()

    async def _connected(self) -> SMTP:
        if self._smtp is None or not self._smtp.is_connected:
            settings = self._settings
            self._smtp = SMTP(
                hostname=settings.smtp_host,
                port=settings.smtp_port,
                username=settings.smtp_user or None,
                password=settings.smtp_secret or None,
                use_tls=settings.smtp_tls == "tls",
                start_tls=settings.smtp_tls == "starttls",
                timeout=LIMIT_S,
            )
            await self._smtp.connect()
        return self._smtp


async def _send(smtp: SMTP, message: EmailMessage) -> tuple[Outcome, bool]:
    """Return what came of an e-mail, and whether there is no such mailbox."""
    try:
        await smtp.send_message(message)
    except SMTPRecipientsRefused as refused:
        (one,) = refused.recipients
        return Outcome(one.code), is_gone(one.code, one.message)
    except (SMTPException, OSError) as error:
        return _outcome(error), False
    return Outcome(DELIVERED), False


def _outcome(error: Exception) -> Outcome:
    match error:
        case SMTPResponseException():
            return Outcome(error.code)
        case TimeoutError():
            return Outcome(None, "timed-out")
        case SMTPServerDisconnected():
            return Outcome(None, "answer-broken")
        case ssl.SSLError():
            return Outcome(None, "tls-failed")
        case SMTPConnectError() | OSError():
            caused = isinstance(error.__cause__ or error.__context__, ssl.SSLError)
            return Outcome(None, "tls-failed" if caused else "connection-failed")
        case _:
            return Outcome(None, "answer-broken")


def is_gone(code: int, text: str) -> bool:
    """Return whether a server that refused a recipient says that there is no such mailbox."""
    enhanced = ENHANCED.search(text)
    of_mailbox = enhanced is None or OF_MAILBOX.fullmatch(enhanced[0])
    return code in NO_MAILBOX and bool(of_mailbox)


@asynccontextmanager
async def mailing(settings: Settings) -> AsyncIterator[Mailer]:
    """Open a mailer for a job."""
    mailer = Mailer(settings)
    try:
        yield mailer
    finally:
        await mailer.close()
