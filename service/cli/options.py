"""Arguments and options that several verbs have."""

from typing import Annotated

import typer

from replay.subject import Subject

Log = Annotated[str, typer.Argument(metavar="LOG", help="ID of a match, or an exported file.")]
Seat = Annotated[int | None, typer.Option("--seat", min=0, help="As this seat saw it.")]
Spectator = Annotated[bool, typer.Option("--spectator", help="As a spectator saw it.")]
Of = Annotated[
    Subject,
    typer.Option(
        "--of", help="`game`: the game's state or view; `match`: everything that `inspect` shows."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
