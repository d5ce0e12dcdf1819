"""How tests play: a few moves at random, a turn, an end by consent."""

import random


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
