"""Draw an analysis as an SVG that is self-contained, for screens, screen readers and printers.

Each team has its own colour and dash, so that nothing depends on colour alone. A curve has a point
at every decision. It falls where a loss was upheld, and ends in the result of the match.

The web client shows the same picture. It restyles `ink`, `grid` and `paper` to its theme, hides
`caption` and `legend`, which are in English, and says the same in its own language.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from replay.analysis import Analysis, Band, Mistake, Point

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 130, 40, 48
STEP = 0.3
"""Distance from a decision that lost to the point before it, as a part of one version."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""By team, distinct for most colour-blind people too (Okabe and Ito)."""
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")
MARKS = {"blunder": "✕", "mistake": "◆", "inaccuracy": "▲"}
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 1_000_000)
TICKS_MAX = 10
INK, GRID, PAPER = "#222222", "#dddddd", "#ffffff"


class Frame(NamedTuple):
    """Map versions and shares to places in the picture."""

    last: int
    """Highest version."""

    def x(self, version: float) -> float:
        """Return the x coordinate of a version, in user units."""
        return round(LEFT + version / max(1, self.last) * (WIDTH - LEFT - RIGHT), 1)

    def y(self, share: float) -> float:
        """Return the y coordinate of a share."""
        return round(TOP + (1 - share) * (HEIGHT - TOP - BOTTOM), 1)


def chart(analysis: Analysis) -> bytes:
    """Draw the curves of an analysis."""
    frame = Frame(analysis.version + 1)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "role": "img",
            "aria-labelledby": "analysis-title analysis-description",
            "font-family": "sans-serif",
            "font-size": "12",
        },
    )
    SubElement(
        root, "title", {"id": "analysis-title"}
    ).text = f"Chances of winning: {analysis.match}"
    description = SubElement(root, "desc", {"id": "analysis-description"})
    description.text = " ".join(_told(analysis))
    SubElement(root, "rect", {"class": "paper", "width": "100%", "height": "100%", "fill": PAPER})
    _axes(root, frame)
    _open_cards(root, frame, analysis)
    for team, seats in enumerate(analysis.teams):
        points = [point for point in analysis.points if point.team == team]
        if points:
            _curve(root, frame, team, [*_places(analysis, points)])
        _legend(root, team, seats)
    _marks(root, len(analysis.teams))
    places = {point.v: point for point in analysis.points}
    for mistake in analysis.mistakes:
        _mark(root, frame, places[mistake.v], mistake)
    return tostring(root, encoding="utf-8")


def _told(analysis: Analysis) -> Iterator[str]:
    """Yield a description of the picture, in sentences."""
    yield (
        "Shares of games that the game's own bots win from each decision on, "
        "with two standard errors either way."
    )
    for team, seats in enumerate(analysis.teams):
        points = [point for point in analysis.points if point.team == team]
        if points:
            first, last = points[0].before.mean, points[-1].drawn.mean
            yield (
                f"{_name(seats)}: from {first:.0%} at version {points[0].v} "
                f"to {last:.0%} at version {points[-1].v}."
            )
    for mistake in analysis.mistakes:
        yield f"{_sentence(mistake)}."
    turning = analysis.turning_point
    yield (
        "No decision was shown to cost games."
        if turning is None
        else f"Turning point: version {turning.v}."
    )
    if analysis.open_cards is not None:
        to = analysis.open_cards.to
        border = "was never shown" if to is None else f"was there up to version {to}"
        yield f"With all cards known, a win {border}."


def _sentence(mistake: Mistake) -> str:
    return (
        f"{mistake.label.capitalize()} of seat {mistake.seat} at version {mistake.v}: "
        f"{mistake.better.gain:.0%} lost"
    )


def _name(seats: Sequence[int]) -> str:
    return f"Seat {seats[0]}" if len(seats) == 1 else f"Seats {', '.join(map(str, seats))}"


def _axes(root: Element, frame: Frame) -> None:
    for percent in range(0, 101, 25):
        y = frame.y(percent / 100)
        _line(root, (LEFT, y), (WIDTH - RIGHT, y), {"class": "grid", "stroke": GRID})
        _text(root, (LEFT - 6, y + 4), f"{percent} %", {"text-anchor": "end"})
    step = next(step for step in TICKS if frame.last / step <= TICKS_MAX)
    for version in range(0, frame.last + 1, step):
        _text(
            root, (frame.x(version), HEIGHT - BOTTOM + 18), str(version), {"text-anchor": "middle"}
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    _caption(root, (middle, HEIGHT - 10), "version", {"text-anchor": "middle"})
    _caption(root, (LEFT, 22), "Chance of winning", {"font-weight": "bold"})


def _open_cards(root: Element, frame: Frame, analysis: Analysis) -> None:
    if analysis.open_cards is None or analysis.open_cards.to is None:
        return
    x = frame.x(analysis.open_cards.to)
    look = {"class": "ink", "stroke": INK, "stroke-dasharray": "1 4"}
    _line(root, (x, TOP), (x, HEIGHT - BOTTOM), look)
    _caption(root, (x + 4, TOP - 4), "all cards known: winnable up to here", {"font-size": "10"})


def _places(analysis: Analysis, points: Sequence[Point]) -> Iterator[tuple[float, Band]]:
    """Yield the versions and chances of a team's curve."""
    for point in points:
        if point.decision:
            yield point.v - STEP, point.before
        yield point.v, point.after
    if analysis.winners is not None:
        yield analysis.version, points[-1].drawn


def _curve(root: Element, frame: Frame, team: int, versions: Sequence[tuple[float, Band]]) -> None:
    places = [(frame.x(version), band) for version, band in versions]
    colour = COLOURS[team % len(COLOURS)]
    edge = [(x, frame.y(band.high)) for x, band in places]
    edge += [(x, frame.y(band.low)) for x, band in reversed(places)]
    SubElement(
        root,
        "polygon",
        {"points": _path(edge), "fill": colour, "fill-opacity": "0.15", "stroke": "none"},
    )
    SubElement(
        root,
        "polyline",
        {
            "points": _path([(x, frame.y(band.mean)) for x, band in places]),
            "fill": "none",
            "stroke": colour,
            "stroke-width": "2",
            "stroke-dasharray": DASHES[team % len(DASHES)] or "none",
        },
    )


def _legend(root: Element, team: int, seats: Sequence[int]) -> None:
    """Draw a team's entry; its line starts at the origin so that a page can `use` it elsewhere."""
    place = f"translate({WIDTH - RIGHT + 12} {TOP + 18 * team + 8})"
    entry = SubElement(root, "g", {"class": "legend", "transform": place})
    look = {
        "id": f"analysis-team-{team}",
        "stroke": COLOURS[team % len(COLOURS)],
        "stroke-width": "2",
        "stroke-dasharray": DASHES[team % len(DASHES)] or "none",
    }
    _line(entry, (0, 0), (30, 0), look)
    _text(entry, (36, 4), _name(seats), {})


def _marks(root: Element, teams: int) -> None:
    entries = SubElement(root, "g", {"class": "legend"})
    for row, (label, mark) in enumerate(MARKS.items()):
        y = TOP + 18 * (teams + row) + 24
        _text(entries, (WIDTH - RIGHT + 27, y), mark, {"text-anchor": "middle"})
        _text(entries, (WIDTH - RIGHT + 48, y), label, {})


def _mark(root: Element, frame: Frame, point: Point, mistake: Mistake) -> None:
    at = (frame.x(point.v), frame.y(point.after.mean) + 4)
    mark = _text(
        root,
        at,
        MARKS[mistake.label],
        {"text-anchor": "middle", "font-size": "14", "stroke": PAPER, "stroke-width": "0.5"},
    )
    SubElement(mark, "title").text = _sentence(mistake)


def _line(
    root: Element, start: tuple[float, float], end: tuple[float, float], look: dict[str, str]
) -> None:
    ends = {"x1": str(start[0]), "y1": str(start[1]), "x2": str(end[0]), "y2": str(end[1])}
    SubElement(root, "line", {**ends, **look})


def _caption(root: Element, at: tuple[float, float], text: str, look: dict[str, str]) -> None:
    _text(root, at, text, {"class": "caption", **look})


def _text(root: Element, at: tuple[float, float], text: str, look: dict[str, str]) -> Element:
    place = {"x": str(at[0]), "y": str(at[1])}
    made = SubElement(root, "text", {"class": "ink", "fill": INK, **place, **look})
    made.text = text
    return made


def _path(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)
