"""The organizer's desk: who may use it, and what its forms do."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.matches.models import Match, MatchStatus
from arena.notifications.models import Kind, Notification
from arena.submissions.models import SubmissionStatus
from arena.tournaments.entries import substituting
from arena.tournaments.entries.freezing import freeze
from arena.tournaments.lifecycle import TournamentRefused
from arena.tournaments.models import EntryStatus, Notice, NoticeKind, Tournament, TournamentStatus
from arena.tournaments.organizing import extending
from tests import factories
from tests.tournaments.recorded import play, play_all
from tests.tournaments.stage import Stage

HOUR = timedelta(hours=1)
POSTS = ["tournament-extend", "tournament-announce", "tournament-replay-chosen"]


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def desk(tournament: Tournament) -> str:
    return reverse("tournament-desk", args=[tournament.pk])


@pytest.mark.parametrize("address", ["tournament-desk", *POSTS])
def test_the_desk_is_for_the_organizer_and_staff(stage: Stage, address: str) -> None:
    cup = stage.running(2)
    url = reverse(address, args=[cup.pk])
    author = cup.entries.order_by("pk")[0].bot.owner
    ask = Client.get if address == "tournament-desk" else Client.post
    assert ask(Client(), url).status_code == 302
    for other in (author, factories.person(), factories.person(role=Role.ORGANIZER)):
        assert ask(signed_in(other), url).status_code == 403
    for own in (stage.organizer, factories.person(is_staff=True)):
        assert ask(signed_in(own), url).status_code in (200, 422)


@pytest.mark.parametrize("status", ["open", "frozen", "running", "paused", "finished", "cancelled"])
def test_every_state_has_a_desk(stage: Stage, status: str) -> None:
    from arena.tournaments.organizing import controls

    cup = stage.tournament(starts_at=None, withheld=True) if status in ("open", "frozen") else stage.running(3)
    if status == "frozen":
        stage.enter(cup, 3)
        stage.pass_time(HOUR)
        stage.tick()
    elif status == "paused":
        stage.do(controls.pause, cup.pk, actor=stage.organizer, now=stage.now)
    elif status == "finished":
        play_all(stage, cup, random.Random(1), crashes=0.5)
    elif status == "cancelled":
        stage.do(controls.cancel_tournament, cup.pk, actor=stage.organizer, now=stage.now)
    cup.refresh_from_db()
    assert cup.status == status
    page = signed_in(stage.organizer).get(desk(cup))
    assert page.status_code == 200
    assert ("archive.zip" in page.content.decode()) == (status in ("finished", "cancelled"))


# --- figures


def test_bots_are_shown_with_their_faults_and_times(stage: Stage) -> None:
    cup = stage.running(3)
    first, *others = stage.matches(cup)
    play(stage, first, random.Random(1), crash=True)
    for match in others:
        play(stage, match, random.Random(2))
    crasher = first.seats.get(index=0).submission.bot
    slow = others[0].seats.get(index=0)
    type(slow).objects.filter(pk=slow.pk).update(slowest=9.0, seconds=90.0)
    client = signed_in(stage.organizer)
    shown = {line.entry.bot_id: line for line, _form in client.get(desk(cup)).context["bots"]}
    assert shown[crasher.pk].faults == (("crash", 1),)
    assert sum(line.share for line in shown.values()) == pytest.approx(1)
    for sort in ("mean", "longest", "share"):
        (line, _form), *_rest = client.get(desk(cup), {"b-sort": sort}).context["bots"]
        assert line.entry.bot_id == slow.submission.bot_id
    (line, _form), *_rest = client.get(desk(cup), {"b-sort": "faults"}).context["bots"]
    assert line.entry.bot_id == crasher.pk
    only = client.get(desk(cup), {"b-text": crasher.name, "b-sort": "nonsense"}).context["bots"]
    assert [line.entry.bot_id for line, _form in only] == [crasher.pk]


def test_staff_read_why_a_match_is_void_and_the_organizer_that_it_is(stage: Stage) -> None:
    cup = stage.running(2)
    (match,) = stage.matches(cup)
    Match.objects.filter(pk=match.pk).update(failure="host-17 ran out of memory")
    stage.void(match)
    organizer = signed_in(stage.organizer).get(desk(cup)).content.decode()
    staff = signed_in(factories.person(is_staff=True)).get(desk(cup)).content.decode()
    assert "The arena failed three times to play it." in organizer
    assert "host-17" not in organizer
    assert "host-17 ran out of memory" in staff


# --- replays


def test_ticked_matches_are_played_again(stage: Stage) -> None:
    cup = stage.running(3)
    play_all(stage, cup, random.Random(1))
    client = signed_in(stage.organizer)
    first, second, _third = stage.matches(cup)
    url = reverse("tournament-replay-chosen", args=[cup.pk])
    refused = client.post(url, {"match": [first.pk, second.pk], "reason": ""})
    assert refused.status_code == 422
    assert "Say why" in refused.content.decode()
    assert refused.content.decode().count("checked") == 2
    with stage.committed():
        done = client.post(url, {"match": [first.pk, "x", second.pk], "reason": "A power cut"})
    assert done.status_code == 302
    assert Match.objects.filter(replaced_by__isnull=False).count() == 2
    page = client.get(desk(cup)).content.decode()
    assert "A power cut" in page
    assert f'href="/matches/{first.pk}/">#{first.pk}' in page


# --- the deadline


def test_a_frozen_tournament_opens_again(stage: Stage) -> None:
    cup = stage.tournament()
    ready, late = stage.bot(cup), stage.bot(cup, playable=False)
    stage.enter(cup, [ready, late])
    stage.enter(cup, 1)
    stage.pass_time(HOUR)
    stage.do(freeze, cup.pk, now=stage.now)
    cup.refresh_from_db()
    assert (cup.status, cup.starts_at) == (TournamentStatus.FROZEN, cup.deadline)
    assert cup.entries.get(bot=late).status == EntryStatus.EXCLUDED
    later = stage.now + HOUR
    stage.do(extending.extend_deadline, cup.pk, later, actor=stage.organizer, now=stage.now)
    cup.refresh_from_db()
    assert (cup.status, cup.deadline, cup.starts_at) == (TournamentStatus.OPEN, later, later)
    assert set(cup.entries.values_list("status", "submission", "reason")) == {(EntryStatus.ENTERED, None, "")}
    late.active = factories.submission(late)
    late.save()
    stage.enter(cup, 1)
    stage.pass_time(HOUR)
    stage.tick()
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.RUNNING
    assert cup.entries.filter(submission__isnull=False).count() == 4
    line = Notice.objects.get(kind=NoticeKind.EXTENDED)
    assert (line.actor, line.details["after"]) == (stage.organizer, later.isoformat())
    assert [event["seq"] for event in stage.events(cup)] == list(range(1, cup.version + 1))


def test_a_later_start_stays_and_an_earlier_one_moves(stage: Stage) -> None:
    far, near = stage.tournament(starts_at=stage.now + 9 * HOUR), stage.tournament(starts_at=stage.now + 2 * HOUR)
    for cup in (far, near):
        stage.do(extending.extend_deadline, cup.pk, stage.now + 3 * HOUR, actor=stage.organizer, now=stage.now)
        cup.refresh_from_db()
    assert (far.starts_at, near.starts_at) == (stage.now + 9 * HOUR, stage.now + 3 * HOUR)


def test_a_deadline_only_moves_later_and_not_after_the_start(stage: Stage) -> None:
    cup, running = stage.tournament(), stage.running(2)
    for moment, message in ((stage.now - HOUR, "passed"), (cup.deadline, "passed"), (stage.now, "passed")):
        with pytest.raises(TournamentRefused, match=message):
            extending.extend_deadline(cup.pk, moment, actor=stage.organizer, now=stage.now)
    with pytest.raises(TournamentRefused, match="has started or is over"):
        extending.extend_deadline(running.pk, stage.now + HOUR, actor=stage.organizer, now=stage.now)
    fresh = stage.tournament()
    with pytest.raises(TournamentRefused, match="not later"):
        extending.extend_deadline(fresh.pk, fresh.deadline, actor=stage.organizer, now=stage.now)


def test_freezing_heeds_a_deadline_that_was_just_moved(stage: Stage) -> None:
    cup = stage.tournament()
    stage.enter(cup, 2)
    stage.do(extending.extend_deadline, cup.pk, cup.deadline + HOUR, actor=stage.organizer, now=stage.now)
    assert not stage.do(freeze, cup.pk, now=stage.now + HOUR)


def test_the_form_extends_in_the_zone_of_the_tournament(stage: Stage) -> None:
    cup = stage.tournament(time_zone="Asia/Shanghai")
    client = signed_in(stage.organizer)
    url = reverse("tournament-extend", args=[cup.pk])
    year = timezone.now().year + 1
    assert client.post(url, {"extend-deadline": f"{year}-05-04T20:00"}).status_code == 302
    cup.refresh_from_db()
    assert cup.deadline.isoformat() == f"{year}-05-04T12:00:00+00:00"
    refused = client.post(url, {"extend-deadline": "2001-05-04T20:00"})
    assert refused.status_code == 422
    assert "2001-05-04T20:00" in refused.content.decode()


# --- versions


def test_another_version_plays_what_nobody_has_begun(stage: Stage) -> None:
    cup = stage.running(4)
    entry = cup.entries.order_by("pk")[0]
    theirs = [match for match in stage.matches(cup) if match.pairing.seats.filter(entry=entry).exists()]
    played, running, waiting = theirs
    stage.end(played, (1, 2))
    stage.begin(running)
    old, new = entry.submission, factories.submission(entry.bot)
    stage.do(substituting.substitute, entry.pk, new.pk, "Memory leak", actor=stage.organizer, now=stage.now)
    after = {match.pk: match.seats.get(submission__bot=entry.bot).submission for match in theirs}
    assert after == {played.pk: old, running.pk: old, waiting.pk: new}
    waiting.refresh_from_db()
    assert waiting.status == MatchStatus.QUEUED
    line = Notice.objects.get(kind=NoticeKind.SUBSTITUTED)
    assert (line.entry, line.text, line.details) == (entry, "Memory leak", {"before": 1, "after": 2})
    page = Client().get(reverse("tournament", args=[cup.pk])).content.decode()
    assert f"{entry.bot.name} goes on with version 2 instead of 1" in page
    assert "Memory leak" in page


@pytest.mark.parametrize("wrong", ["same", "foreign", "failed"])
def test_only_another_passed_version_of_the_same_bot(stage: Stage, wrong: str) -> None:
    cup = stage.running(2)
    entry, other = cup.entries.order_by("pk")
    chosen = {
        "same": entry.submission,
        "foreign": factories.submission(other.bot),
        "failed": factories.submission(entry.bot, SubmissionStatus.FAILED),
    }[wrong]
    with pytest.raises(TournamentRefused):
        substituting.substitute(entry.pk, chosen.pk, "Why not", actor=stage.organizer, now=stage.now)
    assert not Notice.objects.filter(kind=NoticeKind.SUBSTITUTED).exists()


def test_before_the_deadline_its_author_uploads(stage: Stage) -> None:
    cup = stage.tournament()
    (entry,) = stage.enter(cup, 1)
    with pytest.raises(TournamentRefused, match="from the deadline"):
        substituting.substitute(entry.pk, factories.submission(entry.bot).pk, "x", actor=stage.organizer, now=stage.now)


def test_the_form_asks_for_version_and_reason(stage: Stage) -> None:
    cup = stage.running(3)
    entry = cup.entries.order_by("pk")[0]
    new = factories.submission(entry.bot)
    client = signed_in(stage.organizer)
    assert f'name="entry{entry.pk}-submission"' in client.get(desk(cup)).content.decode()
    url = reverse("tournament-substitute", args=[cup.pk, entry.pk])
    refused = client.post(
        url, {f"entry{entry.pk}-submission": entry.submission_id, f"entry{entry.pk}-reason": "Agreed"}
    )
    assert refused.status_code == 422
    assert 'value="Agreed"' in refused.content.decode(), "nothing that was typed is lost"
    assert "Choose a version of this bot that has passed its check." in refused.content.decode()
    data = {f"entry{entry.pk}-submission": new.pk, f"entry{entry.pk}-reason": "Agreed"}
    page = client.post(url, data, follow=True).content.decode()
    assert f"{entry.bot.name} goes on with version 2." in page
    assert client.post(reverse("tournament-substitute", args=[cup.pk, 999_999]), data).status_code == 404


# --- announcements and the feed


def test_a_name_that_nobody_has_loses_no_list_of_people(stage: Stage) -> None:
    cup, friend = stage.tournament(entry_policy="invited"), factories.person()
    invite, client = reverse("tournament-invite", args=[cup.pk]), signed_in(stage.organizer)
    page = client.post(invite, {"people": f"{friend.username} nobody-here"})
    assert page.status_code == 422
    assert f"{friend.username} nobody-here</textarea>" in page.content.decode()
    assert "Nobody here is called nobody-here." in page.content.decode()
    assert client.post(invite, {"people": friend.username, "from": "desk"}).headers["Location"] == desk(cup)
    assert cup.invitations.get().person == friend


def test_an_announcement_reaches_those_who_entered(stage: Stage) -> None:
    cup = stage.running(3)
    url = reverse("tournament-announce", args=[cup.pk])
    client = signed_in(stage.organizer)
    assert client.post(url, {"say-title": "Pizza"}).status_code == 422
    client.post(url, {"say-title": "Pizza", "say-text": "At eight.\n<b>Free</b>"})
    told = Notification.objects.filter(kind=Kind.ANNOUNCEMENT)
    assert {each.recipient for each in told} == {entry.bot.owner for entry in cup.entries.all()}
    assert {each.context["title"] for each in told} == {"Cup: Pizza"}
    page = Client().get(reverse("tournament", args=[cup.pk])).content.decode()
    assert "Pizza" in page
    assert "&lt;b&gt;Free&lt;/b&gt;" in page


def test_the_feed_is_paged_and_filtered_and_names_who_acted(stage: Stage) -> None:
    from arena.tournaments.entries import entering
    from arena.tournaments.organizing import controls

    cup = stage.tournament(entry_policy="invited")
    zoe = factories.person("zoe")
    stage.do(entering.invite, cup.pk, ["zoe"], actor=stage.organizer)
    bots = [stage.bot(cup, zoe)]
    stage.enter(cup, bots)
    stage.do(controls.cancel_tournament, cup.pk, actor=stage.organizer, now=stage.now)
    client = signed_in(stage.organizer)
    lines = client.get(desk(cup)).context["lines"]
    assert [(line.kind, line.actor) for line in lines] == [
        ("cancelled", stage.organizer.username),
        ("entered", "zoe"),
        ("invited", stage.organizer.username),
        ("created", stage.organizer.username),
    ]
    assert [line.kind for line in client.get(desk(cup), {"f-actor": "zoe"}).context["lines"]] == ["entered"]
    assert [line.kind for line in client.get(desk(cup), {"f-kind": "invited"}).context["lines"]] == ["invited"]
    public = Client().get(reverse("tournament", args=[cup.pk])).content.decode()
    assert "was invited" not in public


def test_a_start_by_hand_names_who_ordered_it(stage: Stage) -> None:
    cup = stage.tournament(starts_at=None)
    stage.enter(cup, 2)
    with stage.committed():
        answer = signed_in(stage.organizer).post(reverse("tournament-start", args=[cup.pk]), {"from": "desk"})
    assert answer["Location"] == desk(cup)
    assert Notice.objects.get(kind=NoticeKind.ORDERED).actor == stage.organizer
