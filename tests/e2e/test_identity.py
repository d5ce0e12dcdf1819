"""Whose token it is: players of an identity provider, and what a thief of the store has."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from redis import Redis

from service.base.base64url import encoded
from tests.e2e.service import Player, running

OURS, OTHERS = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
ISSUER = "https://id.example"


class Provider(BaseHTTPRequestHandler):
    """Publishes the provider's key."""

    def do_GET(self):
        key = jwt.algorithms.RSAAlgorithm.to_jwk(OURS.public_key(), as_dict=True)
        body = json.dumps({"keys": [{**key, "kid": "k", "use": "sig", "alg": "RS256"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):  # noqa: A002 - as the base class calls it
        """Log nothing."""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/jwks"
        with running(tmp_path_factory.mktemp("identity"), "serve", jwks_url=url) as process:
            yield process
        server.shutdown()
        thread.join()


def claims(**changed) -> dict:
    now = int(time.time())
    return {
        "iss": ISSUER, "sub": "ada", "aud": "shiplog", "exp": now + 3_600, "name": "Ada", **changed,
    }  # fmt: skip


def signed(key=OURS, algorithm="RS256", **changed) -> str:
    without_none = {name: value for name, value in claims(**changed).items() if value is not None}
    return jwt.encode(without_none, key, algorithm, headers={"kid": "k"})


def me(service, token: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{service.url}/players/me", headers=headers, timeout=20)


def test_a_player_of_the_provider_is_the_same_each_time(service):
    first, again = me(service, signed()), me(service, signed(exp=int(time.time()) + 60))
    assert first.status_code == 200, first.text
    assert (first.json()["name"], first.json()["roles"]) == ("Ada", [])
    assert first.json()["player"] == again.json()["player"]
    assert me(service, signed(sub="bob")).json()["player"] != first.json()["player"]
    assert (
        me(service, signed(iss="https://other.example")).json()["player"]
        != (first.json()["player"])
    )


def public_pem() -> bytes:
    return OURS.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def confused() -> str:
    """Sign with the public key as if it were a shared secret (RFC 8725, 2.1)."""
    import hmac

    def text(part: dict) -> str:
        return encoded(json.dumps(part).encode())

    body = f"{text({'alg': 'HS256', 'typ': 'JWT', 'kid': 'k'})}.{text(claims())}"
    mac = hmac.digest(public_pem(), body.encode(), "sha256")
    return f"{body}.{encoded(mac)}"


@pytest.mark.parametrize(
    "token",
    [
        lambda: signed(aud="another-app"),
        lambda: signed(exp=int(time.time()) - 60),
        lambda: signed(exp=None),
        lambda: signed(sub=None),
        lambda: signed(iss=None),
        lambda: signed(key=OTHERS),
        lambda: jwt.encode(claims(), None, algorithm="none", headers={"kid": "k"}),
        confused,
        lambda: signed()[:-4] + "AAAA",
        lambda: "a.b.c",
    ],
    ids=[
        "audience", "expired", "no-expiry", "no-subject", "no-issuer", "another-key", "unsigned",
        "public-key-as-secret", "signature", "garbage",
    ],
)  # fmt: skip
def test_only_the_providers_own_tokens_are_taken(service, token):
    answer = me(service, token())
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), answer.text


def test_a_stolen_store_gives_no_token_away(service):
    with (
        Player(service.url) as player,
        Redis(unix_socket_path=str(service.data / "log" / "redis.sock")) as store,
    ):
        record = store.get(f"player:{player.id}")
        assert isinstance(record, bytes)
        mac = player.token.split(".")[2]
        for key in store.scan_iter(_type="string"):
            assert mac.encode() not in (store.get(key) or b"")
        assert me(service, f"{player.id}.1.").status_code == 401
        assert me(service, record.decode()).status_code == 401
