"""How the terminal tells the end of a match."""

import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from games.playout import at_random, plies, seed_of
from service.cli.outcome import outcome_of
from service.cli.output import Terminal
from service.cli.wording import Speaker

NAMES = ("Ada", "Bob")


def told(slug, result, capsys, names=NAMES, view=None):
    match = {"status": "finished", "result": result}
    Terminal(width=120).print(outcome_of(match, Speaker(slug, view, names)))
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("captain_sonar", ("Ada won. A boat was sunk", "Winning boat: Yellow", "Damage: 2 : 4")),
        ("ke_dnu", ("won. All ships have sunk.", "Points")),
        ("nautilus", ("Ada won. Nothing new happened", "Rounds: 19", "Finds", "Score")),
        ("submarine", ("Ada, Bob won. Too many voyages", "Motifs", "Place")),
        ("tranquility", ("Nobody won. The player to move had nothing left", "Cells filled: 14")),
    ],
)
def test_a_result_has_reason_and_figures(slug, words, capsys):
    game = GAMES[slug]
    choose = at_random(Chance(seed_of(2), 0))
    *_, (state, _) = plies(game, 2, game.Options(), seed_of(1), choose)
    result, view = msgspec.json.decode(
        msgspec.json.encode((game.result(state), game.view(state, None)))
    )
    shown = told(slug, result, capsys, view=view)
    assert [one for one in words if one not in shown] == []


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"reason": "resigned", "winners": [1]}, "Bob won. All but the winner left the match."),
        (
            {"reason": "resigned", "winners": [0, 1]},
            "Ada, Bob won. All but the winners left the match.",
        ),
        ({"reason": "resigned", "winners": []}, "Nobody won. Everybody left the match."),
        (
            {"outcome": "draw", "reason": "limit", "winners": []},
            "A draw. The limit was reached, and both boats have the same damage (SON-108).",
        ),
        (None, "The match was finished."),
    ],
)
def test_an_end_without_figures(result, said, capsys):
    assert told("captain_sonar", result, capsys).strip() == said
