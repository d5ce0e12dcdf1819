"""`shiplog export`: write the log of a match to a file, with a signed head."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from events import file
from events.chain import Head, follow
from service.cli.options import Log
from service.cli.output import err
from service.cli.sources import Sources, is_file, sources

Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="File to write; - is the standard output.")
]


def export(
    log: Log,
    target: Out = None,
    *,
    packed: Annotated[bool, typer.Option("--packed", help="Compress with zstd.")] = False,
) -> None:
    """Export a match: its records, one per line, and the signed head.

    Given a file, compress or decompress it.
    """
    with sources() as source:
        lines, head = source.lines(log)
        hashes = list(follow(lines))
        if not is_file(log):
            head = _signed(source, log, len(lines), hashes[-1])
        data = file.write(lines, head, source.errata(log), packed=packed)
        path = target or Path(_named(log, packed=packed))
        if str(path) == "-":
            sys.stdout.buffer.write(data)
            return
        with path.open("xb") as out:
            try:
                out.write(data)
                out.flush()
            except OSError:
                path.unlink()  # A part of a log looks like one that was cut.
                raise
        err.print(f"{path}: {len(lines)} records, {len(data)} bytes")


def _signed(source: Sources, match: str, version: int, head: str) -> Head:
    context = source.open()
    kept = source.run(context.store.head(match, version))
    return kept or context.keys.sign(match, version, head)


def _named(log: str, *, packed: bool) -> str:
    stem = Path(log).name.removesuffix(".zst").removesuffix(".jsonl")
    return f"{stem}.jsonl.zst" if packed else f"{stem}.jsonl"
