"""The inspector: any version, any eyes, who set what and when, branches, chances and rescues."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget
from tests.web.inspector import (
    at,
    badge,
    exported,
    first_cause,
    inspect,
    panel,
    place,
    tampered,
    upload,
    versions,
)
from tests.web.play import Person, seated

RECORD = re.compile(r"record (\d+)")

pytestmark = pytest.mark.long


def test_stepping_by_buttons_keys_and_slider(ada: Person, over: str):
    page = inspect(ada, over)
    last = versions(ada, over)
    at(page, last)
    page.get_by_role("button", name="One record back").click()
    at(page, last - 1)
    page.keyboard.press("ArrowLeft")
    at(page, last - 2)
    page.keyboard.press("ArrowRight")
    at(page, last - 1)
    slider = page.get_by_role("slider", name="Record")
    slider.focus()
    page.keyboard.press("Home")
    at(page, 1)
    expect(page.get_by_text("The game had not begun yet.").first).to_be_visible()
    expect(page.get_by_role("button", name="One record back")).to_be_disabled()
    moments = ada.player.get(f"/matches/{over}/timeline?view=full")["moments"]
    turns = [m["v"] for m in moments if m["v"] > 1 and m["turn"] != moments[m["v"] - 2]["turn"]]
    page.keyboard.press("Shift+ArrowRight")
    at(page, turns[0])
    page.get_by_role("button", name="One turn on").click()
    at(page, turns[1])
    page.keyboard.press("Shift+ArrowLeft")
    at(page, turns[0])


def test_submarines_cells_show_all_their_treasures_on_a_phone(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob")
    match = seated([ada, bob], "submarine")
    bob.player.do(match, {"type": "resign"})
    ada.page.goto(f"/inspect/{match}")
    deepest = ada.page.locator(".cell.depth-5")
    expect(deepest.first.locator(".token")).to_have_count(4)
    for cell in deepest.all():
        assert cell.evaluate("e => e.scrollHeight <= e.clientHeight")


def test_an_address_leads_to_a_version_and_a_viewer(ada: Person, over: str):
    page = inspect(ada, over, "?view=1&at=4")
    at(page, 4)
    expect(page.locator("[name=view]")).to_have_value("1")
    page.reload()
    at(page, 4)
    expect(page.locator("[name=view]")).to_have_value("1")


def test_who_sits_down_is_named(ada: Person, over: str):
    page = inspect(ada, over, "?at=2")
    record = page.locator("[data-record='2']")
    expect(record.get_by_text("Ada", exact=True)).to_be_visible()
    expect(page.locator("[data-moment='2']")).to_have_text(re.compile(r"^\s*2\s+Ada joined\.\s*$"))


def test_a_record_tells_who_what_and_how_long_and_the_abandoned_line_is_struck_out(
    ada: Person, over: str
):
    moments = ada.player.get(f"/matches/{over}/timeline?view=full")["moments"]
    undone = next(m for m in moments if m.get("undone_by"))
    page = inspect(ada, over, f"?at={undone['v']}")
    record = page.locator("[data-record]")
    expect(record).to_contain_text("Taken back by")
    expect(record).to_contain_text("Thought for")
    expect(record).to_contain_text(undone["events"][0]["type"])
    expect(page.locator(f"[data-moment='{undone['v']}'] del")).to_be_visible()
    record.get_by_role("button", name=f"record {undone['undone_by']}").click()
    at(page, undone["undone_by"])


def test_every_viewer_sees_its_own_after_the_match(ada: Person, over: str):
    page = inspect(ada, over, "?at=4")
    at(page, 4)
    full = ada.player.get(f"/matches/{over}?view=full&at=4")["state"]
    expect(page.get_by_role("heading", name="State", exact=True)).to_be_visible()
    for key in full:
        expect(place(page, f"/{key}")).to_be_attached()
    page.locator("[name=view]").select_option("1")
    expect(page.get_by_role("heading", name="What the viewer knows")).to_be_visible()
    at(page, 4)
    view = ada.player.get(f"/matches/{over}?view=1&at=4")["view"]
    assert set(view) != set(full)
    for key in view:
        expect(place(page, f"/{key}")).to_be_attached()
    page.locator("[name=view]").select_option("full")
    page.locator("[name=eyes]").select_option("spectator")
    page.wait_for_url(re.compile(r"eyes=spectator"))


def test_a_running_match_is_seen_with_ones_own_eyes_alone(
    ada: Person, bob: Person, complaints: list[str]
):
    match = seated([ada, bob], "tranquility")
    page = inspect(ada, match, "?view=full")
    expect(page.locator("[name=view] option")).to_have_count(1)
    expect(page.locator("[name=view]")).to_have_value("0")
    expect(page.get_by_text("Other players' views open when the match is over.")).to_be_visible()
    expect(page.get_by_text("audited and downloaded when the match is over")).to_be_visible()
    forget(complaints, "403")


def test_a_step_marks_what_it_changed(ada: Person, over: str):
    page = inspect(ada, over, "?at=4")
    at(page, 4)
    turned = place(page, "/turn")
    expect(turned).to_contain_text("changed")
    expect(turned).to_contain_text("was 1")
    page.get_by_label("Only what this record changed").check()
    expect(place(page, "/players")).to_have_count(0)
    expect(turned).to_be_visible()


def test_blame_names_the_record_and_its_rule(ada: Person, over: str):
    page = inspect(ada, over)
    place(page, "/turn").get_by_role("button").click()
    blame = page.locator("[data-blame='/turn']")
    asked = ada.player.get(f"/matches/{over}/blame?path=/turn&view=full")["set_by"]
    expect(blame).to_contain_text("Set by")
    expect(blame.get_by_role("link", name=asked["rules"][0], exact=True)).to_have_attribute(
        "href", f"/rules/tranquility#{asked['rules'][0]}"
    )
    blame.get_by_role("button", name=f"record {asked['record']['v']}").first.click()
    at(page, asked["record"]["v"])
    page.wait_for_url(re.compile(r"path=%2Fturn"))


def test_bisect_finds_the_first_version_and_says_what_is_wrong_with_a_question(
    ada: Person, over: str, complaints: list[str]
):
    query = {"when": "turn > `1`", "view": "full"}
    asked = ada.player.get(f"/matches/{over}/bisect", params=query)
    page = inspect(ada, over)
    box = page.get_by_label("Condition")
    box.fill(query["when"])
    page.get_by_role("button", name="Find").click()
    at(page, asked["first"]["record"]["v"])
    expect(page.get_by_text("begins to hold").first).to_be_visible()
    box.fill("turn > `999`")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_text("It holds after none of the")).to_be_visible()
    box.fill("][")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("alert")).to_contain_text("This condition can't be read.")
    forget(complaints, "400")


def test_a_branch_leads_to_the_new_match(ada: Person, over: str, complaints: list[str]):
    page = inspect(ada, over, "?at=4")
    at(page, 4)
    page.get_by_text("Branch after record 4").click()
    page.locator("[name='branch.seat']").select_option("0")
    page.locator("[name='branch.0']").select_option("me")
    page.locator("[name='branch.1']").select_option("medium")
    page.get_by_role("button", name="Open the branch").click()
    page.wait_for_url(re.compile(r"/match/m_"))
    assert over not in page.url
    expect(page.locator("[data-board=tranquility]")).to_be_visible()
    branch = ada.player.get(f"/matches/{page.url.rpartition('/')[2]}")
    assert branch["branch"] == {"parent": over, "version": 4, "seat": 0}
    ada.look("Menu")
    page.get_by_role("link", name="Inspector").first.click()
    original = page.get_by_role("link", name="Original match")
    expect(original).to_have_attribute("href", f"/inspect/{over}")
    forget(complaints, "403")


def test_a_record_is_explained_and_its_facts_lead_back_to_their_causes(ada: Person, over: str):
    page = inspect(ada, over, "?at=8")
    path, record = first_cause(page, 8)
    at(page, record)
    expect(page.locator(f"[data-explained='{record}']")).to_be_visible()
    expect(page.locator(f"[data-blame='{path}']")).to_contain_text("Set by")
    page.wait_for_url(re.compile(rf"at={record}&.*explain="))
    page.reload()
    expect(page.locator(f"[data-explained='{record}']")).to_be_visible()


def test_the_chances_are_drawn_and_what_lost_is_named(ada: Person, over: str):
    page = inspect(ada, over)
    curve = page.get_by_role("region", name="Chances of winning")
    curve.get_by_role("button", name="Analyse the match").click()
    picture = curve.get_by_role("img", name="Chance of winning over the match")
    expect(picture).to_be_visible(timeout=60_000)
    assert picture.locator("polyline").count() == 1, "Tranquility's crew wins together"
    expect(curve).to_contain_text(re.compile("Ada and Bob: from [0-9]+% at the first decision"))
    expect(curve).to_contain_text("How often bots would win from there")
    expect(curve.get_by_role("status")).to_have_count(0, timeout=60_000)
    page.reload()
    expect(picture).to_be_visible()


def test_where_it_could_have_been_saved_is_searched_for_and_leads_there(ada: Person, over: str):
    page = inspect(ada, over)
    rescue = page.get_by_role("region", name="Turning point")
    rescue.get_by_role("button", name="Search for the turning point").click()
    expect(rescue).to_have_attribute("data-rescue", "line")
    rescue.get_by_text("that win").click()
    expect(rescue.get_by_role("listitem").first).to_be_visible()
    rescue.get_by_role("status").get_by_role("button").click()
    page.wait_for_url(re.compile(r"[?&]at=\d+"))


def test_links_lead_there_from_the_match_and_from_the_lobby(ada: Person, over: str):
    ada.open(over)
    side = ada.look("Menu").page.locator("aside.side")
    expect(side).to_contain_text(RECORD)
    number = RECORD.search(side.inner_text())
    assert number
    side.get_by_role("link", name="Inspector").click()
    expect(ada.page.locator("[data-version]")).to_be_visible()
    ada.page.locator("[name=view]").select_option("0")
    expect(ada.page.get_by_text(f"Record {number[1]} of {number[1]}")).to_be_attached()
    ada.page.get_by_role("link", name="To the match").click()
    expect(ada.page.locator("aside.side")).to_be_visible()
    ada.page.goto("/mine")
    ada.page.locator(f'a[href="/inspect/{over}"]').click()
    expect(ada.page.locator("[data-version]")).to_be_visible()
    ada.page.goto("/")
    ada.page.get_by_role("link", name="Open a downloaded match").click()
    expect(ada.page.get_by_role("heading", name="Open a downloaded match")).to_be_visible()


def test_what_arrives_after_leaving_is_not_complained_about(ada: Person, over: str):
    """That the browser's console stays empty is checked by `newcomer`."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route("**/timeline?*", hold)
    with ada.page.expect_request("**/timeline?*"):
        ada.page.goto(f"/inspect/{over}")
    expect(ada.page.locator(".quiet[aria-busy=true]")).to_be_visible()
    ada.page.get_by_role("link", name="My matches").click()
    expect(ada.page.get_by_role("heading", name="My matches")).to_be_visible()
    with ada.page.expect_response("**/timeline?*"):
        for route in held:
            route.continue_()
    ada.page.wait_for_timeout(200)


def assert_accessible(page: Page) -> None:
    """Check a page against WCAG and for its width."""
    assert breaches(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"]


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_inspector_obeys_wcag(newcomer: Newcomer, over: str, size: str):
    eve = newcomer("Eve", size).enter()
    page = inspect(eve, over, "?at=4&path=/turn&explain")
    expect(page.locator("[data-chain]")).to_have_attribute("data-chain", "good")
    expect(page.locator("[data-blame]")).to_contain_text("Set by")
    expect(page.locator("[data-explained]")).to_contain_text("Recorded and decided")
    if size == "phone":
        panel(page, "Audit")
    page.get_by_text("What was checked").click()
    assert_accessible(page)
    if size == "phone":
        panel(page, "Find")
    page.get_by_text("Branch after record 4").click()
    assert_accessible(page)
    page = upload(eve, "tampered.jsonl", tampered(exported(eve, over), "dropped"))
    expect(page.locator("[data-version]")).to_have_attribute("aria-busy", "false")
    if size == "phone":
        panel(page, "Audit")
        page.get_by_role("button", name="Audit every move").click()
    expect(badge(page)).to_have_attribute("data-audit", "bad")
    assert_accessible(page)


SCREENS_MAX = 2


def test_on_a_phone_one_panel_is_shown_at_a_time_in_czech_too(newcomer: Newcomer, over: str):
    eve = newcomer("Eva", "phone", locale="cs-CZ").enter()
    page = inspect(eve, over)
    for name in ("Plán", "Záznam", "Stav", "Hledat", "Audit", "Přehled"):
        page.get_by_role("group", name="Ukazuje se").get_by_role("button", name=name).click()
        height = page.evaluate("document.documentElement.scrollHeight / innerHeight")
        assert height < SCREENS_MAX, name
    expect(page.locator("[data-chain]")).to_contain_text("Návaznost i náhoda sedí")
    expect(page.get_by_role("heading", name="Všechny záznamy")).to_be_visible()
