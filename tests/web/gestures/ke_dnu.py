"""Moves on the board of Ke dnu."""

from tests.web.play import Person, by_list

PICKS_MAX = 12


def do(person: Person, what: str) -> bool:
    """Press what the card that is looked at offers, if it is legal."""
    button = person.page.locator(f".acts [data-do={what}].primary")
    if button.count() == 0:
        return False
    person.press(button)
    return True


def by_gesture(person: Person) -> None:
    """Draw; then lay, use and buy what is possible, discarding for it.

    Otherwise end the turn or pass.
    """
    page = person.page
    if finish(person):
        return
    match = page.url.rpartition("/")[2]
    legal = {(command["type"], command.get("card")) for command in person.player.legal(match)}
    for zone, deeds in (
        (page.get_by_role("group", name="Your board"), ("activate",)),
        (page.get_by_role("region", name="Shop"), ("buy",)),
        (page.get_by_role("group", name="Your hand"), ("play", "discard_down", "jettison")),
    ):
        for deed in deeds:
            for card in zone.locator(".usable").all():
                if (deed, card.get_attribute("data-card")) not in legal:
                    continue
                before = person.presses
                person.press(card)
                if do(person, deed):
                    choose(person)
                    return
                person.press(card)
                person.presses = before  # A look at a card is not part of the move.
    end = page.locator(".dock > .act [data-act]")
    if end.count():
        person.press(end.first)
    else:
        by_list(person)


def finish(person: Person) -> bool:
    """Press the main button where there is one thing to do."""
    page = person.page
    draw = page.locator(".act [data-act].primary, .window [data-act]")
    if draw.count() == 0 or page.locator(".plan").count():
        return False
    person.press(draw.first)
    return True


def choose(person: Person) -> None:
    """Pick what is asked for until the command is whole."""
    page = person.page
    act = page.locator(".plan [data-act]")
    for _ in range(PICKS_MAX):
        if act.count() == 0 or act.is_enabled():
            break
        wanted = page.locator(".candidate:not(.picked), .plan .choice[aria-pressed=false]")
        person.press(wanted.first)
    if act.count():
        person.press(act)
