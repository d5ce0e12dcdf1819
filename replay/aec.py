# pyright: basic, reportMissingImports=false
"""Games as environments of PettingZoo (AEC), with the extra `pettingzoo`.

    from replay.aec import env

    table = env("submarine", seats=3)

docs/library.md describes agents, actions, observations and rewards.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from replay.playing import FEATURES, Playing

STEPS_MAX = 5_000
"""Number of actions after which a game is truncated: random play may never end."""


def env(game: str, seats: int | None = None, **more: Any) -> AECEnv:
    """Return an environment that also checks how it is used."""
    return wrappers.OrderEnforcingWrapper(SeatsEnv(game, seats, **more))


class SeatsEnv(AECEnv):
    """A game whose agents are its seats. The lowest waiting seat acts first."""

    metadata: ClassVar = {
        "render_modes": ["ansi"],
        "name": "shiplog",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        options: dict[str, Any] | None = None,
        steps_max: int = STEPS_MAX,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a game, by default for as few seats as possible."""
        super().__init__()
        self._arguments = {"game": game, "seats": seats, "options": options}
        self._steps_max = steps_max
        self.render_mode = render_mode
        self.playing = Playing(**self._arguments)
        actions = self.playing.num_distinct_actions
        self.possible_agents = [f"seat_{seat}" for seat in range(self.playing.seats)]
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(-np.inf, np.inf, (FEATURES,), np.float32),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - part of the API
    ) -> None:
        """Set the game up anew. Without a seed, the dice are random."""
        dice = int.from_bytes(np.random.default_rng(seed).bytes(32), "big")
        self.playing = Playing(**self._arguments, seed=dice)
        self.agents = list(self.possible_agents)
        self._steps = 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[max(0, self.playing.current_player())]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what a seat sees, encoded, and which actions are legal."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.playing.num_distinct_actions, np.int8)
        mask[self.playing.legal_actions(seat)] = 1
        seen = np.array(self.playing.observation_tensor(seat), np.float32)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None for an agent that has finished."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has not finished: expected an action, got None.")
        self._cumulative_rewards[agent] = 0.0
        self.playing.apply_action(int(action))
        self._steps += 1
        if self.playing.is_terminal():
            shares = self.playing.returns()
            self.rewards = dict(zip(self.agents, shares, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            if self._steps >= self._steps_max:
                self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[self.playing.current_player()]
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str:
        """Return what a spectator sees, as JSON."""
        return self.playing.observation_string(None)

    def close(self) -> None:
        """Release nothing: the environment holds no resources."""
