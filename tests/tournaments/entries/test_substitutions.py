"""Another version of a bot can be substituted after the freeze, for the matches that have not started."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.matches.models import MatchStatus
from arena.platform.refusal import Refused
from arena.submissions.models import SubmissionStatus
from arena.tournaments.entries import substitutions
from arena.tournaments.models import Activity, ActivityKind
from tests import factories
from tests.refusals import codes_shown, expect_refusal
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.organizer import client_of, operations_page


@pytest.mark.long
def test_substitute_plays_only_matches_that_have_not_started(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(4)
    entry = cup.entries.order_by("pk")[0]
    theirs = [match for match in stage.matches(cup) if match.pairing.seats.filter(entry=entry).exists()]
    played, running, waiting = theirs
    stage.finish_match(played, (1, 2))
    stage.begin_match(running)
    old, new = entry.submission, factories.submission(entry.bot)
    stage.run_committed(substitutions.substitute, entry.pk, new.pk, "Memory leak", actor=stage.organizer, now=stage.now)
    after = {match.pk: match.seats.get(submission__bot=entry.bot).submission for match in theirs}
    assert after == {played.pk: old, running.pk: old, waiting.pk: new}
    waiting.refresh_from_db()
    assert waiting.status == MatchStatus.QUEUED
    line = Activity.objects.get(kind=ActivityKind.SUBSTITUTED)
    assert (line.entry, line.text, line.details) == (entry, "Memory leak", {"before": 1, "after": 2})
    page = Client().get(reverse("tournament", args=[cup.pk]))
    assert [line.kind for line in page.context["substitutions"]] == ["substituted"]
    assert "Memory leak" in page.content.decode()


@pytest.mark.long
@pytest.mark.parametrize("wrong", ["same", "foreign", "failed"])
def test_substitute_must_be_another_passed_version_of_the_same_bot(stage: TournamentHarness, wrong: str) -> None:
    cup = stage.start_tournament(2)
    entry, other = cup.entries.order_by("pk")
    chosen = {
        "same": entry.submission,
        "foreign": factories.submission(other.bot),
        "failed": factories.submission(entry.bot, SubmissionStatus.FAILED),
    }[wrong]
    with pytest.raises(Refused):
        substitutions.substitute(entry.pk, chosen.pk, "Why not", actor=stage.organizer, now=stage.now)
    assert not Activity.objects.filter(kind=ActivityKind.SUBSTITUTED).exists()


def test_substitution_is_refused_while_entries_are_open(stage: TournamentHarness) -> None:
    cup = stage.create_tournament()
    (entry,) = stage.enter_bots(cup, 1)
    with expect_refusal("entries_open"):
        substitutions.substitute(
            entry.pk, factories.submission(entry.bot).pk, "x", actor=stage.organizer, now=stage.now
        )


@pytest.mark.long
def test_form_requires_version_and_reason(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3)
    entry = cup.entries.order_by("pk")[0]
    new = factories.submission(entry.bot)
    client = client_of(stage.organizer)
    assert f'name="entry{entry.pk}-submission"' in client.get(operations_page(cup)).content.decode()
    url = reverse("tournament-substitute", args=[cup.pk, entry.pk])
    refused = client.post(
        url, {f"entry{entry.pk}-submission": entry.submission_id, f"entry{entry.pk}-reason": "Agreed"}
    )
    assert refused.status_code == 422
    assert 'value="Agreed"' in refused.content.decode(), "nothing that was typed is lost"
    (form,) = (form for line, form in refused.context["bots"] if line.entry.id == entry.pk)
    assert [error.code for error in form.errors.as_data()["submission"]] == ["invalid_choice"]
    data = {f"entry{entry.pk}-submission": new.pk, f"entry{entry.pk}-reason": "Agreed"}
    assert codes_shown(client.post(url, data)) == ["substituted"]
    assert client.post(reverse("tournament-substitute", args=[cup.pk, 999_999]), data).status_code == 404
