"""How the page is served: policy, caching, addresses, size."""

import gzip
import json
import re

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from playwright.sync_api import Browser

from games import GAMES
from service.http.openapi.pages import TAGS
from service.http.web import ADDRESSES, DIST, handlers
from tests.e2e.service import Running
from tests.web.conftest import ARTEFACTS, listen

pytestmark = pytest.mark.long

LOBBY_BYTES_MAX = 85_000
LOBBY_FILES_MAX = 16
BOARD_BYTES_MAX = 130_000
DOCUMENT_S = 120
"""For the API document, which takes two seconds of processor time: long on a busy machine."""


@pytest.mark.parametrize("address", [re.sub(r"\{.*\}", "m_1", path) for path in ADDRESSES])
def test_every_address_of_the_page_answers_with_it(service: Running, address: str):
    answer = httpx.get(service.url + address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


def test_nothing_inline_and_nothing_from_elsewhere(service: Running):
    answer = httpx.get(service.url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\son\w+=", answer.text)
    assert not re.search(r"(?:src|href)=\"(?!/)", answer.text)


def test_hashed_files_may_be_kept_for_ever(service: Running):
    page = httpx.get(service.url).text
    for path in re.findall(r'"(/assets/[^"]+)"', page):
        answer = httpx.get(service.url + path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


def test_the_api_and_its_page_stay_where_they_are(service: Running):
    assert (
        httpx.get(f"{service.url}/schema/openapi.json", timeout=DOCUMENT_S)
        .json()["openapi"]
        .startswith("3.")
    )
    assert httpx.get(f"{service.url}/games", timeout=60).json()
    assert httpx.get(f"{service.url}/nothing", timeout=60).status_code == 404


def test_the_api_page_shows_every_group_of_calls(
    service: Running, browser: Browser, complaints: list[str]
):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    listen(page, complaints)
    page.goto(f"{service.url}/schema")
    page.locator(".opblock-tag").first.wait_for(timeout=DOCUMENT_S * 1_000)
    shown = page.locator(".opblock-tag").evaluate_all("all => all.map(one => one.dataset.tag)")
    assert set(shown) == TAGS.keys()
    assert page.title() == "Shiplog API"
    page.screenshot(path=ARTEFACTS / "api.png")
    page.close()
    assert not complaints


def test_without_a_build_the_page_says_how_to_make_one(tmp_path):
    with TestClient(Litestar(handlers(tmp_path))) as client:
        answer = client.get("/")
    assert answer.status_code == 200
    assert "make web" in answer.text


def test_the_first_load_is_small():
    """All that comes before the lobby, or before a board: scripts, styles, one language."""
    manifest = json.loads((DIST / ".vite" / "manifest.json").read_text())

    def needed(*names: str) -> set[str]:
        found: set[str] = set()
        left = list(names)
        while left:
            chunk = manifest[left.pop()]
            if chunk["file"] not in found:
                found.update((chunk["file"], *chunk.get("css", ())))
                left += chunk.get("imports", ())
        return found

    def weight(files: set[str]) -> int:
        return sum(
            len(gzip.compress((DIST / name).read_bytes())) for name in ("index.html", *files)
        )

    for language in ("cs", "en"):
        entry = needed("index.html", f"src/i18n/{language}.json")
        lobby = entry | needed("src/lobby/Lobby.svelte")
        assert weight(lobby) < LOBBY_BYTES_MAX
        assert len(lobby) < LOBBY_FILES_MAX
        table = entry | needed("src/match/MatchPage.svelte")
        for game in GAMES:
            parts = ("Board.svelte", "words.ts", f"{language}.json")
            board = needed(*(f"src/boards/{game}/{part}" for part in parts))
            assert weight(table | board) < BOARD_BYTES_MAX, game
            assert not (lobby & (board - table)), "boards come when they are needed"
