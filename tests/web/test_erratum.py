"""A match that has an erratum says so on its page."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import expect

from events.archive import ArchiveStore
from events.chain import follow
from events.errata import Erratum, Explained, encoded
from events.file import read
from events.memory_store import MemoryStore
from events.record import at_text
from events.tiered_store import TieredStore
from service.base.clock import now_micros
from service.base.keys import load_or_make
from service.base.settings import Settings
from service.process.errata import commit_errata
from tests.e2e.service import Running, wait_until
from tests.web.conftest import Newcomer
from tests.web.play import Person

REASON = "The winner was counted twice."


def add_erratum(service: Running, person: Person, match: str) -> None:
    """Sign an erratum as an operator would; the page shows it as the service does."""
    wait_until(lambda: person.player.get(f"/matches/{match}/leaves")["leaves"])
    lines, _ = read(person.player.http.get(f"/matches/{match}/export").content)
    *_, head = follow(lines)
    keys = load_or_make(service.data / "secrets.json")
    wrong = Explained("events", len(lines), 1, "/events/0", {}, {})
    erratum = Erratum(
        match, len(lines), head, (wrong,), REASON, "0.1.9", "0.2.0", None, False,
        at_text(now_micros()), keys.service,
    )  # fmt: skip
    store = TieredStore(MemoryStore(), ArchiveStore(service.data / "archive"))

    async def add() -> None:
        for version, line in enumerate(lines, start=1):
            await store.live.append(match, version, line)
        assert store.archive is not None
        await store.archive.add_erratum(match, encoded(keys.sign_erratum(erratum)))
        await commit_errata(store, keys, Settings(data=service.data), match)

    with ThreadPoolExecutor(1) as apart:  # the browser has the loop of this thread
        apart.submit(asyncio.run, add()).result()


def test_the_page_of_a_match_shows_its_erratum_in_both_languages(
    newcomer: Newcomer, ada: Person, over: str, service: Running
):
    ada.page.goto(f"/match/{over}")
    result = ada.page.get_by_role("region", name="Result")
    expect(result).to_be_visible()
    expect(result).not_to_contain_text("erratum")
    add_erratum(service, ada, over)
    ada.page.reload()
    expect(result).to_contain_text("Release 0.1.9 decided it wrongly:")
    expect(result).to_contain_text(REASON)
    expect(result).to_contain_text("The result stands.")
    expect(result).to_contain_text("does not count for the standings")
    czech = newcomer("Eva", locale="cs-CZ").enter().page
    czech.goto(f"/match/{over}")
    expect(czech.get_by_role("region", name="Výsledek")).to_contain_text("se do žebříčku nepočítá")
