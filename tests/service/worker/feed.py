"""The feed of what is sent to players, a step at a time."""

from service.worker.webhook_feed import WebhookFeed


async def step(context):
    """Collect notices as a worker does that has just started."""
    feed = WebhookFeed(context)
    await feed.step()
    for queue in feed._queues.values():
        queue.empty()
