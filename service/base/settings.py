"""The settings, one for each environment variable.

`shiplog settings` prints docs/settings.md from this table.
"""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from service.base.addresses import Network, parse_networks

PREFIX = "SHIPLOG_"


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
    """`weaker` lets the log's Redis run without fsync on every write; /health/ready shows it."""
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
    """Number of a player's matches that may wait for players, or be played by bots alone (429
    `too-many-open-matches`).
    """
    matches_open_address_max: Annotated[int, Meta(ge=1)] = 1000
    """Number of such matches that were created from an address, likewise."""
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
    def cache_bytes(self) -> int:
        """Memory for cached matches (bytes)."""
        return self.cache_mb * 1024 * 1024

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
