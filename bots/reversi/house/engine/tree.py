"""Monte Carlo tree search by UCT (Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, ECML 2006).

There are thousands of iterations, each with four steps: descend from the root to a position with untried moves
(selection), try one of them (expansion), play from there to the end at random (playout), and add the result to every
position on the path (back-propagation). Selection takes the move with the greatest sum of mean reward and exploration
bonus; with a probability epsilon, which decays by the factor gamma with every iteration, it takes a random move.
Finally, the move with the best mean reward is played.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .bitboard import iterate_squares, legal_moves, position_after
from .playout import play_out

EXPLORATION: Final = 1.0  # the weight of the exploration bonus
EPSILON: Final = 0.3
GAMMA: Final = 0.995  # after a thousand iterations epsilon is 0.002
_WIN, _DRAW = 1.0, 0.5


class Node:
    """A position; ``reward`` is the total reward of the side whose move led to it: 1 per win, 0.5 per draw."""

    __slots__ = ("children", "move", "other", "over", "own", "reward", "untried", "visits")

    def __init__(self, own: int, other: int, move: int, chance: random.Random) -> None:
        self.own, self.other, self.move = own, other, move
        legal = legal_moves(own, other)
        self.over = not legal and not legal_moves(other, own)
        self.untried = list(iterate_squares(legal)) if legal or self.over else [0]  # 0: a pass
        chance.shuffle(self.untried)
        self.children: list[Node] = []
        self.visits, self.reward = 0, 0.0

    def grow(self, chance: random.Random) -> Node:
        """Add and return the position after an untried move."""
        move = self.untried.pop()
        position = position_after(self.own, self.other, move) if move else (self.other, self.own)
        child = Node(*position, move, chance)
        self.children.append(child)
        return child

    def favourite(self) -> Node:
        """Return the child with the highest upper confidence bound."""
        spread = EXPLORATION * math.sqrt(math.log(self.visits))
        return max(self.children, key=lambda child: child.reward / child.visits + spread / math.sqrt(child.visits))


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move chosen by a tree search.

    ``mean``: its mean reward, from 0 (loss) to 1 (win); ``playouts``: the number of playouts.
    """

    move: int
    mean: float
    playouts: int


class TreeSearch:
    """A search that chooses moves; every turn begins with a new tree."""

    def __init__(self, chance: random.Random, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._chance, self._clock = chance, clock

    def think(self, own: int, other: int, seconds: float) -> ChosenMove:
        """Return the best move for the side to move. There must be a legal move.

        Every move is tried at least once; a forced move is not searched further.
        """
        end = self._clock() + seconds
        root = Node(own, other, 0, self._chance)
        epsilon = EPSILON
        while root.untried or (len(root.children) > 1 and self._clock() < end):
            path = self._descend(root, epsilon)
            leaf = path[-1]
            self._back_propagate(path, play_out(leaf.own, leaf.other, self._chance))
            epsilon *= GAMMA
        best = max(root.children, key=lambda child: child.reward / child.visits)
        return ChosenMove(best.move, best.reward / best.visits, root.visits)

    def _descend(self, root: Node, epsilon: float) -> list[Node]:
        """Select and expand; return the positions from the root to the one from which the playout starts."""
        node = root
        path = [root]
        while not node.untried and node.children:
            wild = self._chance.random() < epsilon
            node = self._chance.choice(node.children) if wild else node.favourite()
            path.append(node)
        if node.untried:
            path.append(node.grow(self._chance))
        return path

    def _back_propagate(self, path: list[Node], lead: int) -> None:
        """Back-propagate a result; ``lead`` is the lead of the side to move in the last position."""
        for node in reversed(path):
            lead = -lead  # from here on, the lead of the side that moved into the node
            node.visits += 1
            node.reward += _WIN if lead > 0 else 0.0 if lead else _DRAW
