"""An identity provider that a test runs: it signs in whoever opens its page, and checks PKCE."""

import json
import secrets
import threading
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from service.base.base64url import encoded

OURS, OTHERS = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
CLIENT, SECRET = "shiplog-page", "a secret: of the client"
NAME = "Example ID"
PAGE = """<!doctype html>
<html lang="en"><title>{0}</title><link rel="icon" href="data:,">
<a href="{1}">Continue as {2}</a></html>"""


def challenge_of(verifier: str) -> str:
    return encoded(sha256(verifier.encode()).digest())


class Asked(NamedTuple):
    """For what a code was given out."""

    challenge: str
    nonce: str
    redirect_uri: str
    subject: str


class Provider:
    """What the provider knows, and how it answers."""

    def __init__(self, issuer: str, secret: str = SECRET) -> None:
        self.issuer = issuer
        self.secret = secret
        self.subject = "ada"
        """Who is signed in at the provider."""
        self.changed: dict[str, Any] = {}
        """Claims of the next ID tokens that differ from what they should be."""
        self.key = OURS
        self.key_id = "k"
        self.down = False
        self.asked: list[str] = []
        """Paths that were asked for."""
        self._codes: dict[str, Asked] = {}

    @property
    def settings(self) -> dict[str, str]:
        """Settings of a service that uses the provider."""
        return {
            "oidc_issuer": self.issuer,
            "oidc_client_id": CLIENT,
            "oidc_client_secret": self.secret,
            "oidc_name": NAME,
            "webhook_networks": "127.0.0.1/32",
        }

    def code(self, challenge: str, nonce: str, redirect_uri: str, subject: str = "") -> str:
        """Give out a code."""
        code = secrets.token_urlsafe(16)
        self._codes[code] = Asked(challenge, nonce, redirect_uri, subject or self.subject)
        return code

    def answer(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes
    ) -> tuple[int, str]:
        """Answer a request with a status and a body."""
        parts = urlsplit(target)
        self.asked.append(parts.path)
        if self.down:
            return 502, "Bad gateway"
        match method, parts.path:
            case "GET", "/.well-known/openid-configuration":
                return 200, json.dumps(self._metadata())
            case "GET", "/jwks":
                key = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
                named = {**key, "kid": self.key_id, "use": "sig", "alg": "RS256"}
                return 200, json.dumps({"keys": [named]})
            case "GET", "/authorize":
                return 200, self._page(dict(parse_qsl(parts.query)))
            case "POST", "/token":
                return self._token(headers, parse_qs(content.decode(), strict_parsing=True))
            case _:
                return 404, "{}"

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "code_challenge_methods_supported": ["S256"],
        }

    def _page(self, query: dict[str, str]) -> str:
        expected = ("code", "S256", CLIENT, "openid profile")
        names = ("response_type", "code_challenge_method", "client_id", "scope")
        assert tuple(query[name] for name in names) == expected, query
        code = self.code(query["code_challenge"], query["nonce"], query["redirect_uri"])
        back = f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
        return PAGE.format(NAME, back.replace("&", "&amp;"), self.subject.title())

    def _token(self, headers: Mapping[str, str], form: dict[str, list[str]]) -> tuple[int, str]:
        given = {name: value for name, (value,) in form.items()}
        pair = urlencode({CLIENT: self.secret}).replace("=", ":")
        basic = f"Basic {b64encode(pair.encode()).decode()}"
        public = not self.secret and given.get("client_id") == CLIENT
        if not public and headers.get("Authorization") != basic:
            return 401, json.dumps({"error": "invalid_client"})
        asked = self._codes.pop(given["code"], None)
        if (
            asked is None
            or given["grant_type"] != "authorization_code"
            or asked.redirect_uri != given["redirect_uri"]
            or asked.challenge != challenge_of(given["code_verifier"])
        ):
            return 400, json.dumps({"error": "invalid_grant"})
        return 200, json.dumps({"id_token": self._id_token(asked), "token_type": "Bearer"})

    def _id_token(self, asked: Asked) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": asked.subject, "nonce": asked.nonce,
            "iat": now, "exp": now + 300, "name": asked.subject.title(), **self.changed,
        }  # fmt: skip
        known = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(known, self.key, "RS256", headers={"kid": self.key_id})


@contextmanager
def identifying(secret: str = SECRET) -> Iterator[Provider]:
    """Run a provider for as long as a test takes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            size = int(self.headers.get("Content-Length", "0"))
            content = self.rfile.read(size)
            status, text = provider.answer(self.command, self.path, self.headers, content)
            body = text.encode()
            kind = "text/html" if text.startswith("<") else "application/json"
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - as the base class calls it

        def log_message(self, format, *args):  # noqa: A002 - as the base class calls it
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider = Provider(f"http://127.0.0.1:{server.server_port}", secret)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
