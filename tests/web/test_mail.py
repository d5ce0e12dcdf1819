"""E-mail in the page: an address is confirmed by its link, and brings a player back."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.mail_server import PUBLIC, link_of, mail_serving
from tests.e2e.service import own_name, running_with_worker, wait_until
from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget

ADDRESS = "ada@play.example"


@pytest.fixture(scope="module")
def server():
    with mail_serving() as server:
        yield server


@pytest.fixture(scope="module")
def service(tmp_path_factory, server):
    """Run a service that sends e-mail, and its worker."""
    data = tmp_path_factory.mktemp("mail")
    with running_with_worker(data, **server.settings) as process:
        yield process


def opened(message) -> str:
    """Return the address of a link, at the service that the test runs."""
    parts = urlsplit(link_of(message))
    assert f"{parts.scheme}://{parts.netloc}" == PUBLIC
    return f"{parts.path}#{parts.fragment}"


def test_an_address_is_confirmed_chosen_and_brings_a_player_back(
    newcomer: Newcomer, server, complaints: list[str]
):
    ada = newcomer(own_name()).enter()
    ada.page.goto("/account")
    mail = ada.page.get_by_role("region", name="E-mail")
    mail.get_by_label("E-mail address").fill(ADDRESS)
    mail.get_by_role("button", name="Send me a link").click()
    expect(mail.get_by_text(f"We have sent a link to {ADDRESS}")).to_be_visible()
    (first,) = wait_until(lambda: server.to(ADDRESS))

    phone = newcomer("Phone", "phone", locale="cs-CZ", color_scheme="dark")
    phone.page.goto(opened(first))
    confirm = phone.page.get_by_role("button", name="Potvrdit adresu")
    expect(confirm).to_be_visible()
    assert "#" not in phone.page.url, "the token does not stay in the address"
    confirm.click()
    expect(phone.page.get_by_text("Adresa je potvrzená.")).to_be_visible()
    back = phone.page.get_by_role("link", name="Vracím se sem")
    expect(back).to_have_attribute("href", "/sign-in")

    expect(mail.get_by_text(f"{ADDRESS} is confirmed.")).to_be_visible()
    expect(ada.page.get_by_text("The name is yours")).to_be_visible()
    mail.get_by_label("It is my turn").check()
    mail.get_by_label("Quiet hours").check()
    mail.get_by_label("How often").select_option("At most once a day")
    mail.get_by_role("button", name="Save").click()
    expect(mail.get_by_text("Saved")).to_be_visible()
    chosen = ada.player.get("/players/me/mail")["mailbox"]
    assert (chosen["events"], chosen["pace"]) == (["turn"], "day")
    assert chosen["quiet"]["start"] == "22:00"
    assert breaches(ada.page) == []

    phone.page.goto("/sign-in")
    phone.page.get_by_label("E-mailová adresa").fill(ADDRESS)
    phone.page.get_by_role("button", name="Poslat odkaz").click()
    expect(phone.page.get_by_text("odkaz je na cestě")).to_be_visible()
    assert breaches(phone.page) == []
    assert not phone.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    _, link = wait_until(lambda: len(server.to(ADDRESS)) > 1 and server.to(ADDRESS))
    address = opened(link)
    phone.page.goto(address)
    phone.page.get_by_role("button", name="Přihlásit se").click()
    expect(phone.page.get_by_role("link", name="Účet: Ada")).to_be_visible()

    again = newcomer("Again")
    again.page.goto(address)
    again.page.get_by_role("button", name="Sign in").click()
    expect(again.page.get_by_role("alert")).to_contain_text("This link is not valid")
    expect(again.page.get_by_role("link", name="I have played here before")).to_be_visible()
    again.page.reload()
    expect(again.page.get_by_role("heading", name="A link from an e-mail")).to_be_visible()
    expect(again.page.get_by_role("link", name="I have played here before")).to_be_visible()

    mail.get_by_role("button", name="Delete the address").click()
    mail.get_by_role("button", name="Really?").click()
    expect(mail.get_by_label("E-mail address")).to_have_value("")
    forget(complaints, "403")
