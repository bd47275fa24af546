"""Changes of rank are found between two standings, the largest first."""

from __future__ import annotations

from arena.core.ranking.rank_changes import RankChange, largest_rank_changes, places_gained
from arena.core.ranking.standings import StandingsRow


def row(entry: int, rank: int | None, played: int = 1) -> StandingsRow:
    return StandingsRow(entry, rank, 0.0, played, 0, 0, 0, 0.0)


def test_rank_changes_need_earlier_matches_and_list_gains_first() -> None:
    gained = places_gained(
        [row(1, 1), row(2, 2), row(3, 3), row(4, None), row(5, 4, played=0)],
        [
            row(3, 1),
            row(1, 2),
            row(2, 3),
            row(4, 4),
            row(5, 5),
        ],
    )
    assert gained == {3: 2, 1: -1, 2: -1}
    assert largest_rank_changes(gained, 2) == [RankChange(3, 2), RankChange(1, -1)]
    assert largest_rank_changes({1: 0}, 3) == []
