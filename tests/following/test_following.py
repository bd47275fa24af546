"""Following: who may follow what, what is recorded, who is notified of it, and what stays hidden."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from arena.accounts.models import User
from arena.classes import services as classes
from arena.classes.models import Course, Membership
from arena.following import digests, services
from arena.following.models import FeedItem, Follow, ItemKind, PendingUpdate
from arena.following.queries import followed_subjects
from arena.following.subjects import Subject
from arena.following.texts import CODE, SENTENCES
from arena.notifications.kinds import notification_text
from arena.notifications.models import Notification
from arena.platform.refusal import NotFound, Refused
from arena.submissions.services import activate, roll_back
from arena.tournaments.models import Tournament
from arena.tournaments.services.announcements import announce
from arena.tournaments.services.result_release import release_results
from tests import factories
from tests.chinese import has_chinese
from tests.note_codes import note_codes
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db


def notified_items(person: User) -> list[list[tuple[str, str]]]:
    """Return the items of each of a user's notifications, oldest first: each item's kind and its tournament or bot."""
    rows = Notification.objects.filter(recipient=person, kind=CODE).order_by("pk")
    return [[(item["kind"], item.get("tournament") or item["bot"]) for item in row.context["items"]] for row in rows]


def send_updates(hours: float = 0.0) -> int:
    return digests.send_digests(now=timezone.now() + timedelta(hours=hours))


def finished_tournament(stage: TournamentHarness, **changes: object) -> Tournament:
    """Create a finished tournament of three bots."""
    tournament = stage.start_tournament(3, **changes)  # type: ignore[arg-type]
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    return tournament


# --- notifications


def test_follower_is_notified_of_a_new_version_once() -> None:
    ada, bot = factories.person("ada"), factories.bot(factories.person("ben"), name="Crux")
    services.follow(ada, Subject.BOT, bot.pk)
    second = factories.submission(bot)
    activate(second.pk)
    roll_back(bot.pk)
    activate(second.pk)
    assert send_updates() == 1
    assert notified_items(ada) == [[("version", "Crux")] * 2]  # version 2, and version 1, which was never announced
    assert send_updates(hours=2) == 0


@pytest.mark.long
def test_first_update_is_immediate_and_later_ones_are_batched_hourly() -> None:
    ada, ben = factories.person("ada"), factories.person("ben")
    services.follow(ada, Subject.PERSON, ben.pk)
    for number in range(8):
        activate(factories.submission(factories.bot(ben, name=f"bot {number}", playable=False)).pk)
        send_updates()
    assert notified_items(ada) == [[("bot", "bot 0")]]
    send_updates(hours=1.1)
    assert notified_items(ada)[1] == [("bot", f"bot {number}") for number in range(7, 2, -1)]
    row = Notification.objects.filter(recipient=ada).latest("pk")
    assert row.context["more"] == 2
    assert "7" in notification_text(row.kind, row.context).title
    assert len(notification_text(row.kind, row.context).body.splitlines()) == 6
    assert not PendingUpdate.objects.exists()


def test_follower_of_bot_and_author_is_notified_once() -> None:
    ada, bot = factories.person(), factories.bot(name="Crux", playable=False)
    services.follow(ada, Subject.BOT, bot.pk)
    services.follow(ada, Subject.PERSON, bot.owner_id)
    activate(factories.submission(bot).pk)
    assert send_updates() == 1
    assert notified_items(ada) == [[("bot", "Crux")]]


@pytest.mark.long
def test_followers_get_each_stage_of_a_tournament(stage: TournamentHarness) -> None:
    ada, organizers_fan = factories.person(), factories.person()
    services.follow(organizers_fan, Subject.PERSON, stage.organizer.pk)
    tournament = stage.create_tournament()
    services.follow(ada, Subject.TOURNAMENT, tournament.pk)
    entries = stage.enter_bots(tournament, 3)
    for_bot = factories.person()
    services.follow(for_bot, Subject.BOT, entries[0].bot_id)
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    announce(tournament.pk, "Lunch", "We continue at two.", actor=stage.organizer)
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    assert notified_items(organizers_fan) == []
    for _ in range(2):
        send_updates()
    assert notified_items(organizers_fan) == [[("created", "Cup")]]
    entries[0].refresh_from_db()
    assert notified_items(for_bot) == [[("result", "Cup")]]
    (result,) = Notification.objects.get(recipient=for_bot).context["items"]
    assert (result["bot"], result["rank"], result["entries"]) == (entries[0].bot.name, entries[0].rank, 3)
    assert notified_items(ada) == [[("finished", "Cup"), ("announced", "Cup"), ("started", "Cup")]]
    assert Notification.objects.get(recipient=ada).context["items"][1]["title"] == "Lunch"


@pytest.mark.long
def test_entrants_are_not_notified_twice(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    bot = factories.bot()
    services.follow(bot.owner, Subject.TOURNAMENT, tournament.pk)
    stage.enter_bots(tournament, [bot, factories.bot(), factories.bot()])
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    assert Notification.objects.filter(recipient=bot.owner, kind="started").count() == 1
    assert send_updates() == 0
    assert notified_items(bot.owner) == []


def test_followers_are_notified_in_their_language(stage: TournamentHarness) -> None:
    ada, bot = factories.person(), factories.bot(name="Crux")
    services.follow(ada, Subject.BOT, bot.pk)
    activate(factories.submission(bot).pk)
    send_updates()
    row = Notification.objects.get(recipient=ada)
    with translation.override("zh-hans"):
        title = notification_text(row.kind, row.context).title
        expected = SENTENCES[ItemKind.VERSION_ACTIVATED] % {"bot": "Crux", "version": 2}
    assert title == expected
    assert has_chinese(title)


def test_muted_kind_is_not_sent() -> None:
    from arena.notifications.models import Channel
    from arena.notifications.services import mute

    ada, bot = factories.person(), factories.bot()
    for channel in Channel:
        mute(ada.pk, CODE, channel)
    services.follow(ada, Subject.BOT, bot.pk)
    activate(factories.submission(bot).pk)
    assert send_updates() == 0
    assert notified_items(ada) == []


# --- hidden information


@pytest.mark.long
def test_withheld_results_are_not_sent_before_release(stage: TournamentHarness, client: Client) -> None:
    ada = factories.person()
    tournament = stage.create_tournament(withheld=True)
    services.follow(ada, Subject.TOURNAMENT, tournament.pk)
    entries = stage.enter_bots(tournament, 3)
    services.follow(ada, Subject.BOT, entries[0].bot_id)
    services.follow(stage.organizer, Subject.BOT, entries[0].bot_id)
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    assert stage.status(tournament) == "finished"
    send_updates()
    assert notified_items(ada) == [[("started", "Cup")]]
    assert notified_items(stage.organizer) == []
    feeds = [reverse("tournament-feed", args=[tournament.pk]), reverse("bot-feed", args=[entries[0].bot_id])]
    before = [client.get(feed).content.count(b"<entry>") for feed in feeds]
    stage.run_committed(release_results, tournament.pk, actor=stage.organizer, now=stage.now)
    after = [client.get(feed).content.count(b"<entry>") for feed in feeds]
    assert (before, after) == ([1, 0], [2, 1]), "the start was public; the result was not"
    send_updates(hours=2)
    row = Notification.objects.filter(recipient=ada).latest("pk")
    assert sorted(
        line.partition(" ")[0] for line in notification_text(row.kind, row.context).body.splitlines()
    ) == sorted(["Cup", entries[0].bot.name])


@pytest.fixture
def course(stage: TournamentHarness) -> Course:
    return classes.create(stage.organizer, classes.CoursePlan("AI 101"), rng=random.Random(1))


@pytest.mark.long
def test_class_tournament_is_sent_to_members_only(stage: TournamentHarness, course: Course, client: Client) -> None:
    member, stranger = factories.person(), factories.person()
    classes.join(member, course.code)
    for fan in (member, stranger):
        services.follow(fan, Subject.PERSON, stage.organizer.pk)
    tournament = stage.create_tournament(name="Secret cup", course_id=course.pk, members_only=True)
    services.follow(member, Subject.TOURNAMENT, tournament.pk)
    with pytest.raises(NotFound):
        services.follow(stranger, Subject.TOURNAMENT, tournament.pk)
    send_updates()
    assert (notified_items(member), notified_items(stranger)) == ([[("created", "Secret cup")]], [])
    assert client.get(reverse("tournament-feed", args=[tournament.pk])).status_code == 404
    client.force_login(member)
    assert client.get(reverse("tournament-feed", args=[tournament.pk])).status_code == 404
    page = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert "Unfollow" in page
    assert "application/atom+xml" not in page
    assert "Secret cup" not in client.get(reverse("person-feed", args=[stage.organizer.username])).content.decode()


@pytest.mark.long
def test_items_that_become_private_are_not_sent(stage: TournamentHarness, course: Course, client: Client) -> None:
    ada = factories.person()
    tournament = stage.create_tournament(name="Secret cup")
    services.follow(ada, Subject.TOURNAMENT, tournament.pk)
    stage.enter_bots(tournament, 3)
    Tournament.objects.filter(pk=tournament.pk).update(members_only=True, course=course)
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    assert FeedItem.objects.filter(tournament=tournament, kind="started").exists()
    assert send_updates() == 0
    assert notified_items(ada) == []
    client.force_login(ada)
    page = client.get(reverse("following")).content.decode()
    assert "Secret cup" not in page
    assert note_codes(page) == ["unavailable"]
    assert client.post(reverse("unfollow", args=[Follow.objects.get().pk])).status_code == 302
    assert not Follow.objects.exists()


def test_former_member_gets_no_updates(stage: TournamentHarness, course: Course) -> None:
    member = factories.person()
    classes.join(member, course.code)
    tournament = stage.create_tournament(name="Secret cup", course_id=course.pk, members_only=True)
    services.follow(member, Subject.TOURNAMENT, tournament.pk)
    announce(tournament.pk, "Secret", "For the class.", actor=stage.organizer)
    Membership.objects.filter(person=member).delete()
    assert send_updates() == 0
    assert followed_subjects(member)[0].name == ""


def test_suspended_people_neither_get_nor_cause_updates(client: Client) -> None:
    ada, bot = factories.person("ada"), factories.bot(factories.person("ben"))
    services.follow(ada, Subject.BOT, bot.pk)
    activate(factories.submission(bot).pk)
    User.objects.filter(pk=bot.owner_id).update(is_active=False)
    assert send_updates() == 0
    for address in (reverse("bot-feed", args=[bot.pk]), reverse("person-feed", args=["ben"])):
        assert client.get(address).status_code == 404
    with pytest.raises(NotFound):
        services.follow(ada, Subject.PERSON, bot.owner_id)
    User.objects.filter(pk=bot.owner_id).update(is_active=True)
    activate(factories.submission(bot).pk)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert send_updates() == 0
    assert notified_items(ada) == []


def test_unfollowing_stops_updates() -> None:
    ada, bot = factories.person(), factories.bot()
    services.follow(ada, Subject.BOT, bot.pk)
    activate(factories.submission(bot).pk)
    services.unfollow(ada, Follow.objects.get().pk)
    assert send_updates() == 0
    assert notified_items(ada) == []


# --- limits


def test_following_is_idempotent_and_excludes_oneself() -> None:
    ada, bot = factories.person(), factories.bot()
    for _ in range(2):
        services.follow(ada, Subject.BOT, bot.pk)
    assert Follow.objects.count() == 1
    with pytest.raises(Refused):
        services.follow(ada, Subject.PERSON, ada.pk)


def test_number_of_followed_items_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_FOLLOWS_PER_PERSON", 1)
    ada = factories.person()
    services.follow(ada, Subject.BOT, factories.bot().pk)
    with expect_refusal("too_many_follows"):
        services.follow(ada, Subject.BOT, factories.bot().pk)


def test_old_items_are_deleted() -> None:
    activate(factories.submission(factories.bot()).pk)
    send_updates(hours=24 * 366)
    assert not FeedItem.objects.exists()
