"""Responses never reveal who has an account; confirming an email address requires the link sent to it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from arena.accounts import services
from arena.accounts.models import AccountMail, User
from arena.notifications.account_mails import EXPIRES_AFTER, RETRY_DELAY, send_account_mails
from arena.notifications.transport import MailRefusedError, MailServerUnavailableError
from tests.accounts.mails import linked_path, send_queued_mails
from tests.factories import person
from tests.note_codes import note_codes

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse 17"


@pytest.fixture(autouse=True)
def _mail_server(settings: Settings) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"


def sign_up(client: Client, name: str, email: str, **headers: Any) -> Any:
    data = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("signup"), data, follow=True, **headers)


def invariant_text(response: Any, *varying: str) -> str:
    """Return a page's text without the parts that differ between any two visits."""
    text = re.sub(r'(csrfmiddlewaretoken" value=)"\w+"', r"\1", response.content.decode())
    text = re.sub(r'<svg class="avatar.*?</svg>|<time.*?</time>', "", text, flags=re.DOTALL)
    for word in varying:
        text = text.replace(word, "…")
    return text


def normalized_statements(queries: CaptureQueriesContext) -> list[str]:
    return [re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries.captured_queries]


@pytest.mark.long
def test_sign_up_response_does_not_reveal_registered_addresses() -> None:
    person("known")
    sign_up(Client(), "first", "first@example.org")  # the first request from this network
    pages, statements = [], []
    for name, address in (("alice", "known@example.org"), ("bobby", "fresh@example.org")):
        client = Client()
        with CaptureQueriesContext(connection) as queries:
            response = sign_up(client, name, address)
        assert response.status_code == 200
        assert response.redirect_chain == [(reverse("home"), 302)]
        settings_page = client.get(reverse("settings"))
        pages.append((invariant_text(response, name, address), invariant_text(settings_page, name, address)))
        statements.append(normalized_statements(queries))
    assert pages[0] == pages[1]
    assert statements[0] == statements[1], "and the database runs the same statements"
    assert 'class="notice confirmation_sent' in pages[0][0]
    assert User.objects.filter(username__in=("alice", "bobby"), email="").count() == 2


def test_address_change_response_does_not_reveal_registered_addresses() -> None:
    person("known")
    pages = []
    for name, address in (("alice", "known@example.org"), ("bobby", "fresh@example.org")):
        user, client = person(name), Client()
        user.set_password(PASSWORD)
        user.save()
        client.force_login(user)
        response = client.post(reverse("settings"), {"email": address, "password": PASSWORD}, follow=True)
        pages.append(invariant_text(response, name, address))
    assert pages[0] == pages[1]


def test_password_reset_response_does_not_reveal_registered_addresses() -> None:
    person("known")
    Client().post(reverse("password_reset"), {"email": "first@example.org"})  # the first request from this network
    pages, statements = [], []
    for address in ("known@example.org", "nobody@example.org"):
        with CaptureQueriesContext(connection) as queries:
            response = Client().post(reverse("password_reset"), {"email": address}, follow=True)
        pages.append(invariant_text(response))
        statements.append(normalized_statements(queries))
    assert pages[0] == pages[1]
    assert statements[0] == statements[1]


@pytest.mark.long
def test_sign_up_mail_differs_for_known_and_new_addresses() -> None:
    holder = person("known")
    holder.language = "zh-hans"
    holder.save()
    sign_up(Client(), "alice", "Known@Example.org")
    sign_up(Client(), "bobby", "fresh@example.org")
    notice, link = send_queued_mails()
    assert notice.to == ["known@example.org"]
    assert "known" in str(notice.body)
    assert "alice" in str(notice.body)
    assert "账号" in notice.subject, "in the language of the person who has the account"
    assert reverse("login") in str(notice.body)
    assert reverse("password_reset") in str(notice.body)
    assert "/accounts/email/" not in str(notice.body), "the address cannot be taken away by a click"
    assert link.to == ["fresh@example.org"]
    assert "/accounts/email/" in str(link.body)


def sign_up_and_get_mail(name: str, email: str) -> tuple[Client, EmailMessage]:
    client = Client()
    sign_up(client, name, email)
    (message,) = send_queued_mails()
    return client, message


@pytest.mark.long
def test_address_is_confirmed_by_submitting_the_linked_form() -> None:
    client, message = sign_up_and_get_mail("ada", "ada@example.org")
    link = linked_path(message, "/accounts/email/")
    page = client.get(link)
    assert '<button class="button button--primary" type="submit">' in page.content.decode()
    assert User.objects.get(username="ada").email == "", "opening it is not enough: mail programs do"
    done = client.post(link, follow=True)
    assert "ada@example.org" in done.content.decode()
    ada = User.objects.get(username="ada")
    assert (ada.email, ada.unconfirmed_email) == ("ada@example.org", "")
    assert reverse("resend_confirmation") not in client.get(reverse("settings")).content.decode()
    assert client.post(link).status_code == 302, "a second click does no harm"


@pytest.mark.long
def test_claimed_address_goes_to_the_account_that_confirms_it() -> None:
    """Signing up with somebody else's address does not prevent its owner from confirming it."""
    _, squatters = sign_up_and_get_mail("squatter", "ada@example.org")
    client, message = sign_up_and_get_mail("ada", "ada@example.org")
    assert client.post(linked_path(message, "/accounts/email/")).status_code == 302
    late = Client().post(linked_path(squatters, "/accounts/email/"))
    assert late.status_code == 422
    assert note_codes(late.content.decode()) == ["address_taken"]
    assert User.objects.get(username="squatter").email == ""
    assert User.objects.get(username="ada").email == "ada@example.org"


@pytest.mark.parametrize("link", ["wrong", "wrong:1abc:def", "a" * 3000])
def test_invalid_confirmation_link_is_explained(link: str) -> None:
    for method in ("get", "post"):
        page = getattr(Client(), method)(reverse("confirm_email", args=[link]))
        assert page.status_code == 422
        assert note_codes(page.content.decode()) == ["invalid_link"]


@pytest.mark.long
def test_confirmation_link_is_invalid_after_another_address_change() -> None:
    client, message = sign_up_and_get_mail("ada", "old@example.org")
    ada = User.objects.get(username="ada")
    services.change_email(ada.pk, "new@example.org")
    assert client.post(linked_path(message, "/accounts/email/")).status_code == 422
    ada.refresh_from_db()
    assert (ada.email, ada.unconfirmed_email) == ("", "new@example.org")


def test_confirmation_link_expires(settings: Settings) -> None:
    client, message = sign_up_and_get_mail("ada", "ada@example.org")
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert client.post(linked_path(message, "/accounts/email/")).status_code == 422


@pytest.mark.long
def test_resending_the_confirmation_link_is_limited(settings: Settings) -> None:
    settings.ACCOUNT_MAILS_AN_HOUR = 2
    client, _ = sign_up_and_get_mail("ada", "ada@example.org")
    assert f'action="{reverse("resend_confirmation")}"' in client.get(reverse("settings")).content.decode()
    assert client.post(reverse("resend_confirmation")).status_code == 302
    assert len(send_queued_mails()) == 1
    refused = client.post(reverse("resend_confirmation"))
    assert refused.status_code == 429
    assert "accounts/throttled.html" in [template.name for template in refused.templates]
    assert send_queued_mails() == []


def test_address_changes_are_limited_per_person(settings: Settings) -> None:
    settings.ACCOUNT_MAILS_AN_HOUR = 2
    ada, client = person("ada"), Client()
    ada.set_password(PASSWORD)
    ada.save()
    client.force_login(ada)
    answers = [
        client.post(reverse("settings"), {"email": f"{n}@example.org", "password": PASSWORD}).status_code
        for n in range(3)
    ]
    assert answers == [302, 302, 429]


def test_password_can_be_reset_before_the_address_is_confirmed() -> None:
    sign_up_and_get_mail("ada", "ada@example.org")
    Client().post(reverse("password_reset"), {"email": "ADA@example.org"})
    (message,) = send_queued_mails()
    page = Client().get(linked_path(message, "/accounts/password/reset/"), follow=True)
    assert 'name="new_password1"' in page.content.decode()


def test_reset_mails_of_one_request_are_limited_and_start_with_the_owner() -> None:
    ada = person("ada")
    ada.set_password(PASSWORD)
    ada.save()
    for number in range(9):
        services.sign_up(username=f"squatter{number}", email="ada@example.org", password=PASSWORD)
    AccountMail.objects.all().delete()
    Client().post(reverse("password_reset"), {"email": "ada@example.org"})
    letters = send_queued_mails()
    assert len(letters) == 5
    assert "Hello ada," in str(letters[0].body), "the one whose address it is comes first"


def test_house_and_closed_accounts_get_no_reset_link() -> None:
    house, gone = services.house_account(), person("gone")
    User.objects.filter(pk=house.pk).update(email="house@example.org")
    gone.set_password(PASSWORD)
    gone.is_active = False
    gone.save()
    for address in ("house@example.org", "gone@example.org"):
        Client().post(reverse("password_reset"), {"email": address})
    assert send_queued_mails() == []


class FailingMailServer:
    """A mail server that fails once with each of the given errors, then accepts messages."""

    def __init__(self, *troubles: Exception) -> None:
        self.troubles, self.taken = list(troubles), 0

    def open(self) -> None:
        if self.troubles and isinstance(self.troubles[0], MailServerUnavailableError):
            raise self.troubles.pop(0)

    def send(self, message: EmailMessage) -> None:
        if self.troubles:
            raise self.troubles.pop(0)
        self.taken += 1

    def close(self) -> None: ...


@pytest.mark.parametrize(
    "trouble",
    [MailServerUnavailableError("gone"), MailRefusedError("later", is_permanent=False), ConnectionResetError("broken")],
)
def test_mail_is_retried_after_a_temporary_server_failure(trouble: Exception) -> None:
    services.sign_up(username="ada", email="ada@example.org", password=PASSWORD)
    server, now = FailingMailServer(trouble), timezone.now()
    send_account_mails(server, now=now)
    assert server.taken == 0
    send_account_mails(server, now=now + 2 * RETRY_DELAY)
    assert server.taken == 1
    send_account_mails(server, now=now + 4 * RETRY_DELAY)
    assert server.taken == 1
    assert not AccountMail.objects.exists()


def test_mail_refused_permanently_or_overdue_is_dropped() -> None:
    services.sign_up(username="ada", email="ada@example.org", password=PASSWORD)
    send_account_mails(FailingMailServer(MailRefusedError("no such box", is_permanent=True)), now=timezone.now())
    assert not AccountMail.objects.exists()
    services.sign_up(username="bob", email="bob@example.org", password=PASSWORD)
    server = FailingMailServer()
    send_account_mails(server, now=timezone.now() + 2 * EXPIRES_AFTER)
    assert server.taken == 0
