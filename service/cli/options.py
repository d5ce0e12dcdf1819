"""Arguments and options that several verbs have."""

from pathlib import Path
from typing import Annotated

import typer

from replay.subject import Subject

Log = Annotated[str, typer.Argument(metavar="LOG", help="ID of a match, or an exported file.")]
Logs = Annotated[
    list[str] | None, typer.Argument(metavar="LOG…", help="IDs of matches, or exported files.")
]
At = Annotated[int | None, typer.Option("--at", min=1, help="Version, by default the last.")]
Seat = Annotated[int | None, typer.Option("--seat", min=0, help="As this seat saw it.")]
Spectator = Annotated[bool, typer.Option("--spectator", help="As a spectator saw it.")]
Of = Annotated[
    Subject,
    typer.Option(
        "--of", help="`game`: the game's state or view; `match`: everything that `inspect` shows."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Secrets = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="Secret file of the service, to check the dice of running matches.",
    ),
]
Proof = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="Answer of `GET /matches/{match}/leaves`: proves what the checkpoint log has of the "
        "match.",
    ),
]
LogKey = Annotated[
    str | None,
    typer.Option(
        "--log-key",
        metavar="VKEY",
        help="With --proof: verifier key of the checkpoint log, or a file. An audit with --secrets "
        "needs none.",
    ),
]
