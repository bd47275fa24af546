"""Events go to the webhooks of people who may see them; deliveries are retried until they are accepted or abandoned."""

from __future__ import annotations

import json
import random
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Receiver

from arena.accounts.models import Role, User
from arena.classes import services as classes
from arena.classes.models import Membership
from arena.notifications.kinds import notification_text
from arena.notifications.models import Notification
from arena.platform.refusal import NotFound, Refused
from arena.submissions.domain_events import CheckFinished, check_finished
from arena.submissions.models import SubmissionStatus
from arena.submissions.services import activate, roll_back
from arena.tournaments.services.controls import cancel_tournament
from arena.tournaments.services.result_release import release_results
from arena.webhooks import services
from arena.webhooks.delivery import DISABLED_AFTER, LOST, RETENTION, deliver_due
from arena.webhooks.models import TEST_EVENT, Delivery, DeliveryRequest, DeliveryStatus, EventType, Webhook
from arena.webhooks.notifications import DISABLED
from arena.webhooks.secrets import OVERLAP
from arena.webhooks.sending.client import DeliveryResponse, Failure
from arena.webhooks.sending.testing import ACCEPTED, FakeTransport
from arena.webhooks.sending.transport import MAX_REQUESTS
from arena.webhooks.services import WebhookPlan
from tests import factories
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db

URL = "https://hook.example/in"
BROKEN = DeliveryResponse(500, Failure.STATUS, 30)
GONE = DeliveryResponse(410, Failure.STATUS, 30)


def create_webhook(owner: User, url: str = URL, events: list[str] | None = None, **chosen: Any) -> int:
    return services.create(owner, WebhookPlan(url, events or list(EventType), **chosen))[0]


def deliver(transport: FakeTransport | None = None, *, after: timedelta = timedelta()) -> list[dict[str, Any]]:
    """Send one batch once the time ``after`` has passed; return the payloads."""
    transport = transport or FakeTransport()
    known = len(transport.sent)
    deliver_due(transport, clock=lambda: timezone.now() + after, rng=random.Random(1))
    return [json.loads(message.body) for message in transport.sent[known:]]


def stored_events() -> list[tuple[int, str]]:
    """Return the webhook id and event type of every delivery, oldest first."""
    return list(Delivery.objects.order_by("pk").values_list("webhook_id", "type"))


# --- recipients


def test_bot_events_go_to_the_owner_only() -> None:
    ada, other = factories.person(), factories.person(role=Role.ORGANIZER, is_staff=True)
    bot = factories.bot(ada)
    own = create_webhook(ada)
    create_webhook(other)
    failed = factories.submission(bot, SubmissionStatus.FAILED)
    check_finished.publish(CheckFinished(failed.pk, 1))
    activate(factories.submission(bot).pk)
    roll_back(bot.pk)
    assert stored_events() == [
        (own, "bot.check_finished"),
        (own, "bot.version_activated"),
        (own, "bot.version_activated"),
    ]
    assert json.loads(Delivery.objects.earliest("pk").body)["data"]["passed"] is False


def test_webhook_can_be_limited_to_events_and_bots() -> None:
    ada = factories.person()
    first, second = factories.bot(ada), factories.bot(ada)
    create_webhook(ada, events=[EventType.RESULT])
    chosen = create_webhook(ada, bots=[first.pk])
    for bot in (first, second):
        activate(factories.submission(bot).pk)
    assert stored_events() == [(chosen, "bot.version_activated")]


def test_webhook_stays_limited_after_deletion_of_its_last_bot() -> None:
    ada = factories.person()
    chosen, other = factories.bot(ada), factories.bot(ada)
    create_webhook(ada, bots=[chosen.pk])
    chosen.delete()
    activate(factories.submission(other).pk)
    assert stored_events() == []


def test_webhook_stays_limited_after_deletion_of_its_last_tournament(stage: TournamentHarness) -> None:
    chosen = stage.create_tournament()
    webhook = create_webhook(chosen.organizer, tournaments=[chosen.pk])
    other = stage.create_tournament()
    chosen.delete()
    cancel_tournament(other.pk, actor=other.organizer, now=timezone.now())
    assert stored_events() == []
    assert Webhook.objects.get(pk=webhook).limits_tournaments


def test_bots_of_others_cannot_be_selected() -> None:
    stranger = factories.bot()
    webhook = Webhook.objects.get(pk=create_webhook(factories.person(), bots=[stranger.pk]))
    assert not webhook.bots.exists()


@pytest.mark.long
def test_tournament_events_go_to_the_organizer_and_results_to_authors(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    entries = stage.enter_bots(tournament, 3)
    author, organizer = entries[0].bot.owner, stage.organizer
    hooks = {
        create_webhook(organizer): "organizer",
        create_webhook(author): "author",
        create_webhook(factories.person()): "nobody",
    }
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    found = {(hooks[webhook], type_) for webhook, type_ in stored_events()}
    assert found == {
        ("organizer", "tournament.started"),
        ("organizer", "tournament.finished"),
        ("author", "bot.result"),
    }
    data = json.loads(Delivery.objects.get(type="bot.result").body)["data"]
    entries[0].refresh_from_db()
    assert (data["bot"]["id"], data["rank"], data["entries"]) == (entries[0].bot_id, entries[0].rank, 3)


@pytest.mark.long
def test_withheld_results_are_sent_to_authors_on_release(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament(withheld=True)
    entries = stage.enter_bots(tournament, 3)
    author = create_webhook(entries[0].bot.owner)
    create_webhook(stage.organizer)
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    assert not Delivery.objects.filter(webhook=author).exists()
    stage.run_committed(release_results, tournament.pk, actor=stage.organizer, now=stage.now)
    assert Delivery.objects.get(webhook=author).type == "bot.result"
    assert [type_ for webhook, type_ in stored_events() if webhook != author] == [
        "tournament.started",
        "tournament.finished",
        "tournament.results_released",
    ]


@pytest.mark.long
def test_author_who_left_the_class_gets_no_events(stage: TournamentHarness) -> None:
    course = classes.create(stage.organizer, classes.CoursePlan("AI 101"), rng=random.Random(1))
    members = [factories.person() for _ in range(3)]
    for member in members:
        classes.join(member, course.code)
    tournament = stage.create_tournament(course_id=course.pk, members_only=True)
    stage.enter_bots(tournament, [factories.bot(member) for member in members])
    stays, leaves = create_webhook(members[0]), create_webhook(members[1])
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    Membership.objects.filter(person=members[1]).delete()
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    assert (stays, "bot.result") in stored_events()
    assert leaves not in {webhook for webhook, _type in stored_events()}


def test_suspended_owner_gets_no_events() -> None:
    ada = factories.person()
    bot, transport = factories.bot(ada), FakeTransport()
    create_webhook(ada)
    activate(factories.submission(bot).pk)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    activate(factories.submission(bot).pk)
    assert deliver(transport) == []
    assert [row.status for row in Delivery.objects.all()] == ["cancelled"]
    User.objects.filter(pk=ada.pk).update(is_active=True)
    assert deliver(transport) == []


# --- the payload


@pytest.mark.long
def test_payloads_match_the_documentation(stage: TournamentHarness) -> None:
    """Each example in the documentation has the same fields and field types as the real payload."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "webhooks.md").read_text()
    examples = {one["type"]: one for one in map(json.loads, re.findall(r"```json\n(.*?)```", text, re.DOTALL))}
    tournament = stage.create_tournament()
    bot = factories.bot(stage.organizer)
    webhook = create_webhook(stage.organizer)
    stage.enter_bots(tournament, [bot, factories.bot(), factories.bot()])
    check_finished.publish(CheckFinished(bot.active_id or 0, 1))
    activate(factories.submission(bot).pk)
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    cancelled = stage.create_tournament()
    stage.run_committed(cancel_tournament, cancelled.pk, actor=stage.organizer, now=stage.now)
    services.send_test(stage.organizer, webhook, now=timezone.now())
    sent = {row.type: json.loads(row.body) for row in Delivery.objects.all()}
    assert set(examples) == {*(one for one in EventType if one.startswith("bot.")), EventType.STARTED, TEST_EVENT}
    for type_, example in examples.items():
        assert shape(sent[type_]) == shape(example), type_
    for type_ in ("tournament.finished", "tournament.cancelled"):
        assert shape(sent[type_]) == shape(examples["tournament.started"]), type_
    for type_ in EventType:
        assert f"`{type_.value}`" in text


def shape(value: object) -> object:
    """Return the field names and value types of a payload."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    return type(value).__name__


def test_receivers_can_verify_the_signature() -> None:
    ada, transport = factories.person(), FakeTransport()
    webhook, secret = services.create(ada, WebhookPlan(URL, [EventType.RESULT]))
    services.send_test(ada, webhook, now=timezone.now())
    deliver(transport)
    (message,) = transport.sent
    assert Receiver(secret).verify(message.body, dict(message.headers))["type"] == "webhook.test"
    assert secret.removeprefix("whsec_") not in repr(Webhook.objects.values().get())


def test_both_secrets_verify_for_a_day_after_rotation() -> None:
    ada, transport = factories.person(), FakeTransport()
    webhook, old = services.create(ada, WebhookPlan(URL, [EventType.RESULT]))
    new = services.rotate_secret(ada, webhook, now=timezone.now())
    assert new != old
    services.send_test(ada, webhook, now=timezone.now())
    deliver(transport)
    for secret in (old, new):
        assert Receiver(secret).verify(transport.sent[0].body, dict(transport.sent[0].headers))
    services.send_test(ada, webhook, now=timezone.now())
    deliver(transport, after=OVERLAP + timedelta(minutes=1))
    assert len(transport.sent[1].headers["webhook-signature"].split()) == 1


# --- the outbox


@pytest.fixture
def queued_delivery() -> Delivery:
    """Return the queued delivery of a test event."""
    ada = factories.person("ada")
    services.send_test(ada, create_webhook(ada), now=timezone.now())
    return Delivery.objects.get()


def test_delivery_is_sent_once(queued_delivery: Delivery) -> None:
    transport = FakeTransport()
    assert len(deliver(transport)) == 1
    assert deliver(transport, after=timedelta(days=1)) == []
    queued_delivery.refresh_from_db()
    assert (queued_delivery.status, queued_delivery.attempts) == ("delivered", 1)
    log = DeliveryRequest.objects.get()
    assert (log.response_status, log.failure, log.milliseconds) == (204, "", 12)


def test_failures_are_retried_with_the_same_message(queued_delivery: Delivery) -> None:
    transport = FakeTransport(
        {URL: [BROKEN, DeliveryResponse(None, Failure.TIMEOUT, 10_000), DeliveryResponse(200, None, 5)]}
    )
    deliver(transport)
    assert deliver(transport) == [], "not before the pause"
    queued_delivery.refresh_from_db()
    assert timedelta(seconds=4) < queued_delivery.due_at - timezone.now() <= timedelta(seconds=10)
    for minutes in (1, 10):
        deliver(transport, after=timedelta(minutes=minutes))
    assert len({(message.body, message.headers["webhook-id"]) for message in transport.sent}) == 1
    assert [(one.response_status, one.failure) for one in DeliveryRequest.objects.all()] == [
        (500, "status"),
        (None, "timeout"),
        (200, ""),
    ]
    assert Webhook.objects.get().failing_since is None


def test_delivery_fails_after_the_last_request_and_can_be_resent(queued_delivery: Delivery) -> None:
    transport = FakeTransport({URL: [BROKEN]})
    for days in range(1, MAX_REQUESTS + 3):
        Webhook.objects.update(failing_since=None)
        deliver(transport, after=timedelta(days=days))
    queued_delivery.refresh_from_db()
    assert (queued_delivery.status, len(transport.sent)) == ("failed", MAX_REQUESTS)
    services.redeliver(queued_delivery.webhook.owner, queued_delivery.pk, now=timezone.now())
    with expect_refusal("being_sent"):
        services.redeliver(queued_delivery.webhook.owner, queued_delivery.pk, now=timezone.now())
    deliver()
    queued_delivery.refresh_from_db()
    assert (queued_delivery.status, queued_delivery.log.count()) == ("delivered", MAX_REQUESTS + 1)


def test_webhook_failing_for_days_is_disabled_and_its_owner_notified(queued_delivery: Delivery) -> None:
    transport = FakeTransport({URL: [BROKEN]})
    ada, webhook = queued_delivery.webhook.owner, queued_delivery.webhook_id
    deliver(transport)
    services.send_test(ada, webhook, now=timezone.now())
    services.send_test(ada, webhook, now=timezone.now())
    deliver(transport, after=DISABLED_AFTER - timedelta(minutes=1))
    assert Webhook.objects.get().status == "active"
    deliver(transport, after=DISABLED_AFTER + timedelta(minutes=1))
    assert Webhook.objects.get().status == "disabled"
    assert set(Delivery.objects.values_list("status", flat=True)) == {"cancelled"}
    row = Notification.objects.get(recipient=ada)
    assert row.kind == DISABLED.code
    assert "hook.example" in notification_text(row.kind, row.context).title
    with expect_refusal("turned_off"):
        services.send_test(ada, webhook, now=timezone.now())
    services.turn_on(ada, webhook)
    services.send_test(ada, webhook, now=timezone.now())
    assert len(deliver()) == 1


def test_receiver_answering_gone_is_not_called_again(queued_delivery: Delivery) -> None:
    deliver(FakeTransport({URL: [GONE]}))
    queued_delivery.refresh_from_db()
    assert (queued_delivery.status, queued_delivery.webhook.status) == ("failed", "disabled")


def test_delivery_claimed_by_a_dead_sender_is_resent(queued_delivery: Delivery) -> None:
    class KilledError(Exception):
        pass

    def die(_messages: object) -> list[DeliveryResponse]:
        raise KilledError

    with pytest.raises(KilledError):
        deliver_due(die, clock=timezone.now, rng=random.Random(1))
    assert deliver() == []
    assert len(deliver(after=LOST + timedelta(seconds=1))) == 1


def test_concurrent_senders_never_send_the_same_delivery(queued_delivery: Delivery) -> None:
    transport, meanwhile = FakeTransport(), FakeTransport()

    def send(messages: Any) -> list[DeliveryResponse]:
        deliver(meanwhile)
        return transport(messages)

    deliver_due(send, clock=timezone.now, rng=random.Random(1))
    assert (len(transport.sent), len(meanwhile.sent)) == (1, 0)


def test_sender_that_lost_a_delivery_does_not_end_it(queued_delivery: Delivery) -> None:
    def hang(messages: Any) -> list[DeliveryResponse]:
        deliver(after=LOST + timedelta(seconds=1))  # another sender takes over
        return [GONE for _ in messages]

    deliver_due(hang, clock=timezone.now, rng=random.Random(1))
    queued_delivery.refresh_from_db()
    assert (queued_delivery.status, queued_delivery.attempts) == ("delivered", 2)


def test_deleting_a_webhook_during_its_request_leaves_the_batch_intact(queued_delivery: Delivery) -> None:
    ben, ada = factories.person("ben"), queued_delivery.webhook.owner
    services.send_test(ben, create_webhook(ben, "https://other.example/"), now=timezone.now())

    def delete(messages: Any) -> list[DeliveryResponse]:
        services.delete(ada, queued_delivery.webhook_id)
        return FakeTransport()(messages)

    assert deliver_due(delete, clock=timezone.now, rng=random.Random(1)) == 2
    assert [(row.webhook.owner, row.status) for row in Delivery.objects.all()] == [(ben, "delivered")]


@pytest.mark.parametrize(("response", "status"), [(BROKEN, "cancelled"), (GONE, "failed"), (ACCEPTED, "delivered")])
def test_failed_request_is_not_retried_if_the_webhook_has_been_turned_off(
    queued_delivery: Delivery, response: DeliveryResponse, status: str
) -> None:
    ada, webhook = queued_delivery.webhook.owner, queued_delivery.webhook_id

    def turn_off(messages: Any) -> list[DeliveryResponse]:
        services.turn_off(ada, webhook)
        return [response for _ in messages]

    deliver_due(turn_off, clock=timezone.now, rng=random.Random(1))
    queued_delivery.refresh_from_db()
    assert (queued_delivery.status, queued_delivery.log.count()) == (status, 1)
    services.turn_on(ada, webhook)
    assert deliver(after=timedelta(days=1)) == []


def test_delivery_of_a_dead_sender_is_cancelled_if_the_webhook_has_been_turned_off(queued_delivery: Delivery) -> None:
    Delivery.objects.update(status=DeliveryStatus.SENDING, claimed_at=timezone.now())
    services.turn_off(queued_delivery.webhook.owner, queued_delivery.webhook_id)
    assert deliver(after=LOST + timedelta(seconds=1)) == []
    services.turn_on(queued_delivery.webhook.owner, queued_delivery.webhook_id)
    assert deliver(after=timedelta(days=1)) == []


def test_dead_receiver_does_not_delay_others(queued_delivery: Delivery) -> None:
    """A batch contains only one delivery per webhook, however many are waiting for the dead receiver."""
    ben = factories.person("ben")
    for _ in range(3):
        services.send_test(queued_delivery.webhook.owner, queued_delivery.webhook_id, now=timezone.now())
    services.send_test(ben, create_webhook(ben, "https://other.example/"), now=timezone.now())
    transport = FakeTransport({URL: [BROKEN]})
    deliver(transport)
    assert [message.url for message in transport.sent] == [URL, "https://other.example/"]


def test_disabling_a_webhook_cancels_waiting_deliveries(queued_delivery: Delivery) -> None:
    services.turn_off(queued_delivery.webhook.owner, queued_delivery.webhook_id)
    assert deliver() == []
    queued_delivery.refresh_from_db()
    assert queued_delivery.status == "cancelled"


def test_delivery_log_is_kept_for_a_month(queued_delivery: Delivery) -> None:
    deliver(after=RETENTION + timedelta(days=1))
    assert not Delivery.objects.exists()


# --- limits


def test_number_of_webhooks_is_limited(settings: Any) -> None:
    settings.WEBHOOKS_PER_PERSON = 1
    ada = factories.person()
    create_webhook(ada)
    with expect_refusal("too_many_webhooks"):
        create_webhook(ada)


def test_test_events_are_limited(settings: Any, queued_delivery: Delivery) -> None:
    settings.WEBHOOK_TESTS_AN_HOUR = 2
    ada, now = queued_delivery.webhook.owner, timezone.now()
    services.send_test(ada, queued_delivery.webhook_id, now=now)
    with pytest.raises(Refused) as refused:
        services.send_test(ada, queued_delivery.webhook_id, now=now)
    assert refused.value.retry_after > 0


@pytest.mark.parametrize("url", ["http://hook.example/", "https://10.0.0.1/", "https://hook.example:22/"])
def test_forbidden_urls_are_refused_on_entry(url: str) -> None:
    ada = factories.person()
    webhook = create_webhook(ada)
    for change in (
        lambda: create_webhook(ada, url),
        lambda: services.change(ada, webhook, WebhookPlan(url, ["bot.result"])),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert refused.value.field == "url"


def test_webhooks_of_others_cannot_be_changed(queued_delivery: Delivery) -> None:
    stranger, now = factories.person(is_staff=True), timezone.now()
    webhook = queued_delivery.webhook_id
    for action in (
        lambda: services.change(stranger, webhook, WebhookPlan(URL, [])),
        lambda: services.rotate_secret(stranger, webhook, now=now),
        lambda: services.turn_on(stranger, webhook),
        lambda: services.turn_off(stranger, webhook),
        lambda: services.delete(stranger, webhook),
        lambda: services.send_test(stranger, webhook, now=now),
        lambda: services.redeliver(stranger, queued_delivery.pk, now=now),
    ):
        with pytest.raises(NotFound):
            action()
