"""Invitations to matches, and seeks, by which players who wait find each other."""

from tests.e2e.service import Player

DUEL = {"game": "tranquility", "seats": 2}


def invite(host: Player, match: str, guest: str, **more):
    return host.http.post(f"/matches/{match}/invitations", json={"player": guest, **more})


def received(player: Player) -> list[dict]:
    return player.get("/players/me/invitations")["received"]


def sent(player: Player) -> list[dict]:
    return player.get("/players/me/invitations")["sent"]


def seek(player: Player, **more) -> dict:
    answer = player.http.post("/seeks", json={**DUEL, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def take(player: Player, one: dict):
    return player.http.post(f"/seeks/{one['seek']}/take", json={})
