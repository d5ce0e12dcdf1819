"""The colours of the page: texts can be read, and the colour-blind tell apart what must be."""

import re
from itertools import combinations
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "web" / "src"
VARIABLE = re.compile(
    r"--([\w-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));"
)
CHOSEN = re.compile(r'\[aria-(?:pressed|selected|expanded)="true"\][^{}]*\{([^}]*)\}')
"""The style of what is chosen."""
EDGE = re.compile(r"border-color: var\(--([\w-]+)\)")
SEAT = re.compile(r"\.seat-(\d) \.(?:hull|body) \{\s*fill: (#[0-9a-f]{6});")
TEXT_RATIO = 4.5
"""WCAG 2.2, 1.4.3: least contrast of a text with its ground."""
SHAPE_RATIO = 3.0
"""WCAG 2.2, 1.4.11: least contrast of what tells a state."""
APART = 9.0
"""Least distance in OKLab, times 100, of colours that must be told apart."""
SEES = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of linear red, green and blue (Machado, Oliveira and Fernandes, 2009)."""
TEXTS = {
    "paper": ("ink", "quiet", "link", "mark", "danger", "good"),
    "ground": ("ink", "quiet", "link", "danger", "good"),
    "deep": ("on-deep",),
    "deep-2": ("on-deep",),
    "primary": ("on-primary",),
    "signal": ("on-signal",),
}
"""The colours of texts, by ground."""
MEANINGS = (("signal", "primary"), ("signal", "mark"), ("danger", "good"), ("mark", "good"))
"""Colours that say different things, each beside a word or a shape."""

Colour = tuple[float, float, float]


def palette(theme: str) -> dict[str, str]:
    """Return the colours of the page in a theme, by name."""
    found = VARIABLE.findall((SRC / "ui" / "base.css").read_text())
    return {
        name: both or (light if theme == "light" else dark) for name, light, dark, both in found
    }


def seats(drawing: str) -> dict[str, str]:
    """Return the colours of the seats in a drawing."""
    return dict(SEAT.findall((SRC / "boards" / drawing).read_text()))


def linear(colour: str) -> Colour:
    """Return linear red, green and blue, from 0 to 1."""
    r, g, b = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(r), _linear(g), _linear(b)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def times(matrix: tuple[tuple[float, float, float], ...], colour: Colour) -> Colour:
    x, y, z = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return x, y, z


def contrast(one: str, other: str) -> float:
    """Return the ratio of luminances, as WCAG defines it."""
    weights = (0.2126, 0.7152, 0.0722)
    low, high = sorted(
        sum(a * b for a, b in zip(weights, linear(each), strict=True)) for each in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def oklab(colour: Colour) -> Colour:
    """Return a linear colour in OKLab (Ottosson, 2020)."""
    to_lms = (
        (0.4122214708, 0.5363325363, 0.0514459929),
        (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005),
    )
    to_lab = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    l, m, s = (max(0.0, part) ** (1 / 3) for part in times(to_lms, colour))
    return times(to_lab, (l, m, s))


def distance(one: str, other: str, eyes: str) -> float:
    """Return how far two colours are apart for somebody's eyes."""
    a, b = (oklab(times(SEES[eyes], linear(each))) for each in (one, other))
    return 100 * sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


def test_distances_are_those_of_known_colours():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert distance("#000000", "#ffffff", "everybody") == pytest.approx(100, abs=0.1)
    assert distance("#ff0000", "#808000", "deuteranopia") < distance(
        "#ff0000", "#808000", "everybody"
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read_on_their_grounds(theme: str):
    colours = palette(theme)
    faint = {
        (text, ground): round(ratio, 2)
        for ground, texts in TEXTS.items()
        for text in texts
        if (ratio := contrast(colours[text], colours[ground])) < TEXT_RATIO
    }
    assert faint == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_edge_of_what_is_chosen_is_seen_where_the_ground_is_nearly_that_of_the_rest(theme: str):
    colours = palette(theme)
    styles = [
        (path.name, style)
        for path in (*SRC.rglob("*.svelte"), *SRC.rglob("*.css"))
        for style in CHOSEN.findall(path.read_text())
        if "background: var(--deep-2)" in style
    ]
    assert {name for name, _ in styles} == {"base.css", "Why.svelte"}
    faint = [
        name
        for name, style in styles
        if not (edge := EDGE.search(style))
        or contrast(colours[edge[1]], colours["paper"]) < SHAPE_RATIO
    ]
    assert faint == []


@pytest.mark.parametrize("eyes", SEES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_that_mean_different_things_are_told_apart(theme: str, eyes: str):
    colours = palette(theme)
    near = {
        pair: round(apart, 1)
        for pair in MEANINGS
        if (apart := distance(*(colours[name] for name in pair), eyes)) < APART
    }
    assert near == {}


@pytest.mark.parametrize("eyes", SEES)
@pytest.mark.parametrize("drawing", ["submarine/Vessel.svelte", "nautilus/Piece.svelte"])
def test_the_seats_are_told_apart(drawing: str, eyes: str):
    found = seats(drawing)
    assert len(found) >= 4
    near = {
        (one, other): round(apart, 1)
        for one, other in combinations(found, 2)
        if (apart := distance(found[one], found[other], eyes)) < APART
    }
    assert near == {}
