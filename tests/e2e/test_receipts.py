"""Answers carry the signed receipts that callers ask for, which hold against every game's log."""

import json
from contextlib import ExitStack

import msgspec
import pytest

from events import file
from events.keyring import Keyring, PublicKey
from events.receipts import Receipt
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from tests.e2e.service import Player

ROUNDS = 4
ASKING = {"Prefer": "receipt"}


@pytest.mark.parametrize("game", GAMES)
def test_receipts_of_players_and_spectators_hold_against_the_log(service, ada, eve, game):
    seats = min(GAMES[game].seats)
    match = ada.http.post("/matches", json={"game": game, "seats": seats}).json()["match"]
    with ExitStack() as stack:
        others = [stack.enter_context(Player(service.url)) for _ in range(seats - 1)]
        players = [ada, *others]
        kept = [
            player.send(match, {"type": "take_seat", "seat": seat}, **ASKING)
            for seat, player in enumerate(players)
        ]
        for _ in range(ROUNDS):
            kept += [
                player.send(match, legal[0], **ASKING)
                for player in players
                if (legal := player.legal(match))
            ]
            kept.append(eve.http.get(f"/matches/{match}", headers=ASKING))
        kept.append(ada.http.get(f"/matches/{match}?at=2", headers=ASKING))
        kept += [player.send(match, {"type": "resign"}, **ASKING) for player in players]
    assert ada.get(f"/matches/{match}")["status"] in ("finished", "abandoned")
    receipts = [
        msgspec.json.decode(answer.headers["Receipt"], type=Receipt)
        for answer in kept
        if "Receipt" in answer.headers
    ]
    assert {receipt.viewer for receipt in receipts} == {*range(seats), "spectator"}
    assert len(receipts) > seats * 2
    lines, head = file.read(ada.http.get(f"/matches/{match}/export").content)
    published = msgspec.convert(ada.http.get("/keys").json(), list[PublicKey])
    evidence = Evidence(match, lines, head=head, receipts=receipts)
    report = audit(GAMES, evidence, Keyring.checked(published), redaction=False)
    assert (report.verdict, report.findings) == ("holds", [])
    assert not [gap for gap in report.unchecked if gap.startswith("receipt")]


def test_only_who_asks_gets_a_receipt_with_an_answer(ada):
    match = ada.open_match(seats=2)
    seat = {"type": "take_seat", "seat": 0}
    answers = [
        ada.send(match, seat, "seat", **headers)
        for headers in (
            {},
            {"Prefer": "return=minimal"},
            ASKING,
            {"Prefer": "return=minimal, receipt"},
            {"Prefer": "Receipt; wait=5"},
        )
    ]
    applied = [answer.headers.get("Preference-Applied") for answer in answers]
    assert applied == [None, "return=minimal", "receipt", "return=minimal, receipt", "receipt"]
    signed = ["Receipt" in answer.headers for answer in answers]
    assert signed == [False, False, True, True, True]
    assert "Receipt" not in ada.http.get(f"/matches/{match}").headers
    view = ada.http.get(f"/matches/{match}", headers=ASKING)
    assert view.headers["Preference-Applied"] == "receipt"
    assert json.loads(view.headers["Receipt"])["head"] == view.json()["head"]


def test_a_refused_command_has_no_receipt(ada):
    match = ada.open_match()
    refused = ada.send(match, {"type": "resign"}, **ASKING)
    assert refused.status_code >= 400
    assert "Receipt" not in refused.headers
    assert json.loads(refused.content)["code"]
