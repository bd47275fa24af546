"""Pairs of least cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]


def perfect_matching(nodes: Iterable[int], costs: Mapping[Pair, int]) -> list[Pair] | None:
    """Every node in exactly one pair, from the pairs that have a cost, with the least sum; None: there is none.

    Pairs are named, smaller node first, and sorted.
    """
    from networkx import Graph, max_weight_matching  # takes a third of a second, and few processes pair

    graph = Graph()
    graph.add_nodes_from(nodes)
    graph.add_weighted_edges_from((one, other, -cost) for (one, other), cost in costs.items())
    found = max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < len(graph):
        return None
    return sorted((min(pair), max(pair)) for pair in found)
