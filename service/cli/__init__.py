"""The command line: one file for each verb."""

import typer

from service.cli import (
    archive,
    audit,
    backup,
    bisect,
    blame,
    branch,
    compare,
    diff,
    doctor,
    erase,
    export,
    import_,
    inspect,
    jobs,
    new_game,
    play,
    rebuild,
    replay,
    restore,
    run,
    schema,
    secrets,
    serve,
    settings,
    solve,
    token,
    what_if,
    worker,
)

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Shiplog: board games as logs.")
app.command("run")(run.run)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("rebuild")(rebuild.rebuild)
app.command("backup")(backup.backup)
app.command("restore")(restore.restore)
app.command("play")(play.play)
app.command("new-game")(new_game.new_game)
app.command("inspect")(inspect.inspect)
app.command("replay")(replay.replay)
app.command("diff")(diff.diff)
app.command("blame")(blame.blame)
app.command("bisect")(bisect.bisect)
app.command("audit")(audit.audit)
app.command("branch")(branch.branch)
app.command("compare")(compare.compare_)
app.command("archive")(archive.archive)
app.command("what-if")(what_if.what_if)
app.command("solve")(solve.solve)
app.command("analyse")(solve.analyse)
app.command("export")(export.export)
app.command("import")(import_.import_)
app.add_typer(jobs.app, name="jobs")
app.command("erase")(erase.erase)
app.command("token")(token.token)
app.command("schema")(schema.schema)
app.command("secrets")(secrets.secrets)
app.command("doctor")(doctor.doctor)
app.command("settings")(settings.settings)


def main() -> None:
    """Run the command line."""
    app()
