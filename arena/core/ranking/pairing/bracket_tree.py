"""The complete tree of a bracket: played, paired and future meetings.

Invariants: the bracket's own ``Course`` generates the tree, so it cannot differ from later pairings. In place of an
unknown winner the play receives a token, which identifies the meeting that the side comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.core.ranking.pairing.base import Bracket, Field, PlayedRound
from arena.core.ranking.pairing.elimination import Draw, EndedMeeting, Meeting, Place, next_meetings, outcome_of

Key: TypeAlias = tuple[int, Bracket, int]  # round (from 0), bracket, and slot in the bracket's round


@dataclass(frozen=True, slots=True)
class Origin:
    """The meeting that a side comes from, and whether it won or lost there."""

    key: Key
    won: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a meeting: ``entry`` is None until it is known; ``origin`` is None for seeds."""

    entry: int | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A meeting in the tree. With only one side, it is a bye; with none, an empty slot in the draw."""

    key: Key
    sides: tuple[Side, ...]
    winner: int | None = None

    @property
    def is_bye(self) -> bool:
        return len(self.sides) < 2


@dataclass(slots=True)
class _Replay:
    """The tree so far. ``tokens``: what each token stands for; ``last``: each entry's latest meeting."""

    tokens: dict[int, Origin] = field(default_factory=dict)
    last: dict[int, Origin] = field(default_factory=dict)

    def side(self, place: int) -> Side:
        origin = self.tokens.get(place)
        return Side(None, origin) if origin else Side(place, self.last.get(place))

    def token(self, origin: Origin) -> int:
        """Return a new token: a negative number, because entries are positive."""
        token = -len(self.tokens) - 1
        self.tokens[token] = origin
        return token


def bracket_tree(draw: Draw, field: Field) -> list[list[Node]]:
    """Return the meetings of each round, without those in which an entry only waits for the next round.

    A second final is included only if it has to be played.
    """
    replay = _Replay()
    play = draw(field.entries)
    meetings = next(play, None)
    tree: list[list[Node]] = []
    while meetings is not None:
        number = len(tree)
        stored = field.rounds[number] if number < len(field.rounds) else None
        found = [_play_meeting(meeting, number, stored, field, replay) for meeting in meetings]
        tree.append([node for node, _ in found if node is not None])
        meetings = next_meetings(play, [ended for _, ended in found])
    return tree


def _play_meeting(
    meeting: Meeting, number: int, stored: PlayedRound | None, field: Field, replay: _Replay
) -> tuple[Node | None, EndedMeeting]:
    if meeting.bracket == Bracket.NONE:
        return None, EndedMeeting(meeting.first, None, meeting.bracket)
    key = (number, meeting.bracket, meeting.slot)
    places = [place for place in (meeting.first, meeting.second) if place is not None]
    sides = tuple(replay.side(place) for place in places)
    ended = (
        _stored_result(meeting, stored, field)
        if len(places) == 2
        else EndedMeeting(*_winner_of_bye(places), meeting.bracket)
    )
    if ended is None:
        won, lost = replay.token(Origin(key, won=True)), replay.token(Origin(key, won=False))
        return Node(key, sides), EndedMeeting(won, lost, meeting.bracket)
    for place, has_won in ((ended.winner, True), (ended.loser, False)):
        if place is not None and place > 0:
            replay.last[place] = Origin(key, has_won)
        elif place is not None:
            replay.tokens[place] = Origin(key, has_won)  # through a bye
    winner = ended.winner if ended.winner is not None and ended.winner > 0 else None
    return Node(key, sides, winner), ended


def _winner_of_bye(places: Sequence[int]) -> tuple[Place, Place]:
    return (places[0] if places else None), None


def _stored_result(meeting: Meeting, stored: PlayedRound | None, field: Field) -> EndedMeeting | None:
    """Return the result of a meeting between two entries; None until it is over."""
    if stored is None:
        return None
    played = {(one.encounter.bracket, one.encounter.slot): one for one in stored.encounters}
    one = played.get((meeting.bracket, meeting.slot))
    return None if one is not None and not one.done else outcome_of(meeting, one, field)


def path_of(tree: Sequence[Sequence[Node]], entry: int) -> Iterator[Node]:
    """Return an entry's meetings so far, and the ones it would reach by winning all that remain."""
    origins: set[Origin] = set()
    for nodes in tree:
        for node in nodes:
            if any(side.entry == entry or side.origin in origins for side in node.sides):
                yield node
                if node.winner is None:
                    origins.add(Origin(node.key, won=True))


def reachable(tree: Sequence[Sequence[Node]]) -> dict[Key, list[int]]:
    """Return, for each meeting, the entries whose path (as in ``path_of``) includes it."""
    found: dict[Key, list[int]] = {}
    for node in (node for nodes in tree for node in nodes):
        found[node.key] = [entry for side in node.sides for entry in _candidates(side, found)]
    return found


def _candidates(side: Side, found: Mapping[Key, list[int]]) -> list[int]:
    if side.entry is not None:
        return [side.entry]
    return found[side.origin.key] if side.origin and side.origin.won else []
