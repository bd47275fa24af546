"""While a bracket is being played, pages show the places that an entry can still reach, instead of its rank."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.matches.models import MatchStatus
from arena.tournaments.events.snapshots import full_snapshot
from arena.tournaments.models import Entry, Format, Tournament
from arena.tournaments.queries.entries import participations_of_bot
from arena.tournaments.queries.programme import match_in_tournament
from arena.tournaments.queries.stages import standings_news
from arena.tournaments.queries.tournaments import cards_of
from arena.tournaments.templatetags.standings import medal, ordered_rows, place
from tests.tournaments.harness import TournamentHarness

BRACKETS = (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION)


def play_round(stage: TournamentHarness, tournament: Tournament) -> None:
    """Let the first seat win every queued match, and start the next round."""
    for match in stage.matches(tournament, MatchStatus.QUEUED):
        stage.finish_match(match, [1, 2])
    stage.tick()


@pytest.mark.parametrize("case", json.loads(Path(__file__).with_name("places.json").read_text()))
def test_ranks_and_ranges_are_shown_as_in_browsers(case: dict[str, Any]) -> None:
    """``tests/js/tournaments/standings-view.test.mjs`` checks the script with the same cases."""
    row = {"rank": case["rank"], "best_place": case["best"], "worst_place": case["worst"]}
    shown = {"rows": [row], "shows_ranges": case["shows_ranges"], "status": case["status"]}
    assert (place(row, shown), medal(row, shown)) == (case["place"], case["medal"])


def places(tournament: Tournament) -> list[str]:
    """Return the places in the standings, best entry first."""
    shown = full_snapshot(tournament.pk)
    return [place(row, shown) for row in ordered_rows(shown)]


@pytest.mark.parametrize(
    ("format_", "first", "second"),
    [
        (Format.KNOCKOUT, ["1–4"] * 4 + ["5"] * 4, ["1–2"] * 2 + ["3–4"] * 2 + ["5"] * 4),
        (Format.DOUBLE_ELIMINATION, ["1–5"] * 4 + ["1–7"] * 4, ["1–3"] * 2 + ["1–5"] * 4 + ["7"] * 2),
    ],
)
def test_places_of_eight_entries_narrow_from_round_to_round(
    stage: TournamentHarness, format_: Format, first: list[str], second: list[str]
) -> None:
    tournament = stage.start_tournament(8, format_)
    assert places(tournament) == ["–"] * 8
    play_round(stage, tournament)
    assert places(tournament) == first
    shown = full_snapshot(tournament.pk)
    assert standings_news(shown).moved == (), "nobody climbs or falls as the ranges narrow"
    assert {medal(row, shown) for row in shown["rows"] if "–" in place(row, shown)} == {""}
    play_round(stage, tournament)
    assert places(tournament) == second


@pytest.mark.parametrize("format_", BRACKETS)
def test_decided_bracket_shows_ranks(stage: TournamentHarness, format_: Format) -> None:
    tournament = stage.start_tournament(4, format_)
    while stage.status(tournament) == "running":
        play_round(stage, tournament)
    ranks = Entry.objects.filter(tournament=tournament).order_by("rank", "position").values_list("rank", flat=True)
    assert places(tournament) == [str(rank) for rank in ranks]
    tournament.refresh_from_db()
    (card,) = cards_of([tournament])
    assert [(leader.place, leader.medal) for leader in card.leaders] == [("1", 1), ("2", 2), ("3", 3)]


@pytest.mark.parametrize("format_", BRACKETS)
def test_pages_show_the_range_while_the_bracket_is_played(stage: TournamentHarness, format_: Format) -> None:
    tournament = stage.start_tournament(8, format_)
    play_round(stage, tournament)
    widest = places(tournament)[0]
    pages = [reverse(name, args=[tournament.pk]) for name in ("tournament", "tv-standings", "embed-tournament")]
    for page in (*pages, reverse("home")):
        text = Client().get(page).content.decode()
        assert re.search(rf'data-part="rank" data-rank="">{widest}<', text), page
        assert 'data-part="possible"' not in text, page
    tournament.refresh_from_db()
    (card,) = cards_of([tournament])
    assert [(leader.place, leader.medal) for leader in card.leaders] == [(widest, 0)] * 3
    assert f'<span class="rank">{widest}</span>' in Client().get(reverse("tournament-list")).content.decode()
    best = Entry.objects.filter(tournament=tournament, rank=1).first()
    assert best is not None
    (part,) = participations_of_bot(best.bot_id, User())
    assert re.fullmatch(r"1–\d", part.place)


def test_open_places_in_a_bracket_are_not_called_the_stakes_of_a_match(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(8, Format.DOUBLE_ELIMINATION)
    play_round(stage, tournament)
    play_round(stage, tournament)
    for match in stage.matches(tournament):
        found = match_in_tournament(match.pk)
        assert found is not None
        assert found.stakes is None or "places" not in found.stakes.code.split()


def test_league_keeps_its_ranks_beside_the_possible_places(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    play_round(stage, tournament)
    assert not any("–" in one for one in places(tournament))
    assert 'data-part="possible">1–' in Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
