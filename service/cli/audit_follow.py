"""`shiplog audit --follow`: audit matches while they are played."""

from pathlib import Path

import uvloop

from service.base.logs import configure
from service.cli.output import MISUSED, stop
from service.cli.sources import UNREACHABLE, of_service
from service.process import auditing
from service.process.audit_journal import BadJournal


def follow(journal: Path | None, *, redaction: bool) -> None:
    """Audit all matches until SIGTERM, and note them in a journal."""
    try:
        settings = of_service()
        configure(settings.log_level)
        path = journal or settings.data / "audited.jsonl"
        uvloop.run(auditing.follow(settings, path, redaction=redaction))
    except (BadJournal, *UNREACHABLE) as error:
        stop(MISUSED, error)
    except BrokenPipeError:
        raise  # The reader of the output has seen enough. Typer ends the program.
    except OSError as error:
        stop(MISUSED, error)
