"""`shiplog compare`: decide recorded matches under the current rules, and show differences."""

from typing import Annotated

import typer
from rich.progress import track

from games import GAMES
from replay.compare import compare
from service.cli.audit_formats import Form, ShortForm, form_of, writer_of
from service.cli.audit_output import Totals
from service.cli.options import Logs
from service.cli.output import FOUND, err
from service.cli.sources import is_file, sources

Every = Annotated[
    bool, typer.Option("--all", "--store", help="All matches in the service's log and archive.")
]


def compare_(
    names: Logs = None, *, every: Every = False, form: Form = None, json: ShortForm = False
) -> None:
    """Compare rules. Exits with 0 if every command is decided as recorded, with 1 if one is not."""
    if every == bool(names):
        raise typer.BadParameter("Name logs, or use --all.")
    form = form_of(form, json=json)
    with sources() as source:
        chosen = source.matches() if every else list(names or ())
        if not all(map(is_file, chosen)):
            source.open()
        quiet = len(chosen) < 2 or not err.is_terminal
        shown, broken = writer_of(form, len(chosen)), 0
        for name in track(chosen, "comparing", console=err, transient=True, disable=quiet):
            report = compare(GAMES, source.evidence(name))
            shown.add(report)
            broken += report.verdict == "broken"
        shown.end(Totals("broken" if broken else "holds", len(chosen), 0, broken, 0))
    if broken:
        raise typer.Exit(FOUND)
