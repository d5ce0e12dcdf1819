"""The audience of a match talks among itself: whoever has a seat reads it after the end."""

import httpx

from service.play.audience import MINUTE_MAX
from tests.e2e.played import end
from tests.e2e.service import Player, refusal


def say(player: Player, match: str, text: str = "Watch the 12!") -> httpx.Response:
    return player.http.post(f"/matches/{match}/audience", json={"text": text})


def heard(player: Player, match: str) -> list[tuple[str, str]]:
    return [(one["by"], one["text"]) for one in player.get(f"/matches/{match}/audience")]


def test_players_neither_read_nor_write_it_until_the_match_is_over(ada, bob, eve, match):
    assert say(eve, match).status_code == 201
    assert heard(eve, match) == [(eve.id, "Watch the 12!")]
    refused = [say(ada, match), bob.http.get(f"/matches/{match}/audience")]
    assert [refusal(one) for one in refused] == [(403, "forbidden")] * 2
    assert ada.get(f"/matches/{match}/talk") == [], "it is not the talk of the table"
    end(ada, bob, match)
    assert heard(ada, match) == [(eve.id, "Watch the 12!")]
    assert say(ada, match).status_code == 403


def test_a_private_match_has_its_own_audience(ada, eve):
    match = ada.open_match(private=True)
    assert say(eve, match).status_code == 404
    assert eve.http.get(f"/matches/{match}/audience").status_code == 404


def test_a_spectator_sends_only_so_many_messages_a_minute(eve, ada, match):
    answers = [say(eve, match) for _ in range(MINUTE_MAX + 1)]
    assert {answer.status_code for answer in answers[:-1]} == {201}
    assert refusal(answers[-1]) == (429, "rate-limited")
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60


def test_a_message_is_deleted_by_its_author_an_operator_or_with_the_player(
    ada, eve, operator, match
):
    with Player(str(eve.http.base_url), "Cleo") as cleo:
        first, second = (say(eve, match).json()["id"] for _ in range(2))
        path = f"/matches/{match}/audience"
        assert cleo.http.delete(f"{path}/{first}").status_code == 403
        assert eve.http.delete(f"{path}/{first}").status_code == 204
        assert eve.http.delete(f"{path}/{first}").status_code == 404
        assert operator.http.delete(f"{path}/{second}").status_code == 204
        say(eve, match)
        say(cleo, match, "Hm.")
        assert '"type":"audience"' in eve.http.get("/players/me/export").text
        assert eve.http.delete("/players/me").status_code == 204
        assert heard(cleo, match) == [(cleo.id, "Hm.")]
