"""Pictures of invitations for messengers: the cover of a game, and below it what is played."""

import io
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SIZE = (1200, 630)
"""What messengers show large (pixels)."""
MARGIN = 60
BAND = (0, SIZE[1] - 190, *SIZE)
"""What the words stand on."""
SEA = (11, 33, 52)
INK = (255, 255, 255)
FACTS_INK = (200, 219, 233)
TITLE_PX = 76
TITLE_LEAST_PX = 40
FACTS_PX = 42
TITLE_Y = SIZE[1] - 108
FACTS_Y = SIZE[1] - 42
BOLD = 700
MEDIUM = 500
QUALITY = 84
KEPT = 64
"""Pictures that are kept, some 80 kB each."""
UNASSIGNED = "\uffff"
"""A character that no font has."""

Font = ImageFont.FreeTypeFont


class Pictures:
    """Draws pictures of invitations from the covers and the fonts of the built page."""

    def __init__(self, dist: Path) -> None:
        """Draw from the page that was built into a folder."""
        self._covers = dist / "pictures"
        self._fonts = sorted((dist / "assets").glob("fraunces-*.woff2"))
        self.draw = lru_cache(KEPT)(self._draw)

    def has(self, game: str) -> bool:
        """Return whether there is a cover of a game."""
        return self._cover(game).is_file()

    def _cover(self, game: str) -> Path:
        return self._covers / f"{game}.jpg"

    def _draw(self, game: str, title: str, facts: str) -> bytes:
        """Return a picture as JPEG; only the cover if the fonts cannot write all its words."""
        words = _Words(self._fonts)
        if not words.can_write(title + facts):
            return self._cover(game).read_bytes()
        with Image.open(self._cover(game)) as cover:
            picture = cover.convert("RGB").resize(SIZE)
        drawing = ImageDraw.Draw(picture)
        drawing.rectangle(BAND, SEA)
        size = words.fitting(title, SIZE[0] - 2 * MARGIN)
        words.write(drawing, TITLE_Y, title, size, BOLD, INK)
        words.write(drawing, FACTS_Y, facts, FACTS_PX, MEDIUM, FACTS_INK)
        drawn = io.BytesIO()
        picture.save(drawn, "JPEG", quality=QUALITY, optimize=True, progressive=True)
        return drawn.getvalue()


class _Words:
    """Writes text with the subsets of a font, each character with the first that has it."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files

    def can_write(self, text: str) -> bool:
        fonts = self._fonts(FACTS_PX, MEDIUM)
        return bool(fonts) and all(_font_of(char, fonts) for char in set(text))

    def fitting(self, text: str, width: int) -> int:
        """Return the largest size (pixels) at which a text is no wider than that."""
        fonts = self._fonts(TITLE_PX, BOLD)
        needed = sum(part.getlength(text) for part, text in _runs(text, fonts))
        return max(TITLE_LEAST_PX, min(TITLE_PX, int(TITLE_PX * width / needed)))

    def write(
        self,
        drawing: ImageDraw.ImageDraw,
        baseline: int,
        text: str,
        size: int,
        weight: int,
        ink: tuple[int, int, int],
    ) -> None:
        left = float(MARGIN)
        for font, run in _runs(text, self._fonts(size, weight)):
            drawing.text((left, baseline), run, ink, font, anchor="ls")
            left += font.getlength(run)

    def _fonts(self, size: int, weight: int) -> list[Font]:
        fonts = [ImageFont.truetype(file, size) for file in self._files]
        for font in fonts:
            font.set_variation_by_axes([weight])
        return fonts


def _runs(text: str, fonts: list[Font]) -> list[tuple[Font, str]]:
    """Cut a text where the font changes."""
    runs: list[tuple[Font, str]] = []
    for char in text:
        font = _font_of(char, fonts) or fonts[0]
        if runs and runs[-1][0] is font:
            runs[-1] = (font, runs[-1][1] + char)
        else:
            runs.append((font, char))
    return runs


def _font_of(char: str, fonts: list[Font]) -> Font | None:
    """Return the first font that has a character; the others draw it like an unassigned one."""
    if char.isspace():
        return fonts[0]
    having = (font for font in fonts if font.getbbox(char) != font.getbbox(UNASSIGNED))
    return next(having, None)
