"""The tampered corpus as the page judges it: the same records and checks as the command line."""

import base64
import json
import time
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from playwright.sync_api import Page

from games import GAMES
from replay.audit import audit
from replay.report import Report
from replay.transfer import file_evidence
from service.http.web import DIST
from tests.recorder import KEYS, SERVICE
from tests.tampered import Tampered, corpus
from tests.tampered.corpus import named
from tests.tampered.origin import KEY
from tests.web.conftest import Newcomer

pytestmark = pytest.mark.long

AT_ONCE = 40
"""The page knows the keys of its own service alone."""
KEYS_JSON = json.dumps([{"service": SERVICE, "public_key": KEY}])
WORKER = next((DIST / "audit").glob("audit.worker-*.js"), None)

START = """(script) => {
  const policy = trustedTypes.createPolicy("audit", { createScriptURL: (url) => url });
  const worker = new Worker(policy.createScriptURL(script), { type: "module" });
  window.audited = (files, keys) => Promise.all(files.map(([id, name, packed]) => {
    const data = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    return new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data: told }) => {
        if (told.id !== id || told.kind === "progress") return;
        told.kind === "answer" ? resolve(JSON.stringify(told.answer)) : reject(new Error(told.why));
      });
      worker.addEventListener("error", (event) => reject(new Error(event.message)));
      worker.postMessage({ id, ask: "audit", name, data, keys });
    });
  }));
}"""


def test_the_page_finds_the_same_as_the_command_line(newcomer: Newcomer):
    """The worker is the page's own, under the page's policy."""
    page = newcomer().page
    page.goto("/")
    assert WORKER is not None, "build the page first: make setup"
    page.evaluate(START, f"/audit/{WORKER.name}")
    tampered = corpus()
    begun = time.perf_counter()
    for one, report in reports(page, tampered):
        evidence = file_evidence(one.name, one.data)
        native = audit(GAMES, evidence, KEYS)
        assert one.differs(named(report)) is None
        assert named(report) == named(native), one.name
        assert report.unchecked == native.unchecked, one.name
    print(f"{len(tampered)} files, in the page and natively: {time.perf_counter() - begun:.1f} s")


def reports(page: Page, tampered: Sequence[Tampered]) -> Iterator[tuple[Tampered, Report]]:
    for start in range(0, len(tampered), AT_ONCE):
        chosen = tampered[start : start + AT_ONCE]
        files = [
            (start + place, one.name, base64.b64encode(one.data).decode())
            for place, one in enumerate(chosen)
        ]
        told = page.evaluate(
            "([files, keys]) => audited(files, keys)",
            [files, KEYS_JSON],
        )
        for one, text in zip(chosen, told, strict=True):
            yield one, msgspec.json.decode(text, type=Report)
