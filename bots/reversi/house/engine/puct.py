"""Tree search guided by a network (AlphaZero).

Source: Silver et al., A general reinforcement learning algorithm that masters chess, shogi and Go through self-play,
Science 2018.

Like ``guided``, but the network is evaluated once for each new position: its policy is the prior of the moves, its
value the reward of the leaf.

A position's moves remain plain numbers until they are tried. The most visited move is played. The network has seen few
positions in which a side is about to lose its last disc, and it is overconfident about moves that it played a million
times. Therefore the rules are used to find moves that flip the last disc, and part of the prior is shared equally by
all moves. A leaf always has at least two legal moves: a forced move is followed immediately, at almost no cost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from .bitboard import discs_flipped_by, iterate_squares, legal_moves, position_after
from .evaluation import final_lead
from .network import Network
from .tree import ChosenMove

EXPLORATION: Final = 1.5
_TEMPERATURE: Final = 1.5  # temperature of the policy: above 1, the policy is less confident
_EVEN: Final = 0.1  # the part of the prior that is shared equally by all moves
_FEW_DISCS: Final = 12  # a single move hardly ever flips more
_UNTRIED: Final = 0.15  # an untried move is assumed to be this much worse than its position's mean


class Node:
    """A position.

    ``value``: the value for the side to move, from the network or, in a final position, from the rules; otherwise 0.

    For each of ``moves``, where 0 is a pass: its prior, its number of visits, the sum of the visits' values for the
    side to move, and the next position (None before the first visit).
    """

    __slots__ = ("children", "moves", "other", "own", "priors", "rewards", "value", "visits")

    def __init__(self, own: int, other: int, network: Network) -> None:
        self.own, self.other = own, other
        self.moves, self.value = list(iterate_squares(legal_moves(own, other))), 0.0
        count = len(self.moves)
        if count > 1 and other.bit_count() <= _FEW_DISCS:
            self.moves = _wipeout_move(own, other, self.moves) or self.moves
            count = len(self.moves)
        if count > 1:
            logits, self.value = network(own, other, sum(self.moves), legal_moves(other, own))
            self.priors = _prior_probabilities([logits[move.bit_length() - 1] for move in self.moves])
        else:
            if not count and legal_moves(other, own):
                self.moves, count = [0], 1
            elif not count:
                lead = final_lead(own, other)
                self.value = 1.0 if lead > 0 else -1.0 if lead else 0.0
            self.priors = [1.0] * count
        self.visits = [0] * count
        self.rewards = [0.0] * count
        self.children: list[Node | None] = [None] * count

    def favourite(self) -> int:
        """Return the index of the move with the highest upper confidence bound."""
        total = sum(self.visits)
        spread = EXPLORATION * math.sqrt(total + 1)
        untried = (self.value + sum(self.rewards)) / (total + 1) - _UNTRIED
        best, most = 0, -math.inf
        for index, (visits, reward, prior) in enumerate(zip(self.visits, self.rewards, self.priors, strict=True)):
            bound = reward / visits + spread * prior / (1 + visits) if visits else untried + spread * prior
            if bound > most:
                best, most = index, bound
        return best


class NetworkSearch:
    """A search that chooses moves; the subtree of the position that was reached is kept for the next move."""

    def __init__(self, network: Network, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._network, self._clock = network, clock
        self._root: Node | None = None

    def think(self, own: int, other: int, seconds: float) -> ChosenMove:
        """Return the best move for the side to move. There must be a legal move; a forced move needs no search."""
        end = self._clock() + seconds
        root = self._root = self._find_kept_node(own, other) or Node(own, other, self._network)
        while len(root.moves) > 1 and self._clock() < end:
            self._run_iteration(root)
        visits, _, index = max(
            (visits, prior, index) for index, (visits, prior) in enumerate(zip(root.visits, root.priors, strict=True))
        )
        mean = root.rewards[index] / visits if visits else root.value
        return ChosenMove(root.moves[index], (1 + mean) / 2, sum(root.visits))

    def _find_kept_node(self, own: int, other: int) -> Node | None:
        """Return the node for this position within three plies of the previous root; None if there is none."""
        waiting = [self._root] if self._root else []
        for _ in range(4):
            for node in waiting:
                if (node.own, node.other) == (own, other):
                    return node
            waiting = [child for node in waiting for child in node.children if child]
        return None

    def _run_iteration(self, root: Node) -> None:
        """Run one iteration: selection, expansion with evaluation, and back-propagation."""
        node: Node = root
        path = []
        known = True
        while node.moves and (known or len(node.moves) == 1):
            index = node.favourite() if len(node.moves) > 1 else 0
            path.append((node, index))
            child = node.children[index]
            if child is None:
                known = False
                move = node.moves[index]
                position = position_after(node.own, node.other, move) if move else (node.other, node.own)
                child = node.children[index] = Node(*position, self._network)
            node = child
        value = node.value
        for node, index in reversed(path):
            value = -value
            node.visits[index] += 1
            node.rewards[index] += value


def _wipeout_move(own: int, other: int, candidates: list[int]) -> list[int]:
    """Return a list of one move that flips all discs of the other side; [] if there is none."""
    return next(([move] for move in candidates if discs_flipped_by(own, other, move) == other), [])


def _prior_probabilities(logits: list[float]) -> list[float]:
    """Return prior probabilities: a softmax mixed with a uniform distribution."""
    most = max(logits)
    shares = [math.exp((logit - most) / _TEMPERATURE) for logit in logits]
    rest, even = (1 - _EVEN) / sum(shares), _EVEN / len(shares)
    return [rest * share + even for share in shares]
