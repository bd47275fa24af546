from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.password_validation import get_default_password_validators
from django.forms import Field
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from pytest_django import Settings

from arena.accounts.models import User
from arena.notifications import tasks
from arena.platform.refusal import Refused
from tests.accounts.mails import send_queued_mails
from tests.chinese import has_chinese
from tests.factories import person
from tests.note_codes import note_codes
from tests.refusals import all_form_codes, form_codes

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse 17"


@pytest.fixture
def ada() -> User:
    ada = person("ada")
    ada.set_password(PASSWORD)
    ada.save()
    return ada


FILLED = {"username": "ada", "email": "ada@example.org", "password1": PASSWORD, "password2": PASSWORD}


def sign_up(client: Client, **changes: str) -> tuple[int, str]:
    response = client.post(reverse("signup"), {**FILLED, **changes})
    return response.status_code, response.content.decode()


def test_signing_up_signs_in_and_redirects_to_next(client: Client) -> None:
    data = {"username": "ada", "email": "Ada@Example.org", "password1": PASSWORD, "password2": PASSWORD}
    response = client.post(reverse("signup") + "?next=/bots/new/", {**data, "next": "/bots/new/"})
    assert response.headers["Location"] == "/bots/new/"
    ada = User.objects.get()
    assert (ada.email, ada.unconfirmed_email) == ("", "ada@example.org")
    assert client.session["_auth_user_id"] == str(ada.pk)
    again = client.get(reverse("signup"))
    assert again.status_code == 302, "who is signed in needs no other account"


@pytest.mark.parametrize("wanted", ["abc", "home", "?x", "a%00b", "\N{GRINNING FACE}"])
def test_invalid_next_parameter_is_ignored(client: Client, ada: User, wanted: str) -> None:
    client.force_login(ada)
    assert client.get(reverse("signup"), {"next": wanted}).status_code == 302


@pytest.mark.parametrize("path", ["signup", "login"])
def test_redirects_never_lead_to_another_site(client: Client, ada: User, path: str) -> None:
    data = {
        "username": "ada" if path == "login" else "bob",
        "email": "bob@example.org",
        "password": PASSWORD,
        "password1": PASSWORD,
        "password2": PASSWORD,
        "next": "https://evil.example/",
    }
    response = client.post(reverse(path), data)
    assert response.status_code == 302
    assert response.headers["Location"] == reverse("home")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"username": ""}, "required"),
        ({"username": "x" * 31}, "too_long"),
        ({"username": "x" * 200}, "too_long"),
        ({"username": "<b>ada</b>"}, "characters"),
        ({"username": ".."}, "characters"),
        ({"username": "House"}, "taken"),
        ({"username": "TAKEN"}, "taken"),
        ({"email": "nonsense"}, "invalid"),
        ({"email": ""}, "required"),
        ({"password1": "ada@example.org", "password2": "ada@example.org"}, "password_too_similar"),
        ({"password2": "another"}, "password_mismatch"),
        ({"password1": "abc", "password2": "abc"}, "password_too_short"),
        ({"password1": "password", "password2": "password"}, "password_too_common"),
    ],
)
def test_invalid_sign_up_is_explained(client: Client, changes: dict[str, str], code: str) -> None:
    person("taken")
    answer = client.post(reverse("signup"), {**FILLED, **changes})
    assert (answer.status_code, User.objects.count()) == (422, 1)
    assert code in all_form_codes(answer)


@pytest.mark.parametrize(("path", "fields"), [("login", 2), ("signup", 4)])
def test_each_empty_field_says_what_to_enter(client: Client, path: str, fields: int) -> None:
    answer = client.post(reverse(path), {"username": ""})
    assert all_form_codes(answer) == ["required"] * fields
    assert str(Field.default_error_messages["required"]) not in answer.content.decode()


def test_user_signs_in_and_out(client: Client, ada: User) -> None:
    assert form_codes(client.post(reverse("login"), {"username": "ada", "password": "wrong"})) == ["invalid_login"]
    response = client.post(reverse("login"), {"username": "ada", "password": PASSWORD, "next": "/bots/"})
    assert response.headers["Location"] == "/bots/"
    assert client.get(reverse("logout")).status_code == 405, "a link on another page cannot sign anybody out"
    client.post(reverse("logout"))
    assert "_auth_user_id" not in client.session


@pytest.mark.long
def test_ten_wrong_passwords_lock_the_account(client: Client, ada: User) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = client.post(reverse("login"), {"username": "ada", "password": "wrong"})
    assert response.status_code == 429
    assert note_codes(response.content.decode()) == ["locked_out"]
    right = client.post(reverse("login"), {"username": "ada", "password": PASSWORD})
    assert right.status_code == 429


def test_password_reset_link_works_once(client: Client, ada: User) -> None:
    assert client.post(reverse("password_reset"), {"email": "ADA@example.org"}).status_code == 302
    (message,) = send_queued_mails()
    assert "Bot Arena" in message.subject
    link = re.search(r"https?://[^/]+(/accounts/password/\S+)", str(message.body))
    assert link is not None
    form = client.get(link[1], follow=True)
    assert 'name="new_password1"' in form.content.decode()
    done = client.post(
        form.redirect_chain[-1][0], {"new_password1": "battery staple 3", "new_password2": "battery staple 3"}
    )
    assert done.headers["Location"] == reverse("login")
    ada.refresh_from_db()
    assert ada.check_password("battery staple 3")
    assert 'name="new_password1"' not in Client().get(link[1], follow=True).content.decode()


def test_reset_page_explains_a_missing_mail_server(
    client: Client, ada: User, settings: Settings, tmp_path: Path
) -> None:
    page = client.get(reverse("password_reset")).content.decode()
    assert note_codes(page) == ["mail_kept"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    client.post(reverse("password_reset"), {"email": "ada@example.org"})
    tasks.send()
    (kept,) = tmp_path.iterdir()
    assert "/accounts/password/reset/" in kept.read_text()
    settings.EMAIL_URL = "smtp://mail.example.org"
    assert note_codes(client.get(reverse("password_reset")).content.decode()) == []


def test_changing_the_address_requires_the_password(client: Client, ada: User) -> None:
    client.force_login(ada)
    page = client.post(reverse("settings"), {"email": "new@example.org", "password": "wrong"})
    assert form_codes(page, "password") == ["incorrect"]
    client.post(reverse("settings"), {"email": "New@example.org", "password": PASSWORD})
    ada.refresh_from_db()
    assert (ada.email, ada.unconfirmed_email) == ("ada@example.org", "new@example.org")


def test_fields_beside_a_password_tell_password_managers_what_they_are(client: Client, ada: User) -> None:
    client.force_login(ada)
    page = client.get(reverse("settings")).content.decode()
    form = next(part for part in page.split("<form") if 'type="password"' in part)
    fields = re.findall(r'<input[^>]*type="(?:email|text|password)"[^>]*>', form)
    assert [re.findall(r'autocomplete="([^"]+)"', field) for field in fields] == [
        ["username"],
        ["email"],
        ["current-password"],
    ]


def test_password_can_be_changed(client: Client, ada: User) -> None:
    client.force_login(ada)
    data = {"old_password": PASSWORD, "new_password1": "battery staple 3", "new_password2": "battery staple 3"}
    page = client.post(reverse("password_change"), data, follow=True)
    assert page.wsgi_request.user.check_password("battery staple 3")
    assert page.wsgi_request.user.is_authenticated, "and one stays signed in"


@pytest.mark.parametrize("name", ["settings", "password_change"])
def test_account_pages_require_signing_in(client: Client, name: str) -> None:
    response = client.get(reverse(name))
    assert response.headers["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("name", ["signup", "password_change"])
def test_password_fields_explain_the_rules_in_the_words_of_the_site(client: Client, ada: User, name: str) -> None:
    if name != "signup":
        client.force_login(ada)
    with override("zh-hans"):
        rules = [rule.get_help_text() for rule in get_default_password_validators()]
        response = client.get(reverse(name), headers={"accept-language": "zh-hans"})
        again = response.context["form"].fields["password2" if name == "signup" else "new_password2"]
        texts = [*rules, str(again.label), str(again.help_text)]
    page = response.content.decode()
    assert [text for text in texts if text not in page or not has_chinese(text)] == []


def test_two_different_passwords_are_refused(client: Client) -> None:
    response = client.post(reverse("signup"), {**FILLED, "password2": "something else 18"})
    assert "password_mismatch" in all_form_codes(response)


def test_failed_sign_up_focuses_a_summary_that_links_to_the_fields(client: Client) -> None:
    """On a phone, the fields with errors are below the part of the page that is in view."""
    assert page_focus(client.get(reverse("signup")).content.decode()) == ["id_username"]
    failed = client.post(reverse("signup"), {**FILLED, "email": "", "password1": "1234", "password2": "1234"})
    page = failed.content.decode()
    assert page_focus(page) == ["error-summary"]
    assert re.findall(r'<li><a href="#(\w+)">', page) == ["id_email", "id_password2"]
    assert page.index("error-summary") < page.index('id="id_username"')
    assert re.search(r"<h2>2\s", page), "the number of fields that need attention"


def test_failed_sign_up_that_concerns_no_field_has_no_summary_of_fields(client: Client) -> None:
    with mock.patch("arena.accounts.services.sign_up", side_effect=Refused("Try again later.")):
        failed = client.post(reverse("signup"), FILLED)
    page = failed.content.decode()
    assert "Try again later." in page
    assert page_focus(page) == []


def page_focus(page: str) -> list[str]:
    """Return the ids (or classes, if there is no id) of the elements that take the focus when the page opens."""
    tags = re.findall(r"<[^>]*\bautofocus\b[^>]*>", page)
    return [name for tag in tags for name in re.findall(r'\bid="([^"]*)"', tag) or re.findall(r'class="([^"]*)"', tag)]
