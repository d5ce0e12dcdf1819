"""The coach of every game: each kind of decision has words, and they give away nothing hidden."""

import re
from pathlib import Path

import pytest

from games import GAMES
from games.chance import Chance
from games.playout import Watchers, at_random, plies, seed_of
from projections.folded import Folded
from replay.coach import BadCoach, coaches_of, fitting, read_coach
from tests.corpus import load, recorded_of
from tests.games.laws import kinds, rule_ids

COACHES = coaches_of(GAMES)
LONGEST = 180
"""Characters that a phone shows beside its board."""


@pytest.mark.parametrize("slug", GAMES)
def test_every_type_of_command_has_words(slug: str):
    told = {each for tip in COACHES[slug].tips for each in tip.commands}
    assert told == {kind.__struct_config__.tag for kind in kinds(GAMES[slug].Command)}


@pytest.mark.parametrize("slug", GAMES)
def test_every_kind_of_decision_in_the_recorded_matches_has_words(slug: str):
    tips, met = COACHES[slug].tips, set[str]()
    for path in recorded_of(slug):
        lines = load(path)
        folded = Folded(GAMES, lines[0])
        for line in lines[1:]:
            folded.extend(line)
            match = folded.match
            if match.status != "running":
                continue
            for seat in match.game.waiting(match.state):
                legal = match.game.legal(match.state, seat)
                found = fitting(tips, match.game.view(match.state, seat), legal)
                told = {each for tip in found for each in tip.commands}
                assert {type(each).__struct_config__.tag for each in legal} <= told
                met |= {tip.name for tip in found}
    assert {tip.name for tip in tips if tip.when} <= met


@pytest.mark.parametrize("slug", GAMES)
def test_a_tip_depends_only_on_what_the_seat_has_seen(slug: str):
    game, tips = GAMES[slug], COACHES[slug].tips
    seats, options = min(count for count in game.seats if count > 1), game.Options()
    watchers = Watchers(game, seats, options)
    for state, ply in plies(game, seats, options, seed_of(7), at_random(Chance(seed_of(7), 1))):
        watchers.watch(ply)
        for seat in game.waiting(state) if ply.version % 5 == 0 and ply.version < 100 else ():
            view = game.view(state, seat)
            world = game.players.sample(view, watchers.seen(seat), Chance(seed_of(7), 2))
            there, here = (fitting(tips, view, game.legal(one, seat)) for one in (world, state))
            assert there == here


@pytest.mark.parametrize("slug", GAMES)
def test_words_are_short_name_no_single_piece_and_lead_to_a_rule(slug: str):
    for tip in COACHES[slug].tips:
        assert tip.rule in rule_ids(slug)
        for text in (tip.text.en, tip.text.cs):
            assert len(text) <= LONGEST
            assert not re.search(r"[{}]|\w_\d|_\w", text), "words are the same whatever is hidden"
        assert tip.text.en != tip.text.cs
        assert not re.search(r"[ěščřžůďťň]", tip.text.en)


TIP = """[[tips]]
name = "lay"
commands = ["play_card"]
rule = "TRA-2"
text = { en = "a", cs = "b" }
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "missing required field `tips`"),
        (TIP + TIP, "tip lay: name is taken: lay"),
        (TIP.replace("play_card", "fly"), "tip lay: command is unknown: fly"),
        (TIP + 'when = { moon = "full" }\n', "tip lay: field of the view is unknown: moon"),
        (TIP + 'mark = ["wing"]\n', "tip lay: field of these commands is unknown: wing"),
        (TIP + "what = 1\n", "unknown field `what`"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(tmp_path: Path, text: str, why: str):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadCoach, match=re.escape(why)):
        read_coach(GAMES["tranquility"], path)
