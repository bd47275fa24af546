"""Build the complete tree of a bracket: played, paired and future encounters.

Invariants: the bracket's own ``BracketPlay`` generates the tree, so it cannot differ from later pairings. In place of
an unknown winner, the generator receives a token that identifies the encounter to be won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.core.ranking.pairing.base import Bracket, PlayedRound, TournamentState
from arena.core.ranking.pairing.elimination import (
    BracketEncounter,
    Draw,
    EncounterResult,
    EntryOrBye,
    encounter_result,
    next_encounters,
)

Key: TypeAlias = tuple[int, Bracket, int]  # round (from 0), bracket, and slot in the bracket's round


@dataclass(frozen=True, slots=True)
class Origin:
    """The earlier encounter that determines a side of an encounter, and whether its winner or its loser advances."""

    key: Key
    won: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an encounter: ``entry`` is None until it is known; ``origin`` is None for seeds."""

    entry: int | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """An encounter in the tree. A node with only one side is a bye; a node without sides is an empty slot."""

    key: Key
    sides: tuple[Side, ...]
    winner: int | None = None

    @property
    def is_bye(self) -> bool:
        return len(self.sides) < 2


@dataclass(slots=True)
class _TreeState:
    """The tree so far. ``tokens``: the origin that each token represents; ``last``: each entry's latest encounter."""

    tokens: dict[int, Origin] = field(default_factory=dict)
    last: dict[int, Origin] = field(default_factory=dict)

    def side(self, entry: int) -> Side:
        origin = self.tokens.get(entry)
        return Side(None, origin) if origin else Side(entry, self.last.get(entry))

    def create_token(self, origin: Origin) -> int:
        """Return a new token for ``origin``: a negative number, because entries have positive numbers."""
        token = -len(self.tokens) - 1
        self.tokens[token] = origin
        return token


def bracket_tree(draw: Draw, field: TournamentState) -> list[list[Node]]:
    """Return the encounters of each round, without those in which an entry only waits for the next round.

    A second final is included only if it has to be played.
    """
    replay = _TreeState()
    play = draw(field.entries)
    meetings = next(play, None)
    tree: list[list[Node]] = []
    while meetings is not None:
        number = len(tree)
        stored = field.rounds[number] if number < len(field.rounds) else None
        found = [_build_node(meeting, number, stored, field, replay) for meeting in meetings]
        tree.append([node for node, _ in found if node is not None])
        meetings = next_encounters(play, [ended for _, ended in found])
    return tree


def _build_node(
    meeting: BracketEncounter, number: int, stored: PlayedRound | None, field: TournamentState, replay: _TreeState
) -> tuple[Node | None, EncounterResult]:
    if meeting.bracket == Bracket.NONE:
        return None, EncounterResult(meeting.first, None, meeting.bracket)
    key = (number, meeting.bracket, meeting.slot)
    entries = [entry for entry in (meeting.first, meeting.second) if entry is not None]
    sides = tuple(replay.side(entry) for entry in entries)
    ended = (
        _stored_result(meeting, stored, field)
        if len(entries) == 2
        else EncounterResult(*_winner_of_bye(entries), meeting.bracket)
    )
    if ended is None:
        won, lost = replay.create_token(Origin(key, won=True)), replay.create_token(Origin(key, won=False))
        return Node(key, sides), EncounterResult(won, lost, meeting.bracket)
    for entry, has_won in ((ended.winner, True), (ended.loser, False)):
        if entry is not None and entry > 0:
            replay.last[entry] = Origin(key, has_won)
        elif entry is not None:
            replay.tokens[entry] = Origin(key, has_won)  # through a bye
    winner = ended.winner if ended.winner is not None and ended.winner > 0 else None
    return Node(key, sides, winner), ended


def _winner_of_bye(entries: Sequence[int]) -> tuple[EntryOrBye, EntryOrBye]:
    return (entries[0] if entries else None), None


def _stored_result(
    meeting: BracketEncounter, stored: PlayedRound | None, field: TournamentState
) -> EncounterResult | None:
    """Return the result of an encounter between two entries; None until it is over."""
    if stored is None:
        return None
    played = {(one.encounter.bracket, one.encounter.slot): one for one in stored.encounters}
    one = played.get((meeting.bracket, meeting.slot))
    return None if one is not None and not one.done else encounter_result(meeting, one, field)


def entry_path(tree: Sequence[Sequence[Node]], entry: int) -> Iterator[Node]:
    """Yield an entry's encounters so far, and the later ones that it would play if it won them all."""
    origins: set[Origin] = set()
    for nodes in tree:
        for node in nodes:
            if any(side.entry == entry or side.origin in origins for side in node.sides):
                yield node
                if node.winner is None:
                    origins.add(Origin(node.key, won=True))


def reachable_entries(tree: Sequence[Sequence[Node]]) -> dict[Key, list[int]]:
    """Return, for each encounter, the entries whose path (as in ``entry_path``) includes it."""
    found: dict[Key, list[int]] = {}
    for node in (node for nodes in tree for node in nodes):
        found[node.key] = [entry for side in node.sides for entry in _candidates(side, found)]
    return found


def _candidates(side: Side, found: Mapping[Key, list[int]]) -> list[int]:
    if side.entry is not None:
        return [side.entry]
    return found[side.origin.key] if side.origin and side.origin.won else []
