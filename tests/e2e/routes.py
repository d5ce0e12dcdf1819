"""All calls of the document, and what fills the parameters of their addresses."""

from typing import Any

from tests.e2e.service import Player

SOME = {
    "match": "m_0123456789abcdef01234567",
    "player": "p_nobody",
    "bot": "b_nobody",
    "token_id": "t_none",
    "device": "d_none",
    "passkey": "none",
    "invitation": "i_none",
    "seek": "s_none",
    "showing": "00000",
    "webhook": "wh_none",
    "subscription": "ps_none",
    "comment": "c_none",
    "message": "none",
    "slug": "tranquility",
    "puzzle": "none-1",
    "step": "1",
    "job": "x",
    "name": "0/000",
    "token": "x",
}
NEEDED = {
    "from": 1,
    "to": 1,
    "path": "/version",
    "when": "version",
    "old": 1,
    "new": 1,
    "record": 1,
    "seat": 0,
    "chance": 0.5,
    "version": 1,
}
"""Parameters without which a route can't be called."""
OPEN_TO_ALL = {
    ("get", "/games"),
    ("get", "/games/{slug}"),
    ("get", "/games/{slug}/components"),
    ("get", "/matches/{match}/card"),
    ("get", "/games/{slug}/tutorial"),
    ("get", "/games/{slug}/coach"),
    ("get", "/games/{slug}/tutorial/steps/{step}"),
    ("post", "/games/{slug}/tutorial/steps/{step}/try"),
    ("get", "/puzzles"),
    ("get", "/puzzles/daily"),
    ("get", "/puzzles/{puzzle}"),
    ("post", "/players"),
    ("get", "/sign-ins"),
    ("post", "/sign-ins/recovery"),
    ("post", "/sign-ins/move"),
    ("post", "/sign-ins/passkey/options"),
    ("post", "/sign-ins/passkey"),
    ("get", "/sign-ins/oidc"),
    ("post", "/sign-ins/oidc"),
    ("post", "/sign-ins/mail/link"),
    ("post", "/sign-ins/mail"),
    ("post", "/mail/confirm"),
    ("post", "/mail/{token}"),
    ("get", "/health/live"),
    ("get", "/health/ready"),
    ("get", "/keys"),
    ("get", "/checkpoint"),
    ("get", "/checkpoint/key"),
    ("get", "/checkpoint/consistency"),
    ("get", "/tile/{name}"),
}


def routes(player: Player) -> list[tuple[str, str, dict[str, Any]]]:
    """Return method, path and the query of each call."""
    paths = player.get("/schema/openapi.json")["paths"]
    return [
        (method, path, _needed(call))
        for path, item in paths.items()
        for method, call in item.items()
    ]


def _needed(call: dict[str, Any]) -> dict[str, Any]:
    queries = (each for each in call.get("parameters", ()) if each["in"] == "query")
    return {each["name"]: NEEDED[each["name"]] for each in queries if each.get("required")}
