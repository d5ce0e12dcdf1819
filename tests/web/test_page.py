"""How the page is served: policy, caching, addresses, size."""

import gzip
import json
import re

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from service.http.web import ADDRESSES, DIST, handlers
from tests.e2e.service import Running

FIRST_LOAD_BYTES_MAX = 150_000


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
        httpx.get(f"{service.url}/schema/openapi.json", timeout=60)
        .json()["openapi"]
        .startswith("3.")
    )
    assert httpx.get(f"{service.url}/games", timeout=60).json()
    assert httpx.get(f"{service.url}/nothing", timeout=60).status_code == 404


def test_without_a_build_the_page_says_how_to_make_one(tmp_path):
    with TestClient(Litestar(handlers(tmp_path))) as client:
        answer = client.get("/")
    assert answer.status_code == 200
    assert "make web" in answer.text


def test_the_first_load_is_small():
    """All that is loaded before the first view: the entry, its imports, styles, one language."""
    manifest = json.loads((DIST / ".vite" / "manifest.json").read_text())
    files: set[str] = set()

    def add(name: str) -> None:
        chunk = manifest[name]
        if chunk["file"] not in files:
            files.update((chunk["file"], *chunk.get("css", ())))
            for other in chunk.get("imports", ()):
                add(other)

    add("index.html")
    add("src/i18n/cs.json")
    size = sum(len(gzip.compress((DIST / name).read_bytes())) for name in ("index.html", *files))
    print(f"first load: {size} bytes gzipped")
    assert size < FIRST_LOAD_BYTES_MAX
    assert not any("Board" in name for name in files), "boards come when they are needed"
