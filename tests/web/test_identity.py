"""An identity provider in the page: an identity is linked, and brings its player back."""

import pytest
from playwright.sync_api import expect

from tests.e2e.identity_provider import NAME, identifying
from tests.e2e.service import own_name, running
from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget


@pytest.fixture(scope="module")
def provider():
    with identifying() as provider:
        yield provider


@pytest.fixture(scope="module")
def service(tmp_path_factory, provider):
    """Run a service that knows the provider."""
    data = tmp_path_factory.mktemp("identity")
    with running(data, "serve", **provider.settings) as process:
        yield process


def test_an_identity_is_linked_brings_its_player_back_and_is_unlinked(
    newcomer: Newcomer, complaints: list[str]
):
    ada = newcomer(own_name()).enter()
    ada.page.goto("/account")
    card = ada.page.get_by_role("region", name="Sign in with another account")
    expect(card).to_be_visible()
    assert breaches(ada.page) == []
    card.get_by_role("button", name=f"Link {NAME}").click()
    ada.page.get_by_role("link", name="Continue as Ada").click()
    expect(card.get_by_text("You can sign in with another account.")).to_be_visible()
    assert ada.page.url.endswith("/account"), "the code does not stay in the address"

    phone = newcomer("Phone", "phone", locale="cs-CZ", color_scheme="dark")
    phone.page.goto("/sign-in")
    enter = phone.page.get_by_role("button", name=f"Přihlásit se přes {NAME}")
    expect(enter).to_be_visible()
    assert breaches(phone.page) == []
    assert not phone.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    enter.click()
    proceed = phone.page.get_by_role("link", name="Continue as Ada")
    expect(proceed).to_be_visible()
    address = proceed.get_attribute("href")
    assert address is not None
    proceed.click()
    expect(phone.page.get_by_role("link", name="Účet: Ada")).to_be_visible()
    assert "code=" not in phone.page.url

    thief = newcomer("Thief")
    thief.page.goto(address)
    expect(thief.page.get_by_role("alert")).to_contain_text("The sign-in did not come through")
    assert "code=" not in thief.page.url
    thief.page.get_by_role("link", name="Try again").click()
    expect(thief.page.get_by_role("button", name=f"Sign in with {NAME}")).to_be_visible()

    ada.page.goto("/account")
    card.get_by_role("button", name="Unlink").click()
    card.get_by_role("button", name="Really?").click()
    expect(card.get_by_role("button", name=f"Link {NAME}")).to_be_visible()
    assert ada.player.get("/players/me")["has_identity"] is False


def test_a_provider_that_is_down_is_told_in_the_page(
    newcomer: Newcomer, provider, complaints: list[str]
):
    ada = newcomer(own_name())
    ada.page.goto("/sign-in")
    enter = ada.page.get_by_role("button", name=f"Sign in with {NAME}")
    enter.click()
    proceed = ada.page.get_by_role("link", name="Continue as Ada")
    expect(proceed).to_be_visible()
    provider.down = True
    try:
        proceed.click()
        expect(ada.page.get_by_role("alert")).to_contain_text("cannot be asked now")
    finally:
        provider.down = False
    forget(complaints, "503")
