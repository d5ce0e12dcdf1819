"""The installed page: it opens without a connection, and a new release takes over when asked."""

import json
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from service.http.web import DIST
from tests.e2e.service import Player, Running, running, wait_until
from tests.events.cluster import free_port
from tests.web.conftest import STILL, forget, listen
from tests.web.icons import DRAWN, ICONS
from tests.web.play import Person

pytestmark = pytest.mark.long

SCRIPT = """\
import sys
from pathlib import Path
from service.http import web
web.DIST = Path({dist!r})
from service.cli import main
main()
"""
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
KEPT = "async (url) => (await caches.match(url)) !== undefined"
NAMES = "() => caches.keys()"


@pytest.fixture
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


def test_the_manifest_names_icons_that_are_there(service: Running):
    manifest = httpx.get(f"{service.url}/app.webmanifest", timeout=60)
    assert manifest.headers["content-type"] == "application/manifest+json"
    assert manifest.json()["display"] == "standalone"
    icons = {(one["sizes"], one["purpose"]): one["src"] for one in manifest.json()["icons"]}
    for key in (("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")):
        icon = httpx.get(service.url + icons[key], timeout=60)
        assert icon.headers["content-type"] == "image/png"
        width = int.from_bytes(icon.content[16:20])
        assert key[0] == f"{width}x{width}"


def test_every_drawn_icon_is_there():
    assert {path.name for path in ICONS.glob("*.png")} == set(DRAWN)


def test_the_service_worker_is_never_kept_and_has_a_policy_of_its_own(service: Running):
    worker = httpx.get(f"{service.url}/worker.js", timeout=60)
    assert worker.headers["cache-control"] == "no-cache"
    assert "unsafe" not in worker.headers["content-security-policy"]
    assert "default-src 'none'" in worker.headers["content-security-policy"]


def test_a_match_seen_last_is_readable_offline_and_a_new_release_takes_over(
    browser: Browser, tmp_path: Path, complaints: list[str]
):
    """One way through: seen, offline, updated when asked, and nothing left after signing out."""
    dist = shutil.copytree(DIST, tmp_path / "dist")
    data = tmp_path / "data"
    data.mkdir()
    settings: dict[str, Any] = {"port": str(free_port()), "script": SCRIPT.format(dist=str(dist))}
    context = browser.new_context(**{**STILL, "service_workers": "allow"})
    page = context.new_page()
    listen(page, complaints)
    with (
        running(data, "serve", **settings) as service,
        Player(service.url) as ada,
        Player(service.url, "Bořek") as friend,
    ):
        page.goto(service.url)
        match = started(ada, friend)
        Person(page, ada, "Ada").enter()
        page.goto(f"{service.url}/match/{match}")
        expect(page.locator("[data-board]")).to_be_visible()
        page.wait_for_function(CONTROLLED)
        expect(page.get_by_role("log", name="What happened").locator("li").first).to_be_visible()
        wait_until(lambda: page.evaluate(KEPT, f"/seen/match/{match}"))
        page.goto(f"{service.url}/mine")
        expect(page.locator(f"a[href='/match/{match}']")).to_be_visible()
        for name in ("mine", "names"):
            wait_until(lambda name=name: page.evaluate(KEPT, f"/seen/{name}"))
    page.reload()
    expect(page.get_by_text("Offline: as seen")).to_be_visible()
    expect(page.get_by_role("article")).to_contain_text("Bořek")
    page.locator(f"a[href='/match/{match}']").click()
    expect(page.locator("[data-board='tranquility']")).to_be_visible()
    expect(page.locator(".head [role=status]")).to_contain_text("Offline: as seen")
    expect(page.get_by_role("log", name="What happened").locator("li").first).to_be_visible()
    release(dist, "A newer Shiplog")
    with running(data, "serve", **settings):
        expect(page.locator(".head [role=status]")).to_contain_text("Your turn")
        page.goto(f"{service.url}/mine")
        assert title(page) == "A newer Shiplog", "the network is asked first"
        with page.expect_event("load"):
            page.get_by_role("button", name="Load it").click()
        expect(page.get_by_role("button", name="Load it")).to_have_count(0)
        assert sorted(page.evaluate(NAMES)) == ["page/newer", f"seen/{ada.id}"]
        httpx.post(f"{service.url}/players/me/token", headers=ada.http.headers, timeout=60)
        page.goto(f"{service.url}/mine")
        expect(page.get_by_role("heading", name="Welcome")).to_be_visible()
        wait_until(lambda: page.evaluate(NAMES) == ["page/newer"])
    page.reload()
    assert title(page) == "A newer Shiplog"
    context.close()
    forget(complaints, "Failed to load resource", "ERR_", "net::")
    assert complaints == []


def started(player: Player, friend: Player) -> str:
    """Start a match in which the player is to move."""
    match = player.open_match()
    for seat, one in enumerate((player, friend)):
        one.do(match, {"type": "take_seat", "seat": seat})
    if player.get(f"/matches/{match}")["waiting"] == [1]:
        friend.do(match, friend.legal(match)[0])
    return match


def release(dist: Path, name: str) -> None:
    """Make a build into another release: another page, and another worker for it."""
    page, worker = dist / "index.html", dist / "worker.js"
    page.write_text(page.read_text().replace("Board games of the sea", name))
    text = worker.read_text()
    old = json.loads(text[text.index("{") : text.index("}") + 1])["name"]
    worker.write_text(text.replace(old, "page/newer"))


def title(page: Page) -> str:
    described = page.locator("meta[name=description]").get_attribute("content")
    assert described is not None
    return described.partition(":")[0]
