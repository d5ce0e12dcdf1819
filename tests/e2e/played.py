"""How tests play: a few moves at random, a turn, an end by consent."""

import random

from tests.e2e.service import Player


def play(ada, bob, match, moves):
    dice = random.Random(1)
    for _ in range(moves):
        waiting = ada.get(f"/matches/{match}")["waiting"]
        player = (ada, bob)[dice.choice(waiting)]
        player.do(match, dice.choice(player.legal(match)))


def end(ada, bob, match):
    ada.do(match, {"type": "propose_abandon"})
    proposal = bob.get(f"/matches/{match}")["proposal"]["proposal"]
    bob.do(match, {"type": "answer", "proposal": proposal, "accept": True})


def turn_of(match, ada, bob):
    """Return the player on turn and the other one."""
    waiting = ada.get(f"/matches/{match}")["waiting"]
    return (ada, bob) if waiting == [0] else (bob, ada)


def start(player: Player) -> str:
    """Start a match for one."""
    match = player.open_match(seats=1)
    player.do(match, {"type": "take_seat"})
    return match
