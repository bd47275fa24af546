"""The next matches of an encounter and of a tournament are found, skipping unstarted and withheld ones."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from arena.matches.models import Match, MatchStatus
from arena.tournaments.models import Pairing
from arena.tournaments.queries.next_match import FollowingMatches, following_matches
from tests.factories import queued_match
from tests.tournaments.harness import TournamentHarness

NOBODY = AnonymousUser()


@pytest.mark.long
def test_next_matches_of_encounter_and_tournament_are_found(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3, matches_per_encounter=2)
    rows = list(Pairing.objects.filter(tournament=cup).order_by("pk"))
    Match.objects.filter(pairing__in=rows).update(status=MatchStatus.FINISHED)
    for row in rows:
        same = [one for one in rows if (one.round_id, one.encounter) == (row.round_id, row.encounter)]
        leg = next((one.match_id for one in same if one.leg > row.leg), None)
        later = next((one.match_id for one in rows if one.pk > row.pk), None)
        found = following_matches(row.match_id or 0, NOBODY) or FollowingMatches(None, None)
        assert found == FollowingMatches(leg, later if later != leg else None)
    assert any(row.leg == 2 for row in rows)


@pytest.mark.long
def test_unstarted_and_withheld_matches_are_skipped(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2, matches_per_encounter=2)
    first, second = Pairing.objects.filter(tournament=cup).order_by("pk").values_list("match_id", flat=True)
    assert following_matches(first or 0, NOBODY) is None
    Match.objects.filter(pk=second).update(status=MatchStatus.FINISHED, withheld=True)
    assert following_matches(first or 0, NOBODY) is None
    assert following_matches(queued_match().pk, NOBODY) is None


def test_page_of_a_match_links_to_each_following_match_once(stage: TournamentHarness, client: Client) -> None:
    cup = stage.start_tournament(2, matches_per_encounter=2)
    first, second = stage.matches(cup)
    Match.objects.filter(pairing__tournament=cup).update(status=MatchStatus.FINISHED)
    page = client.get(reverse("match", args=[first.pk])).content.decode()
    assert page.count(f'href="{reverse("match", args=[second.pk])}"') == 1
