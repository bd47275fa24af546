"""Notifications that explain to authors why their bots lost: the text, and which losses they cover."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import translation

from arena.accounts.models import User
from arena.core.messages import verbatim_message
from arena.games.golden_point.verdict_messages import ALONE, TOOK_LEAD
from arena.games.registry import GAMES
from arena.games.review import Review, Verdict
from arena.matches import loss_notices, reviews
from arena.matches.loss_notices import LOSS, TITLES, notify_of_recent_losses, send_loss_notices
from arena.matches.models import Match, Seat
from arena.notifications.models import Mail, Notification
from arena.notifications.services import mark_all_read
from arena.submissions.models import Bot
from tests.factories import bot, person
from tests.games.reversi.analysis.matches import NOW, finished_match

SOON = NOW + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _clear_cache() -> None:
    cache.clear()


@pytest.mark.parametrize(("at", "path"), [(25, "/matches/7/?at=25"), (0, "/matches/7/?at=0"), (None, "/matches/7/")])
def test_notification_links_to_position_of_verdict_or_to_match(at: int | None, path: str) -> None:
    context: dict[str, Any] = {
        "match": 7,
        "bot": "Mine",
        "opponent": "",
        "at": at,
        "verdict": verbatim_message("Ann led all the time.").to_json("message"),
    }
    text = LOSS.text(context)

    assert "Mine" in text.title
    assert (text.path, text.body) == (path, "Ann led all the time.")


class Reviewer:
    """A reviewer with a verdict on both seats of every match except those in ``without``; records its calls."""

    def __init__(self, *without: Match) -> None:
        self.reviewed: list[int] = []
        self._without = [match.pk for match in without]

    def __call__(self, match_id: int) -> Review | None:
        self.reviewed.append(match_id)
        if match_id in self._without:
            return None
        return Review(
            tuple(Verdict(seat, 3, verbatim_message(f"Match {match_id} was lost at move 3.")) for seat in (0, 1))
        )


def notices(owner: User) -> list[Mapping[str, Any]]:
    """Return the data stored with an author's loss notices, oldest first."""
    return [row.context for row in Notification.objects.filter(recipient=owner, kind=LOSS.code).order_by("pk")]


def notified_matches(owner: User) -> list[int]:
    """Return the matches that an author's loss notices are about, oldest first."""
    return [context["match"] for context in notices(owner)]


@pytest.mark.django_db
def test_recent_loss_is_reviewed_before_anyone_opens_it() -> None:
    winner, loser = person(), person()
    match = finished_match(black=winner, white=loser)
    reviewer = Reviewer()

    assert notify_of_recent_losses({"reversi": reviewer}, now=SOON) == 1

    assert notified_matches(loser) == [match.pk]
    assert notified_matches(winner) == []
    finished_match(black=winner, white=loser, finished_at=NOW + timedelta(days=1))
    assert notify_of_recent_losses({"reversi": reviewer}, now=SOON + timedelta(days=1)) == 1
    assert len(notified_matches(loser)) == 2, "each day has its own notice"


@pytest.mark.django_db
def test_later_losses_of_the_day_renew_the_notice_but_send_no_mail() -> None:
    loser = person()
    first = finished_match(white=loser)
    reviewer = {"reversi": Reviewer()}
    assert notify_of_recent_losses(reviewer, now=SOON) == 1
    mark_all_read(loser, now=SOON)
    latest, between = (finished_match(white=loser, finished_at=NOW + timedelta(minutes=one)) for one in (9, 5))

    later = NOW + timedelta(minutes=10)
    assert [notify_of_recent_losses(reviewer, now=later) for _ in range(3)] == [1, 1, 0]

    row = Notification.objects.get(recipient=loser)
    assert (row.read_at, row.created_at) == (None, later)
    assert Mail.objects.count() == 1
    text = LOSS.text(row.context)
    assert text.title.startswith("3 losses. Latest: ")
    shown = [(one.body, one.path) for one in (text, *text.more)]
    assert shown == [
        (f"Match {one.pk} was lost at move 3.", f"/matches/{one.pk}/?at=3") for one in (latest, between, first)
    ]


@pytest.mark.django_db
def test_list_links_to_every_verdict_in_a_notice(client: Client) -> None:
    loser = person()
    matches = [finished_match(white=loser) for _ in range(3)]
    for _ in matches:
        notify_of_recent_losses({"reversi": Reviewer()}, now=SOON)
    client.force_login(loser)

    page = client.get(reverse("notification-list")).content.decode()

    assert "2 earlier" in page
    assert all(f"Match {one.pk} was lost at move 3." in page for one in matches)
    assert len(re.findall(r'<a href="/matches/\d+/\?at=3">', page)) == 2, "the title opens the latest match"


@pytest.mark.django_db
def test_same_loss_is_counted_once() -> None:
    loser = person()
    match = finished_match(white=loser)
    review = Reviewer()(match.pk)
    assert review is not None
    assert [send_loss_notices(match.pk, review, now=SOON) for _ in range(2)] == [1, 0]
    assert LOSS.text(notices(loser)[0]).more == ()


@pytest.mark.django_db
def test_losses_beyond_the_limit_of_a_day_are_not_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_notices, "_LISTED", 2)
    loser, reviewer = person(), Reviewer()
    for _ in range(3):
        finished_match(white=loser)

    assert [notify_of_recent_losses({"reversi": reviewer}, now=SOON) for _ in range(3)] == [1, 1, 0]
    assert len(reviewer.reviewed) == 2


@pytest.mark.django_db
def test_author_without_a_notice_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_notices, "_REVIEWED", 1)
    busy, other = person(), person()
    finished_match(white=other)
    finished_match(white=busy)
    finished_match(white=busy)

    for _ in range(2):
        notify_of_recent_losses({"reversi": Reviewer()}, now=SOON)

    assert (len(notified_matches(busy)), len(notified_matches(other))) == (1, 1)


@pytest.mark.django_db
def test_house_bot_names_are_in_the_readers_language() -> None:
    winner, loser = person(), person()
    match = finished_match(black=winner, white=loser)
    bot = match.seats.get(index=0).bots_submission.bot
    bot.texts = {"zh-hans": {"name": "抢角"}}
    bot.save()
    verdict = TOOK_LEAD(winner=bot.name, round=2, rounds=5, ending=ALONE())

    notify_of_recent_losses({"reversi": lambda pk: Review((Verdict(1, 2, verdict),))}, now=SOON)

    (context,) = notices(loser)
    assert LOSS.text(context).body.startswith(f"{bot.name} ")
    with translation.override("zh-hans"):
        assert LOSS.text(context).body.startswith("“抢角”")


@pytest.mark.django_db
def test_next_loss_is_reviewed_if_one_has_no_verdict() -> None:
    loser = person()
    reviewed = finished_match(white=loser)
    reviewer = Reviewer(finished_match(white=loser))

    assert [notify_of_recent_losses({"reversi": reviewer}, now=SOON) for _ in range(3)] == [0, 1, 0]

    assert notified_matches(loser) == [reviewed.pk]
    assert len(reviewer.reviewed) == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "columns", [{"withheld": True}, {"game": "golden_point"}, {"finished_at": NOW - timedelta(days=1)}]
)
def test_other_matches_are_not_reviewed(columns: Any) -> None:
    finished_match(white=person(), **columns)
    reviewer = Reviewer()

    assert notify_of_recent_losses({"reversi": reviewer}, now=SOON) == 0
    assert reviewer.reviewed == []


@pytest.mark.django_db
def test_only_the_lower_half_of_a_table_has_lost() -> None:
    second, last = person(), person()
    match = finished_match(black=second, white=last, game="golden_point")
    Seat.objects.filter(match=match, index=0).update(rank=2)
    Seat.objects.filter(match=match, index=1).update(rank=4)
    for index in (2, 3):
        submission = finished_match().seats.get(index=0).submission
        Seat.objects.create(match=match, index=index, submission=submission, rank=3 if index == 2 else 1, fault="")

    notify_of_recent_losses({"golden_point": Reviewer()}, now=SOON)

    assert (len(notified_matches(second)), len(notified_matches(last))) == (0, 1)


@pytest.mark.django_db
@pytest.mark.parametrize(("ranks", "code"), [((1, 4, 2, 3), "placed_behind"), ((1, 4, 1, 3), "placed")])
def test_title_names_the_place_and_the_winner_at_a_table(ranks: tuple[int, ...], code: str) -> None:
    loser = person()
    match = finished_match(white=loser, game="golden_point")
    for index in (2, 3):
        Seat.objects.create(match=match, index=index, submission=bot(game="golden_point").active)
    for index, name in enumerate(("Best", "Mine", "Second", "Third")):
        seat = match.seats.get(index=index)
        Seat.objects.filter(pk=seat.pk).update(rank=ranks[index])
        Bot.objects.filter(pk=seat.bots_submission.bot_id).update(name=name)

    notify_of_recent_losses({"golden_point": Reviewer()}, now=SOON)

    (context,) = notices(loser)
    values = {"bot": "Mine", "rank": "4th", "seats": 4, "opponent": "Best"}
    assert LOSS.text(context).title == TITLES[code] % values


def test_every_game_without_analysis_jobs_is_reviewed_on_demand() -> None:
    assert set(GAMES) - {"dare", "lanterns"} - reviews.reviewers_on_demand().keys() == {"reversi"}
