"""The command line: one file for each verb, imported only when the verb runs."""

import errno
import gc
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

VERBS = {
    "run": "run.run",
    "serve": "serve.serve",
    "worker": "worker.worker",
    "rebuild": "rebuild.rebuild",
    "backup": "backup.backup",
    "restore": "restore.restore",
    "encrypt": "encrypt.encrypt",
    "decrypt": "encrypt.decrypt",
    "play": "play.play",
    "watch": "watch.watch",
    "why": "why.why",
    "bot-match": "bot_match.bot_match",
    "arena": "arena.arena",
    "new-game": "new_game.new_game",
    "inspect": "inspect.inspect",
    "replay": "replay.replay",
    "diff": "diff.diff",
    "blame": "blame.blame",
    "bisect": "bisect.bisect",
    "audit": "audit.audit",
    "explain": "explain.explain_",
    "erratum": "erratum.erratum",
    "branch": "branch.branch",
    "compare": "compare.compare_",
    "archive": "archive.archive",
    "what-if": "what_if.what_if",
    "solve": "solve.solve",
    "analyse": "solve.analyse",
    "export": "export.export",
    "import": "import_.import_",
    "erase": "erase.erase",
    "token": "token.token",
    "schema": "schema.schema",
    "secrets": "secrets.secrets",
    "verify-receipt": "verify_receipt.verify_receipt",
    "witness": "witness.witness",
    "doctor": "doctor.doctor",
    "settings": "settings.settings",
    "jobs": "jobs.jobs",
    "matches": "matches.matches",
}
"""Module and function of each verb, in the order of the help page."""

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class Verb(TyperCommand):
    """A verb that is imported when it runs. The list of verbs needs only its docstring."""

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Import the verb and parse its arguments; exit with 2 if a game cannot be loaded."""
        from games import BadGame  # noqa: PLC0415 - the list of verbs needs no games

        try:
            command = _imported(str(self.name))
        except BadGame as error:
            typer.echo(f"shiplog: {error}", err=True)
            raise typer.Exit(2) from None
        return command.make_context(*given, **more)


class Verbs(TyperGroup):
    """The group of all verbs."""

    def __init__(self, **given: Any) -> None:
        """List the verbs with their docstrings."""
        super().__init__(**given)
        for verb, place in VERBS.items():
            doc = _docstring(*place.split("."))
            self.add_command(Verb(verb, help=doc, short_help=doc.partition("\n\n")[0]))


app = typer.Typer(
    cls=Verbs,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,  # rich takes longer to load than everything else together
)


def _print_release(asked: bool) -> None:
    if asked:
        typer.echo(f"shiplog {import_module('events.release').RELEASE}")
        raise typer.Exit


@app.callback()
def shiplog(
    context: typer.Context,
    *,
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_release, is_eager=True, help="Print the release."
        ),
    ] = False,
) -> None:
    """Shiplog: board games as logs."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def main() -> None:
    """Run the command line. Exit with 2 if the output goes to a full disk."""
    try:
        app()
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        typer.echo(f"shiplog: {error.strerror}", err=True)
        sys.exit(2)


def _docstring(module: str, function: str) -> str:
    """Return the docstring of a function without importing its module."""
    source = Path(__file__).with_name(f"{module}.py").read_text()
    found = re.search(rf'^def {function}\(.*?"""(.*?)"""', source, re.MULTILINE | re.DOTALL)
    assert found, f"{module}.{function} has no docstring"
    return cleandoc(found[1])


@contextmanager
def _no_collections() -> Iterator[None]:
    """Pause the garbage collector: imports leave no garbage, and it takes a fifth of their time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _imported(verb: str) -> Any:
    """Import a verb's module and return its command."""
    module_name, function = VERBS[verb].split(".")
    with _no_collections():
        module = import_module(f"service.cli.{module_name}")
    if isinstance(group := getattr(module, "app", None), typer.Typer):
        return get_command(group)
    single = typer.Typer(add_completion=False)
    single.command(verb)(getattr(module, function))
    return get_command(single)
