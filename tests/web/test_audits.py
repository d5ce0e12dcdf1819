"""Audits in the page: with all rules where the browser can, of the chain alone where it can't."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Newcomer, forget
from tests.web.inspector import (
    badge,
    exported,
    first_cause,
    inspect,
    panel,
    pick,
    tampered,
    upload,
    versions,
)
from tests.web.play import Person

pytestmark = pytest.mark.long

RECORDED = Path(__file__).parents[2] / "seeds" / "matches"
NO_WASM = "Object.defineProperty(window, 'WebAssembly', { value: undefined })"
ASK = "Audit every move in this browser"


def chain(page: Page):
    return page.locator("[data-chain]")


def test_a_whole_log_is_audited_on_demand_and_can_be_kept(ada: Person, over: str):
    page = inspect(ada, over)
    expect(chain(page)).to_have_text(
        re.compile(f"Chain and dice fit: {versions(ada, over)} records. Moves were not")
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the log").click()
    assert download.value.suggested_filename == f"{over}.jsonl"
    assert download.value.path().read_bytes() == exported(ada, over)
    page.get_by_role("button", name=ASK).click()
    expect(badge(page)).to_have_text(
        re.compile(f"Audited by this browser: all {versions(ada, over)} records hold")
    )
    page.get_by_role("button", name="Have the service decide everything again").click()
    expect(page.locator("[data-report=holds]")).to_be_visible()


@pytest.mark.parametrize("secure", [True, False], ids=["secure", "plain"])
def test_a_tampered_export_breaks_the_chain(ada: Person, over: str, secure: bool):
    """One event is changed between service and browser. Plain HTTP has no Web Crypto."""
    if not secure:
        ada.page.context.add_init_script(
            "Object.defineProperty(window, 'isSecureContext', { value: false })"
        )
    log = exported(ada, over)
    good = inspect(ada, over)
    expect(chain(good)).to_have_attribute("data-chain", "good")
    lines = log.split(b"\n")
    lines[3] = lines[3].replace(b'"events":[', b'"events": [')
    ada.page.route("**/export*", lambda route: route.fulfill(body=b"\n".join(lines)))
    page = inspect(ada, over)
    expect(chain(page)).to_have_attribute("data-chain", "bad")
    found = page.get_by_role("list", name="What does not hold")
    expect(found).to_contain_text("These are not the records that were signed")


def test_an_uploaded_log_is_audited_and_browsed_and_so_is_a_packed_one(ada: Person, over: str):
    page = upload(ada, "mine.jsonl", exported(ada, over))
    expect(badge(page)).to_have_attribute("data-audit", "good")
    expect(page.locator("[data-board=tranquility]")).to_be_visible()
    page.get_by_role("button", name="One record back").click()
    expect(page.locator("[data-record]")).to_have_attribute(
        "data-record", str(versions(ada, over) - 1)
    )
    packed = ada.player.http.get(f"/matches/{over}/export?packed=true").content
    pick(page, "mine.jsonl.zst", packed)
    expect(badge(page)).to_have_attribute("data-audit", "good")


def test_this_browser_explains_a_record_of_an_uploaded_log_and_who_set_its_facts(
    ada: Person, over: str
):
    page = upload(ada, "mine.jsonl", exported(ada, over))
    expect(badge(page)).to_have_attribute("data-audit", "good")
    for _ in range(versions(ada, over) - 8):
        page.get_by_role("button", name="One record back").click()
    path, record = first_cause(page, 8)
    expect(page.locator("[data-record]")).to_have_attribute("data-record", str(record))
    expect(page.locator(f"[data-explained='{record}']")).to_contain_text("Recorded and decided")
    expect(page.locator(f"[data-blame='{path}']")).to_contain_text("Set by")


FOUND = {
    "event": "record 5:",
    "dropped": "record 5:",
    "digest": "record 5: digest",
    "last": "signature",
    "signature": "the signature is not valid for key",
}
"""What the page says of a log, by what was done to it."""


def test_tampered_logs_are_found_out_and_the_record_named(ada: Person, over: str):
    log = exported(ada, over)
    ada.page.goto("/upload")
    for how, says in FOUND.items():
        pick(ada.page, f"{how}.jsonl", tampered(log, how))
        expect(badge(ada.page)).to_have_attribute("data-audit", "bad")
        expect(ada.page.get_by_role("list", name="What does not hold")).to_contain_text(says)
        expect(ada.page.locator("[data-version]"), "browsed as far as it holds").to_be_visible()


def test_a_long_match_is_audited_from_a_cold_page(ada: Person):
    """The time is printed: how busy the machine is decides it."""
    data = (RECORDED / "ke_dnu" / "orders-1.jsonl").read_bytes()
    page = upload(ada, "orders-1.jsonl", data)
    begun = time.perf_counter()
    expect(page.get_by_role("progressbar", name="Audit")).to_be_visible()
    expect(badge(page)).to_contain_text("All 887 records hold")
    print(f"verdict after {time.perf_counter() - begun:.1f} s")


def test_a_log_of_another_service_holds_but_for_a_signature_that_nobody_here_knows(ada: Person):
    data = (RECORDED / "submarine" / "complete-3.jsonl").read_bytes()
    page = upload(ada, "complete-3.jsonl", data)
    expect(badge(page)).to_have_attribute("data-audit", "open")
    expect(badge(page)).to_contain_text("not everything could be checked")
    expect(page.get_by_text("signature: signed with key")).to_be_visible()


def test_what_is_no_log_is_refused_in_words(ada: Person, complaints: list[str]):
    page = upload(ada, "notes.jsonl", b"no log at all\n")
    expect(badge(page)).to_have_attribute("data-audit", "bad")
    expect(page.get_by_role("alert")).to_contain_text("This can't be read.")
    forget(complaints, "400")


def test_a_phone_checks_the_chain_alone_until_it_is_asked(newcomer: Newcomer, over: str):
    eve = newcomer("Eve", size="phone").enter()
    page = upload(eve, "mine.jsonl", exported(eve, over))
    panel(page, "Audit")
    expect(page.get_by_text("On a phone only the chain is checked")).to_be_visible()
    expect(chain(page)).to_have_attribute("data-chain", "good")
    page.get_by_role("button", name=ASK).click()
    expect(badge(page)).to_have_attribute("data-audit", "good")


def test_without_webassembly_the_chain_alone_is_checked(newcomer: Newcomer, over: str):
    eve = newcomer("Eve").enter()
    eve.page.context.add_init_script(NO_WASM)
    page = upload(eve, "mine.jsonl", exported(eve, over))
    expect(page.get_by_text("This browser cannot run the rules.")).to_be_visible()
    expect(chain(page)).to_have_attribute("data-chain", "good")
    expect(page.get_by_role("button", name=ASK)).to_have_count(0)


def test_rules_that_do_not_arrive_are_no_verdict(ada: Person, over: str, complaints: list[str]):
    ada.page.context.route("**/audit/rules*", lambda route: route.abort())
    page = upload(ada, "mine.jsonl", exported(ada, over))
    expect(page.get_by_role("alert")).to_contain_text("The audit could not run in this browser.")
    expect(chain(page)).to_have_attribute("data-chain", "good")
    expect(badge(page)).to_have_count(0)
    forget(complaints, "rules", "Failed to fetch", "ERR_FAILED")
