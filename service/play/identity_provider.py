"""The operator's identity provider: OpenID Connect, authorization code flow with PKCE.

The page sends the player to the provider and brings a code back. The service exchanges the code
itself and checks the ID token, so that a page cannot claim an identity.
"""

import asyncio
import hmac
import socket
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote_plus, urlencode, urlsplit

import httpcore
import jwt
import msgspec
import structlog
from cachetools import TTLCache

from service.base.addresses import Network
from service.base.connections import NoPublicAddress, checked_pool
from service.base.problems import Problem
from service.play.work_needed import work_needed

ALGORITHMS = ("RS256", "ES256", "EdDSA")
"""Accepted signatures of providers. A shared secret is none."""
SCOPE = "openid profile"
WELL_KNOWN = "/.well-known/openid-configuration"
ANSWER_S = 10.0
"""Time limit of a request to the provider (seconds)."""
ANSWER_MAX = 256 * 1024
"""Largest answer of the provider (bytes)."""
KEPT_S = 3_600
"""Time for which the provider's configuration and keys are cached (seconds)."""
FAILED_S = 5
"""Time for which a provider that failed is not asked for them again (seconds)."""
RENEWED_S = 60
"""Shortest time between two requests for keys because one is unknown (seconds)."""
CODE_S = 900
"""Time for which a used code is remembered (seconds). Providers let codes expire earlier."""
LEEWAY_S = 30
"""Allowed difference of the provider's clock (seconds)."""
OF_THE_CLIENT = ("invalid_client", "unauthorized_client")
"""Errors of the token endpoint that only the operator can solve."""

log = structlog.get_logger("shiplog")
T = TypeVar("T")


class Client(NamedTuple):
    """What the operator has agreed with the provider."""

    issuer: str
    id: str
    secret: str
    """Empty for a public client."""
    name: str
    """Name of the provider for players."""


class Metadata(msgspec.Struct, frozen=True):
    """The provider's configuration, as far as it is used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class _Keys(msgspec.Struct, frozen=True):
    keys: tuple[dict[str, Any], ...]


class _Tokens(msgspec.Struct, frozen=True):
    id_token: str


class _Refusal(msgspec.Struct, frozen=True):
    error: str = ""


class Grant(NamedTuple):
    """What a page brings back from the provider."""

    code: str
    verifier: str
    """The PKCE code verifier."""
    nonce: str


class Identity(NamedTuple):
    """A person as the provider names them."""

    issuer: str
    subject: str
    name: Any
    """Whatever the provider says, or None."""


class IdentityProvider:
    """The identity provider that the operator has set."""

    def __init__(self, client: Client, networks: Sequence[Network], work: Any) -> None:
        """Reach public addresses, and those of some networks.

        `work` is an asyncio client of the work Redis (of bytes).
        """
        self.client = client
        self._networks = networks
        self._work = work
        self._asking = asyncio.Lock()
        self._kept: TTLCache[str, bytes] = TTLCache(4, KEPT_S)
        self._failed: TTLCache[str, None] = TTLCache(4, FAILED_S)
        self._renewed: TTLCache[str, None] = TTLCache(4, RENEWED_S)

    async def metadata(self) -> Metadata:
        """Return the provider's configuration. Raises `Problem` 503."""
        issuer = self.client.issuer.rstrip("/")
        found = await self._document(issuer + WELL_KNOWN, Metadata)
        if found.issuer.rstrip("/") != issuer:
            raise self._unavailable(f"its configuration is that of {found.issuer!r}")
        schemes = ("https",) if issuer.startswith("https:") else ("https", "http")
        for url in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
            if urlsplit(url).scheme not in schemes:
                raise self._unavailable(f"its configuration names the address {url!r}")
        return found

    async def identity(self, grant: Grant, redirect_uri: str) -> Identity:
        """Return whom the provider has signed in, once for a code. Raises `Problem` 403, 503."""
        metadata = await self.metadata()
        await self._use(grant.code)
        token = await self._exchange(metadata, grant, redirect_uri)
        try:
            key = await self._key(metadata, jwt.get_unverified_header(token).get("kid"))
            claims = jwt.decode(
                token, key, algorithms=ALGORITHMS, audience=self.client.id,
                issuer=metadata.issuer, leeway=LEEWAY_S,
                options={"require": ["exp", "iat", "sub", "iss", "aud"]},
            )  # fmt: skip
        except jwt.PyJWTError as error:
            raise refused(f"The ID token is not valid: {type(error).__name__}.") from None
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), grant.nonce.encode()):
            raise refused("The ID token is not for this sign-in: it has another nonce.")
        if claims.get("azp", self.client.id) != self.client.id:
            raise refused("The ID token was issued to another client.")
        name = claims.get("name") or claims.get("preferred_username")
        return Identity(metadata.issuer, claims["sub"], name)

    async def _exchange(self, metadata: Metadata, grant: Grant, redirect_uri: str) -> str:
        """Return the ID token for a code. Raises `Problem` 403, 503."""
        client, headers = self.client, {"Content-Type": "application/x-www-form-urlencoded"}
        form = {
            "grant_type": "authorization_code",
            "code": grant.code,
            "code_verifier": grant.verifier,
            "redirect_uri": redirect_uri,
        }
        if (
            client.secret
            and "client_secret_basic" in metadata.token_endpoint_auth_methods_supported
        ):
            pair = f"{quote_plus(client.id)}:{quote_plus(client.secret)}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = client.id
            if client.secret:
                form["client_secret"] = client.secret
        body = urlencode(form).encode()
        status, answer = await self._ask("POST", metadata.token_endpoint, headers, body)
        if status == 200:
            return self._decoded(answer, _Tokens).id_token
        if not 400 <= status < 500:
            raise self._unavailable(f"its token endpoint answered {status}")
        error = self._decoded(answer, _Refusal).error
        if error in OF_THE_CLIENT or not error:
            raise self._unavailable(f"its token endpoint answered {status} {error}")
        raise refused(f"The provider did not accept the code: {error[:40]}.")

    async def _key(self, metadata: Metadata, name: str | None) -> jwt.PyJWK:
        """Return a key for signatures by its id. Raises `Problem` 503, `jwt.PyJWTError`."""
        url = metadata.jwks_uri
        key = _key_of(await self._document(url, _Keys), name)
        if key is None and url not in self._renewed:
            self._renewed[url] = None
            self._kept.pop(url, None)
            key = _key_of(await self._document(url, _Keys), name)
        if key is None:
            raise jwt.InvalidKeyError
        return jwt.PyJWK(key)

    async def _use(self, code: str) -> None:
        """Note that a code was used. Raises `Problem` 403, 503."""
        mark = f"oidc:used:{sha256(code.encode()).hexdigest()}"
        with work_needed():
            first = await self._work.set(mark, b"", nx=True, ex=CODE_S)
        if not first:
            raise refused("This code was used already.")

    async def _document(self, url: str, kind: type[T]) -> T:
        """Return what an address of the provider says, from the cache. Raises `Problem` 503."""
        async with self._asking:
            answer = self._kept.get(url)
            if answer is not None:
                return self._decoded(answer, kind)
            if url in self._failed:
                raise self._away()
            try:
                status, answer = await self._ask("GET", url)
                if status != 200:
                    raise self._unavailable(f"{url} answered {status}")
                found = self._decoded(answer, kind)
            except Problem:
                self._failed[url] = None
                raise
            self._kept[url] = answer
            return found

    async def _ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> tuple[int, bytes]:
        """Send a request, and return status and body. Raises `Problem` 503."""
        given = {"Accept": "application/json", **(headers or {})}
        body = bytearray()
        try:
            async with (
                asyncio.timeout(ANSWER_S),
                checked_pool(self._networks, _look_up) as pool,
                pool.stream(method, url, headers=list(given.items()), content=content) as answer,
            ):
                async for part in answer.aiter_stream():
                    body += part
                    if len(body) > ANSWER_MAX:
                        raise self._unavailable(f"{url} answered more than {ANSWER_MAX} bytes")
                return answer.status, bytes(body)
        except NoPublicAddress:
            why = f"{url} is not a public address (SHIPLOG_WEBHOOK_NETWORKS can allow it)"
        except TimeoutError:
            why = f"{url} did not answer within {ANSWER_S:g} seconds"
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
            why = f"{url} failed: {type(error).__name__}"
        raise self._unavailable(why)

    def _decoded(self, answer: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(answer, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._unavailable(f"its answer cannot be read: {error}") from None

    def _unavailable(self, why: str) -> Problem:
        """Return a refusal. Only the operator is told why."""
        log.warning("identity provider failed", why=why)
        return self._away()

    def _away(self) -> Problem:
        return Problem(
            503,
            "provider-unavailable",
            f"{self.client.name} cannot be asked now. Try again later, or sign in another way.",
            retry_after=FAILED_S,
        )


def refused(why: str) -> Problem:
    """Refuse what a page brought back from the provider."""
    return Problem(403, "identity-refused", f"{why} Start again.")


def _key_of(found: _Keys, name: str | None) -> dict[str, Any] | None:
    """Return the key with an id; without an id the only key."""
    usable = [key for key in found.keys if key.get("use", "sig") == "sig"]
    if name is None:
        return usable[0] if len(usable) == 1 else None
    return next((key for key in usable if key.get("kid") == name), None)


async def _look_up(host: str, port: int) -> Sequence[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
