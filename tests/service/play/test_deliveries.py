"""When a message is tried again, when a webhook pauses, and when both are given up."""

from events.record import at_micros
from games.match.clocks import SECOND
from service.play.deliveries import FAILING_S, RETRY_S, TEST, Delivery, Health, Try

NOON = 1_700_000_000_000_000
AT = "2023-11-14T22:13:20.000000Z"


def tried(status=None, error=None, ms=5):
    return Try(AT, status, error, ms)


REFUSED, DOWN, ACCEPTED = tried(500), tried(None, "connection-failed"), tried(200)


def test_a_message_is_tried_later_and_later_and_given_up_after_ten_tries():
    delivery, now = Delivery("msg_1", "turn", AT), NOON
    for delay_s in RETRY_S:
        delivery = delivery.after(REFUSED, now)
        assert delivery.state == "waiting"
        waits = (at_micros(delivery.due) - now) / SECOND
        assert delay_s <= waits <= delay_s * 1.2
        now = at_micros(delivery.due)
    delivery = delivery.after(REFUSED, now)
    assert (delivery.state, delivery.due, len(delivery.tries)) == ("failed", None, 10)


def test_only_a_2xx_delivers():
    delivery = Delivery("msg_1", "turn", AT)
    for accepted in (200, 201, 204, 299):
        assert delivery.after(tried(accepted), NOON).state == "delivered"
    for refused in (199, 300, 301, 400, 410, 429, 500):
        assert delivery.after(tried(refused), NOON).state == "waiting"
    assert delivery.after(DOWN, NOON).state == "waiting"


def test_a_test_is_tried_once():
    assert Delivery("msg_1", TEST, AT).after(REFUSED, NOON).state == "failed"


def test_a_webhook_that_fails_pauses_longer_and_longer_up_to_two_hours():
    health, now = Health(), NOON
    pauses = []
    for _ in range(6):
        health = health.after(DOWN, now)
        pauses.append((health.soonest - now) // SECOND)
        now = health.soonest
    assert pauses == [5, 300, 1_800, 7_200, 7_200, 7_200]
    assert health.soonest_test < health.soonest, "a test need not wait"
    assert health.after(ACCEPTED, now) == Health(quick=True, last=now)


def test_a_webhook_without_success_for_three_days_is_disabled():
    health = Health().after(DOWN, NOON)
    later = NOON + FAILING_S * SECOND
    assert health.after(DOWN, later).disabled is None
    assert health.after(DOWN, later + 1).disabled == "failing"
    assert health.after(ACCEPTED, later).after(DOWN, later + SECOND).disabled is None


def test_a_receiver_that_is_gone_disables_its_webhook_until_it_is_back():
    gone = Health().after(tried(410), NOON)
    assert gone.disabled == "gone"
    assert gone.after(DOWN, NOON + FAILING_S * SECOND * 2).disabled == "gone"
    assert gone.after(ACCEPTED, NOON).disabled is None


def test_only_receivers_that_were_quick_share_a_lane():
    assert Health().lane == "slow_webhooks"
    assert Health().after(ACCEPTED, NOON).lane == "webhooks"
    assert Health().after(tried(200, ms=3_001), NOON).lane == "slow_webhooks"
    assert Health().after(ACCEPTED, NOON).after(DOWN, NOON).lane == "slow_webhooks"
