"""Play a match of each game to its end by `legal`, with the Python package `shiplog-client`.

Run: python play.py URL GAME… It prints a line for each match.
"""

import json
import random
import sys

from shiplog_client import Receipts, accepted, anonymous, connect, follow
from shiplog_client.generated import models
from shiplog_client.generated.api.matches import create_match, get_legal, get_match, send_command
from shiplog_client.generated.api.operations import keys as get_keys
from shiplog_client.generated.api.players import create_player
from shiplog_client.generated.client import AuthenticatedClient
from shiplog_client.generated.models import NewPlayer, TakeSeat

COMMANDS_MAX = 5_000
QUICK = {"captain_sonar": {"radio_assist": "none", "max_turns": 40}}
"""Options that shorten random play."""


def register(url: str, name: str, receipts: Receipts) -> AuthenticatedClient:
    welcome = accepted(create_player.sync(client=anonymous(url), body=NewPlayer(name=name)))
    return connect(url, welcome.token, receipts=receipts)


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
    receipts = Receipts()
    keys = accepted(get_keys.sync(client=anonymous(url)))
    players = [register(url, "Ada", receipts), register(url, "Bob", Receipts())]
    for game in games:
        match = start(game, players)
        sent = play(game, match, players)
        view = accepted(get_match.sync(match, client=players[0]))  # asks for the last receipt
        assert (view.game, view.status) == (game, "finished"), view
        assert view.result is not None
        told = [record.v for record in follow(players[0], match, receipts=receipts)]
        assert told == [*range(1, view.version + 1)]
        kept = [(one["viewer"], one["version"], one["head"]) for one in receipts.of(match)]
        assert (0, view.version, view.head) in kept
        assert receipts.objections(keys) == []
        receipts.save(f"receipts-{game}.jsonl", match)
        print(json.dumps({"game": game, "commands": sent, "result": view.result.to_dict()}))


main(*sys.argv[1:])
