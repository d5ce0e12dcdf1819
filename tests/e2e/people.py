"""What players have besides their seats: bots, tokens of apps, and ways to sign in."""

from contextlib import contextmanager

import httpx

from tests.e2e.documented import check_refusal
from tests.e2e.service import Player

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0"


@contextmanager
def using(player: Player, token: str):
    with httpx.Client(
        base_url=player.http.base_url,
        headers={"Authorization": f"Bearer {token}"},
        event_hooks=player.http.event_hooks,
        timeout=60,
    ) as http:
        yield http


def app_token(player: Player, *scopes: str, **more) -> dict:
    body = {"name": "my app", "scopes": list(scopes), **more}
    answer = player.http.post("/tokens", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def bot_of(player: Player, name: str = "Robot") -> dict:
    answer = player.http.post("/bots", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()


@contextmanager
def stranger(service):
    """Open a client without a token."""
    hooks = {"response": [check_refusal]}
    agent = {"User-Agent": FIREFOX}
    with httpx.Client(base_url=service.url, headers=agent, event_hooks=hooks, timeout=60) as client:
        yield client


def sign_in(client: httpx.Client, way: str, body: dict) -> dict:
    answer = client.post(f"/sign-ins/{way}", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json()


def status(service, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{service.url}/players/me", headers=headers, timeout=20).status_code
