"""The documents of the API as JSON, and a page of it for people."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path

from anyio import run_process
from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme, Tag

from service.http.body import JSON, AnyRequest, tagged
from service.http.files import files

VERSION = "1.0.0"
"""Version of the API, as docs/stability.md says."""
OPENAPI = "/schema/openapi.json"
ASYNCAPI = "/schema/asyncapi.json"
STATIC = "/schema/static"
FOR_A_DAY = {"Cache-Control": "public, max-age=86400"}
"""The names of the scripts stay when the package changes."""
OPENAPI_TYPE = "application/vnd.oai.openapi+json"
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
    "play": "Hints, and why a bot made a move.",
    "invitations": "Invite players, post and take seeks.",
    "webhooks": "Notices that the service posts to a URL of yours.",
    "push": "Web Push: what concerns you, in the browsers that you subscribe.",
    "talk": "Messages, as the game allows.",
    "travel": "Earlier versions, diffs, audits, analyses, branches.",
    "transfer": "Export and upload of logs.",
    "checkpoints": "The checkpoint log: proofs that no log was deleted, cut or changed.",
    "operations": "Health, metrics and keys, for operators.",
}


PAGE = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shiplog API</title>
<link rel="stylesheet" href="{STATIC}/swagger-ui.css">
<script src="{STATIC}/swagger-ui-bundle.js"></script>
</head>
<body>
<div id="api"></div>
<script>
SwaggerUIBundle({{
  url: "{OPENAPI}",
  dom_id: "#api",
  deepLinking: true,
  showExtensions: true,
  showCommonExtensions: true,
}});
</script>
</body>
</html>
"""
"""The page for app developers; this service serves all of it."""


MAKE = """\
import sys
from service.http.documents import DOCUMENTS
sys.stdout.buffer.write(DOCUMENTS[sys.argv[1]]())
"""
"""Makes a document by its address; the application itself imports this module."""


async def made_apart(path: str) -> bytes:
    """Return the document of an address, made in a process of its own.

    It takes up to two seconds, which would delay all players here. A reading process gives way to
    all others: on a busy machine, a developer would wait for minutes.
    """
    made = await run_process([sys.executable, "-P", "-c", MAKE, path], stderr=None)
    return made.stdout


def handlers(make: Callable[[str], Awaitable[bytes]]) -> tuple[HTTPRouteHandler, ...]:
    """Serve the documents, and the page of the API.

    A function makes a document when its address is first asked for.
    """

    @get("/schema", include_in_schema=False, media_type=MediaType.HTML, sync_to_thread=False)
    def get_page() -> str:
        """Return the page."""
        return PAGE

    return _document(OPENAPI, OPENAPI_TYPE, make), _document(ASYNCAPI, JSON, make), get_page


def _document(
    path: str, media_type: str, make: Callable[[str], Awaitable[bytes]]
) -> HTTPRouteHandler:
    kept = b""
    making = asyncio.Lock()

    @get(path, include_in_schema=False)
    async def get_document(request: AnyRequest) -> Response[bytes]:
        """Return the document."""
        nonlocal kept
        async with making:
            kept = kept or await make(path)
        return tagged(request, kept, media_type)

    return get_document


def openapi_config() -> OpenAPIConfig:
    """Return what the document says of the service as a whole."""
    return OpenAPIConfig(
        title="Shiplog",
        version=VERSION,
        description=DESCRIPTION,
        license=License(name="MIT", identifier="MIT"),
        tags=[Tag(name=name, description=text) for name, text in TAGS.items()],
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


def scripts() -> HTTPRouteHandler:
    """Serve the scripts of the page, from the installed package that contains them."""
    package = find_spec("swagger_ui")
    assert package is not None, "swagger-ui-py is a dependency"
    assert package.origin is not None, "it is an ordinary package"
    folder = Path(package.origin).parent / "static"
    return files(STATIC, folder, FOR_A_DAY)
