"""Messages to a device: chosen on the page, pushed by the worker, shown by the service worker."""

import json

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.browser import Subscribed
from tests.e2e.receiver import receiving
from tests.e2e.service import wait_until
from tests.web.conftest import Newcomer

SUBSCRIBES = """
(made) => {
  const subscription = {
    endpoint: made.endpoint,
    toJSON: () => made,
    unsubscribe: async () => !localStorage.removeItem("subscribed"),
  };
  const read = async () => (localStorage.getItem("subscribed") ? subscription : null);
  PushManager.prototype.getSubscription = read;
  PushManager.prototype.subscribe = async (options) => {
    if (options.applicationServerKey.byteLength !== 65) throw new Error("not a key");
    localStorage.setItem("subscribed", "yes");
    return subscription;
  };
}
"""
"""Subscribes without the push service of a browser's maker, which tests cannot reach."""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration.getNotifications()).map(({ title, body, tag }) => [title, body, tag]);
}"""


@pytest.fixture
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


def test_a_message_is_chosen_pushed_and_shown(newcomer: Newcomer):
    with receiving() as service:
        service.answer = lambda _: 201
        browser = Subscribed(f"{service.url}/v1/ada")
        ada = newcomer("Ada", service_workers="allow", permissions=["notifications"]).enter()
        made = json.dumps({"endpoint": browser.endpoint, "keys": browser.keys})
        ada.page.add_init_script(f"({SUBSCRIBES})({made})")
        ada.page.goto("/")
        ada.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        ada.page.get_by_role("button", name="Settings").click()
        messages = ada.page.get_by_role("group", name="Notifications on this device")
        messages.get_by_label("A match starts").check()
        messages.get_by_label("Quiet hours").check()
        messages.get_by_label("Until").fill("22:00")
        messages.get_by_role("button", name="Turn notifications on").click()
        expect(messages.get_by_role("status")).to_have_text("Saved")
        (known,) = ada.player.get("/players/me/push")["subscriptions"]
        assert known["events"] == ["invitation", "match_started", "proposal", "reminder", "turn"]
        assert (known["quiet"]["start"], known["quiet"]["end"]) == ("22:00", "22:00")
        messages.get_by_role("button", name="Send a test").click()
        (test,) = wait_until(lambda: service.arrived)
        pushed = browser.read(test.body)
        deliver(ada.page.context, ada.page, json.dumps(pushed))
        wait_until(lambda: ada.page.evaluate(SHOWN))
        assert ada.page.evaluate(SHOWN) == [["Shiplog", "Messages arrive on this device.", "test"]]
        messages.get_by_role("button", name="Turn notifications off").click()
        expect(messages.get_by_role("button", name="Turn notifications on")).to_be_visible()
        assert ada.player.get("/players/me/push")["subscriptions"] == []


def deliver(context: BrowserContext, page: Page, data: str) -> None:
    """Deliver a push message to the service worker, as the browser does."""
    browser = context.new_cdp_session(page)
    found: list[str] = []

    def register(event: dict) -> None:
        found.extend(one["registrationId"] for one in event["registrations"])

    browser.on("ServiceWorker.workerRegistrationUpdated", register)
    browser.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("1") and found)
    origin = page.evaluate("location.origin")
    message = {"origin": origin, "registrationId": found[0], "data": data}
    browser.send("ServiceWorker.deliverPushMessage", message)
