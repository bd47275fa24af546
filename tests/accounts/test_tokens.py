"""The secret of a personal access token is never stored; a token works within its scopes until it expires."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts import tokens
from arena.accounts.models import AccountActivity, AccountActivityKind, ApiToken, Role, TokenScope
from arena.platform.refusal import Refused
from tests.factories import person

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_secret_is_never_stored() -> None:
    made = tokens.create(person(), "laptop", [TokenScope.SUBMIT], now=NOON)
    assert made.secret.startswith("arena_")
    assert len(made.secret) >= 46
    (row,) = ApiToken.objects.values()
    assert made.secret not in repr(row)
    assert made.secret.removeprefix("arena_") not in repr(row)


def test_token_authenticates_its_owner_with_its_scopes() -> None:
    ada = person("ada")
    secret = tokens.create(ada, "laptop", ["submit", "read"], now=NOON).secret
    used = tokens.authenticate(secret, now=NOON)
    assert used is not None
    assert (used.person, used.scopes) == (ada, {"submit", "read"})
    assert tokens.authenticate(secret[:-1], now=NOON) is None
    assert tokens.authenticate(secret.removeprefix("arena_"), now=NOON) is None


def test_token_expires_at_the_exact_second() -> None:
    secret = tokens.create(person(), "laptop", ["read"], now=NOON, lifetime=timedelta(days=30)).secret
    end = NOON + timedelta(days=30)
    assert tokens.authenticate(secret, now=end - timedelta(seconds=1))
    assert tokens.authenticate(secret, now=end) is None


def test_tokens_of_a_suspended_account_are_refused() -> None:
    ada = person("ada")
    secret = tokens.create(ada, "laptop", ["read"], now=NOON).secret
    ada.is_active = False
    ada.save()
    assert tokens.authenticate(secret, now=NOON) is None
    with pytest.raises(Refused):
        tokens.create(ada, "another", ["read"], now=NOON)


def test_last_use_is_written_at_most_once_a_minute() -> None:
    secret = tokens.create(person(), "laptop", ["read"], now=NOON).secret
    for second in (0, 1, 59, 60, 61):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            tokens.authenticate(secret, now=NOON + timedelta(seconds=second))
        wrote = any(query["sql"].startswith("UPDATE") for query in queries)
        assert wrote == (second in (0, 60)), second
    assert ApiToken.objects.get().last_used_at == NOON + timedelta(seconds=60)


def test_tokens_per_person_are_limited_to_twenty() -> None:
    ada = person()
    for number in range(tokens.MAX_TOKENS_PER_PERSON):
        tokens.create(ada, f"token {number}", ["read"], now=NOON)
    with pytest.raises(Refused):
        tokens.create(ada, "one more", ["read"], now=NOON)


def test_token_activity_is_kept_for_ninety_days() -> None:
    ada = person()
    used = tokens.authenticate(tokens.create(ada, "laptop", ["submit"], now=NOON).secret, now=NOON)
    assert used is not None
    tokens.log_use(used, "POST /api/v1/bots", 201, now=NOON + timedelta(days=91))
    assert [line.kind for line in tokens.activity_of(ada)] == [AccountActivityKind.TOKEN_USED]


def test_page_shows_a_new_token_once_and_revokes_it(client: Client) -> None:
    ada = person("ada")
    client.force_login(ada)
    page, settings = reverse("tokens"), client.get(reverse("settings")).content.decode()
    assert f'href="{page}"' in settings
    assert 'data-empty="none"' in client.get(page).content.decode()
    answer = client.post(page, {"name": "my laptop", "scopes": ["submit", "read"], "days": "90"})
    shown = answer.content.decode()
    secret = shown.partition('data-part="secret">')[2].partition("<")[0]
    token = ApiToken.objects.get()
    assert tokens.authenticate(secret, now=token.created_at) is not None
    assert token.expires_at is not None
    assert "no-store" in answer.headers["Cache-Control"]
    assert secret not in client.get(page).content.decode()
    assert client.post(reverse("token-revoke", args=[token.pk])).status_code == 302
    assert tokens.authenticate(secret, now=token.created_at) is None
    assert [line.kind for line in AccountActivity.objects.order_by("pk")] == ["created", "revoked"]


def test_tokens_of_others_cannot_be_revoked(client: Client) -> None:
    tokens.create(person(), "laptop", ["read"], now=NOON)
    client.force_login(person())
    assert client.post(reverse("token-revoke", args=[ApiToken.objects.get().pk])).status_code == 404
    assert ApiToken.objects.exists()


@pytest.mark.parametrize(
    ("role", "data"),
    [
        (Role.STUDENT, {"name": "x", "scopes": ["organize"], "days": "30"}),
        (Role.ORGANIZER, {"name": "x", "scopes": [], "days": "30"}),
        (Role.ORGANIZER, {"name": "x", "scopes": ["read", "root"], "days": "30"}),
        (Role.ORGANIZER, {"name": "\x1b[0m", "scopes": ["read"], "days": "30"}),
        (Role.ORGANIZER, {"name": "x", "scopes": ["read"], "days": "-1"}),
    ],
)
def test_invalid_form_creates_no_token(client: Client, role: Role, data: dict[str, str]) -> None:
    client.force_login(person(role=role))
    assert client.post(reverse("tokens"), data).status_code == 422
    assert not ApiToken.objects.exists()


def test_command_prints_the_token_on_the_last_line() -> None:
    person("ada")
    out = StringIO()
    call_command("token", "Ada", "--scope", "submit", "--scope", "read", "--days", "7", stdout=out)
    used = tokens.authenticate(out.getvalue().splitlines()[-1], now=datetime.now(UTC))
    assert used is not None
    assert used.scopes == {"submit", "read"}


def test_command_refuses_unknown_and_closed_accounts() -> None:
    gone = person("gone")
    gone.is_active = False
    gone.save()
    for name in ("gone", "nobody"):
        with pytest.raises(CommandError, match=name):
            call_command("token", name, "--scope", "read", stdout=StringIO())
