"""The scores of a score attack that stand out are found."""

from __future__ import annotations

from arena.core.ranking.seed_scores import SeedScore, best_score, lowest_scores, most_different_scores


def test_score_highlights_are_best_lowest_and_most_different() -> None:
    scores = [
        SeedScore(1, 7, 1, 50),
        SeedScore(2, 7, 2, 40),
        SeedScore(3, 8, 1, 45),
        SeedScore(4, 8, 2, 10),
        SeedScore(5, 9, 3, 0),
    ]
    assert best_score(scores, 7) == scores[0]
    assert best_score(scores, 6) is None
    assert most_different_scores(scores) == (scores[1], scores[3])
    assert most_different_scores(scores[:2]) is None
    assert most_different_scores([]) is None
    assert lowest_scores(scores) == [scores[1], scores[3], scores[4]]
