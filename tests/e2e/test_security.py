"""What keeps out who should not be in: tokens that end, limits, headers, origins."""

import httpx
import msgspec
import pytest

from tests.e2e.service import Player, Running, refusal, running, wait_until

ORIGIN = "https://play.example"
WAIT_S = 60


def made(service: Running, *words: str) -> tuple[str, str]:
    """Run `shiplog token`; return the player and the token that it prints."""
    with running(service.data, "token", *words) as process:
        assert process.process.stdout is not None
        player, *_, token = process.process.stdout.read().split()
    return player, token


def status(service: Running, token: str, path: str = "/players/me") -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{service.url}{path}", headers=headers, timeout=20).status_code


def test_a_player_rotates_its_token(service, ada):
    answer = ada.http.post("/players/me/token")
    assert answer.status_code == 201
    assert status(service, ada.token) == 401
    assert status(service, answer.json()["token"]) == 200


def test_a_player_revokes_its_tokens(service, ada):
    assert ada.http.delete("/players/me/token").status_code == 204
    assert ada.http.get("/players/me").json()["code"] == "unauthenticated"


def test_only_an_operator_ends_anothers_tokens(service, ada, bob):
    refused = bob.http.delete(f"/players/{ada.id}/token")
    assert refusal(refused) == (403, "forbidden")
    _, auditor = made(service, "--role", "auditor")
    _, operator = made(service, "--role", "operator")
    for token, expected in ((auditor, 403), (operator, 204)):
        answer = httpx.delete(
            f"{service.url}/players/{ada.id}/token", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == expected
    assert ada.http.get("/players/me").status_code == 401
    unknown = httpx.delete(
        f"{service.url}/players/p_nobody/token", headers={"Authorization": f"Bearer {operator}"}
    )
    assert unknown.json()["code"] == "not-found"


def test_an_operators_token_is_rotated_and_revoked(tmp_path):
    """On the command line, by whoever has the secrets.

    A running service notices at its next look.
    """
    with running(tmp_path, "serve") as service:
        player, first = made(service, "--role", "operator")
        again, second = made(service, "--rotate", player)
        assert again == player
        assert (status(service, first), status(service, second)) == (401, 200)
        made(service, "--revoke", player)
    with running(tmp_path, "serve") as service:
        assert (status(service, first), status(service, second)) == (401, 401)


def test_an_open_stream_ends_with_its_token(service, match):
    """Revocation takes effect on what is open already (ASVS 8.3.2)."""
    with Player(service.url) as watcher, Player(service.url) as other:
        stolen = httpx.Client(base_url=service.url, headers=dict(watcher.http.headers), timeout=60)
        with stolen, stolen.stream("GET", f"/matches/{match}/stream") as stream:
            lines = stream.iter_lines()
            assert next(lines)
            watcher.http.delete("/players/me/token")
            assert "end" not in [line.removeprefix("event: ") for line in lines]
        assert other.get(f"/matches/{match}")["version"] >= 1


def test_who_comes_too_often_is_held_back(tmp_path):
    limits = {"rate_limit": "5/hour", "guest_limit": "2/hour", "streams_max": "1"}
    with running(tmp_path, "serve", **limits) as service:
        with Player(service.url) as player, Player(service.url) as watcher:
            third = httpx.post(f"{service.url}/players", json={"name": "Ada"})
            assert refusal(third) == (429, "rate-limited")
            assert 1 <= int(third.headers["Retry-After"]) <= 3600
            match = watcher.open_match("tranquility", 1)
            with watcher.http.stream("GET", f"/matches/{match}/stream") as stream:
                lines = stream.iter_lines()
                assert next(lines), "and the stream stays open as long as its lines are wanted"
                with watcher.http.stream("GET", f"/matches/{match}/stream") as second:
                    assert second.status_code == 429
                    assert msgspec.json.decode(second.read())["code"] == "too-many-streams"
            answers = [player.http.get("/players/me").status_code for _ in range(6)]
            assert answers == [200] * 5 + [429]
        forged = [status(service, "p_x.1.0") for _ in range(6)]
        assert forged == [401] * 5 + [429], "guesses count against the address"


def test_answers_carry_the_safe_headers(service, ada):
    for path in ("/players/me", "/games", "/nowhere", "/schema"):
        headers = ada.http.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "Strict-Transport-Security" not in headers, "there is no TLS here"
    assert ada.http.get("/players/me").headers["Cache-Control"] == "private, no-cache"


def test_behind_tls_browsers_are_told_to_stay_there(tmp_path):
    with running(tmp_path, "serve", trusted_proxy="true") as service:
        told = httpx.get(f"{service.url}/games", headers={"X-Forwarded-Proto": "https"})
        assert told.headers["Strict-Transport-Security"] == "max-age=31536000"
        plain = httpx.get(f"{service.url}/games", headers={"X-Forwarded-Proto": "http"})
        assert "Strict-Transport-Security" not in plain.headers


def test_a_forged_proxy_header_is_not_believed(service):
    told = httpx.get(f"{service.url}/games", headers={"X-Forwarded-Proto": "https"})
    assert "Strict-Transport-Security" not in told.headers


@pytest.mark.parametrize("allowed", ["", ORIGIN])
def test_only_named_origins_may_call(tmp_path, allowed):
    asks = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,idempotency-key,content-type",
    }
    with running(tmp_path, "serve", cors_origins=allowed) as service:
        for origin in (ORIGIN, "https://evil.example", "null"):
            answer = httpx.options(f"{service.url}/matches", headers={"Origin": origin, **asks})
            granted = answer.headers.get("Access-Control-Allow-Origin")
            assert granted == (ORIGIN if allowed and origin == ORIGIN else None)
            assert "Access-Control-Allow-Credentials" not in answer.headers
            if granted is None:
                assert answer.status_code == 403
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert answer.json()["code"] == "cross-origin"
                (error,) = answer.json()["errors"]
                assert (error["header"], origin in error["detail"]) == ("Origin", True)
        simple = httpx.get(f"{service.url}/games", headers={"Origin": ORIGIN})
        assert simple.headers.get("Access-Control-Allow-Origin") == (ORIGIN if allowed else None)


def test_a_removed_player_is_out_everywhere_at_once_in_its_process(service, ada):
    assert ada.http.delete("/players/me").status_code == 204
    wait_until(lambda: status(service, ada.token) == 401, WAIT_S)
