"""Read the settings from the environment, and find what is wrong with them."""

import os
import re
from collections.abc import Iterator, Mapping
from email.utils import parseaddr
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from fsspec import available_protocols  # pyright: ignore[reportMissingTypeStubs]
from limits import parse_many

from events.checkpoints.notes import BadNote, parse_checkpoint, parse_note
from service.base.addresses import parse_networks
from service.base.input_errors import input_error
from service.base.settings import PREFIX, BadSetting, Settings

LOG_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
WORK_SCHEMES = ("redis", "rediss", "unix")
LOCAL = ("localhost", "127.0.0.1", "::1")
ORIGIN = re.compile(r"\*|https?://[A-Za-z0-9.-]+(:\d{1,5})?")


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
            f"Unknown settings: {', '.join(PREFIX + name.upper() for name in unknown)}. "
            "`shiplog settings` lists those of this release."
        )
    values: dict[str, object] = {}
    for field in msgspec.structs.fields(Settings):
        if field.name not in given:
            continue
        text = given[field.name]
        try:
            values[field.name] = msgspec.convert(text, field.type, strict=False, dec_hook=_path)
        except msgspec.ValidationError as error:
            expected = input_error(str(error), field.type, text).detail.partition(", got ")[0]
            raise BadSetting(f"{PREFIX}{field.name.upper()}: {expected}, got {text!r}") from None
    # Each value was converted to the type of its field.
    settings = Settings(**values)  # pyright: ignore[reportArgumentType]
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    """Check combinations of values and what they name; raises `BadSetting`."""
    for name, wrong in _faults(settings):
        if wrong:
            raise BadSetting(f"{PREFIX}{name.upper()}: {wrong}")


def _faults(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield settings with what is wrong with each, or ""."""
    yield "host", "" if settings.host.strip() else "must be an address"
    yield from _storage_faults(settings)
    yield "rate_limit", _limit_fault(settings.rate_limit)
    yield "guest_limit", _limit_fault(settings.guest_limit)
    yield "sign_in_limit", _limit_fault(settings.sign_in_limit)
    yield "webhook_networks", _networks_fault(settings.webhook_networks)
    yield from _message_faults(settings)
    yield from _web_faults(settings)
    yield from _sign_in_faults(settings)
    yield "traces_url", _url_fault(settings.traces_url, ("http", "https"))
    if settings.traces_url and find_spec("opentelemetry") is None:
        yield "traces_url", "needs the extra: pip install 'shiplog[traces]'"
    if settings.metrics_port and settings.metrics_port == settings.port:
        yield "metrics_port", "must not be SHIPLOG_PORT: players could read it"


def _storage_faults(settings: Settings) -> Iterator[tuple[str, str]]:
    yield "data", _folder_fault(settings.data)
    yield "secret_file", _file_fault(settings.secrets_path)
    yield "log_url", _url_fault(settings.log_url, LOG_SCHEMES)
    yield "log_archiver_url", _url_fault(settings.log_archiver_url, LOG_SCHEMES)
    yield "work_url", _url_fault(settings.work_url, WORK_SCHEMES)
    yield "archive", _place_fault(settings.archive)
    yield "checkpoints", _place_fault(settings.checkpoints)
    if settings.work_url and settings.work_url == settings.log_url:
        yield "work_url", "must not be the log's server: RQ's transactions would endanger the log"
    origin = settings.checkpoint_origin
    if "://" in origin or "+" in origin or origin != "".join(origin.split()):
        yield "checkpoint_origin", "must have no scheme, no space and no plus sign"
    yield "checkpoint_before", _checkpoint_fault(settings.checkpoint_before)


def _message_faults(settings: Settings) -> Iterator[tuple[str, str]]:
    contact = settings.push_contact
    if contact and not contact.startswith(("mailto:", "https://")):
        yield "push_contact", "must begin with mailto: or https://"
    if settings.smtp_host:
        if "@" not in parseaddr(settings.mail_from)[1]:
            yield "mail_from", "must be the sender, such as play@play.example"
        if not settings.public_url:
            yield "public_url", "must be set: the links in e-mails begin with it"
        if settings.smtp_tls == "none" and settings.smtp_user:
            yield "smtp_tls", "must not be none with SHIPLOG_SMTP_USER"
    yield from _secret_faults(settings, "smtp_password")


def _web_faults(settings: Settings) -> Iterator[tuple[str, str]]:
    url = settings.public_url
    if url and (url == "*" or not ORIGIN.fullmatch(url)):
        yield (
            "public_url",
            f"{url!r} is not an address such as https://play.example, without a path",
        )
    for origin in settings.origins:
        if not ORIGIN.fullmatch(origin):
            yield "cors_origins", f"{origin!r} is not a web origin such as https://play.example"


def _sign_in_faults(settings: Settings) -> Iterator[tuple[str, str]]:
    yield "jwks_url", _url_fault(settings.jwks_url, ("http", "https"))
    yield "oidc_issuer", _issuer_fault(settings.oidc_issuer)
    if settings.oidc_issuer and not settings.oidc_client_id:
        yield "oidc_client_id", "must be set with SHIPLOG_OIDC_ISSUER"
    yield from _secret_faults(settings, "oidc_client_secret")


def _folder_fault(folder: Path) -> str:
    try:
        file = next((one for one in (folder, *folder.parents) if one.is_file()), None)
    except OSError as error:
        return f"cannot use {folder}: {error.strerror}"
    return "" if file is None else f"must be a folder, but {file} is a file"


def _place_fault(place: str) -> str:
    """Return what is wrong with a folder or URL, for which `fsspec` takes a misspelt URL."""
    scheme, colon, path = place.partition(":")
    if not colon or "/" in scheme or (path.startswith("//") and scheme in available_protocols()):
        return ""
    return f"{place!r} is neither a folder nor a URL such as s3://bucket/prefix"


def _file_fault(file: Path) -> str:
    try:
        return "must be a file, not a folder" if file.is_dir() else ""
    except OSError as error:
        return f"cannot use {file}: {error.strerror}"


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
