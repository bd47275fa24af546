"""Snapshots of recorded matches for the match view; see ``arena.matches.snapshots``."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from arena.core.referee.events import outcome_json
from arena.games.base import Termination
from arena.games.golden_point.evaluation.golden_match import GoldenMatch, GoldenRound
from arena.games.golden_point.recordings.texts import player_name

Json = dict[str, Any]


def snapshot(match: GoldenMatch) -> Json:
    """Return a snapshot of all rounds, in which players have neither links nor owners nor thinking times."""
    seats = range(len(match.players))
    totals = match.totals()
    ranks = match.ranks()
    sums = accumulate((each.score.gains for each in match.rounds), _add_gains, initial=(0,) * len(seats))
    return {
        "seq": 0,
        "match": {
            "id": None,
            "game": "golden_point",
            "status": "finished",
            "settings": {"numbers": match.numbers_per_player(), "rounds": len(match.rounds)},
        },
        "seats": [
            {
                "index": seat,
                "name": player_name(match.players[seat], seat),
                "owner": "",
                "bot_url": "",
                "points": float(totals[seat]),
                "rank": ranks[seat],
                "fault": None,
                "color": None,
            }
            for seat in seats
        ],
        "turns": [
            _turn(number, each, scores, len(match.rounds))
            for number, (each, scores) in enumerate(zip((None, *match.rounds), sums, strict=True))
        ],
        "outcome": outcome_json([float(total) for total in totals], ranks, Termination.COMPLETED),
    }


def _turn(number: int, each: GoldenRound | None, scores: tuple[int, ...], rounds: int) -> Json:
    """Return a round in the format of ``GoldenPointGame.view``; turn 0 is the start."""
    view = {
        "round": number,
        "rounds": rounds,
        "golden": each.golden_number if each else None,
        "numbers": [list(own) if own else None for own in each.numbers] if each else [None] * len(scores),
        "gains": list(each.score.gains) if each else [0] * len(scores),
        "scores": list(scores),
        "nearest": list(each.score.nearest) if each else [],
        "farthest": list(each.score.farthest) if each else [],
        "out": [],
    }
    return {"number": number, "moves": [], "view": view}


def _add_gains(scores: tuple[int, ...], gains: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + gain for score, gain in zip(scores, gains, strict=True))
