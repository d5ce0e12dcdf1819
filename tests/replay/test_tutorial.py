"""Every tutorial that comes with a game: each step is reached, missed and refused as it says."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.game import Illegal
from replay.tutorial import BadTutorial, NoSuchStep, Tutorial, tutorials_of

TUTORIALS = tutorials_of(GAMES)
STEPS = [
    (slug, number)
    for slug, tutorial in TUTORIALS.items()
    for number in range(1, len(tutorial.script.steps) + 1)
]
GOALS = [(slug, number) for slug, number in STEPS if TUTORIALS[slug].script.steps[number - 1].goal]
FOREIGN = {
    "captain_sonar": ({"type": "choose_start", "cell": [4, 5]}, "cell-is-island"),
    "tranquility": ({"type": "play_card", "card": "island_80", "cell": [0, 0]}, "card-not-in-hand"),
    "submarine": ({"type": "move_ship", "to": 2}, "wrong-phase"),
    "ke_dnu": ({"type": "end_turn"}, "wrong-step"),
    "nautilus": ({"type": "buy_module", "kind": "hab_b", "researchers": 4}, "bad-researcher-count"),
}


def plain(commands: list[Any]) -> list[dict[str, Any]]:
    return msgspec.to_builtins(commands)


@pytest.mark.parametrize("slug", TUTORIALS)
def test_a_tutorial_has_a_goal_for_most_steps(slug: str):
    steps = TUTORIALS[slug].syllabus.steps
    assert 8 <= len(steps) <= 14
    assert sum(step.goal is not None for step in steps) > len(steps) / 2
    assert 5 <= TUTORIALS[slug].script.minutes <= 10


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_step_has_words_in_both_languages(slug: str, number: int):
    step = TUTORIALS[slug].syllabus.steps[number - 1]
    for text in filter(None, (step.text, step.goal, step.hint, step.after)):
        assert text.en != text.cs
        assert not re.search(r"[ěščřžůďťň]", text.en)


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_the_learner_is_to_move_exactly_at_steps_with_a_goal(slug: str, number: int):
    tutorial = TUTORIALS[slug]
    position = tutorial.position(number)
    if tutorial.syllabus.steps[number - 1].goal:
        assert tutorial.script.learner in position.waiting
        assert position.legal
    assert bool(position.shown) == (tutorial.syllabus.steps[number - 1].goal is not None)


@pytest.mark.parametrize(("slug", "number"), GOALS)
def test_the_listed_commands_reach_the_goal(slug: str, number: int):
    tutorial = TUTORIALS[slug]
    shown = plain(tutorial.position(number).shown)
    for made in range(1, len(shown) + 1):
        attempt = tutorial.attempt(number, shown[:made])
        assert attempt.expected
        assert attempt.reached or made < len(shown)
        assert len(attempt.records) == made


@pytest.mark.parametrize(("slug", "number"), GOALS)
def test_every_listed_legal_command_is_decided_without_a_refusal(slug: str, number: int):
    tutorial = TUTORIALS[slug]
    position = tutorial.position(number)
    for command in plain(position.legal):
        attempt = tutorial.attempt(number, [command])
        assert not attempt.expected or command in plain(position.shown)
    assert tutorial.position(number) == position, "a try changes nothing"


@pytest.mark.parametrize("slug", TUTORIALS)
def test_an_illegal_command_gets_its_rule(slug: str):
    command, code = FOREIGN[slug]
    number = next(number for one, number in GOALS if one == slug)
    with pytest.raises(Illegal) as refused:
        TUTORIALS[slug].attempt(number, [command])
    assert refused.value.code == code


def test_the_commands_of_a_goal_may_come_in_any_order_that_the_rules_allow():
    tutorial = TUTORIALS["ke_dnu"]
    *thrown, bought, ended = plain(tutorial.position(3).shown)
    attempt = tutorial.attempt(3, [*reversed(thrown), bought, ended])
    assert attempt.reached
    assert attempt.expected
    with pytest.raises(Illegal, match="not-enough-points"):
        tutorial.attempt(3, [bought, *thrown])


@pytest.mark.parametrize(("slug", "number"), GOALS)
def test_whoever_does_what_is_expected_can_go_on(slug: str, number: int):
    tutorial = TUTORIALS[slug]
    shown = plain(tutorial.position(number).shown)
    for command in shown:
        if command not in plain(tutorial.position(number).legal):
            continue
        attempt = tutorial.attempt(number, [command])
        if attempt.expected and not attempt.reached:
            assert any(one in plain(attempt.legal) for one in shown)


def test_who_ends_the_turn_too_early_is_told_so():
    tutorial = TUTORIALS["ke_dnu"]
    *_, ended = plain(tutorial.position(3).shown)
    attempt = tutorial.attempt(3, [ended])
    assert not attempt.reached
    assert not attempt.expected
    assert not attempt.legal


def test_an_event_reaches_the_goal_of_a_step_with_a_check():
    tutorial = TUTORIALS["tranquility"]
    number = next(n for n, step in enumerate(tutorial.script.steps, 1) if step.check)
    (shown,) = plain(tutorial.position(number).shown)
    other = next(
        command
        for command in plain(tutorial.position(number).legal)
        if command["cell"] == shown["cell"] and command["discards"] != shown["discards"]
    )
    attempt = tutorial.attempt(number, [other])
    assert attempt.reached
    assert not attempt.expected


def test_a_step_that_does_not_exist_is_named():
    with pytest.raises(NoSuchStep, match="Step must be between 1 and 11, got 12"):
        TUTORIALS["tranquility"].position(12)


STEP = '[[steps]]\n[steps.text]\nen = "a"\ncs = "b"\n'
HEAD = "minutes = 5\nseats = 2\nlearner = 0\nseed = 13\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD.replace("learner = 0", "learner = 2") + STEP, "tranquility has no seat 2 of 2"),
        (HEAD + STEP + '[steps.goal]\nen = "a"\ncs = "b"\n', "step 1 needs goal, hint and after"),
        (HEAD + "what = 1\n" + STEP, "unknown field `what`"),
        (HEAD + "options = { variant = 'flat' }\n" + STEP, "Invalid enum value 'flat'"),
        (HEAD, "missing required field `steps`"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(tmp_path: Path, text: str, why: str):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadTutorial, match=re.escape(why)):
        Tutorial(GAMES["tranquility"], path)


def test_a_recorded_move_that_the_rules_refuse_is_named(tmp_path: Path):
    path = tmp_path / "bad.toml"
    opening = '[[opening]]\nseat = 0\ncommand = { type = "play_start", card = "start_1" }\n'
    path.write_text(HEAD + opening + STEP)
    with pytest.raises(BadTutorial, match=r"the opening: the rules refuse .* of seat 0: "):
        Tutorial(GAMES["tranquility"], path).position(1)
