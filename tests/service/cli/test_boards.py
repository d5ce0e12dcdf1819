"""The terminal's boards, as plain text, and every sentence of the recorded matches.

`python -m tests.service.cli.test_boards` writes down anew what the boards look like.
"""

import io
from functools import cache
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from events import file
from games import GAMES
from games.match.commands import is_match_command
from projections.views import match_view
from replay.travel import folds, steps
from service.cli.boards import board_of, generic
from service.cli.scene import speaker_of
from service.cli.wording import Speaker, catalogue
from tests.corpus import MATCHES

GOLDEN = Path(__file__).parent / "boards"
SLUGS = sorted(path.name for path in MATCHES.iterdir() if path.is_dir())
PLACES = (0.2, 0.5, 1.0)
"""Parts of a match after which its board is drawn."""


@cache
def log(slug: str, number: int = 0) -> tuple[bytes, ...]:
    path = sorted((MATCHES / slug).glob("*.jsonl"))[number]
    return tuple(file.read(path.read_bytes())[0])


def plain(folded, viewer) -> dict:
    view = match_view(folded.match, viewer, "", {})
    return msgspec.json.decode(msgspec.json.encode(view))


def text(match: dict) -> str:
    out = Console(file=io.StringIO(), width=120, color_system=None)
    out.print(board_of(match["game"]).draw(match["view"], match["you"], speaker_of(match)))
    lines = out.file.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines)


def gallery(slug: str) -> str:
    """Draw a recorded match for seat 0 and the spectator at some of its versions."""
    lines = log(slug)
    versions = {round(part * len(lines)) for part in PLACES}
    pages = [
        f"version {folded.version}, {'spectator' if viewer is None else f'seat {viewer}'}\n"
        f"{text(plain(folded, viewer))}\n"
        for folded, _ in folds(GAMES, lines)
        if folded.version in versions
        for viewer in (0, None)
    ]
    return "\n".join(pages)


@pytest.mark.parametrize("slug", SLUGS)
def test_boards_look_as_they_did(slug):
    assert gallery(slug) == (GOLDEN / f"{slug}.txt").read_text()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_has_a_board_of_its_own(slug):
    assert board_of(slug).__name__ == f"service.cli.boards.{slug}"
    assert board_of("nim") is generic


@pytest.mark.parametrize("slug", SLUGS)
def test_boards_are_drawn_for_all_viewers_at_many_versions(slug):
    for folded, _ in folds(GAMES, log(slug, -1)):
        if folded.match.state is not None and folded.version % 25 == 0:
            for viewer in (*range(folded.match.header.seats), None):
                assert text(plain(folded, viewer))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_event_and_command_has_words(slug):
    """Without blanks that nothing fills, for everyone who is shown it."""
    for number in (0, -1):
        for viewer in (0, None):
            for step in steps(GAMES, log(slug, number), viewer):
                match = plain(step.folded, viewer)
                speaker = speaker_of(match)
                told = msgspec.json.decode(msgspec.json.encode(step.told))
                for event in told["events"]:
                    said(speaker.event(event))
                if viewer is not None and not is_match_command(step.record.command):
                    said(speaker.command(msgspec.to_builtins(step.record.command)))


def said(words: str) -> None:
    assert not set("[]{}") & set(words), words


def test_a_game_without_words_is_spelled_out():
    assert catalogue("nim") == {}
    speaker = Speaker("nim", {"stones": 5}, ["Ada", "Bot 2"])
    assert speaker.command({"type": "take", "stones": 2}) == "take stones 2"
    assert speaker.event({"type": "stones_taken", "seat": 1, "stones": 2}) == (
        "Bot 2: stones taken stones 2."
    )


if __name__ == "__main__":
    for slug in SLUGS:
        (GOLDEN / f"{slug}.txt").write_text(gallery(slug))
