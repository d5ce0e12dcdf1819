"""Clients for the generated calls, each with patience and, if wished, with receipts."""

from typing import Any

import httpx

from shiplog_client.generated.client import AuthenticatedClient, Client
from shiplog_client.patience import Patience
from shiplog_client.receipts import Receipts
from shiplog_client.transport import PatientTransport

TIMEOUT = httpx.Timeout(30)


def connect(
    url: str,
    token: str,
    *,
    patience: Patience = Patience(),  # noqa: B008 - a frozen value
    receipts: Receipts | None = None,
) -> AuthenticatedClient:
    """Return a client for the player with a token.

    Requests that fail in passing are sent again. All receipts in the answers are kept in
    `receipts`.
    """
    return AuthenticatedClient(
        base_url=url, token=token, timeout=TIMEOUT, httpx_args=_arguments(patience, receipts)
    )


def anonymous(url: str, *, patience: Patience = Patience()) -> Client:  # noqa: B008
    """Return a client without a token: to register a player and to read what is public."""
    return Client(base_url=url, timeout=TIMEOUT, httpx_args=_arguments(patience, None))


def _arguments(patience: Patience, receipts: Receipts | None) -> dict[str, Any]:
    return {"transport": PatientTransport(patience, receipts)}
