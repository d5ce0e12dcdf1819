"""The page of programs: tokens, bots and webhooks are made, shown once, and taken back."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.receiver import receiving
from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget


def test_a_token_is_made_for_an_app_and_revoked(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.page.goto("/")
    ada.page.get_by_role("button", name="Settings").click()
    expect(ada.page.get_by_label("Your player id")).to_have_value(ada.player.id)
    ada.page.get_by_role("link", name="Tokens, bots and webhooks").click()
    tokens = ada.page.get_by_role("region", name="Tokens for apps")
    tokens.get_by_label("What it is for").fill("Phone")
    tokens.get_by_label("manage your bots").check()
    tokens.get_by_role("button", name="Make a token").click()
    token = tokens.get_by_role("status").get_by_role("textbox").input_value()
    expect(tokens.get_by_role("listitem")).to_contain_text("manage your bots")
    headers = {"Authorization": f"Bearer {token}"}
    bots = ada.player.http.base_url.join("/bots")
    assert httpx.get(bots, headers=headers).status_code == 200
    revoke = tokens.get_by_role("button", name=": Phone")
    revoke.click()
    expect(revoke).to_contain_text("Really?")
    revoke.click()
    expect(tokens.get_by_role("listitem")).to_have_count(0)
    assert httpx.get(bots, headers=headers).status_code == 401


def test_a_bot_is_made_and_erased_in_czech(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", locale="cs-CZ").enter()
    ada.page.goto("/programs")
    bots = ada.page.get_by_role("region", name="Boti")
    bots.get_by_label("Jméno bota").fill("Hlubina")
    bots.get_by_role("button", name="Vytvořit bota").click()
    expect(bots.get_by_label("Token pro bota Hlubina")).to_be_visible()
    expect(bots.get_by_role("listitem")).to_contain_text("Hlubina")
    erase = bots.get_by_role("listitem").get_by_role("button").last
    erase.click()
    expect(erase).to_contain_text("Opravdu?")
    erase.click()
    expect(bots.get_by_role("listitem")).to_have_count(0)
    assert ada.player.get("/bots") == []


def test_a_webhook_is_made_tested_and_deleted(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada").enter()
    ada.page.goto("/programs")
    webhooks = ada.page.get_by_role("region", name="Webhooks")
    address = webhooks.get_by_label("Address to call")
    address.fill("http://10.0.0.1/")
    webhooks.get_by_role("button", name="Make a webhook").click()
    expect(webhooks.get_by_role("alert")).to_contain_text("We may not call this address")
    forget(complaints, "422")
    with receiving() as receiver:
        address.fill(receiver.url)
        webhooks.get_by_role("button", name="Make a webhook").click()
        expect(webhooks.get_by_label("Secret, to verify our messages")).to_be_visible()
        webhooks.get_by_role("button", name="Send a test").click()
        expect(webhooks.get_by_role("listitem").last).to_contain_text("answer 204")
        expect(webhooks.get_by_role("listitem").last).to_contain_text("delivered")
        assert [one.message["type"] for one in receiver.arrived] == ["test"]
    delete = webhooks.get_by_role("button", name="Delete")
    delete.click()
    webhooks.get_by_role("button", name="Really?").click()
    expect(webhooks.get_by_role("listitem")).to_have_count(0)
    assert ada.player.get("/players/me/webhooks") == []


def test_a_phone_shows_what_became_of_a_long_form(newcomer: Newcomer, complaints: list[str]):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/programs")
    tokens = page.get_by_role("region", name="Tokens for apps")
    tokens.get_by_label("What it is for").fill("Phone")
    for _ in range(2):
        tokens.get_by_role("button", name="Make a token").click()
        expect(tokens.get_by_role("status").get_by_role("textbox")).to_be_in_viewport()
        tokens.get_by_label("What it is for").fill("Tablet")
    webhooks = page.get_by_role("region", name="Webhooks")
    webhooks.get_by_label("Address to call").fill("http://10.0.0.1/")
    webhooks.get_by_role("button", name="Make a webhook").click()
    expect(webhooks.get_by_role("alert")).to_be_in_viewport()
    forget(complaints, "422")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_page_obeys_wcag(newcomer: Newcomer, size: str):
    ada = newcomer("Ada", size).enter()
    ada.player.http.post("/bots", json={"name": "Deep Ada"})
    ada.player.http.post("/tokens", json={"name": "Phone", "scopes": ["read", "play"]})
    ada.player.http.post("/players/me/webhooks", json={"url": "https://bot.example/turns"})
    ada.page.goto("/programs")
    for name in ("Deep Ada", "Phone", "https://bot.example/turns"):
        expect(ada.page.get_by_text(name, exact=True).first).to_be_visible()
    assert breaches(ada.page) == []
    wide = ada.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    small = ada.page.evaluate(
        "[...document.querySelectorAll('main button, main select, main .check, main [type=url]')]"
        ".filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)"
    )
    assert small == []
