"""Only the author and staff see version tests, and the page of a finished test shows the result first."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from arena.matches.visibility import may_see
from arena.platform.live.topics import Access, Topic, access, newest
from arena.version_tests import services
from arena.version_tests.models import VersionTest
from tests.note_codes import note_codes
from tests.platform.workers.workers import NOW
from tests.ratings.ladders import IDLE
from tests.refusals import form_codes
from tests.submissions.readers import READERS, client_of
from tests.version_tests.version_tests import begin_test, finish_match, matches_of, play_out, tick, two_versions

pytestmark = pytest.mark.django_db

SEES = {"owner", "staff"}


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_only_author_and_staff_see_start_and_cancel_tests(reader: str) -> None:
    bot = two_versions()
    test = begin_test(bot)
    tick()
    client = client_of(reader, bot.owner)
    refused = 302 if reader == "anonymous" else 403
    for name in ("version-test", "version-test-snapshot"):
        answer = client.get(reverse(name, args=[bot.pk, test.number]))
        assert answer.status_code == (200 if reader in SEES else refused)
    assert client.get(reverse("version-test-list", args=[bot.pk])).status_code == (200 if reader in SEES else refused)
    assert (b'id="version-tests"' in client.get(reverse("bot", args=[bot.pk])).content) is (reader in SEES)
    posted = client.post(reverse("version-test-list", args=[bot.pk]), {})
    assert posted.status_code == (422 if reader == "owner" else refused)
    user = posted.wsgi_request.user
    expected = Access.GRANTED if reader in SEES else Access.FORBIDDEN
    assert access(Topic("version-tests", test.pk), user) is expected
    assert newest(Topic("version-tests", test.pk)) == VersionTest.objects.get(pk=test.pk).event_seq
    match = matches_of(test)[0]
    assert may_see(user, match.pk) is (reader in SEES)
    assert client.get(reverse("match", args=[match.pk])).status_code == (200 if reader in SEES else 404)
    client.post(reverse("version-test-cancel", args=[bot.pk, test.number]))
    test.refresh_from_db()
    assert test.status == ("cancelled" if reader in SEES else "waiting")


@pytest.mark.long
def test_author_starts_a_test_and_sees_its_estimated_size(client: Client) -> None:
    bot = two_versions()
    old, new = bot.submissions.order_by("number")
    client.force_login(bot.owner)
    page = client.get(reverse("bot", args=[bot.pk])).content.decode()
    label = re.search(r'<label[^>]*>[^<]*<input[^>]* value="clear"[^>]*>([^<]*)', page)
    assert label is not None
    size, *expected = re.findall(r"\d+", label[1])
    assert size == "50"
    assert expected, "how many matches the test takes"
    chosen = {"new": new.pk, "old": old.pk, "gain": "clear", "elo_model": "normalized"}
    posted = client.post(reverse("version-test-list", args=[bot.pk]), chosen)
    assert posted["Location"] == reverse("version-test", args=[bot.pk, 1])
    page = client.get(posted["Location"]).content.decode()
    assert 'data-status="waiting"' in page
    assert 'data-unit="normalized_elo" data-size="50"' in page
    again = client.post(reverse("version-test-list", args=[bot.pk]), {"new": new.pk, "old": old.pk, "gain": "clear"})
    assert again.status_code == 422
    assert form_codes(again) == ["already_running"]


@pytest.mark.long
def test_finished_test_shows_the_verdict_and_offers_activation(client: Client) -> None:
    rng = random.Random(5)
    bot = two_versions()
    test = play_out(begin_test(bot), lambda *_: float(rng.random() < 0.9))
    client.force_login(bot.owner)
    page = client.get(reverse("version-test", args=[bot.pk, test.number])).content.decode()
    assert "better" in note_codes(page)
    assert "Activate v2" in page
    assert 'class="ratio-chart__line"' in page
    assert reverse("match", args=[matches_of(test)[0].pk]) in page
    client.post(reverse("submission-activate", args=[test.new_id]))
    page = client.get(reverse("version-test", args=[bot.pk, test.number])).content.decode()
    assert "Activate v2" not in page
    assert "active_already" in note_codes(page)


@pytest.mark.long
@pytest.mark.parametrize("game", ["golden_point", "fib2584"])
def test_score_games_show_the_point_difference(client: Client, game: str) -> None:
    rng = random.Random(5)
    bot = two_versions(game)
    test = begin_test(bot)
    while test.status in ("waiting", "running"):
        services.tick(replace(IDLE, served=frozenset({game})), now=NOW)
        for match in matches_of(test):
            if match.status == "queued":
                finish_match(test, match, rng.gauss(30, 5), rng.gauss(20, 5))
        services.advance(test.pk, may_plan=False, now=NOW)
        test.refresh_from_db()
    assert test.verdict == "better"
    client.force_login(bot.owner)
    response = client.get(reverse("version-test", args=[bot.pk, test.number]))
    assert (response.context["test"].ranked, response.context["test"].has_estimate) == (False, True)
    page = response.content.decode()
    assert "Opening" not in page
    results = re.findall(r'class="number">([^<]+)</td>', page)
    assert results
    assert not [text for text in results if text.startswith("-")], "negative differences have minus signs"


@pytest.mark.long
def test_page_costs_a_constant_number_of_queries(client: Client, django_assert_max_num_queries: object) -> None:
    rng = random.Random(5)
    bot = two_versions()
    test = play_out(begin_test(bot), lambda *_: float(rng.random() < 0.7))
    client.force_login(bot.owner)
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        client.get(reverse("version-test", args=[bot.pk, test.number]))


def test_match_list_omits_version_test_matches_by_default(client: Client) -> None:
    bot = two_versions()
    test = begin_test(bot)
    tick()
    client.force_login(bot.owner)
    link = reverse("match", args=[matches_of(test)[0].pk]).encode()
    assert link not in client.get(reverse("match-list")).content
    assert link in client.get(reverse("match-list") + "?purpose=version_test").content
