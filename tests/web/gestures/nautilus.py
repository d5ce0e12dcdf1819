"""Moves on the board of Nautilus."""

from playwright.sync_api import expect

from tests.web.play import Person


def by_gesture(person: Person) -> None:
    """Do the first thing that the board offers: choices from left to right, then the next place."""
    page = person.page
    act = page.locator("[data-act]")
    expect(act).to_be_visible()
    for choice in (
        "[data-kind]",
        "[data-crew]",
        "[data-held]",
        "[data-piece]",
        "[data-look]",
        "[data-count]",
    ):
        if act.is_enabled():
            break
        if choice == "[data-held]" and page.locator(f"{choice}[aria-pressed=true]").count():
            continue
        if page.locator(choice).count():
            person.press(page.locator(choice).last)
    if act.is_disabled() and page.locator("[data-next]").count():
        person.press(page.locator("[data-next]"))
    if act.is_enabled():
        person.press(act)
    else:
        person.press(page.locator("[data-end]").first)
