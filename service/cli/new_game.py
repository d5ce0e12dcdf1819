"""`shiplog new-game`: write a package with a small game that plays, to be made into one's own."""

import keyword
from pathlib import Path
from typing import Annotated

import typer

import games
from games import GAMES, SLUG
from service.cli.output import MISUSED, stop, why_of

TEMPLATE = Path(games.__file__).parent / "template"

Slug = Annotated[str, typer.Argument(help="Name of the game in addresses and logs, such as `nim`.")]
Title = Annotated[str, typer.Option(help="Title for players. Default: the slug, capitalized.")]
Into = Annotated[Path, typer.Option(help="Folder in which the package's folder is created.")]


def new_game(slug: Slug, title: Title = "", into: Into = Path()) -> None:
    """Write a new package `shiplog-SLUG` with a small game that plays, its rules and its tests."""
    if keyword.iskeyword(slug):
        raise typer.BadParameter(f"{slug!r} is a keyword of Python. Choose another slug.")
    if not SLUG.fullmatch(slug) or slug.endswith("_"):
        raise typer.BadParameter(
            f"{slug!r} cannot be a slug: use a lower-case letter, then lower-case letters and "
            "underscores, 32 at most, and a letter at the end."
        )
    if not title.isprintable() or '"' in title or "\\" in title:
        raise typer.BadParameter(
            f"--title: {title!r} has a quotation mark, a backslash or a line break. Leave it out."
        )
    if slug in GAMES:
        raise typer.BadParameter(f"A game {slug!r} is installed already. Choose another slug.")
    target = into / f"shiplog-{slug.replace('_', '-')}"
    if target.exists():
        raise typer.BadParameter(f"{target} exists already. Move it away or choose another slug.")
    title = title or slug.replace("_", " ").title()
    try:
        for source, name in _files(slug):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_renamed(source.read_text(), slug, title))
    except OSError as error:
        stop(MISUSED, f"Cannot write {why_of(error)}")
    typer.echo(
        f"Wrote {target}. Next:\n"
        f"  cd {target}\n"
        "  pip install -e '.[dev]'   # beside Shiplog\n"
        "  pytest                    # its rules, and the laws of all games\n"
        f"  shiplog run               # then: shiplog play {slug}"
    )


def _files(slug: str) -> list[tuple[Path, Path]]:
    """List the template's files, and where each goes."""
    project = TEMPLATE / "project"
    found: list[tuple[Path, Path]] = []
    for source in sorted(TEMPLATE.rglob("*")):
        if not source.is_file() or "__pycache__" in source.parts:
            continue
        if source.is_relative_to(project):
            found.append((source, source.relative_to(project)))
        else:
            found.append((source, Path(f"shiplog_{slug}") / source.relative_to(TEMPLATE)))
    return found


def _renamed(text: str, slug: str, title: str) -> str:
    return (
        text.replace("games.template", f"shiplog_{slug}")
        .replace("shiplog-template", f"shiplog-{slug.replace('_', '-')}")
        .replace("template", slug)
        .replace("Template", title)
    )
