"""Answers carry signed receipts, which hold against the log of every game."""

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


@pytest.mark.parametrize("game", GAMES)
def test_receipts_of_players_and_spectators_hold_against_the_log(service, ada, eve, game):
    seats = min(GAMES[game].seats)
    match = ada.http.post("/matches", json={"game": game, "seats": seats}).json()["match"]
    with ExitStack() as stack:
        others = [stack.enter_context(Player(service.url)) for _ in range(seats - 1)]
        players = [ada, *others]
        kept = [
            player.send(match, {"type": "take_seat", "seat": seat})
            for seat, player in enumerate(players)
        ]
        for _ in range(ROUNDS):
            kept += [
                player.send(match, legal[0]) for player in players if (legal := player.legal(match))
            ]
            kept.append(eve.http.get(f"/matches/{match}"))
        kept.append(ada.http.get(f"/matches/{match}?at=2"))
        kept += [player.send(match, {"type": "resign"}) for player in players]
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


def test_a_refused_command_has_no_receipt(ada):
    match = ada.open_match()
    refused = ada.send(match, {"type": "resign"})
    assert refused.status_code >= 400
    assert "Receipt" not in refused.headers
    assert json.loads(refused.content)["code"]
