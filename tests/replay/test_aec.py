"""PettingZoo's own test of its API passes for every game."""

import pytest

from games import GAMES

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from replay.aec import env


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_the_api_of_pettingzoo(slug):
    api_test(env(slug, steps_max=60), num_cycles=120)


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_the_same_seed_gives_the_same_game():
    seed_test(lambda: env("submarine", steps_max=40), num_cycles=60)


def test_a_game_ends_with_the_rewards_of_its_winners():
    table = env("submarine", seats=3)
    table.reset(seed=1)
    rewards = dict.fromkeys(table.agents, 0)
    for agent in table.agent_iter():
        seen, reward, ended, cut, _ = table.last()
        rewards[agent] += reward
        table.step(None if ended or cut else int(seen["action_mask"].argmax()))
    assert list(rewards.values()) == table.unwrapped.playing.returns()
    assert 1.0 in rewards.values()


def test_an_observation_is_the_view_of_the_seat():
    table = env("tranquility", seats=2)
    table.reset(seed=3)
    playing = table.unwrapped.playing
    for seat, agent in enumerate(table.agents):
        seen = table.observe(agent)
        assert seen["observation"].tolist() == playing.observation_tensor(seat)
        assert seen["action_mask"].sum() == len(playing.legal_actions(seat))
