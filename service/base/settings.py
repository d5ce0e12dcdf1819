"""Settings, read from the environment and validated at start.

`shiplog settings` prints docs/settings.md from this table.
"""

import os
import re
from collections.abc import Iterator, Mapping
from email.utils import parseaddr
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from limits import parse_many
from msgspec import Meta

from events.checkpoints.notes import BadNote, parse_checkpoint, parse_note
from service.base.addresses import Network, parse_networks

PREFIX = "SHIPLOG_"
LOG_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
WORK_SCHEMES = ("redis", "rediss", "unix")
LOCAL = ("localhost", "127.0.0.1", "::1")
ORIGIN = re.compile(r"\*|https?://[A-Za-z0-9.-]+(:\d{1,5})?")


class BadSetting(Exception):
    """A setting that cannot be used; the message names the variable and what it must be."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field per variable: `host` is SHIPLOG_HOST."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    """Port to listen on; 0 takes a free one."""
    data: Path = Path("data")
    """Folder of the embedded servers, the secrets and the archive."""
    public_url: str = ""
    """Address at which players reach the service, such as `https://play.example`, for links, QR
    codes and passkeys. Passkeys are bound to its domain for good. If empty, links name the host
    that was called, and passkeys work only at `http://localhost`.
    """
    log_url: str = ""
    """Redis of the log; empty starts an embedded server."""
    log_archiver_url: str = ""
    """The same log, with the account that may remove archived matches. Only the worker needs it; if
    empty: SHIPLOG_LOG_URL.
    """
    work_url: str = ""
    """Redis of derived data; empty starts an embedded server."""
    secret_file: Path | None = None
    """Master, token and signing keys; by default `secrets.json` in the data folder, created at the
    first start.
    """
    drain_s: Annotated[int, Meta(ge=0, le=300)] = 0
    """Seconds for which the process still accepts calls after a stop signal. /health/ready answers
    503 from the signal on. A second signal to `shiplog serve` ends the wait.
    """
    durability: Literal["always", "weaker"] = "always"
    """`weaker` allows the log's Redis to run without fsync on every write; /health shows it."""
    wait_replicas: Annotated[int, Meta(ge=0, le=16)] = 0
    """Number of replicas that must have a record before it is acknowledged (WAIT)."""
    cache_mb: Annotated[int, Meta(ge=1, le=65536)] = 128
    """Memory of the match cache, in MiB."""
    rules: str = ""
    """Rules versions of new matches, such as `tranquility=1,ke_dnu=2`; other games use their
    newest.
    """
    rate_limit: str = "1000/second"
    """Calls per player to one service process, or per address without a valid token; `;` joins
    several limits.
    """
    work_ms: Annotated[int, Meta(ge=1, le=1000000)] = 1000
    """Milliseconds of CPU time per second that the callers of one service process share while it
    is busy. A caller who has used up an equal share gets 429 `rate-limited`. Commands and other
    calls are counted separately.
    """
    guest_limit: str = "100/second"
    """New guests per address and service process; `;` joins several limits."""
    sign_in_limit: str = "20/minute;200/day"
    """Attempts per address and service process to sign in with a code, a passkey, an e-mail or an
    identity provider; `;` joins several limits.
    """
    streams_max: Annotated[int, Meta(ge=1, le=100000)] = 50
    """Open event streams per player and service process."""
    bots_max: Annotated[int, Meta(ge=0, le=1000)] = 10
    """Number of bot accounts that a player may own."""
    webhooks_max: Annotated[int, Meta(ge=0, le=100)] = 5
    """Number of webhooks that a player may have; 0 turns webhooks off."""
    webhook_networks: str = ""
    """Networks inside yours that webhooks, push messages and calls to SHIPLOG_OIDC_ISSUER may
    reach, such as `10.1.0.0/16,127.0.0.1/32`; without them only public addresses.
    """
    push_contact: str = ""
    """Address at which browser vendors reach you, such as `mailto:ops@play.example`. It turns
    Web Push on; without it nothing is pushed.
    """
    push_delay_s: Annotated[int, Meta(ge=0, le=3600)] = 10
    """Seconds that a notice waits before it is pushed. Notices that an open page shows in that
    time are not pushed.
    """
    smtp_host: str = ""
    """Server that sends e-mail. It turns e-mail on, and needs SHIPLOG_PUBLIC_URL and
    SHIPLOG_MAIL_FROM; without it nothing is mailed.
    """
    smtp_port: Annotated[int, Meta(ge=1, le=65535)] = 587
    """Port of the mail server; usually 465 with `tls`."""
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection to the mail server is encrypted. `none` is for a server on the same
    machine.
    """
    smtp_user: str = ""
    """Name to log in with; empty does not log in."""
    smtp_password: str = ""
    """Password for SHIPLOG_SMTP_USER."""
    smtp_password_file: Path | None = None
    """File with the password, instead of SHIPLOG_SMTP_PASSWORD."""
    mail_from: str = ""
    """Sender of e-mails, such as `Shiplog <play@play.example>`."""
    mail_delay_s: Annotated[int, Meta(ge=0, le=3600)] = 120
    """Seconds that a notice waits before it is mailed. Notices that an open page shows in that
    time are not mailed.
    """
    mail_links_max: Annotated[int, Meta(ge=1, le=1000000)] = 1000
    """Number of links per day that are mailed to unconfirmed addresses, in total over all
    addresses.
    """
    cors_origins: str = ""
    """Web origins that may call from a browser, such as `https://play.example`, separated by
    commas; `*` is any.
    """
    trusted_proxy: bool = False
    """Read a caller's address from X-Forwarded-For."""
    jwks_url: str = ""
    """Keys of an identity provider whose tokens are accepted too."""
    jwt_audience: str = "shiplog"
    """Audience that such tokens must name."""
    oidc_issuer: str = ""
    """Identity provider with which players sign in in the page (OpenID Connect), such as
    `https://id.example`; needs SHIPLOG_OIDC_CLIENT_ID. Without it the page offers none.
    """
    oidc_client_id: str = ""
    """Name of this service at the provider."""
    oidc_client_secret: str = ""
    """Secret for it; empty for a public client."""
    oidc_client_secret_file: Path | None = None
    """File with the secret, instead of SHIPLOG_OIDC_CLIENT_SECRET."""
    oidc_name: str = ""
    """Name of the provider for players; if empty, its host."""
    traces_url: str = ""
    """OpenTelemetry collector of traces (OTLP over HTTP), such as `http://127.0.0.1:4318`; empty
    sends none.
    """
    traces_share: Annotated[float, Meta(ge=0, le=1)] = 1.0
    """Share of the calls that are traced."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level of log lines."""
    metrics_port: Annotated[int, Meta(ge=0, le=65535)] = 0
    """Port on which metrics are served to Prometheus without a token; 0 turns this off. With
    `shiplog run` the worker uses the next port, the auditor the one after it, and further service
    processes the ports after that.
    """
    metrics_host: str = "127.0.0.1"
    """Address of that port. Players must not reach it, since counts reveal hidden moves."""
    body_bytes_max: Annotated[int, Meta(ge=1024)] = 65536
    """Largest body of a request, except for uploads of logs."""
    body_s: Annotated[int, Meta(ge=1, le=3600)] = 60
    """Time in which a body must arrive, including uploads of logs (seconds)."""
    upload_bytes_max: Annotated[int, Meta(ge=1024)] = 32 * 1024 * 1024
    """Largest uploaded log, uncompressed."""
    worker_poll_ms: Annotated[int, Meta(ge=10, le=60000)] = 200
    """Interval at which the worker looks for due deadlines and bots (milliseconds)."""
    bot_pause_ms: Annotated[int, Meta(ge=0, le=60000)] = 700
    """Time that bots wait before they move, so that people can follow (milliseconds)."""
    clock_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of processes that apply deadlines."""
    bot_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of processes that run bots."""
    job_memory_mb: Annotated[int, Meta(ge=0, le=1048576)] = 4096
    """Address space of each worker process except those that apply deadlines, and of each reading
    process of the service, in MiB; 0 is no limit.
    """
    jobs_queued_max: Annotated[int, Meta(ge=1, le=1000000)] = 1000
    """Number of jobs that may wait in a queue before others are refused (503 `queue-full`)."""
    jobs_open_max: Annotated[int, Meta(ge=1, le=100)] = 8
    """Number of jobs that a player may have queued or running (429 `too-many-jobs`)."""
    hint_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of processes that compute hints."""
    analysis_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of processes for audits, analyses and solved undo."""
    read_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of processes, per service process, that compute time travel, exports and uploads."""
    archive: str = ""
    """Folder or URL (`s3://bucket/prefix`) for finished matches and errata. If empty: `archive` in
    the data folder with an embedded log, otherwise none. `none` is none.
    """
    archive_after_s: Annotated[int, Meta(ge=0)] = 7 * 86400
    """Seconds between the end of a match and its move from the log's Redis to the archive."""
    checkpoints: str = ""
    """Folder or `s3://bucket/prefix` of the checkpoint log, apart from the log's Redis. If empty:
    `checkpoints` in the data folder with an embedded log, otherwise none. `none` is none.
    """
    checkpoint_origin: str = ""
    """Name of the checkpoint log: a URL without its scheme, such as `play.example/log`. It can
    never be changed. If empty, it is made from the id of the signing key.
    """
    checkpoint_s: Annotated[int, Meta(ge=1, le=3600)] = 20
    """Interval at which the heads of matches enter the checkpoint log (seconds)."""
    checkpoint_before: Path | None = None
    """File with the last checkpoint of an earlier log. It becomes the first entry of a new log."""
    matches_open_max: Annotated[int, Meta(ge=1)] = 100
    """Number of a player's matches that may wait for players (429 `too-many-open-matches`)."""
    matches_open_address_max: Annotated[int, Meta(ge=1)] = 1000
    """Number of matches that were created from an address and may wait for players, likewise."""
    log_reserve: Annotated[float, Meta(ge=0, le=1)] = 0.2
    """Share of the log's memory (maxmemory) that is kept for running matches. When only this is
    left, new matches, branches and guests are refused (503 `log-nearly-full`).
    """
    log_mb_per_day: Annotated[int, Meta(ge=0, le=1048576)] = 0
    """Mebibytes that a player's commands may add to the log per day and service process (429
    `log-quota`), and all players at an address ten times as many; 0 is no limit.
    """
    waiting_s: Annotated[int, Meta(ge=0)] = 86400
    """Seconds after which a match that still waits for players is abandoned; 0 is never."""
    analysis_commands: Annotated[int, Meta(ge=1000, le=10000000)] = 120000
    """Commands that are played for one analysis. Games that take longer to compute use a part of
    them: Captain Sonar a half, Nautilus a third, Submarine a fifth. With more commands an
    analysis takes longer and leaves fewer decisions unclear; it ends after 600 s.
    """
    demo: Annotated[int, Meta(ge=0, le=16)] = 0
    """Number of matches between bots that the worker keeps running, for people to watch."""

    @property
    def secrets_path(self) -> Path:
        """Path of the secret file."""
        return self.secret_file or self.data / "secrets.json"

    @property
    def archive_place(self) -> str | None:
        """Where finished matches go. There is a default folder only if the log is embedded."""
        if self.archive == "none" or (not self.archive and self.log_url):
            return None
        return self.archive or str(self.data / "archive")

    @property
    def checkpoints_place(self) -> str | None:
        """Where the checkpoint log is. There is a default folder only if the log is embedded."""
        if self.checkpoints == "none" or (not self.checkpoints and self.log_url):
            return None
        return self.checkpoints or str(self.data / "checkpoints")

    @property
    def smtp_secret(self) -> str:
        """Password of the mail server. Raises `OSError`."""
        if self.smtp_password_file is None:
            return self.smtp_password
        return self.smtp_password_file.read_text().strip()

    @property
    def oidc_secret(self) -> str:
        """Secret of the client at the identity provider. Raises `OSError`."""
        if self.oidc_client_secret_file is None:
            return self.oidc_client_secret
        return self.oidc_client_secret_file.read_text().strip()

    @property
    def oidc_shown(self) -> str:
        """Name of the identity provider for players."""
        return self.oidc_name or urlsplit(self.oidc_issuer).hostname or ""

    @property
    def reachable(self) -> tuple[Network, ...]:
        """Networks inside the own one that webhooks may reach."""
        return parse_networks(self.webhook_networks)

    @property
    def origins(self) -> tuple[str, ...]:
        """Web origins that may call."""
        return tuple(origin.strip() for origin in self.cors_origins.split(",") if origin.strip())


def load(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings; raises `BadSetting`."""
    given = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environ.items()
        if name.startswith(PREFIX)
    }
    known = {field.name for field in msgspec.structs.fields(Settings)}
    if unknown := sorted(given.keys() - known):
        raise BadSetting(
            f"Unknown settings: {', '.join(PREFIX + name.upper() for name in unknown)}."
        )
    values: dict[str, object] = {}
    for field in msgspec.structs.fields(Settings):
        if field.name not in given:
            continue
        try:
            values[field.name] = msgspec.convert(
                given[field.name], field.type, strict=False, dec_hook=_path
            )
        except msgspec.ValidationError as error:
            raise BadSetting(f"{PREFIX}{field.name.upper()}: {error}") from None
    # Each value was converted to the type of its field.
    settings = Settings(**values)  # pyright: ignore[reportArgumentType]
    check(settings)
    return settings


def check(settings: Settings) -> None:
    """Check combinations of values and what they name; raises `BadSetting`."""
    for name, wrong in _faults(settings):
        if wrong:
            raise BadSetting(f"{PREFIX}{name.upper()}: {wrong}")


def _faults(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield each setting with what is wrong with it, or ""."""
    yield "host", "" if settings.host.strip() else "must be an address"
    yield "data", _folder_fault(settings.data)
    yield "secret_file", "must be a file, not a folder" if settings.secrets_path.is_dir() else ""
    yield "log_url", _url_fault(settings.log_url, LOG_SCHEMES)
    yield "log_archiver_url", _url_fault(settings.log_archiver_url, LOG_SCHEMES)
    yield "work_url", _url_fault(settings.work_url, WORK_SCHEMES)
    if settings.work_url and settings.work_url == settings.log_url:
        yield "work_url", "must not be the log's server: RQ's transactions would endanger the log"
    name = settings.checkpoint_origin
    plain = "://" not in name and "+" not in name and name == "".join(name.split())
    yield "checkpoint_origin", "" if plain else "must have no scheme, no space and no plus sign"
    yield "checkpoint_before", _checkpoint_fault(settings.checkpoint_before)
    yield "rate_limit", _limit_fault(settings.rate_limit)
    yield "guest_limit", _limit_fault(settings.guest_limit)
    yield "sign_in_limit", _limit_fault(settings.sign_in_limit)
    yield "webhook_networks", _networks_fault(settings.webhook_networks)
    contact = settings.push_contact
    named = not contact or contact.startswith(("mailto:", "https://"))
    yield "push_contact", "" if named else "must begin with mailto: or https://"
    if settings.smtp_host:
        sender = parseaddr(settings.mail_from)[1]
        yield "mail_from", "" if "@" in sender else "must be the sender, such as play@play.example"
        named = settings.public_url
        yield "public_url", "" if named else "must be set: the links in e-mails begin with it"
        plain = settings.smtp_tls == "none" and settings.smtp_user
        yield "smtp_tls", "must not be none with SHIPLOG_SMTP_USER" if plain else ""
    yield from _secret_faults(settings, "smtp_password")
    url = settings.public_url
    yield (
        "public_url",
        ""
        if not url or (url != "*" and ORIGIN.fullmatch(url))
        else f"{url!r} is not an address such as https://play.example, without a path",
    )
    for origin in settings.origins:
        yield (
            "cors_origins",
            ""
            if ORIGIN.fullmatch(origin)
            else f"{origin!r} is not a web origin such as https://play.example",
        )
    yield "jwks_url", _url_fault(settings.jwks_url, ("http", "https"))
    yield "oidc_issuer", _issuer_fault(settings.oidc_issuer)
    if settings.oidc_issuer:
        named = settings.oidc_client_id
        yield "oidc_client_id", "" if named else "must be set with SHIPLOG_OIDC_ISSUER"
    yield from _secret_faults(settings, "oidc_client_secret")
    yield "traces_url", _url_fault(settings.traces_url, ("http", "https"))
    if settings.traces_url and find_spec("opentelemetry") is None:
        yield "traces_url", "needs the extra: pip install 'shiplog[traces]'"
    if settings.metrics_port and settings.metrics_port == settings.port:
        yield "metrics_port", "must not be SHIPLOG_PORT: players could read it"


def _folder_fault(folder: Path) -> str:
    try:
        file = next((one for one in (folder, *folder.parents) if one.is_file()), None)
    except OSError as error:
        return f"cannot use {folder}: {error.strerror}"
    return "" if file is None else f"must be a folder, but {file} is a file"


def _checkpoint_fault(file: Path | None) -> str:
    if file is None:
        return ""
    if not file.is_file():
        return "must be a file"
    try:
        parse_checkpoint(parse_note(file.read_bytes()).text)
    except BadNote as error:
        return f"{file} must have a signed checkpoint, but {error}"
    return ""


def _secret_faults(settings: Settings, name: str) -> Iterator[tuple[str, str]]:
    file: Path | None = getattr(settings, f"{name}_file")
    yield f"{name}_file", "must be a file" if file is not None and not file.is_file() else ""
    twice = file is not None and getattr(settings, name)
    yield name, f"must not be set with {PREFIX}{name.upper()}_FILE" if twice else ""


def _url_fault(url: str, schemes: tuple[str, ...]) -> str:
    if not url or ("unix" in schemes and url.startswith("/")):
        return ""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme not in schemes:
        return f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}"
    return "" if parts.hostname or (parts.scheme == "unix" and parts.path) else "has no server name"


def _issuer_fault(url: str) -> str:
    if (fault := _url_fault(url, ("https", "http"))) or not url:
        return fault
    parts = urlsplit(url)
    if parts.query or parts.fragment:
        return f"{url!r} is not an issuer such as https://id.example"
    if parts.scheme == "http" and parts.hostname not in LOCAL:
        return "must begin with https:// unless the provider is on the same machine"
    return ""


def _limit_fault(text: str) -> str:
    try:
        limits = parse_many(text)
    except ValueError:
        return f"{text!r} is not a limit such as 10/second;120/minute"
    return (
        ""
        if all(limit.amount for limit in limits)
        else f"{text!r} would refuse every call; use at least 1"
    )


def _networks_fault(text: str) -> str:
    try:
        parse_networks(text)
    except ValueError as error:
        return str(error)
    return ""


def _path(kind: type, value: str) -> object:
    if kind is Path:
        if not value:
            raise ValueError("must not be empty")
        return Path(value)
    raise TypeError(kind)
