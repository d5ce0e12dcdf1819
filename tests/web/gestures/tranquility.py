"""Moves on the board of Tranquility."""

from playwright.sync_api import Locator

from tests.web.play import Person, by_list, sent, shown_version

HALF = "4"
"""Half of the Start's price is what one of two gives."""


def fairly(person: Person) -> None:
    """Pledge half of the price; otherwise go by the list."""
    pledge = person.page.get_by_role("group", name="How many").get_by_role("button", name=HALF)
    if not pledge.is_visible():
        by_list(person, {"count": HALF})
        return
    pick(person, pledge)
    from_hand = person.page.get_by_role("group", name="unseen from my pile")
    if from_hand.is_visible():
        pick(person, from_hand.get_by_role("button", name="no"))
    if person.page.locator("[data-act]").is_enabled():
        person.press(person.page.locator("[data-act]"))


def by_gesture(person: Person) -> None:
    """Lay the first card that fits, paying as needed; otherwise give cards, or go by the list."""
    page = person.back().page
    lay = page.get_by_role("button", name="Lay a card")
    if lay.is_visible() and lay.get_attribute("aria-pressed") != "true":
        person.press(lay)
    usable = page.locator("[data-hand] [data-card]:enabled:not(.dim)")
    if usable.count() == 0:
        fairly(person)
        return
    version = shown_version(person)
    pick(person, usable.first)
    cells = page.locator("[data-cell].open")
    if cells.count() > 0:
        person.press(cells.first)
        if not sent(person, version):
            name_a_wild(person)
    give(person, version)


def pick(person: Person, thing: Locator) -> None:
    """Pick a thing that is not picked yet: from a try before, or since there is no other."""
    if thing.get_attribute("aria-pressed") != "true":
        person.press(thing)


def give(person: Person, version: int) -> None:
    """Pick cards until there are enough, and send them."""
    act = person.page.locator("[data-act]")
    while not sent(person, version) and act.is_disabled():
        person.press(person.page.locator("[data-card][aria-pressed=false]:enabled:not(.dim)").first)
    if not sent(person, version):
        person.press(act)


def name_a_wild(person: Person) -> None:
    """Choose the number of a wild card, if it could have several, and lay the card."""
    numbers = person.page.get_by_role("group", name="As number")
    if not numbers.is_visible():
        return
    choice = numbers.get_by_role("combobox")
    if choice.count():
        person.choose(choice, 1)
    else:
        person.press(numbers.get_by_role("button").first)
    person.press(person.page.locator("[data-cell].open").first)
