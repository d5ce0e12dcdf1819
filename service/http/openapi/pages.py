"""The pages of the document: as JSON, and for people."""

import asyncio
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, SwaggerRenderPlugin
from litestar.openapi.spec import Components, License, SecurityScheme, Tag

from service.http.openapi.document import complete
from service.http.web import static_files

VERSION = "1.0.0"
"""Version of the API, as docs/stability.md says."""
STATIC = "/schema/static"
DESCRIPTION = """\
Board games as append-only logs. Get a token (`POST /players`), create a match (`POST /matches`),
send commands, read your view. Every change of a match is a command. Every version that you see is
your own number, without gaps. Every refusal is `application/problem+json` with a stable `code`.
Send an `Idempotency-Key` with every command and keep it over your retries: the command then counts
once.
"""

TAGS = {
    "games": "Games and their rules.",
    "puzzles": "Positions from which to find the right commands, and a rating.",
    "players": "Guests, names, tokens, histories.",
    "account": "Devices, and ways to sign in: recovery code, move code, passkeys.",
    "mail": "E-mail: an address to sign in with, and to which notices are sent.",
    "matches": "Create, play, watch.",
    "invitations": "Invite players, post and take seeks.",
    "webhooks": "Notices that the service posts to a URL of yours.",
    "push": "Web Push: what concerns you, in the browsers that you subscribe.",
    "talk": "Messages, as the game allows.",
    "travel": "Earlier versions, diffs, audits, analyses, branches.",
    "transfer": "Export and upload of logs.",
    "checkpoints": "The checkpoint log: proofs that no log was deleted, cut or changed.",
    "operations": "Health, metrics and keys, for operators.",
}


class Finished:
    """The finished document, made once."""

    def __init__(self, calls: Sequence[HTTPRouteHandler]) -> None:
        """Document these calls."""
        self._calls = calls
        self._document: dict[str, Any] = {}
        self._encoded = b""
        self._making = asyncio.Lock()

    async def make(self, app: Litestar) -> None:
        """Make the document in a thread: it takes seconds, and would block the event loop."""
        async with self._making:
            if not self._encoded:
                await asyncio.to_thread(self._make, app)

    def _make(self, app: Litestar) -> None:
        self.encoded(app.openapi_schema.to_schema())

    def document(self, made: dict[str, Any]) -> dict[str, Any]:
        """Return the document that completes Litestar's."""
        if not self._document:
            self._document = complete(made, self._calls)
        return self._document

    def encoded(self, made: dict[str, Any]) -> bytes:
        """Return the document in JSON."""
        if not self._encoded:
            self._encoded = msgspec.json.encode(self.document(made))
        return self._encoded


class TypedJson(JsonRenderPlugin):
    """The document as JSON."""

    def __init__(self, finished: Finished) -> None:
        """Serve a finished document."""
        super().__init__(path="/openapi.json")
        self._finished = finished

    def render(
        self,
        request: Request[Any, Any, Any],  # noqa: ARG002 - an override
        openapi_schema: dict[str, Any],
    ) -> bytes:
        """Return the document."""
        return self._finished.encoded(openapi_schema)


class ApiPage(SwaggerRenderPlugin):
    """The page for app developers; this service serves all of it."""

    def __init__(self, finished: Finished) -> None:
        """Use our own copies of the scripts."""
        super().__init__(
            js_url=f"{STATIC}/swagger-ui-bundle.js",
            css_url=f"{STATIC}/swagger-ui.css",
            standalone_preset_js_url=f"{STATIC}/swagger-ui-standalone-preset.js",
            path="/",
            favicon="",
        )
        self._finished = finished
        self._page = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the page, made once."""
        if not self._page:
            self._page = super().render(request, self._finished.document(openapi_schema))
        return self._page


def openapi_config(calls: Sequence[HTTPRouteHandler]) -> OpenAPIConfig:
    """Return the configuration of the document of some calls, and of its pages."""
    finished = Finished(calls)

    async def make(request: Request[Any, Any, Any]) -> None:
        await finished.make(request.app)

    return OpenAPIConfig(
        title="Shiplog",
        version=VERSION,
        description=DESCRIPTION,
        license=License(name="MIT", identifier="MIT"),
        path="/schema",
        openapi_router=Router(
            "/schema", route_handlers=[], include_in_schema=False, before_request=make
        ),
        tags=[Tag(name=name, description=text) for name, text in TAGS.items()],
        render_plugins=[ApiPage(finished), TypedJson(finished)],
        components=Components(
            security_schemes={
                "token": SecurityScheme(
                    type="http", scheme="bearer", description="From `POST /players`."
                )
            }
        ),
        security=[{"token": []}],
        use_handler_docstrings=True,
    )


def scripts() -> Router:
    """Serve the scripts of the page, from the installed package that contains them."""
    package = find_spec("swagger_ui")
    assert package is not None, "swagger-ui-py is a dependency"
    assert package.origin is not None, "it is an ordinary package"
    folder = Path(package.origin).parent / "static"
    return static_files(STATIC, folder, "scripts")
