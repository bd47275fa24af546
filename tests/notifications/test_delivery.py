"""The outbox: which emails are sent, which are retried and which are never sent."""

from __future__ import annotations

import smtplib
from datetime import timedelta

import pytest
from django.core import mail as outbox
from django.core.mail import EmailMessage
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from arena.accounts.models import User
from arena.notifications import delivery, services, tasks
from arena.notifications.models import Channel, Kind, Mail, MailStatus, Notification
from arena.notifications.services import notify
from arena.notifications.transport import DjangoTransport, MailRefusedError, MailServerUnavailableError
from tests.factories import person
from tests.queues import empty_queue

pytestmark = pytest.mark.django_db

NOW = timezone.now()
CUP = {"tournament": "Cup", "tournament_id": 1}


class FakeTransport:
    """A transport that collects emails, or fails as configured."""

    def __init__(self, *failures: Exception | None, away: bool = False) -> None:
        self.failures, self.away = list(failures), away
        self.sent: list[EmailMessage] = []
        self.is_open = False

    def open(self) -> None:
        if self.away:
            raise MailServerUnavailableError("no route to host")
        self.is_open = True

    def send(self, message: EmailMessage) -> None:
        assert self.is_open
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure
        self.sent.append(message)

    def close(self) -> None:
        self.is_open = False


def queue_mails(n: int = 1) -> list[User]:
    people = [person() for _ in range(n)]
    notify(Kind.STARTED, [each.pk for each in people], CUP, event="cup/started")
    Notification.objects.update(created_at=NOW)
    Mail.objects.update(due_at=NOW)
    return people


def mail_statuses() -> list[str]:
    return list(Mail.objects.order_by("pk").values_list("status", flat=True))


def test_waiting_mails_are_sent_once_over_one_connection() -> None:
    people, transport = queue_mails(3), FakeTransport()
    assert delivery.send_due(transport, now=NOW) == 3
    assert [message.to for message in transport.sent] == [[each.email] for each in people]
    assert not transport.is_open
    assert delivery.send_due(transport, now=NOW) == 0
    assert len(transport.sent) == 3
    assert mail_statuses() == [MailStatus.SENT] * 3


def test_unreachable_server_costs_no_attempt() -> None:
    queue_mails(2)
    assert delivery.send_due(FakeTransport(away=True), now=NOW) == 0
    assert set(Mail.objects.values_list("status", "attempts")) == {(MailStatus.WAITING, 0)}
    assert delivery.send_due(FakeTransport(), now=NOW) == 0, "not at once"
    assert delivery.send_due(FakeTransport(), now=NOW + delivery.OUTAGE_PAUSE) == 2


def test_temporary_refusal_is_retried_with_increasing_delays() -> None:
    queue_mails()
    busy, now = MailRefusedError("451 busy", is_permanent=False), NOW
    for pause in delivery.PAUSES:
        delivery.send_due(FakeTransport(busy), now=now)
        assert mail_statuses() == [MailStatus.WAITING]
        assert delivery.send_due(FakeTransport(), now=now + pause - timedelta(seconds=1)) == 0
        now += pause
    delivery.send_due(FakeTransport(busy), now=now)
    mail = Mail.objects.get()
    assert (mail.status, mail.failure) == (MailStatus.FAILED, "451 busy")


def test_permanent_refusal_does_not_delay_other_mails() -> None:
    queue_mails(2)
    transport = FakeTransport(MailRefusedError("550 no such user", is_permanent=True))
    assert delivery.send_due(transport, now=NOW) == 1
    assert mail_statuses() == [MailStatus.FAILED, MailStatus.SENT]


def test_mail_that_may_have_been_sent_is_not_resent() -> None:
    queue_mails(2)
    transport = FakeTransport(ConnectionResetError("reset"))
    assert delivery.send_due(transport, now=NOW) == 1
    assert mail_statuses() == [MailStatus.UNCERTAIN, MailStatus.SENT]
    delivery.send_due(transport, now=NOW + timedelta(hours=5))
    assert len(transport.sent) == 1


def test_mail_of_a_dead_sender_is_not_resent() -> None:
    queue_mails()
    Mail.objects.update(status=MailStatus.SENDING, claimed_at=NOW)
    transport = FakeTransport()
    delivery.send_due(transport, now=NOW + delivery.LOST - timedelta(seconds=1))
    assert mail_statuses() == [MailStatus.SENDING]
    delivery.send_due(transport, now=NOW + delivery.LOST + timedelta(seconds=1))
    assert mail_statuses() == [MailStatus.UNCERTAIN]
    assert not transport.sent


def test_concurrent_senders_never_send_the_same_mail() -> None:
    queue_mails(3)
    other = FakeTransport()

    class Interrupted(FakeTransport):
        def send(self, message: EmailMessage) -> None:
            delivery.send_due(other, now=NOW)  # a second sender starts while the first one holds a mail
            super().send(message)

    first = Interrupted()
    delivery.send_due(first, now=NOW)
    assert sorted(message.to[0] for message in (*first.sent, *other.sent)) == sorted(
        Notification.objects.values_list("recipient__email", flat=True)
    )


def test_outdated_mails_are_not_sent() -> None:
    queue_mails()
    assert delivery.send_due(FakeTransport(), now=NOW + delivery.EXPIRES_AFTER + timedelta(seconds=1)) == 0
    assert mail_statuses() == [MailStatus.FAILED]


@pytest.mark.parametrize("change", ["turned off", "closed", "without an address"])
def test_mail_that_was_muted_or_became_undeliverable_is_dropped(change: str) -> None:
    (ann,) = queue_mails()
    if change == "turned off":
        services.mute(ann.pk, Kind.STARTED, Channel.EMAIL)
    else:
        User.objects.filter(pk=ann.pk).update(**{"closed": {"is_active": False}}.get(change, {"email": ""}))
    assert delivery.send_due(FakeTransport(), now=NOW) == 0
    assert mail_statuses() == [MailStatus.DROPPED]


@pytest.mark.long
def test_mails_beyond_the_batch_size_wait_for_the_next_run() -> None:
    queue_mails(delivery.BATCH + 1)
    assert delivery.send_due(FakeTransport(), now=NOW) == delivery.BATCH
    assert delivery.send_due(FakeTransport(), now=NOW) == 1


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_a_mail_is_sent() -> None:
    queue_mails()

    class Looking(FakeTransport):
        def send(self, message: EmailMessage) -> None:
            assert not connection.in_atomic_block
            super().send(message)

    transport = Looking()
    delivery.send_due(transport, now=NOW)
    assert len(transport.sent) == 1


def test_sender_is_woken_after_the_commit(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    empty_queue("mail")
    with django_capture_on_commit_callbacks(execute=True):
        notify(Kind.STARTED, [person().pk], CUP, event="cup/started")
        assert empty_queue("mail") == 0
    assert empty_queue("mail") == 1


def test_task_sends_through_the_configured_backend(settings: Settings) -> None:
    settings.SITE_URL = "https://arena.example"
    (ann,) = queue_mails()
    tasks.send()
    (message,) = outbox.outbox
    assert message.to == [ann.email]


class FailingConnection:
    """An SMTP connection that fails with the given exception."""

    def __init__(self, failure: Exception) -> None:
        self.failure = failure

    def send_messages(self, messages: list[EmailMessage]) -> None:
        raise self.failure

    open = close = lambda self: None


def test_smtp_status_decides_whether_to_retry() -> None:
    cases: list[tuple[Exception, bool | None]] = [
        (smtplib.SMTPDataError(451, b"later"), False),
        (smtplib.SMTPDataError(554, b"never"), True),
        (smtplib.SMTPRecipientsRefused({"a@example.org": (450, b"busy")}), False),
        (smtplib.SMTPRecipientsRefused({"a@example.org": (550, b"nobody")}), True),
        (smtplib.SMTPServerDisconnected("gone"), None),
        (TimeoutError("slow"), None),
    ]
    for failure, is_permanent in cases:
        transport = DjangoTransport(FailingConnection(failure))
        if is_permanent is None:
            with pytest.raises(type(failure)):
                transport.send(EmailMessage())
        else:
            with pytest.raises(MailRefusedError) as refused:
                transport.send(EmailMessage())
            assert refused.value.is_permanent is is_permanent


def test_refused_connection_raises_mail_server_unavailable() -> None:
    class Unreachable(FailingConnection):
        def open(self) -> None:
            raise ConnectionRefusedError("nobody listens")

    with pytest.raises(MailServerUnavailableError):
        DjangoTransport(Unreachable(OSError())).open()
