"""Moves on the board of Captain Sonar."""

from tests.web.play import Person, by_list, sent, shown_version


def at_post(person: Person) -> None:
    """Do what the shown sheet offers: a start, a course, a mark, a symbol; else go by the list."""
    page = person.page
    offered = (
        "[data-gauge].open",
        "[data-symbol].open",
        "[data-way]:not([aria-disabled=true])",
    )
    for choice in offered:
        if page.locator(choice).count():
            person.press(page.locator(choice).first)
            return
    act = page.locator("[data-act]")
    if act.count() == 0:
        by_list(person)
        return
    version = shown_version(person)
    if page.locator("[data-cell].open").count():
        person.press(page.locator("[data-cell].open").first)
    if sent(person, version):
        return
    if act.is_disabled():
        by_list(person)
    else:
        person.press(act)
