"""Whose token it is: players of an identity provider, and what a thief of the store has."""

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from redis import Redis

from service.base.base64url import encoded
from tests.e2e.documented import check_refusal
from tests.e2e.identity_provider import (
    CLIENT,
    NAME,
    OTHERS,
    OURS,
    Provider,
    challenge_of,
    identifying,
)
from tests.e2e.service import Player, Running, own_name, refusal, running, wait_until

ISSUER = "https://id.example"


@pytest.fixture(scope="module")
def provider():
    with identifying() as provider:
        yield provider


@pytest.fixture(scope="module")
def service(tmp_path_factory, provider):
    data = tmp_path_factory.mktemp("identity")
    more = {"jwks_url": f"{provider.issuer}/jwks", **provider.settings}
    with running(data, "serve", **more) as process:
        yield process


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
    name = own_name()
    first, again = [me(service, signed(sub=name, name=name)) for _ in range(2)]
    assert first.status_code == 200, first.text
    assert (first.json()["name"], first.json()["roles"]) == (name, [])
    assert first.json()["player"] == again.json()["player"]
    assert me(service, signed(sub="bob")).json()["player"] != first.json()["player"]
    assert (
        me(service, signed(sub=name, iss="https://other.example")).json()["player"]
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
    assert refusal(answer) == (401, "unauthenticated"), answer.text


def test_a_stolen_store_gives_no_token_away(service):
    with (
        Player(service.url, own_name()) as player,
        Redis(unix_socket_path=str(service.data / "log" / "redis.sock")) as store,
    ):
        kept = {
            key: fields[b"r"]
            for key in store.scan_iter(_type="stream")
            for _, fields in store.xrange(key)
        }
        record = kept[f"player:kept:{player.id}".encode()]
        mac = player.token.split(".")[2].encode()
        assert not any(mac in data for data in kept.values())
        assert me(service, f"{player.id}.1.").status_code == 401
        assert me(service, record.decode()).status_code == 401


class Visit:
    """One sign-in at the provider, as the page makes it."""

    def __init__(self, service: Running, provider: Provider, subject: str) -> None:
        self._service = service
        asked = httpx.get(f"{service.url}/sign-ins/oidc", timeout=20).json()
        assert asked["authorization_endpoint"] == f"{provider.issuer}/authorize"
        assert (asked["client_id"], asked["scope"]) == (CLIENT, "openid profile")
        assert asked["redirect_uri"] == f"{service.url}/sign-in/back"
        verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
        code = provider.code(challenge_of(verifier), nonce, asked["redirect_uri"], subject)
        self.grant = {"code": code, "verifier": verifier, "nonce": nonce}

    def sign_in(self, **changed: str) -> httpx.Response:
        hooks = {"response": [check_refusal]}
        with httpx.Client(base_url=self._service.url, event_hooks=hooks, timeout=20) as client:
            return client.post("/sign-ins/oidc", json=self.grant | changed)

    def link(self, player: Player) -> httpx.Response:
        return player.http.post("/players/me/identity", json=self.grant)


def person() -> str:
    """Return a subject whom no other test uses."""
    return f"ada-{secrets.token_hex(4)}"


def signed_in(answer: httpx.Response) -> dict:
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json()


def test_an_identity_brings_its_own_player_by_page_and_by_bearer_token(service, provider):
    ada = person()
    assert httpx.get(f"{service.url}/sign-ins").json()["provider"] == NAME
    first = signed_in(Visit(service, provider, ada).sign_in())
    assert first["name"] == ada.title()
    again = signed_in(Visit(service, provider, ada).sign_in())
    assert again["player"] == first["player"]
    own = me(service, again["token"]).json()
    assert (own["player"], own["has_identity"]) == (first["player"], True)
    bearer = me(service, signed(iss=provider.issuer, sub=ada)).json()
    assert bearer["player"] == first["player"]


def test_a_linked_identity_leads_to_its_player_until_it_is_unlinked(service, provider):
    ada = person()
    path = "/players/me/identity"
    with Player(service.url, own_name()) as player, Player(service.url, own_name("Bob")) as bob:
        assert player.get("/players/me")["has_identity"] is False
        assert player.get(path) == {"provider": NAME, "linked": None, "brought": False}
        assert Visit(service, provider, ada).link(player).status_code == 201
        assert player.get(path)["linked"] is not None
        assert player.get("/players/me")["has_identity"] is True
        assert signed_in(Visit(service, provider, ada).sign_in())["player"] == player.id
        assert me(service, signed(iss=provider.issuer, sub=ada)).json()["player"] == player.id
        taken = Visit(service, provider, ada).link(bob)
        assert refusal(taken) == (409, "identity-taken")
        assert player.http.delete(path).status_code == 204
        assert Visit(service, provider, ada).link(bob).status_code == 201
        assert signed_in(Visit(service, provider, ada).sign_in())["player"] == bob.id
        kept = bob.http.get("/players/me/export").text
        assert '"identity":{"created":' in kept
        assert ada not in kept


def test_an_identity_with_a_player_of_its_own_cannot_be_linked_to_another(service, provider):
    ada = person()
    made = signed_in(Visit(service, provider, ada).sign_in())
    with Player(service.url, own_name()) as player:
        assert refusal(Visit(service, provider, ada).link(player)) == (409, "identity-taken")
        player.http.headers["Authorization"] = f"Bearer {made['token']}"
        assert Visit(service, provider, ada).link(player).json()["brought"] is True
        assert player.http.delete("/players/me/identity").status_code == 204
    assert signed_in(Visit(service, provider, ada).sign_in())["player"] == made["player"]


@pytest.mark.parametrize("end", ["erased", "revoked"])
def test_an_identity_ends_with_its_player_and_with_all_credentials(service, provider, end):
    ada = person()
    with Player(service.url, own_name()) as player:
        assert Visit(service, provider, ada).link(player).status_code == 201
        path = {"erased": "/players/me", "revoked": "/players/me/token"}[end]
        assert player.http.delete(path).status_code == 204
        found = signed_in(Visit(service, provider, ada).sign_in())
        assert found["player"] != player.id
        assert found["player"] == signed_in(Visit(service, provider, ada).sign_in())["player"]


def test_a_code_is_used_once_and_only_with_what_the_page_kept(service, provider):
    ada = person()
    visit = Visit(service, provider, ada)
    signed_in(visit.sign_in())
    assert refusal(visit.sign_in()) == (403, "identity-refused")
    for wrong in ({"verifier": "v" * 43}, {"nonce": "n" * 16}, {"code": "invented"}):
        visit = Visit(service, provider, ada)
        assert refusal(visit.sign_in(**wrong)) == (403, "identity-refused")
        if "code" not in wrong:
            assert refusal(visit.sign_in()) == (403, "identity-refused"), "its code is used up"
    assert refusal(visit.sign_in(verifier="short")) == (400, "malformed")


@contextmanager
def telling(provider: Provider, **changed) -> Iterator[None]:
    provider.changed = changed
    try:
        yield
    finally:
        provider.changed = {}


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://other.example"},
        {"aud": "another-client"},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"exp": 1},
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"nonce": None},
    ],
    ids=lambda changed: "-".join(f"{name}" for name in changed),
)
def test_only_an_id_token_for_this_service_and_sign_in_is_accepted(service, provider, changed):
    visit = Visit(service, provider, person())
    with telling(provider, **changed):
        assert refusal(visit.sign_in()) == (403, "identity-refused")


def test_an_id_token_of_another_key_is_refused_and_a_new_key_is_found(tmp_path):
    with (
        identifying("") as provider,
        running(tmp_path, "serve", **provider.settings) as service,
    ):
        ada = person()
        first = signed_in(Visit(service, provider, ada).sign_in())
        provider.key, provider.key_id = OTHERS, "next"
        assert signed_in(Visit(service, provider, ada).sign_in())["player"] == first["player"]
        provider.key = OURS
        visit = Visit(service, provider, ada)
        assert refusal(visit.sign_in()) == (403, "identity-refused"), "another key of that name"
        configured = provider.asked.count("/.well-known/openid-configuration")
        assert configured == 1, "the configuration is cached"


def test_a_provider_that_is_down_or_inside_is_not_available(tmp_path):
    with identifying() as provider:
        provider.down = True
        for number, more in enumerate(({}, {"webhook_networks": ""})):
            data = tmp_path / str(number)
            data.mkdir()
            with running(data, "serve", **(provider.settings | more)) as service:
                path = f"{service.url}/sign-ins/oidc"
                answer = httpx.get(path, timeout=20)
                assert refusal(answer) == (503, "provider-unavailable")
                assert "Retry-After" in answer.headers
                if not more:
                    provider.down = False
                    wait_until(lambda path=path: httpx.get(path, timeout=20).status_code == 200)


def test_without_a_provider_the_service_says_so(tmp_path):
    with running(tmp_path, "serve") as service, Player(service.url) as player:
        assert player.get("/sign-ins")["provider"] is None
        assert player.get("/players/me/identity")["provider"] is None
        grant = {"code": "c", "verifier": "v" * 43, "nonce": "n" * 16}
        for answer in (
            player.http.get("/sign-ins/oidc"),
            player.http.post("/sign-ins/oidc", json=grant),
            player.http.post("/players/me/identity", json=grant),
        ):
            assert refusal(answer) == (422, "no-identity-provider")
