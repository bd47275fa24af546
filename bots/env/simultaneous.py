"""A PettingZoo parallel environment for a game whose seats answer at the same time."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import ParallelEnv

from arena.core.referee.record import Record
from bots.env.agents import Agents, Observation
from bots.env.matches import MatchSequence

Infos = dict[str, dict[str, Any]]
Step = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]


class SimultaneousEnvironment(ParallelEnv[str, Observation, Any]):
    """An environment whose agents act at the same time; agents are named ``player_0`` and so on, by seat.

    A seat that is not asked to move, because it has finished before the other seats, has a mask of zeros, and
    its action is ignored.
    """

    def __init__(self, matches: MatchSequence, seed: int | None = None, render_mode: str | None = None) -> None:
        self._matches = matches
        self._agents = Agents(matches, seed)
        self.render_mode = render_mode
        self.metadata = dict(self._agents.metadata)
        self.possible_agents = list(self._agents.names)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._agents.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._agents.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Begin the match with this seed; without one, the seed is derived from the previous one."""
        self._agents.begin(seed)
        self.agents = list(self.possible_agents)
        return {agent: self._agents.observe(agent) for agent in self.agents}, self._agents.infos(self.agents)

    def step(self, actions: dict[str, Any]) -> Step:
        """Play one turn; an illegal action ends the match for its agent, with a reward of -1."""
        if not self.agents:
            raise ValueError("No match is running: call reset() first.")
        movers = [self.possible_agents[seat] for seat in self._matches.to_move]
        missing = [agent for agent in movers if agent not in actions]
        if missing:
            raise ValueError(f"Actions are missing for: {', '.join(missing)}.")
        chosen = {self._agents.seats[agent]: self._agents.convert_action(agent, actions[agent]) for agent in movers}
        rewards = self._matches.play(chosen)
        live, self.agents = self.agents, [agent for agent in self.agents if not self._agents.is_out(agent)]
        return (
            {agent: self._agents.observe(agent) for agent in live},
            {agent: rewards[self._agents.seats[agent]] for agent in live},
            {agent: self._agents.is_out(agent) for agent in live},
            dict.fromkeys(live, False),
            self._agents.infos(live),
        )

    def render(self) -> str | None:
        """Return the last turn as text, including hidden information; None without a ``render_mode``."""
        return None if self.render_mode is None else self._agents.render_last_turn()

    def record(self) -> Record:
        """Return the record of the finished match in the referee's format, for ``python -m bots replay``.

        Raises ValueError if the match is not over.
        """
        return self._matches.record()
