"""Toy matches, and rules that miscount in them."""

import dataclasses

from games.match.commands import CreateMatch
from tests.games.match.toy import TOY, Count
from tests.recorder import Recorder


def miscounting(wrong):
    """Return rules that count one too few for a command."""

    def decide_on(draft, seat, command):
        TOY.decide_on(draft, seat, Count(command.by - 1) if command == wrong else command)

    return dataclasses.replace(TOY, decide_on=decide_on)


def played(game) -> Recorder:
    recorder = Recorder(game, CreateMatch("toy", 2, {"goal": 100}))
    recorder.sit("", "")
    for turn in range(8):
        recorder.play(turn % 2, Count(2 if turn in (2, 5) else 1))
    return recorder
