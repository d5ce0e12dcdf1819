"""Ways back to a player: codes, devices and passkeys in the page, on two devices."""

import re

from playwright.sync_api import expect

from tests.e2e.service import Running, own_name
from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget
from tests.web.play import Person, seated


def test_a_player_moves_to_a_phone_loses_it_and_comes_back(
    newcomer: Newcomer, complaints: list[str]
):
    ada = newcomer(own_name()).enter()
    ada.page.goto("/")
    ada.page.get_by_role("link", name="Account: Ada").click()
    move = ada.page.get_by_role("region", name="Move to my phone")
    move.get_by_role("button", name="Show a code").click()
    expect(move.get_by_role("img", name="QR code").locator("svg")).to_be_visible()
    code = move.locator("output").inner_text()

    phone = newcomer("Phone", "phone", locale="cs-CZ")
    phone.page.goto(f"/move#{code}")
    expect(phone.page.get_by_label("Kód")).to_have_value(code)
    assert "#" not in phone.page.url, "the code does not stay in the address"
    phone.page.get_by_role("button", name="Přihlásit se").click()
    expect(phone.page.get_by_role("link", name="Účet: Ada")).to_be_visible()
    expect(ada.page.get_by_role("status").get_by_text("A new device is signed in")).to_be_visible()
    expect(move.locator("output")).to_have_count(0)

    recovery = ada.page.get_by_role("region", name="Recovery code")
    recovery.get_by_role("button", name="Make a recovery code").click()
    kept = recovery.locator("output").inner_text()
    assert re.fullmatch(r"(\w{5}-){3}\w{5}", kept)
    assert breaches(ada.page) == []
    phone.page.goto("/account")
    expect(phone.page.get_by_text("Tohle zařízení")).to_be_visible()
    assert breaches(phone.page) == []
    assert not phone.page.evaluate("document.documentElement.scrollWidth > innerWidth")

    devices = ada.page.get_by_role("region", name="Devices")
    expect(devices.get_by_role("listitem")).to_have_count(2)
    other = devices.get_by_role("listitem").filter(has_not_text="This device")
    other.get_by_role("button", name="Sign out").last.click()
    come_back(phone, kept)
    forget(complaints, "401", "403")


def come_back(phone: Person, code: str) -> None:
    """Sign in on a phone that was signed out, with a recovery code."""
    expect(phone.page.get_by_role("heading", name="Vítejte na palubě")).to_be_visible()
    expect(phone.page.get_by_text("Na tomhle zařízení jste odhlášeni.")).to_be_visible()
    phone.page.get_by_role("link", name="Vracím se sem").click()
    field = phone.page.get_by_label("Kód")
    field.fill("AAAAA-AAAAA-AAAAA-AAAAA")
    phone.page.get_by_role("button", name="Přihlásit se").click()
    expect(phone.page.get_by_role("alert")).to_contain_text("Tenhle kód neplatí")
    field.fill(code.lower())
    phone.page.get_by_role("button", name="Přihlásit se").click()
    expect(phone.page.get_by_role("heading", name="Vítejte zpátky, Ada")).to_be_visible()
    assert phone.page.locator("output").inner_text() != code
    phone.page.get_by_role("link", name="Pokračovat").click()
    expect(phone.page).to_have_url("/account")
    expect(phone.page.get_by_role("link", name="Účet: Ada")).to_be_visible()


def test_a_code_is_printed_in_ink_whatever_the_theme(newcomer: Newcomer):
    page = newcomer("Inka", color_scheme="dark").enter().page
    page.goto("/account")
    page.locator("html").evaluate("root => { root.dataset.theme = 'dark'; }")
    page.get_by_role("button", name="Make a recovery code").click()
    code = page.locator("output").first
    expect(code).to_have_css("color", "rgb(233, 238, 240)")
    page.emulate_media(media="print")
    expect(code).to_have_css("color", "rgb(20, 38, 44)")


def test_a_player_signs_in_with_a_passkey(
    newcomer: Newcomer, service: Running, complaints: list[str]
):
    greta = own_name("Greta")
    page = newcomer(greta, base_url=service.url.replace("127.0.0.1", "localhost")).page
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto("/")
    page.get_by_label("Your name").fill(greta)
    page.get_by_role("button", name="Come aboard").click()
    page.get_by_role("link", name=f"Account: {greta}").click()
    passkeys = page.get_by_role("region", name="Passkeys")
    passkeys.get_by_role("button", name="Make a passkey").click()
    name = passkeys.get_by_label("Made")
    expect(name).to_have_value("Chrome (Linux)")
    name.fill("My laptop")
    name.blur()
    expect(passkeys.get_by_role("button", name=": My laptop")).to_be_visible()
    passkeys.get_by_role("button", name="Make a passkey").click()
    expect(passkeys.get_by_role("alert")).to_have_text(
        "This device has a passkey of yours already."
    )

    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("region", name="Devices").get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="I have played here before").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("link", name=f"Account: {greta}")).to_be_visible()
    page.get_by_role("link", name=f"Account: {greta}").click()
    passkeys.get_by_role("button", name=": My laptop").click()
    passkeys.get_by_role("button", name="Really?").click()
    expect(passkeys.get_by_role("listitem")).to_have_count(0)
    forget(complaints, "401")


def test_a_way_back_is_offered_after_a_match_to_who_has_none(ada: Person, newcomer: Newcomer):
    bob = newcomer(own_name("Bob")).enter()
    match = seated([ada, bob], "tranquility")
    for person in (ada, bob):
        person.player.do(match, {"type": "resign"})
    bob.player.http.post("/players/me/recovery-code")
    for person in (ada, bob):
        person.open(match)
        expect(person.result).to_be_visible()
    offer = ada.page.get_by_role("complementary", name="Keep my seat")
    expect(offer).to_be_visible()
    offer.get_by_role("link", name="Keep my seat").click()
    expect(ada.page.get_by_role("region", name="Recovery code")).to_be_visible()
    expect(bob.page.get_by_role("complementary", name="Keep my seat")).to_have_count(0)
