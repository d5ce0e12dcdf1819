"""Names that are a player's own, in the page: refused to others, replaced by a tap, and marked."""

from playwright.sync_api import expect

from tests.e2e.service import own_name
from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget


def test_a_name_that_is_somebodys_own_is_replaced_by_a_tap_and_the_owner_is_marked(
    newcomer: Newcomer, complaints: list[str]
):
    name = own_name()
    guest, owner = newcomer(name, "phone").enter(), newcomer(name).enter()
    assert owner.player.http.post("/players/me/recovery-code").status_code == 201
    match = owner.player.open_match("submarine")
    owner.player.do(match, {"type": "take_seat", "seat": 0})

    stranger = newcomer("Stranger", "phone", locale="cs-CZ")
    page = stranger.page
    page.goto("/")
    page.get_by_label("Vaše jméno").fill(name.upper())
    page.get_by_role("button", name="Na palubu").click()
    expect(page.get_by_role("alert")).to_contain_text("Tohle jméno už patří jinému hráči.")
    assert breaches(page) == []
    page.get_by_role("button", name=f"Hrát jako {name.upper()} 2").click()
    expect(page.get_by_role("link", name=f"Účet: {name.upper()} 2")).to_be_visible()
    expect(page.get_by_text(f"{name} ✓").first).to_be_visible()

    page = guest.page
    page.goto(f"/player/{owner.player.id}")
    expect(page.get_by_role("heading", name=f"{name} ✓")).to_be_visible()
    page.goto("/account")
    alert = page.get_by_role("alert").filter(has_text="This name belongs to another player.")
    recovery = page.get_by_role("region", name="Recovery code")
    recovery.get_by_role("button", name="Make a recovery code").click()
    expect(recovery.get_by_role("alert")).to_contain_text("Your name belongs to another player.")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    alert.get_by_role("button", name=f"Play as {name} 2").click()
    expect(page.get_by_role("heading", name=f"{name} 2")).to_be_visible()
    recovery.get_by_role("button", name="Make a recovery code").click()
    expect(recovery.locator("output")).to_be_visible()
    expect(page.get_by_text("The name is yours")).to_be_visible()
    forget(complaints, "409")
