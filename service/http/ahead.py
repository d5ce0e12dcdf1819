"""What pages need besides their script: browsers load all of it at once."""

import json
from pathlib import Path
from typing import Any, get_args

from service.play.player_record import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)
MANIFEST = Path(".vite") / "manifest.json"
"""Which files each part of the page needs, as the build wrote it."""


class Ahead:
    """Names the page's words, the files of a match's page, and those of each game's board."""

    def __init__(self, dist: Path) -> None:
        """Read the manifest of a build."""
        path = dist / MANIFEST
        self._chunks: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        self._first = self._needed("index.html")

    def page(self, language: str) -> str:
        """Return the elements for the head of any page."""
        return self._tags(f"src/i18n/{language}.json")

    def match(self, game: str | None, language: str) -> str:
        """Return the elements for the head of a match; without a game, for the table alone."""
        parts = ("Board.svelte", "words.ts", f"{language}.json") if game else ()
        board = [f"src/boards/{game}/{part}" for part in parts]
        words = f"src/i18n/{language}.json"
        return self._tags(words, "src/match/MatchPage.svelte", *board)

    def _tags(self, *names: str) -> str:
        files = [name for name in self._needed(*names) if name not in self._first]
        return "".join(f"{_tag(name)}\n    " for name in files)

    def _needed(self, *names: str) -> dict[str, None]:
        """Return the files of chunks and of all that they import, in order. Skips unknown ones."""
        found: dict[str, None] = {}
        left = [*names]
        while left:
            chunk = self._chunks.get(left.pop(0))
            if chunk is None or chunk["file"] in found:
                continue
            found |= dict.fromkeys((chunk["file"], *chunk.get("css", ())))
            left += chunk.get("imports", ())
        return found


def language_of(accepted: str) -> str:
    """Return the language in which a page begins, by the header `Accept-Language`."""
    return (
        "cs" if any(tag.strip().lower().startswith("cs") for tag in accepted.split(",")) else "en"
    )


def _tag(name: str) -> str:
    kind = 'rel="preload" as="style"' if name.endswith(".css") else 'rel="modulepreload"'
    return f'<link {kind} crossorigin href="/{name}">'
