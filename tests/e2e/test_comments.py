"""Comments on moments of a finished match: for all who may see it, outside the log."""

import httpx
from redis import Redis

from service.play.comments import OWN_MAX
from tests.e2e.played import end
from tests.e2e.service import Player, Running, refusal


def comment(player: Player, match: str, version: int = 3, text: str = "Why?") -> httpx.Response:
    body = {"version": version, "text": text}
    return player.http.post(f"/matches/{match}/comments", json=body)


def said(player: Player, match: str) -> list[tuple[int, str, str]]:
    found = player.get(f"/matches/{match}/comments")
    assert found["analysed"] is False
    return [(one["version"], one["by"], one["text"]) for one in found["comments"]]


def test_players_and_readers_comment_once_the_match_is_over(
    ada: Player, bob: Player, eve: Player, match: str
):
    refused = comment(ada, match)
    assert refusal(refused) == (403, "forbidden")
    assert said(ada, match) == []
    end(ada, bob, match)
    before = bob.http.get(f"/matches/{match}/export").content
    assert comment(ada, match, 4, "Too early.").status_code == 201
    assert comment(eve, match, 3, "Nice!").status_code == 201
    assert said(bob, match) == [(3, eve.id, "Nice!"), (4, ada.id, "Too early.")]
    assert bob.http.get(f"/matches/{match}/export").content == before, "no log is touched"


def test_a_version_that_never_was_and_an_empty_text_are_refused(ada: Player, over: str):
    missing = comment(ada, over, 9_999)
    assert refusal(missing) == (404, "no-such-version")
    for version, text in ((0, "x"), (3, ""), (3, "x" * 501)):
        assert comment(ada, over, version, text).status_code == 400


def test_a_comment_is_deleted_by_its_author_or_an_operator(
    ada: Player, bob: Player, operator: Player, over: str
):
    first, second = (comment(ada, over).json()["id"] for _ in range(2))
    path = f"/matches/{over}/comments"
    assert bob.http.delete(f"{path}/{first}").status_code == 403
    assert ada.http.delete(f"{path}/{first}").status_code == 204
    assert ada.http.delete(f"{path}/{first}").status_code == 404
    assert operator.http.delete(f"{path}/{second}").status_code == 204
    assert said(bob, over) == []


def test_a_player_writes_only_so_many_comments_on_a_match(ada: Player, bob: Player, over: str):
    written = [comment(ada, over).json()["id"] for _ in range(OWN_MAX)]
    refused = comment(ada, over)
    assert refusal(refused) == (429, "too-many-comments")
    assert "Delete one first" in refused.json()["detail"]
    assert comment(bob, over).status_code == 201
    ada.http.delete(f"/matches/{over}/comments/{written[0]}")
    assert comment(ada, over).status_code == 201


def test_comments_of_an_erased_player_are_deleted(
    service: Running, ada: Player, bob: Player, over: str
):
    comment(ada, over)
    comment(bob, over)
    assert ada.http.delete("/players/me").status_code == 204
    assert said(bob, over) == [(3, bob.id, "Why?")]
    with Redis(unix_socket_path=str(service.data / "work" / "redis.sock")) as work:
        assert work.hkeys(f"comments:{over}:by") == [bob.id.encode()], "not even the id is left"
