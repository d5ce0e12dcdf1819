"""A typed client for Shiplog, sync and async. The README shows how to use it.

The calls in `shiplog_client.generated.api` and the models in `shiplog_client.generated.models` are
generated from the OpenAPI document of the service. This package adds what a document cannot say:
retries, receipts, refusals as exceptions, and streams that resume.
"""

from shiplog_client.connection import anonymous, connect
from shiplog_client.patience import Patience
from shiplog_client.receipts import Receipt, Receipts
from shiplog_client.refusal import Refusal, accepted
from shiplog_client.stream import (
    PlacedNotice,
    follow,
    follow_async,
    follow_notices,
    follow_notices_async,
)

__all__ = [
    "Patience",
    "PlacedNotice",
    "Receipt",
    "Receipts",
    "Refusal",
    "accepted",
    "anonymous",
    "connect",
    "follow",
    "follow_async",
    "follow_notices",
    "follow_notices_async",
]
