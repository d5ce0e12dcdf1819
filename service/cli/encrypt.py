"""`shiplog encrypt` and `shiplog decrypt`: a backup as one encrypted file."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.output import FOUND, MISUSED, out, stop
from service.process import encryption

Key = Annotated[
    Path,
    typer.Option(
        "--key",
        exists=True,
        dir_okay=False,
        help="File with 64 hex digits, readable by its owner alone: openssl rand -hex 32.",
    ),
]
Backup = Annotated[Path, typer.Argument(metavar="DIR", exists=True, file_okay=False)]
Encrypted = Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False)]


def encrypt(
    folder: Backup,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="Must not exist yet.")],
    *,
    key: Key,
) -> None:
    """Encrypt a backup into one file, for a place that others can read."""
    secret = _secret(key)
    try:
        encryption.encrypt(folder, target, secret)
    except OSError as error:
        stop(MISUSED, error)
    out.print(f"{folder} is encrypted in {target}", soft_wrap=True)


def decrypt(
    source: Encrypted,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Must not exist yet.")],
    *,
    key: Key,
) -> None:
    """Decrypt a backup, so that it can be checked and restored."""
    secret = _secret(key)
    try:
        encryption.decrypt(source, folder, secret)
    except encryption.BadFile as error:
        stop(FOUND, error)
    except OSError as error:
        stop(MISUSED, error)
    out.print(f"{source} is decrypted in {folder}", soft_wrap=True)


def _secret(key: Path) -> bytes:
    try:
        return encryption.read_key(key)
    except (encryption.BadFile, OSError) as error:
        stop(MISUSED, error)
