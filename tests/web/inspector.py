"""Steps in the inspector: to a version, a row of its tree, the verdict; with any log."""

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.web.play import Person


def inspect(person: Person, match: str, query: str = "") -> Page:
    """Show a match in the inspector and wait until its board is there."""
    person.page.goto(f"/inspect/{match}{query}")
    expect(person.page.locator("[data-version]")).to_have_attribute("aria-busy", "false")
    return person.page


def at(page: Page, version: int) -> None:
    """Wait until the page shows a version, and says so in its address."""
    expect(page.locator("[data-version]")).to_have_attribute("data-version", str(version))
    expect(page.locator("[data-record]")).to_have_attribute("data-record", str(version))
    page.wait_for_url(re.compile(rf"[?&]at={version}(&|$)"))


def panel(page: Page, name: str) -> None:
    """Show a panel on a phone: Board, Record, State, Records, Find or Audit."""
    page.get_by_role("group", name="Shown").get_by_role("button", name=name, exact=True).click()


def badge(page: Page) -> Locator:
    return page.locator("[data-audit]")


def versions(person: Person, match: str) -> int:
    return person.player.get(f"/matches/{match}?view=full")["version"]


def first_cause(page: Page, record: int) -> tuple[str, int]:
    """Have the shown record explained, and go to what set the first fact that its rule had read.

    Returns the path of the fact, and the record that set it.
    """
    page.get_by_role("button", name="Explain this record").click()
    explained = page.locator(f"[data-explained='{record}']")
    expect(explained).to_contain_text("The rules decide the same as was recorded.")
    facts = explained.get_by_role("list", name="What the rule had read")
    fact = facts.get_by_role("listitem").filter(has=page.get_by_role("button")).first
    path = fact.locator("code").first.inner_text()
    cause = int(fact.get_by_role("button").inner_text().removeprefix("record "))
    fact.get_by_role("button").click()
    return path, cause


def place(page: Page, path: str) -> Locator:
    """Return the row of the tree at a path."""
    return page.locator(f'[data-path="{path}"]')


def exported(person: Person, match: str) -> bytes:
    return person.player.http.get(f"/matches/{match}/export").content


def upload(person: Person, name: str, data: bytes) -> Page:
    """Open the page for logs with a first one."""
    person.page.goto("/upload")
    pick(person.page, name, data)
    return person.page


def pick(page: Page, name: str, data: bytes) -> None:
    """Pick a log, also after another: the page keeps the rules that it has loaded."""
    file = {"name": name, "mimeType": "application/jsonl", "buffer": data}
    page.locator("[name=log]").set_input_files(file)
    expect(page.get_by_text(name)).to_be_visible()


def tampered(log: bytes, how: str) -> bytes:
    """Change a log of six records and a signature at least."""
    changed = log.removesuffix(b"\n").split(b"\n")
    if how == "event":
        record = json.loads(changed[4])
        record["events"][0]["seat"] = 1 - record["events"][0].get("seat", 0)
        changed[4] = json.dumps(record, separators=(",", ":")).encode()
    elif how == "dropped":
        del changed[4]
    elif how == "digest":
        changed[4] = re.sub(rb'"digest":"..', b'"digest":"zz', changed[4])
    elif how == "last":
        changed[-2] = changed[-2].replace(b'"at":"2', b'"at":"3')
    elif how == "signature":
        changed[-1] = re.sub(
            rb'"signature":"(.)',
            lambda m: b'"signature":"' + (b"1" if m[1] == b"0" else b"0"),
            changed[-1],
        )
    return b"\n".join(changed) + b"\n"
