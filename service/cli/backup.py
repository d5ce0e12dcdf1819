"""`shiplog backup`: save all logs and players to a folder, while the service runs."""

import asyncio
import shutil
from pathlib import Path
from typing import Annotated

import typer
from redis.exceptions import RedisError
from rich.progress import Progress

from events.backup import SECRETS, BadBackup
from service.base import logs
from service.base.clock import now_micros
from service.base.keys import load_or_make
from service.base.settings import Settings
from service.cli.output import FOUND, MISUSED, err, out, stop
from service.cli.progress import COLUMNS
from service.cli.sources import UNREACHABLE, of_service
from service.process.backup import BackedUp, back_up, check, fingerprint, next_of, prune
from service.process.context import opened
from service.process.health import BACKED_UP

Target = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="A folder that does not exist yet; with --keep, that of a series."
    ),
]
Keep = Annotated[
    int | None,
    typer.Option(
        "--keep",
        min=1,
        metavar="COUNT",
        help="Add a backup to a series in DIR, named by the time: share files with the newest one, "
        "check it, and delete the oldest ones so that COUNT remain.",
    ),
]
Since = Annotated[
    Path | None,
    typer.Option(
        "--since",
        exists=True,
        file_okay=False,
        help="Earlier backup on the same disk, with which files of unchanged matches are shared.",
    ),
]
WithSecrets = Annotated[
    bool,
    typer.Option(
        "--with-secrets",
        help="Also save the secret file. Its owner can forge tokens and heads, and knows all dice.",
    ),
]


def backup(
    target: Target, *, since: Since = None, keep: Keep = None, with_secrets: WithSecrets = False
) -> None:
    """Back up every match with its signed head, and the players. Play continues meanwhile."""
    if keep is not None and since is not None:
        raise typer.BadParameter("Use --keep or --since, not both: a series knows its newest one.")
    series = target
    if keep is not None:
        target, since = next_of(series)
    spare: list[Path] = []
    try:
        settings = of_service()
        logs.configure("warning")
        manifest, lost = asyncio.run(_back_up(settings, target, since))
        if with_secrets:
            _copy(settings.secrets_path, target / SECRETS)
        if keep is not None:
            asyncio.run(check(target, load_or_make(settings.secrets_path), lambda _, __: None))
            spare = prune(series, keep)
    except BadBackup as error:
        stop(FOUND, error)
    except (*UNREACHABLE, OSError) as error:
        stop(MISUSED, error)
    out.print(
        f"{target}: {len(manifest.matches)} matches, {manifest.players} players\n"
        f"SHA-256 of the manifest: {fingerprint(manifest)}",
        soft_wrap=True,
    )
    for one in spare:
        out.print(f"deleted: {one}", soft_wrap=True)
    for damage in manifest.damaged:
        err.print(f"{damage.match}: {damage.why}", style="red", soft_wrap=True)
    for match in lost:
        why = "the log has lost it; the backup has what the earlier one had"
        err.print(f"{match}: {why}", style="red", soft_wrap=True)
    if lost:
        err.print(f"Run: shiplog restore {target} --missing", soft_wrap=True)
    if manifest.damaged:
        err.print("A restore of this backup skips the damaged logs.", style="red")
    if lost or manifest.damaged:
        raise typer.Exit(FOUND)


async def _back_up(settings: Settings, target: Path, since: Path | None) -> BackedUp:
    async with opened(settings) as context:
        with Progress(*COLUMNS, console=err) as bar:
            task = bar.add_task("matches", total=None)
            done = await back_up(
                context.store,
                context.keys,
                settings,
                target,
                since,
                lambda saved, total: bar.update(task, completed=saved, total=total),
            )
        try:
            await context.work.set(BACKED_UP, now_micros())
        except (RedisError, OSError) as error:
            err.print(f"The work Redis does not know of this backup: {error!r}", soft_wrap=True)
        return done


def _copy(source: Path, target: Path) -> None:
    target.touch(0o600)
    shutil.copyfile(source, target)
