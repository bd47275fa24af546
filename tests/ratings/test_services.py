"""Stored ratings depend only on the match log, no matter how or when its matches arrived."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from arena.classes.models import Course
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.ratings import services
from arena.ratings.models import RatedDay, Rating, RatingPoint
from arena.ratings.verification import rating_differences
from arena.submissions.models import Submission
from tests import factories
from tests.ratings.stored_matches import START, store_match

pytestmark = pytest.mark.django_db
WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


def submissions(count: int, game: str = "reversi") -> list[Submission]:
    found = [factories.bot(game=game).active for _ in range(count)]
    return [one for one in found if one is not None]


def stored_rows() -> list[tuple[object, ...]]:
    """Return all stored ratings, rating points and rated days, without row ids."""
    ratings = Rating.objects.order_by("submission").values_list(
        "submission", "game", "value", "deviation", "matches", "wins", "draws", "losses", "mean_rank"
    )
    points = RatingPoint.objects.order_by("submission", "day").values_list("submission", "day", "value", "deviation")
    days = RatedDay.objects.order_by("game", "day").values_list("game", "day", "matches", "checksum")
    return [*ratings, *points, *days]


def approximate_rows(rows: list[tuple[object, ...]]) -> list[object]:
    return [pytest.approx(row, abs=1e-6) for row in rows]


def test_ratings_of_a_season() -> None:
    one, other, third = submissions(3)
    for _ in range(4):
        store_match([one, other], WON)
    store_match([other, third], DRAWN, day=1)
    assert services.refresh("reversi")
    ratings = {row.submission_id: row for row in Rating.objects.all()}
    assert ratings[one.pk].value > ratings[third.pk].value > ratings[other.pk].value
    assert [(row.matches, row.wins, row.draws, row.losses) for row in (ratings[one.pk], ratings[other.pk])] == [
        (4, 4, 0, 0),
        (5, 0, 1, 4),
    ]
    points = [(point.submission_id, point.day.day) for point in RatingPoint.objects.order_by("day", "submission_id")]
    assert points == [(one.pk, 2), (other.pk, 2), (other.pk, 3), (third.pk, 3)]
    assert rating_differences("reversi") == []


def test_refresh_without_changes_takes_three_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    store_match(submissions(2), WON)
    services.refresh("reversi")
    before = stored_rows()
    with django_assert_num_queries(3):
        assert not services.refresh("reversi")
    assert stored_rows() == before


@pytest.mark.long
@pytest.mark.parametrize("game", ["reversi", "golden_point"])
@pytest.mark.parametrize("seed", range(2))
def test_incremental_refreshes_equal_a_full_rebuild(game: str, seed: int) -> None:
    """Refreshes give the same result as a rebuild.

    Matches may arrive late, and may be voided, replaced, withheld or deleted.
    """
    rng = random.Random(seed)
    entries = submissions(4, game)
    entries += [factories.submission(entries[0].bot), factories.submission(entries[1].bot)]
    log: list[int] = []
    for step in range(40):
        size = 2 if game == "reversi" else rng.randint(2, 5)
        table = rng.sample(entries, size)
        ranks = [1 + sum(other < own for other in range(size)) for own in range(size)]
        rng.shuffle(ranks)
        log.append(store_match(table, DRAWN if size == 2 and rng.random() < 0.2 else ranks, day=rng.randint(0, 5)).pk)
        old = Match.objects.filter(pk=rng.choice(log))
        change = rng.randrange(8)
        if change == 0:
            old.update(status=MatchStatus.VOID)
        elif change == 1:
            old.update(replaced_by=log[-1])
        elif change == 2:
            old.update(withheld=rng.random() < 0.5)
        elif change == 3 and not old.filter(replaced__isnull=False).exists():
            old.get().delete()
            log.remove(next(pk for pk in log if not Match.objects.filter(pk=pk).exists()))
        if step % 4 == 0:
            services.refresh(game)
    services.refresh(game)
    found = stored_rows()
    assert rating_differences(game) == []
    services.rebuild(game)
    assert stored_rows() == approximate_rows(found)


def test_unrated_matches_do_not_count() -> None:
    table = submissions(2)
    store_match(table, WON, purpose=Purpose.SCRIMMAGE)
    store_match(table, WON, status=MatchStatus.RUNNING)
    secret = store_match(table, WON)
    Match.objects.filter(pk=secret.pk).update(audience=Course.objects.create(name="c", owner=factories.person()))
    assert not services.refresh("reversi")
    store_match(table, LOST, purpose=Purpose.LADDER)
    assert services.refresh("reversi")
    assert Rating.objects.get(submission=table[0]).losses == 1
    assert Rating.objects.get(submission=table[0]).matches == 1


@pytest.mark.parametrize("game", ["reversi", "golden_point"])
def test_matches_between_bots_of_one_author_are_unrated(game: str) -> None:
    """An author cannot raise a rating by entering two bots in a tournament and letting one of them win."""
    owner = factories.person()
    one, second = (factories.bot(owner, game).active for _ in range(2))
    other, third = submissions(2, game)
    assert one is not None
    assert second is not None
    for _ in range(20):
        store_match([one, second], WON)
    assert services.refresh(game)
    assert Rating.objects.count() == 0
    store_match([one, other], LOST)
    if game == "golden_point":
        for _ in range(20):
            store_match([one, second, third], (1, 2, 2))
    store_match([second, other], LOST)
    services.refresh(game)
    ratings = dict(Rating.objects.values_list("submission_id", "value"))
    if game == "reversi":
        assert ratings[one.pk] == pytest.approx(ratings[second.pk])
        assert Rating.objects.get(submission=one).matches == 1
    else:
        assert ratings[one.pk] > ratings[third.pk], "both are compared with the bot of another author"
    assert rating_differences(game) == []


def test_matches_between_house_bots_are_rated() -> None:
    arena = factories.person()
    house = [factories.bot(arena) for _ in range(2)]
    for bot in house:
        bot.is_house = True
        bot.save()
    store_match([bot.active for bot in house if bot.active], WON)
    services.refresh("reversi")
    assert Rating.objects.count() == 2


@pytest.mark.parametrize("hidden", ["audience", "withheld"])
def test_match_made_public_later_counts_on_its_original_day(hidden: str) -> None:
    table = submissions(2)
    course = Course.objects.create(name="c", owner=factories.person())
    secret = Match.objects.filter(pk=store_match(table, WON).pk)
    secret.update(**{hidden: course if hidden == "audience" else True})
    store_match(table, LOST, day=3)
    services.refresh("reversi")
    assert RatedDay.objects.count() == 1
    secret.update(audience=None, withheld=False)
    assert services.refresh("reversi")
    assert [day.day.day for day in RatedDay.objects.order_by("day")] == [2, 5]
    assert RatingPoint.objects.count() == 4
    assert rating_differences("reversi") == []


def test_games_are_rated_independently() -> None:
    store_match(submissions(2), WON)
    store_match(submissions(3, "golden_point"), (1, 2, 3))
    services.refresh("reversi")
    assert set(Rating.objects.values_list("game", flat=True)) == {"reversi"}
    services.refresh("golden_point")
    services.rebuild("reversi")
    assert Rating.objects.count() == 5


def test_command_detects_tampering(capsys: pytest.CaptureFixture[str]) -> None:
    store_match(submissions(2), WON)
    with pytest.raises(CommandError, match="has changed"):
        call_command("ratings", "verify")
    call_command("ratings", "rebuild")
    call_command("ratings", "verify")
    Rating.objects.filter(wins=1).update(value=2000)
    RatingPoint.objects.filter(value__lt=1500).delete()
    with pytest.raises(CommandError, match=r"reversi: submission \d+: stored \(2000(?s:.)*stored None"):
        call_command("ratings", "verify", "--game", "reversi")


def test_days_end_at_midnight_utc() -> None:
    table = submissions(2)
    midnight = START.replace(hour=0)
    for moment in (midnight - timedelta(microseconds=1), midnight, midnight + timedelta(hours=23, minutes=59)):
        match = store_match(table, WON)
        Match.objects.filter(pk=match.pk).update(finished_at=moment)
    services.refresh("reversi")
    assert list(RatedDay.objects.order_by("day").values_list("day__day", "matches")) == [(1, 1), (2, 2)]


@pytest.mark.long
def test_many_matches_over_many_days_are_rated() -> None:
    rng = random.Random(6)
    entries = submissions(60)
    pairs = [(START + timedelta(hours=number / 8), rng.sample(entries, 2)) for number in range(2_000)]
    matches = Match.objects.bulk_create(
        Match(game="reversi", seed=1, purpose=Purpose.LADDER, status=MatchStatus.FINISHED, finished_at=moment)
        for moment, _ in pairs
    )
    Seat.objects.bulk_create(
        Seat(match=match, index=index, submission=one, rank=1 + (index != number % 2))
        for number, (match, (_, pair)) in enumerate(zip(matches, pairs, strict=True))
        for index, one in enumerate(pair)
    )
    services.rebuild("reversi")
    assert sum(Rating.objects.values_list("matches", flat=True)) == 2 * len(pairs)
    store_match(entries[:2], WON, day=10.4)
    services.refresh("reversi")
    assert rating_differences("reversi") == []
