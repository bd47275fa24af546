"""Entries that share a rank are listed by points and tiebreaks, on the page and in events and exports alike."""

from __future__ import annotations

import random

import pytest

from arena.matches.models import MatchStatus
from arena.tournaments.events.snapshots import entries_event
from arena.tournaments.exports import spreadsheets
from arena.tournaments.models import Entry, Format, Tournament
from tests.tournaments.harness import TournamentHarness

Line = tuple[int, int, float, tuple[float, ...]]


def lines(tournament: Tournament) -> list[Line]:
    """Return the rank, worst possible place in a bracket, points and tiebreaks of each entry, in the order shown.

    Points and tiebreaks are negated, so that smaller values are better.
    """
    rows = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament)}
    shown = [rows[row["entry"]] for row in entries_event(tournament.pk)["rows"]]
    return [
        (row.rank or 0, row.worst_place or 0, -row.points, tuple(-(value or 0.0) for value in row.tiebreaks))
        for row in shown
    ]


@pytest.mark.long
@pytest.mark.parametrize("format_", [Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.GROUPS])
@pytest.mark.parametrize("seed", range(3))
def test_entries_that_share_a_rank_are_listed_by_tiebreaks(
    stage: TournamentHarness, format_: Format, seed: int
) -> None:
    rng = random.Random(seed)
    tournament = stage.start_tournament(8, format_, tiebreaks=["wins", "margin"])
    while queued := stage.matches(tournament, MatchStatus.QUEUED):
        winner = rng.randint(0, 1)
        margin = float(rng.randint(1, 64))
        margins = [margin, -margin] if winner == 0 else [-margin, margin]
        stage.finish_match(rng.choice(queued), [1, 2] if winner == 0 else [2, 1], margins)
        found = lines(tournament)
        assert found == sorted(found)
        shown = stage.snapshot(tournament)
        event = next(each for each in reversed(stage.events(tournament)) if each["type"] == "standing")
        assert event["order"] == shown["order"] == [row["entry"] for row in shown["rows"]]
        if not stage.matches(tournament, MatchStatus.QUEUED):
            stage.tick()
    assert stage.status(tournament) == "finished"
    (_, *exported) = spreadsheets.standings(tournament)
    assert [line[1] for line in exported] == [row["name"] for row in stage.snapshot(tournament)["rows"]]
