"""The web client: one page for all its addresses, and its hashed files."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from anyio import to_thread
from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.types import ExceptionHandlersMap

from games.components import shipped
from service.base.problems import Problem, not_found
from service.http import page_audit
from service.http.ahead import LANGUAGES, Ahead, language_of
from service.http.body import AnyRequest
from service.http.callers import Callers
from service.http.cards import MatchCards, link_to, picture_of, tags
from service.http.files import FOR_GOOD, files
from service.http.pictures import Pictures
from service.http.problem_json import framework_error
from service.http.sites import Sites

DIST = shipped("service/page", tree="web/dist")
ADDRESSES = (
    "/",
    "/new",
    "/mine",
    "/upload",
    "/gallery",
    "/programs",
    "/account",
    "/profile",
    "/player/{player:str}",
    "/sign-in",
    "/sign-in/back",
    "/move",
    "/mail",
    "/mail/{token:str}",
    "/inspect/{match:str}",
    "/replay/{match:str}",
    "/rules/{slug:str}",
    "/learn/{slug:str}",
    "/puzzle",
    "/puzzle/{puzzle:str}",
)
"""Addresses of the page. The API has none of them, apart from the `POST` that stops e-mails."""
MATCH = "/match/{match:str}"
"""Address of a match, which has a preview of its own."""
PICTURE = f"{MATCH}/picture.jpg"
PICTURE_HEADERS = {"Cache-Control": "private, max-age=600"}
TITLE = re.compile(r"<meta name=\"description\"[^>]*>\s*<title>[^<]*</title>")
"""What a preview replaces in the page."""
SCRIPT = '<script type="module"'
"""Before the page's script stands what is loaded together with it."""
DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "worker-src 'self'",
    "trusted-types svelte-trusted-html service audit worker",
)
"""Nothing inline, nothing from elsewhere, and markup only from the framework."""
HEADERS = {
    "Content-Security-Policy": "; ".join(DIRECTIVES),
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
WORKER_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
    "Cache-Control": "no-cache",
}
"""For the service worker. It has a policy of its own, and fetches the files of its release."""
UNBUILT = """\
Shiplog is running; its web client is not built. Build it with `make web`, then restart.
The API page is at /schema.
"""


def handlers(dist: Path) -> list[HTTPRouteHandler]:
    """Serve the client that was built into a folder; without one, explain how to build it."""
    if (shell := _built(dist)) is None:
        return [_unbuilt()]
    pictures = Pictures(dist)
    found = [
        _page(shell),
        _match_page(shell, pictures),
        _picture(pictures),
        _top("/app.webmanifest", dist, "application/manifest+json", HEADERS),
        _top("/worker.js", dist, "text/javascript", WORKER_HEADERS),
        files("/assets", dist / "assets", FOR_GOOD),
    ]
    return [*found, *page_audit.handlers(dist)]


def _unbuilt() -> HTTPRouteHandler:
    """Answer all addresses of the page with how to build it."""

    @get([*ADDRESSES, MATCH], include_in_schema=False, name="page")
    async def page() -> Response[str]:
        return Response(UNBUILT, media_type=MediaType.TEXT, headers=HEADERS)

    return page


class Shell:
    """The page, the same for all addresses but a match's; its script reads the address."""

    def __init__(self, dist: Path) -> None:
        """Read the page that was built into a folder."""
        self._page = (dist / "index.html").read_text()
        self._ahead = Ahead(dist)
        self._pages = {language: self._with(self._ahead.page(language)) for language in LANGUAGES}

    def answer(self, request: AnyRequest, status: int = 200) -> Response[str]:
        """Return the page in the language of a request."""
        shown = self._pages[language_of(request.headers.get("Accept-Language", ""))]
        return Response(shown, media_type=MediaType.HTML, status_code=status, headers=HEADERS)

    def with_board(self, game: str | None, language: str) -> str:
        """Return the page of a match, which loads the game's board; without a game the table."""
        return self._with(self._ahead.match(game, language))

    def _with(self, needed: str) -> str:
        return self._page.replace(SCRIPT, needed + SCRIPT, 1)


@cache
def _built(dist: Path) -> Shell | None:
    """Return the page of a build, read once; None if nothing was built."""
    return Shell(dist) if (dist / "index.html").exists() else None


def lost(dist: Path) -> ExceptionHandlersMap:
    """Show the page to people who open an address that there is not; programs get the problem."""
    if (shell := _built(dist)) is None:
        return {}

    def answer(request: AnyRequest, error: NotFoundException) -> Response[Any]:
        opened = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
        return shell.answer(request, 404) if opened else framework_error(request, error)

    return {NotFoundException: answer}


def _page(shell: Shell) -> HTTPRouteHandler:
    """Answer the addresses of the page."""

    @get([*ADDRESSES], include_in_schema=False, name="page")
    async def page(request: AnyRequest) -> Response[str]:
        return shell.answer(request)

    return page


def _match_page(shell: Shell, pictures: Pictures) -> HTTPRouteHandler:
    """Answer the address of a match with the page, and with what messengers may show of it."""
    with_board = cache(shell.with_board)

    @get(MATCH, include_in_schema=False, name="match", personal=True)
    async def page(
        request: AnyRequest,
        match: FromPath[str],
        callers: NamedDependency[Callers],
        match_cards: NamedDependency[MatchCards],
        sites: NamedDependency[Sites],
    ) -> Response[str]:
        code = request.query_params.get("code")
        language = language_of(request.headers.get("Accept-Language", ""))
        try:
            callers.count_address(request.scope)
            preview = await match_cards.preview(match, code, language)
        except Problem:
            preview = None
        shown = with_board(preview.game if preview else None, language)
        if preview is not None:
            site = sites.url(request.scope)
            drawn = pictures.has(preview.game)
            picture = picture_of(site, match, code, language) if drawn else None
            head = tags(preview, link_to(site, match, code), picture)
            shown = TITLE.sub(lambda _: head, shown, count=1)
        return Response(shown, media_type=MediaType.HTML, headers=HEADERS)

    return page


def _picture(pictures: Pictures) -> HTTPRouteHandler:
    """Draw what messengers show beside the preview of a link."""

    @get(PICTURE, include_in_schema=False, name="picture")
    async def picture(
        request: AnyRequest,
        match: FromPath[str],
        callers: NamedDependency[Callers],
        match_cards: NamedDependency[MatchCards],
    ) -> Response[bytes]:
        callers.count_address(request.scope)
        query = request.query_params
        language = language_of(query.get("lang", ""))
        preview = await match_cards.preview(match, query.get("code"), language)
        if not pictures.has(preview.game):
            raise not_found("picture")
        drawn = await to_thread.run_sync(
            pictures.draw, preview.game, preview.game_title, preview.text
        )
        return Response(drawn, media_type="image/jpeg", headers=PICTURE_HEADERS)

    return picture


def _top(path: str, dist: Path, media_type: str, headers: dict[str, str]) -> HTTPRouteHandler:
    """Serve a file that has the same address in every release."""
    content = (dist / path.removeprefix("/")).read_bytes()

    @get(path, include_in_schema=False, name=path)
    async def top() -> Response[bytes]:
        return Response(content, media_type=media_type, headers=headers)

    return top
