"""Play a match of each game to its end by `legal`, with the client that is generated for Python.

Run: python play.py URL GAME… It prints a line for each match.
"""

import json
import random
import sys
from typing import Any

from shiplog_client import AuthenticatedClient, Client, models
from shiplog_client.api.matches import create_match, get_legal, get_match, send_command
from shiplog_client.api.players import create_player
from shiplog_client.models import NewPlayer, TakeSeat

COMMANDS_MAX = 5_000
QUICK = {"captain_sonar": {"radio_assist": "none", "max_turns": 40}}
"""Options that shorten random play."""


def accepted(answer: Any) -> Any:
    """Return an answer, which must not be a problem."""
    if answer is None or hasattr(answer, "code"):
        raise SystemExit(f"refused: {answer}")
    return answer


def register(url: str, name: str) -> AuthenticatedClient:
    welcome = accepted(create_player.sync(client=Client(url), body=NewPlayer(name=name)))
    return AuthenticatedClient(url, token=welcome.token)


def start(game: str, players: list[AuthenticatedClient]) -> str:
    """Create a match and take all of its seats; return its id."""
    title = "".join(map(str.capitalize, game.split("_")))
    options = getattr(models, f"{title}Options").from_dict(QUICK.get(game, {}))
    body = getattr(models, f"{title}NewMatch")(game=game, seats=len(players), options=options)
    match = accepted(create_match.sync(client=players[0], body=body)).match
    for seat, player in enumerate(players):
        sit = TakeSeat(type_="take_seat", seat=seat)
        accepted(send_command.sync(match, client=player, body=sit))
    return match


def play(game: str, match: str, players: list[AuthenticatedClient]) -> int:
    """Send random legal commands until no player has any; return their number."""
    dice = random.Random(game)
    sent = idle = 0
    while idle < len(players):
        player = players[(sent + idle) % len(players)]
        legal = accepted(get_legal.sync(match, client=player))
        if legal.commands:
            command, version = dice.choice(legal.commands), f'"{legal.version}"'
            told = accepted(send_command.sync(match, client=player, body=command, if_match=version))
            assert (told.game, told.version > legal.version) == (game, True)
            sent, idle = sent + 1, 0
            assert sent < COMMANDS_MAX, f"{game} does not end"
        else:
            idle += 1
    return sent


def main(url: str, *games: str) -> None:
    players = [register(url, name) for name in ("Ada", "Bob")]
    for game in games:
        match = start(game, players)
        sent = play(game, match, players)
        view = accepted(get_match.sync(match, client=players[0]))
        assert (view.game, view.status) == (game, "finished"), view
        assert view.result is not None
        print(json.dumps({"game": game, "commands": sent, "result": view.result.to_dict()}))


main(*sys.argv[1:])
