"""`shiplog compare`: decide recorded matches under the current rules, and show differences."""

from typing import Annotated

import msgspec
import typer
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from games import GAMES
from replay.compare import Comparison, compare
from service.cli.sources import FOUND, Json, err, is_file, out, print_json, sources

Names = Annotated[
    list[str] | None, typer.Argument(metavar="LOG…", help="IDs of matches, or exported files.")
]
Every = Annotated[
    bool, typer.Option("--all", "--store", help="All matches in the service's log and archive.")
]


class Compared(msgspec.Struct, frozen=True):
    """The output of `--json`."""

    same: bool
    comparisons: list[Comparison]


def compare_(names: Names = None, *, every: Every = False, json: Json = False) -> None:
    """Compare rules. Exits with 0 if every command is decided as recorded, with 1 if one is not."""
    if every == bool(names):
        raise typer.BadParameter("Name logs, or use --all.")
    with sources() as source:
        chosen = source.matches() if every else list(names or ())
        if not all(map(is_file, chosen)):
            source.open()
        quiet = len(chosen) < 2 or not err.is_terminal
        found = [
            compare(GAMES, source.evidence(name))
            for name in track(chosen, "comparing", console=err, transient=True, disable=quiet)
        ]
    same = all(one.differs is None for one in found)
    if json:
        print_json(Compared(same, found))
    else:
        _print(found)
    if not same:
        raise typer.Exit(FOUND)


def _print(found: list[Comparison]) -> None:
    table = Table("log", "game", "rules", "here", "records", "first difference", box=None)
    for one in found:
        differs = one.differs
        where = "none" if differs is None else f"{differs.record}: {one.command or differs.rule}"
        versions = (one.rules, one.here)
        rules, here = ("?" if version is None else str(version) for version in versions)
        table.add_row(escape(one.name), one.game or "?", rules, here, str(one.records), where)
    out.print(table)
    for one in found:
        if one.differs is not None:
            text = f"{one.name}: record {one.differs.record}: {one.differs.message}"
            out.print(text, style="red", highlight=False, markup=False, soft_wrap=True)
