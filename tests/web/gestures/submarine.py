"""Moves on the board of Submarine."""

from playwright.sync_api import Locator, expect

from tests.web.play import Person, sent, shown_version


def by_gesture(person: Person) -> None:
    """Lift the first possible token; otherwise place, sail or move as the board shows.

    Otherwise end.
    """
    page = person.page
    tokens, ways = page.locator("[data-token]"), page.locator("[data-way]")
    cells, subs = page.locator(".cell.open [data-cell]"), page.locator("[data-sub]")
    act = page.locator("[data-act]")
    version = shown_version(person)
    expect(act).to_be_visible()
    if tokens.count():
        pick(person, tokens.first)
        if act.is_disabled():
            person.press(ways.first)
    elif cells.count():
        at_edge(person, cells.first)
    elif subs.count() and not page.locator("[data-end]").count():
        pick(person, subs.first)
        at_edge(person, cells.first)
    elif page.locator("[data-off].open").count():
        person.press(page.locator("[data-off]"))
    elif page.locator("[data-card]").count():
        person.press(page.locator("[data-card]").first)
    elif page.locator("[data-end]").count():
        person.press(page.locator("[data-end]"))
        return
    if not sent(person, version):
        person.press(act)


def pick(person: Person, thing: Locator) -> None:
    """Tap the cell of a token or a submarine; if it holds several things, choose in the dock."""
    wanted = thing.get_attribute("data-token") or "sub"
    at_edge(
        person,
        thing.locator("xpath=ancestor::*[contains(@class, 'cell')][1]").locator("[data-cell]"),
    )
    offered = thing.page.locator(f"[data-inside={wanted}]")
    if offered.is_visible():
        person.press(offered)


def at_edge(person: Person, cell: Locator) -> None:
    """Tap a cell beside what lies in it."""
    person.press(cell, position={"x": 3, "y": 3})
