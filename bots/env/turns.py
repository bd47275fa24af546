"""A PettingZoo AEC environment for a game: one seat acts at a time.

Seats that act simultaneously in the game act one after the other here, without seeing each other's choices. Rewards are
given after the last seat has acted.
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from arena.core.referee.record import Record
from bots.env.agents import Agents, Observation
from bots.env.matches import MatchSequence


class TurnEnvironment(AECEnv[str, Observation, Any]):
    """An environment in which one agent acts at a time; agents are named ``player_0`` and so on, by seat."""

    def __init__(self, matches: MatchSequence, seed: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self._matches = matches
        self._agents = Agents(matches, seed)
        self._chosen: dict[int, Any] = {}  # answers on this turn, by seat
        self.render_mode = render_mode
        self.metadata = {**self._agents.metadata, "is_parallelizable": False}
        self.possible_agents = list(self._agents.names)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._agents.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._agents.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the match with this seed; without one, the seed is derived from the previous one."""
        self._agents.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._agents.infos(self.agents)
        self._chosen = {}
        self._skip_agent_selection = None
        self.agent_selection = self._first_agent_to_move()

    def observe(self, agent: str) -> Observation:
        return self._agents.observe(agent)

    def step(self, action: Any) -> None:
        """Play this action for ``agent_selection``; an illegal one ends this agent's match with a reward of -1."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._chosen[self._agents.seats[agent]] = self._agents.convert_action(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        waiting = [seat for seat in self._matches.to_move if seat not in self._chosen]
        if waiting:
            self.agent_selection = self.possible_agents[waiting[0]]
            return
        rewards = self._matches.play(self._chosen)
        self._chosen = {}
        for one in self.agents:
            self.rewards[one] = rewards[self._agents.seats[one]]
            self.terminations[one] = self._agents.is_out(one)
        self.infos = self._agents.infos(self.agents)
        self._accumulate_rewards()
        if self._matches.outcome is None:
            self.agent_selection = self._first_agent_to_move()
        self._deads_step_first()

    def render(self) -> str | None:
        """Return the last turn as text, including hidden information; None without a ``render_mode``."""
        return None if self.render_mode is None else self._agents.render_last_turn()

    def record(self) -> Record:
        """Return the record of the finished match in the referee's format, for ``python -m bots replay``.

        Raises ValueError if the match is not over.
        """
        return self._matches.record()

    def _first_agent_to_move(self) -> str:
        return self.possible_agents[self._matches.to_move[0]]
