"""`Playing`: seats, numbered actions, observations and information states, as in OpenSpiel."""

import random
from itertools import pairwise

import msgspec
import pytest

from events import file
from games import GAMES
from games.match.commands import is_match_command
from games.submarine.commands import EndTurn, PlaceSub
from games.template import GAME as TEMPLATE
from games.template.commands import TakeStones
from replay.actions import vocabulary_of
from replay.playing import FEATURES, TERMINAL, Playing, features
from replay.travel import folds
from tests.corpus import MATCHES

SLUGS = list(GAMES)


def played(slug: str, actions: int = 30, **given) -> Playing:
    playing, dice = Playing(slug, **given), random.Random(4)
    for _ in range(actions):
        if playing.is_terminal():
            break
        playing.apply_action(dice.choice(playing.legal_actions()))
    return playing


def chooses(playing: Playing, command) -> None:
    """Check that the actions of a legal command, and no others, play this command."""
    twin = playing.clone()
    *before, last = playing.actions_of(command)
    for action in before:
        twin.apply_action(action)
        assert twin._plies == playing._plies, "the command is not complete"
    twin.apply_action(last)
    assert twin._plies[-1].command == command


@pytest.mark.parametrize("slug", SLUGS)
def test_each_legal_command_is_one_sequence_of_actions(slug):
    """A bijection: sequences differ, none begins another, and each plays its own command."""
    playing, dice = Playing(slug, seed=11), random.Random(11)
    for _ in range(60):
        if playing.is_terminal():
            break
        commands = playing.commands()
        spelled = sorted(map(playing.vocabulary.spell, commands))
        assert all(second[: len(first)] != first for first, second in pairwise(spelled))
        for command in dice.sample(commands, min(3, len(commands))):
            chooses(playing, command)
        for action in playing.actions_of(dice.choice(commands)):
            playing.apply_action(action)


@pytest.mark.parametrize("slug", SLUGS)
def test_an_action_means_the_same_in_every_match(slug):
    few, many = Playing(slug), played(slug, seats=Playing(slug).game.seats[-1], seed=9)
    assert few.num_distinct_actions == many.num_distinct_actions < 1_000
    actions = range(few.num_distinct_actions)
    told = [few.action_to_string(action) for action in actions]
    assert told == [many.action_to_string(action) for action in actions]
    assert len(set(told)) == len(told)
    assert set(many.legal_actions()) <= set(actions)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_command_of_the_recorded_matches_has_actions(slug):
    vocabulary = Playing(slug).vocabulary
    for path in (MATCHES / slug).glob("*.jsonl"):
        for folded, record in folds(GAMES, file.read(path.read_bytes())[0]):
            if folded.match.status == "running" and not is_match_command(record.command):
                numbers = vocabulary.spell(record.command)
                assert vocabulary.words[numbers[0]] == record.command.__struct_config__.tag
                assert all(0 <= number < len(vocabulary.words) for number in numbers)


def test_what_a_seat_is_choosing_is_shown_to_this_seat_alone():
    playing = Playing("submarine", 2)
    seat = playing.current_player()
    before = [playing.observation_tensor(other) for other in range(2)]
    (action,) = playing.legal_actions()
    assert playing.action_to_string(action) == '"place_sub"'
    playing.apply_action(action)
    assert playing.chosen(seat) == (action,)
    assert [playing.action_to_string(action) for action in playing.legal_actions()] == list(
        "123456"
    )
    assert playing.observation_tensor(seat) != before[seat]
    assert playing.observation_tensor(1 - seat) == before[1 - seat]
    for seen in (playing.observation_string, playing.information_state_string):
        assert msgspec.json.decode(seen(seat))["chosen"] == [action]
        assert msgspec.json.decode(seen(1 - seat))["chosen"] == []
    assert msgspec.json.decode(playing.observation_string(None))["chosen"] == []


def test_a_value_that_a_game_does_not_declare_is_named():
    with pytest.raises(ValueError, match="holds 99, which is none of the game's declared values"):
        Playing("submarine").vocabulary.spell(PlaceSub(99))


def test_a_game_that_declares_no_values_has_small_numbers():
    assert vocabulary_of(TEMPLATE).spell(TakeStones(3)) == (1, 5)


@pytest.mark.parametrize("slug", SLUGS)
def test_an_observation_is_the_view_of_the_seat_and_what_it_is_choosing(slug):
    playing = played(slug)
    for seat in range(playing.seats):
        view = playing.game.view(playing.state, seat)
        seen = {"chosen": list(playing.chosen(seat)), "view": msgspec.to_builtins(view)}
        assert msgspec.json.decode(playing.observation_string(seat)) == msgspec.json.decode(
            msgspec.json.encode(seen)
        )
        assert playing.observation_tensor(seat) == features(seen)
        assert len(playing.observation_tensor(seat)) == FEATURES


def test_an_information_state_is_what_a_seat_was_shown():
    """Cards that rivals drew are hidden, and a sampled world looks the same to the seat."""
    playing = played("submarine", 12, seats=3)
    told = msgspec.json.decode(playing.information_state_string(0))["records"]
    assert [record["version"] for record in told] == list(range(1, len(told) + 1))
    assert len(playing.information_state_tensor(0)) == FEATURES
    drawn = [event for one in told for event in one["events"] if event["type"] == "cards_drawn"]
    rivals = [event for event in drawn if event["seat"] != 0]
    assert all(card == "?" for event in rivals for card in event["cards"])
    world = playing.resample_from_infostate(0, 5)
    assert playing.game.view(world, 0) == playing.game.view(playing.state, 0)


def test_a_clone_goes_its_own_way():
    playing = played("tranquility", 3)
    twin = playing.clone()
    before = playing.observation_string(0)
    action = playing.legal_actions()[0]
    twin.apply_action(action)
    assert playing.observation_string(0) == before
    assert twin.observation_string(0) != before
    playing.apply_action(action)
    assert twin.observation_string(0) == playing.observation_string(0), "the same dice"


def test_returns_are_zero_before_the_end_and_one_for_winners():
    playing = played("submarine", 5, seats=2)
    assert playing.returns() == [0.0, 0.0]
    playing = played("submarine", 5_000, seats=2, seed=3)
    assert playing.is_terminal()
    assert playing.current_player() == TERMINAL
    assert playing.legal_actions() == []
    winners = playing.game.result(playing.state).winners
    assert playing.returns() == [1.0 if seat in winners else -1.0 for seat in range(2)]


def test_wrong_use_is_explained():
    with pytest.raises(ValueError, match="Unknown game 'chess'"):
        Playing("chess")
    with pytest.raises(ValueError, match="Seats must be between 2 and 5, got '2'"):
        Playing("submarine", "2")
    for seed in (-1, "7"):
        with pytest.raises(ValueError, match=f"Seed must be a whole number .* got {seed!r}"):
            Playing("submarine", seed=seed)
    with pytest.raises(ValueError, match="Action must be between 0 and 109, got 9999"):
        Playing("submarine").action_to_string(9_999)
    with pytest.raises(ValueError, match=r"Action 0 is not legal\. Legal actions: 1\."):
        Playing("submarine").apply_action(0)
    with pytest.raises(ValueError, match=r"EndTurn.* is not legal"):
        Playing("submarine").actions_of(EndTurn())
    with pytest.raises(ValueError, match=r"{'type': 'end_turn'} is not legal"):
        Playing("submarine").actions_of({"type": "end_turn"})
    with pytest.raises(ValueError, match="Seat must be between 0 and 1, got 2"):
        Playing("submarine", 2).observation_tensor(2)
