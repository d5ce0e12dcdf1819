"""Export of all that is one's own, in one file."""

import json

from tests.e2e.invitations import invite, seek
from tests.e2e.service import Player, own_name, refusal, wait_until


def exported(player: Player) -> list[dict]:
    answer = player.http.get("/players/me/export")
    assert answer.status_code == 200, answer.text
    assert player.id in answer.headers["Content-Disposition"]
    return [json.loads(line) for line in answer.text.splitlines()]


def of(lines: list[dict], kind: str) -> list[dict]:
    return [line for line in lines if line["type"] == kind]


def test_all_that_is_kept_of_a_player_and_nothing_of_others(service, bob):
    with Player(service.url, own_name()) as ada:
        export_all(ada, bob)


def export_all(ada: Player, bob: Player) -> None:
    match = ada.open_match("submarine", private=True)
    ada.do(match, {"type": "take_seat", "seat": 0})
    invite(ada, match, bob.id, text="A quick one?")
    assert ada.http.post(f"/matches/{match}/talk", json={"text": "Mine"}).status_code == 201
    one = received(bob)
    assert bob.http.post(f"/invitations/{one['id']}/accept", json={}).status_code == 200
    assert bob.http.post(f"/matches/{match}/talk", json={"text": "Theirs"}).status_code == 201
    bob.do(match, {"type": "resign"})
    remark = {"version": 2, "text": "A remark"}
    assert ada.http.post(f"/matches/{match}/comments", json=remark).status_code == 201
    offered = seek(ada)
    wait_until(lambda: _is_over(ada, match))
    ada.http.put(f"/blocks/{bob.id}")
    code_made = ada.http.post("/players/me/recovery-code").json()["recovery_code"]
    lines = exported(ada)
    text = json.dumps(lines)
    assert (lines[0]["type"], lines[-1]) == ("export", {"type": "end", "matches": 1})
    (player,) = of(lines, "player")
    assert (player["record"]["name"], player["record"]["blocks"]) == (ada.name, [bob.id])
    assert "recovery" not in player["record"]
    assert code_made not in text
    assert "Theirs" not in text
    assert [line["comment"]["text"] for line in of(lines, "comment")] == ["A remark"]
    assert [line["seek"]["id"] for line in of(lines, "seek")] == [offered["seek"]]
    (played,) = of(lines, "match")
    assert (played["match"]["match"], played["seat"]) == (match, 0)
    assert [message["text"] for message in played["talk"]] == ["Mine"]
    assert ada.http.get(played["links"]["events"]).status_code == 200
    ada.http.delete(f"/seeks/{offered['seek']}")


def received(player: Player) -> dict:
    wait_until(lambda: player.get("/players/me/invitations")["received"])
    return player.get("/players/me/invitations")["received"][0]


def _is_over(player: Player, match: str) -> bool:
    listed = player.get("/players/me/matches")["matches"]
    return any(one["match"] == match and one["status"] == "finished" for one in listed)


def test_exports_are_limited_to_a_few_a_day(bob):
    for _ in range(3):
        assert exported(bob)[-1]["type"] == "end"
    refused = bob.http.get("/players/me/export")
    assert refusal(refused) == (429, "too-many-exports")
    assert int(refused.headers["Retry-After"]) > 0
