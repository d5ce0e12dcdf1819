"""A match over HTTP, as a client app plays it."""

import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import msgspec
import pytest

from events import file
from events.chain import follow
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from service.jobs.kinds import KINDS
from tests.e2e.documented import codes_of
from tests.e2e.played import turn_of
from tests.e2e.service import Player, refusal


def test_a_whole_match_is_played_exported_and_proved_fair(ada, bob, match):
    """Receipts taken on the way stand in the log that everyone can download afterwards."""
    receipts = {}
    dice = random.Random(1)
    while (view := ada.get(f"/matches/{match}"))["status"] == "running":
        player = (ada, bob)[dice.choice(view["waiting"])]
        answer = player.do(match, dice.choice(player.legal(match)))
        receipts[answer["version"]] = answer["head"]
    assert view["result"]["reason"]
    exported = ada.http.get(f"/matches/{match}/export").content
    lines, head = file.read(exported)
    heads = list(follow(lines))
    for version, receipt in receipts.items():
        assert heads[version - 1] == receipt
    assert head is not None
    report = audit(GAMES, Evidence(match, lines, head=head))
    assert not report.findings, report.findings
    assert json.loads(lines[-1])["events"][-1]["type"] == "match_finished"


def test_the_answer_to_a_command_is_the_callers_view_of_what_followed(ada, bob, match):
    mover, other = turn_of(match, ada, bob)
    command = mover.legal(match)[0]
    answer = mover.do(match, command)
    assert answer["version"] == 4
    assert answer["view"] == mover.get(f"/matches/{match}")["view"]
    told = other.get(f"/matches/{match}/events?after=3")["records"]
    assert [record["v"] for record in told] == [4]
    assert "command" not in told[0]
    assert mover.get(f"/matches/{match}/events?after=3")["records"][0]["command"] == command


def test_the_same_command_sent_fifty_times_at_once_counts_once_and_answers_the_same(
    ada, bob, match
):
    mover, _ = turn_of(match, ada, bob)
    command = mover.legal(match)[0]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: mover.send(match, command, "once"), range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert mover.get(f"/matches/{match}")["version"] == 4
    mover.do(match, {"type": "propose_abandon"})
    assert mover.send(match, command, "once").content == answers[0].content, "later too"


def test_a_key_used_for_another_command_is_refused(ada, bob, match):
    mover, _ = turn_of(match, ada, bob)
    first, second = mover.legal(match)[:2]
    mover.send(match, first, "key")
    answer = mover.send(match, second, "key")
    assert refusal(answer) == (409, "id-reused")


def test_a_key_is_its_players_own(ada, bob):
    match = ada.open_match()
    assert ada.send(match, {"type": "take_seat"}, "k").status_code == 200
    assert bob.send(match, {"type": "take_seat"}, "k").json()["version"] == 3


def test_of_two_racing_for_a_turn_one_wins_and_the_other_gets_the_rules_error(ada, bob, match):
    mover, _ = turn_of(match, ada, bob)
    commands = mover.legal(match)[:8]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda command: mover.send(match, command), commands))
    codes = sorted(answer.status_code for answer in answers)
    assert codes[0] == 200
    assert set(codes[1:]) <= {200, 422}
    assert mover.get(f"/matches/{match}")["version"] == 3 + codes.count(200)


def test_if_match_guards_against_a_match_that_has_gone_on(ada, bob, match):
    mover, _ = turn_of(match, ada, bob)
    command = mover.legal(match)[0]
    stale = mover.send(match, command, **{"If-Match": '"2"'})
    assert (stale.status_code, stale.json()["code"], stale.json()["version"]) == (
        412,
        "stale-version",
        3,
    )
    assert mover.send(match, command, **{"If-Match": '"3"'}).status_code == 200


def test_earlier_versions_are_seen_as_they_were(ada, bob, match):
    before = ada.get(f"/matches/{match}")
    mover, _ = turn_of(match, ada, bob)
    mover.do(match, mover.legal(match)[0])
    assert ada.get(f"/matches/{match}?at=3") == before
    answer = ada.http.get(f"/matches/{match}?at=9")
    assert refusal(answer) == (404, "no-such-version")


def test_a_diff_is_told_in_words_too(ada, bob, match):
    mover, _ = turn_of(match, ada, bob)
    mover.do(match, mover.legal(match)[0])
    last = mover.get(f"/matches/{match}")["version"]
    told = mover.get(f"/matches/{match}/diff?from={last - 1}&to={last}")
    assert (told["start"], told["end"]) == (last - 1, last)
    assert told["patch"]
    assert all(isinstance(line, str) for line in told["words"])
    assert told["words"]


def test_blame_and_bisect_find_the_move(ada, bob, match):
    """Each viewer gets its own view; only the sender sees a command; the full view stays closed."""
    mover, other = turn_of(match, ada, bob)
    before = mover.get(f"/matches/{match}")["version"]
    command = mover.legal(match)[0]
    mover.do(match, command)
    last = mover.get(f"/matches/{match}")["version"]
    path = f"/matches/{match}/blame?path=/turn"
    mine, theirs = mover.get(path), other.get(path)
    assert mine["set_by"]["record"]["v"] <= last
    assert (mine["value"], mine["there"]) == (theirs["value"], True)
    assert (
        "command" not in theirs["set_by"]["record"] or theirs["set_by"]["record"]["command"] is None
    )
    assert mine["set_by"]["rules"]
    found = mover.get(f"/matches/{match}/bisect?when=version > `{before}`&of=match&all=true")
    assert found["first"]["record"]["v"] == before + 1
    assert [change["holds"] for change in found["changes"]] == [True]
    for path in ("blame?path=/turn", "bisect?when=turn"):
        assert mover.http.get(f"/matches/{match}/{path}&view=full").status_code == 403


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("blame?path=turn", 400, "bad-path"), ("bisect?when=][", 400, "bad-condition"),
        ("bisect?when=nope(@)", 400, "bad-condition"),
        ("blame?path=/turn&of=table", 400, "malformed"),
        ("diff?from=1&to=9999", 404, "no-such-version"),
        ("timeline?after=9999", 404, "no-such-version"),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused_by_code(ada, bob, match, path, status, code):
    answer = ada.http.get(f"/matches/{match}/{path}")
    assert refusal(answer) == (status, code)
    if status == 400:
        assert answer.json()["errors"][0]["parameter"] in path


@pytest.mark.parametrize(
    "command",
    [
        {"type": "warp"},
        {"type": "order_course"},
        {"type": "order_course", "direction": "up"},
        {"type": "choose_start", "cell": "middle"},
    ],
)
def test_a_command_that_no_rule_can_judge_is_malformed(ada, bob, command):
    """Captain Sonar calls this `bad-command`; it comes before every rule and every role."""
    match = ada.open_match("captain_sonar")
    for player in (ada, bob):
        player.do(match, {"type": "take_seat"})
    answer = ada.send(match, command)
    assert refusal(answer) == (400, "malformed")


def test_an_unchanged_match_is_not_sent_again(ada, match):
    etag = ada.http.get(f"/matches/{match}").headers["ETag"]
    assert etag == '"3"'
    for known in (etag, f"W/{etag}", f'"1", {etag}', "*"):
        again = ada.http.get(f"/matches/{match}", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b""), known
    for other in ('"1"', '"1", "2"', "3", ""):
        assert ada.http.get(f"/matches/{match}", headers={"If-None-Match": other}).is_success


def test_an_undo_by_consent_over_http(ada, bob, match):
    mover, other = turn_of(match, ada, bob)
    before = mover.get(f"/matches/{match}")["view"]
    mover.do(match, mover.legal(match)[0])
    offered = mover.get(f"/matches/{match}/legal")
    assert offered["undo"] == {
        "to": 3,
        "undo": "all",
        "asked": [other.get(f"/matches/{match}")["you"]],
    }
    mover.do(match, {"type": "propose_undo", "to": 3})
    proposal = other.get(f"/matches/{match}")["proposal"]
    assert (proposal["kind"], proposal["to"], proposal["undo"]) == ("undo", 3, "all")
    other.do(match, {"type": "answer", "proposal": proposal["proposal"], "accept": True})
    assert mover.get(f"/matches/{match}")["view"] == before
    moments = mover.get(f"/matches/{match}/timeline")["moments"]
    assert [m["v"] for m in moments if m.get("undone_by")] == [4]


def test_a_private_match_is_not_there_for_strangers(ada, bob, eve):
    answer = ada.http.post(
        "/matches", json={"game": "tranquility", "seats": 2, "private": True}
    ).json()
    path = f"/matches/{answer['match']}"
    assert eve.http.get(path).status_code == 404
    assert eve.http.get(path, params={"join_code": "0123456789"}).status_code == 404
    code = {"join_code": answer["join_code"]}
    assert bob.http.get(path, params=code).status_code == 200
    seat = {"type": "take_seat"}
    assert eve.http.post(f"{path}/commands", json=seat).status_code == 404
    assert bob.http.post(f"{path}/commands", json=seat, params=code).status_code == 200
    assert bob.http.get(path).status_code == 200, "seated now"


def test_opening_a_match_twice_under_a_key_opens_one(ada):
    body = {"game": "tranquility", "seats": 3}
    key = {"Idempotency-Key": "open-1"}
    first, again = (ada.http.post("/matches", json=body, headers=key) for _ in range(2))
    assert first.json() == again.json()
    other = ada.http.post("/matches", json={**body, "seats": 2}, headers=key)
    assert refusal(other) == (409, "id-reused")


@pytest.mark.parametrize(
    "clock", [{"type": "per_move", "seconds": 1}, {"type": "bank", "seconds": 1}]
)
def test_a_late_command_finds_the_clock_has_played(ada, bob, clock):
    match = ada.open_match(clock=clock)
    for player in (ada, bob):
        player.do(match, {"type": "take_seat"})
    mover, _ = turn_of(match, ada, bob)
    seat = mover.get(f"/matches/{match}")["you"]
    command = mover.legal(match)[0]
    time.sleep(1.1)
    late = mover.send(match, command)
    assert refusal(late) == (422, "not-your-turn")
    events = mover.get(f"/matches/{match}/events?after=3")["records"][0]["events"]
    assert events[0] == {"type": "timed_out", "seat": seat}


def test_nothing_hidden_reaches_another_seat(ada, bob, match):
    """While it runs, no byte that Bob is sent names a card in Ada's hand."""
    for _ in range(12):
        mover, _other = turn_of(match, ada, bob)
        mover.do(match, mover.legal(match)[0])
        for player, rival in ((ada, bob), (bob, ada)):
            me = rival.get(f"/matches/{match}")["you"]
            hand = rival.get(f"/matches/{match}")["view"]["hands"][me]
            seen = [
                player.http.get(f"/matches/{match}{path}").text
                for path in ("", "/events", "/legal", "/timeline", "?at=3", "/diff?from=3&to=4")
            ]
            for card in hand:
                assert f'"{card}"' not in "".join(seen)


def test_the_lobby_is_described_in_openapi(ada):
    document = ada.get("/schema/openapi.json")
    body = document["paths"]["/matches/{match}/commands"]["post"]["requestBody"]
    sent = document["components"]["schemas"]["SentCommand"]
    assert body["content"]["application/json"]["schema"]["$ref"].endswith("/SentCommand")
    names = [part["$ref"] for part in sent["anyOf"]]
    assert "#/components/schemas/TranquilityCommand" in names
    schema = document["components"]["schemas"]["TranquilityCommand"]
    assert schema["discriminator"]["propertyName"] == "type"
    for target in schema["discriminator"]["mapping"].values():
        assert target.removeprefix("#/components/schemas/") in document["components"]["schemas"]
    examples = body["content"]["application/json"]["examples"]
    for name, example in examples.items():
        if name.startswith("tranquility."):
            msgspec.convert(example["value"], GAMES["tranquility"].Command)


def test_what_comes_of_a_job_is_described_in_openapi(ada):
    """By its kind; whoever writes a client has this page alone."""
    schemas = ada.get("/schema/openapi.json")["components"]["schemas"]
    jobs = schemas["Job"]["discriminator"]["mapping"]
    assert jobs.keys() == KINDS.keys()
    for kind, target in jobs.items():
        job = schemas[target.rpartition("/")[2]]
        result, nothing = job["properties"]["result"]["oneOf"]
        assert job["properties"]["kind"]["const"] == kind
        assert (result["$ref"].rpartition("/")[2] in schemas, nothing) == (True, {"type": "null"})


def test_a_refusal_is_described_for_every_call(ada):
    document = ada.get("/schema/openapi.json")
    for item in document["paths"].values():
        for operation in item.values():
            for status, answer in operation["responses"].items():
                if status[0] in "45" and operation["operationId"] != "ready":
                    assert answer["description"]
                    assert codes_of(document, answer), (operation["operationId"], status)
            if "security" not in operation:
                assert "unauthenticated" in codes_of(document, operation["responses"]["401"])
    told = document["paths"]["/matches/{match}/solve"]["post"]["responses"]
    for status, code in ((403, "not-agreed"), (429, "too-many-jobs"), (503, "queue-full")):
        assert f"`{code}`" in told[str(status)]["description"]
        assert code in codes_of(document, told[str(status)])


def test_a_client_can_draw_the_board_from_what_the_service_says_of_the_game(service):
    with Player(service.url) as ann:
        box = ann.get("/games/captain_sonar")["components"]
    assert box["sides"] == {"light": 10, "dark": 15}
    assert [3, 0] in box["maps"]["alpha"]["light"]["islands"]


def test_standing_orders_pass_windows_and_rivals_are_told_nothing(service):
    """Of two equal matches one has a seat with orders: its rival sees records of the same shape."""
    with Player(service.url, "Ann") as ann, Player(service.url, "Ben") as ben:
        offered = ann.get("/games/ke_dnu")["orders"]
        assert offered == ["plays", "untouched", "actions", "discards"]
        match = ann.open_match("ke_dnu")
        ann.do(match, {"type": "take_seat", "seat": 0})
        ben.do(match, {"type": "take_seat", "seat": 1})
        before = ann.http.get(f"/matches/{match}").json()
        order = {"type": "set_standing_orders", "orders": ["untouched", "plays"]}
        done = ben.do(match, {**order, "until": "next_command"})
        assert done["events"] == [
            {
                "type": "standing_orders_set",
                "seat": 1,
                "orders": ["plays", "untouched"],
                "until": "next_command",
            }
        ]
        mine = ben.get(f"/matches/{match}")
        assert mine["orders"] == {"orders": ["plays", "untouched"], "until": "next_command"}
        assert {"type": "set_standing_orders", "orders": [], "until": "cancelled"} in ben.get(
            f"/matches/{match}/legal"
        )["match_commands"]
        assert ann.get(f"/matches/{match}") == before
        assert ann.get(f"/matches/{match}/events?after=0")["version"] == before["version"]
        wrong = ben.send(match, {"type": "set_standing_orders", "orders": ["attack"]})
        assert refusal(wrong) == (422, "no-such-order")
        assert wrong.json()["orders"] == offered
        for forged in ("follow_orders", "time_out"):
            assert ben.send(match, {"type": forged}).status_code == 400


def test_a_match_may_name_a_stand_in_and_the_time_for_proposals(service):
    with Player(service.url, "Ann") as ann, Player(service.url, "Ben") as ben:
        match = ann.open_match("tranquility", stand_in="heuristic", proposal_seconds=3600)
        ann.do(match, {"type": "take_seat", "seat": 0})
        ben.do(match, {"type": "take_seat", "seat": 1})
        ann.do(match, {"type": "pause"})
        proposal = ben.get(f"/matches/{match}")["proposal"]
        asked = datetime.fromisoformat(ben.get(f"/matches/{match}")["at"])
        assert datetime.fromisoformat(proposal["expires"]) - asked == timedelta(hours=1)
        wrong = ann.http.post(
            "/matches", json={"game": "tranquility", "seats": 2, "stand_in": "genius"}
        )
        assert refusal(wrong) == (422, "no-such-level")
