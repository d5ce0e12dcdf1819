"""Web Push reaches a player's browser through a push service, unless the page has shown it."""

import pytest

from tests.e2e.browser import Subscribed
from tests.e2e.people import app_token, using
from tests.e2e.played import start
from tests.e2e.receiver import receiving
from tests.e2e.service import Player, refusal, running, running_with_worker, wait_until

PUSH = "/players/me/push"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Run a service that pushes, and its worker."""
    folder = tmp_path_factory.mktemp("push")
    settings = {
        "webhook_networks": "127.0.0.1/32",
        "push_contact": "mailto:ops@play.example",
        "push_delay_s": "1",
    }
    with running_with_worker(folder, **settings) as service:
        yield service


@pytest.fixture
def ada(installed):
    with Player(installed.url, "Ada") as player:
        yield player


@pytest.fixture
def pushed():
    """Run a push service; yield it with a browser that it serves."""
    with receiving() as service:
        service.answer = lambda _: 201
        yield service, Subscribed(f"{service.url}/v1/{'a' * 20}")


def subscribe(player: Player, browser: Subscribed, *events: str, **more) -> dict:
    answer = player.http.post(PUSH, json=browser.wanting(*events, **more))
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_turn_is_pushed_unless_an_open_page_has_shown_it(ada, pushed):
    service, browser = pushed
    assert ada.get(PUSH)["key"]
    made = subscribe(ada, browser, "turn", "match_over", language="cs")
    assert ada.get(PUSH)["subscriptions"] == [made]
    with ada.http.stream("GET", "/players/me/stream", timeout=60) as stream:
        lines = stream.iter_lines()
        shown = start(ada)
        assert next(line for line in lines if shown in line and '"turn"' in line)
        # The note of what was shown follows the event: another event is sent after it.
        ada.do(shown, {"type": "resign"})
        assert next(line for line in lines if shown in line and '"match_over"' in line)
    away = start(ada)
    (turn,) = wait_until(lambda: [one for one in service.arrived if browser.read(one.body)])
    assert browser.read(turn.body)["url"] == f"/match/{away}"
    assert browser.read(turn.body)["body"] == "Jste na tahu."
    assert turn.headers["authorization"].startswith("vapid t=")
    ada.do(away, {"type": "resign"})
    _, over = wait_until(lambda: len(service.arrived) > 1 and service.arrived)
    assert browser.read(over.body)["tag"] == f"match_over {away}"


def test_a_test_arrives_and_a_removed_browser_gets_nothing(ada, installed, pushed):
    service, browser = pushed
    made = subscribe(ada, browser, "match_over")
    other = Subscribed(f"{service.url}/v1/other")
    kept = subscribe(ada, other, "match_over")
    assert ada.http.post(f"/push/{made['id']}/test").status_code == 204
    (test,) = wait_until(lambda: service.arrived)
    assert browser.read(test.body)["tag"] == "test"
    with Player(installed.url, "Eve") as eve:
        assert eve.get(PUSH)["subscriptions"] == []
        for method, path in (("POST", "/test"), ("DELETE", "")):
            refused = eve.http.request(method, f"/push/{made['id']}{path}")
            assert refusal(refused) == (404, "not-found")
    assert ada.http.delete(f"/push/{made['id']}").status_code == 204
    assert [one["id"] for one in ada.get(PUSH)["subscriptions"]] == [kept["id"]]
    ada.do(start(ada), {"type": "resign"})
    wait_until(lambda: len(service.arrived) > 1)
    assert [one.path for one in service.arrived[1:]] == ["/v1/other"]


def test_a_push_service_that_no_longer_knows_a_browser_is_asked_once(ada, pushed):
    service, browser = pushed
    service.answer = lambda _: 410
    subscribe(ada, browser, "match_started")
    start(ada)
    wait_until(lambda: ada.get(PUSH)["subscriptions"] == [])
    assert len(service.arrived) == 1


def test_what_cannot_be_subscribed_is_refused(ada, pushed, tmp_path):
    _, browser = pushed
    good = browser.wanting("turn")
    for change, expected in (
        ({"endpoint": "https://10.0.0.1/v1"}, (422, "bad-webhook-url")),
        ({"p256dh": "AAAA", "auth": "AAAA"}, (422, "bad-push-keys")),
        (
            {"quiet": {"start": "22:00", "end": "07:00", "zone": "Mars/Olympus"}},
            (422, "unknown-time-zone"),
        ),
        ({"quiet": {"start": "25:00", "end": "07:00", "zone": "UTC"}}, (400, "malformed")),
        ({"events": ["weather"]}, (400, "malformed")),
    ):
        assert refusal(ada.http.post(PUSH, json=good | change)) == expected
    with using(ada, app_token(ada, "read", "stream", "play")["token"]) as app:
        assert refusal(app.post(PUSH, json=good)) == (403, "missing-scope")
        assert refusal(app.get(PUSH)) == (403, "missing-scope")
    with running(tmp_path, "serve") as off, Player(off.url) as player:
        assert player.get(PUSH) == {"key": None, "subscriptions": []}
        assert refusal(player.http.post(PUSH, json=good)) == (422, "push-off")
