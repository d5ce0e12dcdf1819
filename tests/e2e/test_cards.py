"""What the link to a match says to people without an account, and to messengers."""

import html
import io
import re

import httpx
import pytest
from PIL import Image

from tests.e2e.service import Player, refusal


def card(url: str, match: str, code: str = "") -> httpx.Response:
    query = {"join_code": code} if code else {}
    return httpx.get(f"{url}/matches/{match}/card", params=query)


def page(url: str, match: str, code: str = "") -> str:
    return httpx.get(f"{url}/match/{match}", params={"code": code} if code else {}).text


def private(host: Player) -> tuple[str, str]:
    body = {"game": "submarine", "seats": 3, "private": True}
    made = host.http.post("/matches", json=body).json()
    host.do(made["match"], {"type": "take_seat", "seat": 0})
    return made["match"], made["join_code"]


def test_the_link_says_who_invites_to_what(service, ada):
    match, code = private(ada)
    assert card(service.url, match, code).json() == {
        "match": match,
        "game": "submarine",
        "titles": {"cs": "Submarine \N{EN DASH} potopený poklad", "en": "Submarine"},
        "status": "waiting",
        "host": "Ada",
        "seats": [{"name": "Ada", "bot": None}, *[{"name": None, "bot": None}] * 2],
        "free": 2,
        "clock": None,
        "minutes": 45,
    }


def test_without_its_code_a_private_match_says_nothing(service, ada):
    match, code = private(ada)
    for wrong in ("", "0" * len(code), "x"):
        assert card(service.url, match, wrong).status_code == 404
        assert "og:" not in page(service.url, match, wrong)
        assert "Ada" not in page(service.url, match, wrong)
    assert card(service.url, "m_none").json()["code"] == "not-found"


def test_messengers_read_a_preview_in_the_page(service, ada):
    match, code = private(ada)
    head = dict(
        re.findall(r'property="([\w:]+)" content="([^"]*)"', page(service.url, match, code))
    )
    assert head["og:title"] == "Ada invites you to Submarine"
    assert head["og:description"] == "3 players, about 45 minutes, 2 seats free"
    assert head["og:url"] == f"{service.url}/match/{match}?code={code}"
    picture = httpx.get(html.unescape(head["og:image"]))
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")


def picture(url: str, match: str, language: str = "en", code: str = "") -> httpx.Response:
    query = {"lang": language} | ({"code": code} if code else {})
    return httpx.get(f"{url}/match/{match}/picture.jpg", params=query)


def test_the_picture_of_a_link_is_drawn_for_its_match_and_language(service, ada):
    two, three = (ada.open_match("submarine", seats) for seats in (2, 3))
    drawn = [picture(service.url, *asked) for asked in ((two,), (three,), (three, "cs"))]
    for one in drawn:
        with Image.open(io.BytesIO(one.content)) as image:
            assert (image.format, image.size) == ("JPEG", (1200, 630))
    assert len({one.content for one in drawn}) == 3
    assert picture(service.url, three).content == drawn[1].content


def test_a_private_match_has_no_picture_for_those_without_its_code(service, ada):
    match, code = private(ada)
    assert picture(service.url, match, code=code).status_code == 200
    for answer in (picture(service.url, match), picture(service.url, "m_none")):
        assert refusal(answer) == (404, "not-found")


@pytest.mark.parametrize(
    ("seats", "facts"),
    [
        (2, "2 hráči, asi 45 minut, 1 volné místo"),
        (3, "3 hráči, asi 45 minut, 2 volná místa"),
        (5, "5 hráčů, asi 45 minut, 4 volná místa"),
    ],
)
def test_a_preview_is_in_the_language_of_its_reader(service, ada, seats, facts):
    match = ada.open_match("submarine", seats)
    ada.do(match, {"type": "take_seat", "seat": 0})
    asked = {"Accept-Language": "cs-CZ,cs;q=0.9,en;q=0.5"}
    shown = httpx.get(f"{service.url}/match/{match}", headers=asked).text
    assert "Ada vás zve do hry Submarine \N{EN DASH} potopený poklad" in shown
    assert f'property="og:description" content="{facts}"' in shown


def test_a_name_is_only_text_in_the_page(service):
    name = '"><script src=//x>'
    with Player(service.url, name) as player:
        match = player.open_match("submarine")
        shown = page(service.url, match)
        assert name not in shown
        assert "&quot;&gt;&lt;script" in shown


def test_a_match_that_runs_names_its_players(service, ada, bob, match):
    shown = page(service.url, match)
    assert 'content="Tranquility: Ada, Bob"' in shown
    assert card(service.url, match).json()["free"] == 0


def test_the_qr_code_tells_no_match_from_none(service, ada):
    match, code = private(ada)
    drawn = [
        httpx.get(f"{service.url}/match/{name}/qr.svg", params={"code": code})
        for name in (match, "m_" + "0" * 24)
    ]
    assert {(one.status_code, one.headers["content-type"]) for one in drawn} == {
        (200, "image/svg+xml")
    }
    assert b"<svg" in drawn[0].content
    assert httpx.get(f"{service.url}/match/{match}/qr.svg?code={'x' * 65}").status_code == 400
