"""`Playing`: seats, numbered actions, observations and information states, as in OpenSpiel."""

import random

import msgspec
import pytest

from events import file
from games import GAMES
from games.match.commands import is_match_command
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


@pytest.mark.parametrize("slug", SLUGS)
def test_an_action_is_the_place_of_a_command_in_the_list_of_legal_ones(slug):
    playing = played(slug)
    seat = playing.current_player()
    commands = playing.game.legal(playing.state, seat)
    assert playing.legal_actions() == list(range(len(commands)))
    told = [msgspec.json.decode(playing.action_to_string(a)) for a in playing.legal_actions()]
    assert told == msgspec.json.decode(msgspec.json.encode(commands))
    assert len({playing.action_to_string(action) for action in playing.legal_actions()}) == len(
        commands
    )
    rival = next((s for s in range(playing.seats) if s != seat), None)
    assert rival is None or playing.legal_actions(rival) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_no_recorded_match_has_more_legal_commands_than_there_are_actions(slug):
    path = max((MATCHES / slug).glob("*.jsonl"))
    most = Playing(slug).num_distinct_actions
    for folded, record in folds(GAMES, file.read(path.read_bytes())[0]):
        match = folded.match
        if match.status == "running" and not is_match_command(record.command):
            for seat in match.game.waiting(match.state):
                assert len(match.game.legal(match.state, seat)) <= most


@pytest.mark.parametrize("slug", SLUGS)
def test_an_observation_is_the_view_of_the_seat_and_nothing_else(slug):
    playing = played(slug)
    for seat in range(playing.seats):
        view = playing.game.view(playing.state, seat)
        assert msgspec.json.decode(playing.observation_string(seat)) == msgspec.json.decode(
            msgspec.json.encode(view)
        )
        assert playing.observation_tensor(seat) == features(msgspec.to_builtins(view))
        assert len(playing.observation_tensor(seat)) == FEATURES


def test_an_information_state_is_what_a_seat_was_shown():
    """Cards that rivals drew are hidden, and a sampled world looks the same to the seat."""
    playing = played("submarine", 12, seats=3)
    told = msgspec.json.decode(playing.information_state_string(0))
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
    twin.apply_action(0)
    assert playing.observation_string(0) == before
    assert twin.observation_string(0) != before
    playing.apply_action(0)
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
    with pytest.raises(ValueError, match="Seats must be between 2 and 5, got 9"):
        Playing("submarine", 9)
    with pytest.raises(ValueError, match="Seed must be between"):
        Playing("submarine", seed=-1)
    with pytest.raises(ValueError, match="Action must be between 0 and"):
        Playing("submarine").apply_action(9_999)
    with pytest.raises(ValueError, match="Seat must be between 0 and 1, got 2"):
        Playing("submarine", 2).observation_tensor(2)
