"""The most important matches come first, and groups take turns."""

from __future__ import annotations

from arena.core.ranking.importance import (
    FinishedMatch,
    UpcomingMatch,
    key_matches,
    most_important_matches,
    take_turns,
)
from arena.core.ranking.possible_places import PlaceRange

RANKS = {entry: entry for entry in range(1, 9)}


def test_match_of_leaders_comes_first_and_close_rivals_before_distant_ones() -> None:
    meetings = [
        UpcomingMatch(10, (7, 8)),
        UpcomingMatch(11, (1, 8)),
        UpcomingMatch(12, (2, 3)),
        UpcomingMatch(13, (1, 2)),
    ]
    assert most_important_matches(meetings, RANKS, {}, 3) == [13, 11, 12]


def test_open_race_beats_a_decided_one() -> None:
    meetings = [UpcomingMatch(1, (3, 4)), UpcomingMatch(2, (4, 3))]
    open_race = {3: PlaceRange(1, 4)}
    assert most_important_matches(
        [*meetings, UpcomingMatch(3, (4, 5))], RANKS, {4: PlaceRange(1, 5), 5: PlaceRange(1, 6)}, 1
    ) == [3]
    assert most_important_matches(meetings, RANKS, open_race, 2) == [1, 2]


def test_final_is_the_key_match_and_a_close_upset_beats_a_clear_win() -> None:
    played = [
        FinishedMatch(1, (1, 2), share=1.0, upset=False),
        FinishedMatch(2, (1, 2), share=0.1, upset=True),
        FinishedMatch(3, (3, 4), share=0.5, upset=False, is_final=True),
        FinishedMatch(4, (7, 8), share=0.0, upset=False),
    ]
    assert key_matches(played, RANKS, 3) == [3, 2, 1]


def test_groups_take_turns_and_keep_their_order() -> None:
    assert take_turns(["a1", "a2", "b1", "a3", "c1", "b2"], lambda item: item[0]) == [
        "a1",
        "b1",
        "c1",
        "a2",
        "b2",
        "a3",
    ]
