"""Audits in the browser: of the log that the page is given, and of an uploaded one."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.conftest import forget
from tests.web.inspector import badge, exported, inspect, tampered, upload, versions
from tests.web.play import Person

RECORDED = Path(__file__).parents[2] / "seeds" / "matches"


def test_the_audit_of_a_whole_log_holds_and_the_log_can_be_kept(ada: Person, over: str):
    page = inspect(ada, over)
    expect(badge(page)).to_have_text(
        re.compile(f"Verified by this browser: all {versions(ada, over)} records hold")
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the log").click()
    assert download.value.suggested_filename == f"{over}.jsonl"
    assert download.value.path().read_bytes() == exported(ada, over)
    page.get_by_role("button", name="Have the service decide everything again").click()
    expect(page.locator("[data-report=holds]")).to_be_visible()


@pytest.mark.parametrize("secure", [True, False], ids=["web-crypto", "library"])
def test_a_tampered_export_is_found_out_in_the_browser(ada: Person, over: str, secure: bool):
    """One event is changed between service and browser.

    The library finds it without Web Crypto too.
    """
    if not secure:
        ada.page.context.add_init_script(
            "Object.defineProperty(window, 'isSecureContext', { value: false })"
        )
    log = exported(ada, over)
    good = inspect(ada, over)
    expect(badge(good)).to_have_attribute("data-audit", "good")
    lines = log.split(b"\n")
    lines[3] = lines[3].replace(b'"events":[', b'"events": [')
    ada.page.route("**/export*", lambda route: route.fulfill(body=b"\n".join(lines)))
    page = inspect(ada, over)
    expect(badge(page)).to_have_attribute("data-audit", "bad")
    found = page.get_by_role("list", name="What does not hold")
    expect(found).to_contain_text("These are not the records that were signed")


def test_an_uploaded_log_is_verified_and_browsed(ada: Person, over: str):
    page = upload(ada, "mine.jsonl", exported(ada, over))
    expect(badge(page)).to_have_attribute("data-audit", "good")
    expect(page.locator("[data-report=holds]")).to_be_visible()
    expect(page.locator("[data-board=tranquility]")).to_be_visible()
    page.get_by_role("button", name="One record back").click()
    expect(page.locator("[data-record]")).to_have_attribute(
        "data-record", str(versions(ada, over) - 1)
    )


def test_an_uploaded_packed_log_is_verified_too(ada: Person, over: str):
    packed = ada.player.http.get(f"/matches/{over}/export?packed=true").content
    page = upload(ada, "mine.jsonl.zst", packed)
    expect(badge(page)).to_have_attribute("data-audit", "good")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("event", "These are not the records that were signed: one of them was changed."),
        ("dropped", "record 5: Its number does not follow the one before."),
        ("digest", "These are not the records that were signed: one of them was changed."),
        ("last", "These are not the records that were signed: one of them was changed."),
        ("signature", "The signature is not that key's."),
    ],
    ids=["event", "dropped", "digest", "last", "signature"],
)
def test_a_tampered_log_is_found_out_and_the_record_named(
    ada: Person, over: str, complaints: list[str], how: str, says: str
):
    lines = exported(ada, over).removesuffix(b"\n").split(b"\n")
    data = b"\n".join(tampered(lines, how)) + b"\n"
    page = upload(ada, "tampered.jsonl", data)
    expect(badge(page)).to_have_attribute("data-audit", "bad")
    expect(page.get_by_role("list", name="What does not hold")).to_contain_text(says)
    expect(page.locator("[data-report]")).to_be_visible()
    expect(page.locator("[data-version]"), "browsed as far as it holds").to_be_visible()
    forget(complaints, "400")


def test_a_log_of_another_service_holds_but_for_a_signature_that_nobody_here_knows(ada: Person):
    data = (RECORDED / "submarine" / "complete-3.jsonl").read_bytes()
    page = upload(ada, "complete-3.jsonl", data)
    expect(badge(page)).to_have_attribute("data-audit", "good")
    expect(page.locator("[data-report=unauthenticated]")).to_be_visible()
    page.get_by_text("What was checked").click()
    expect(page.get_by_text("signed by another service")).to_be_visible()


def test_what_is_no_log_is_refused_in_words(ada: Person, complaints: list[str]):
    page = upload(ada, "notes.jsonl", b"no log at all\n")
    expect(badge(page)).to_have_attribute("data-audit", "bad")
    expect(page.get_by_role("alert")).to_contain_text("This can't be read.")
    forget(complaints, "400")
