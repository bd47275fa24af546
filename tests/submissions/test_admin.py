from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.submissions.models import Bot
from tests.factories import bot, person

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_admin_shows_everything_but_submissions_are_read_only(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "correct horse 17")
    call_command("createsuperuser", "--noinput", username="root", email="root@example.org", verbosity=0)
    client.force_login(User.objects.get(username="root"))
    made = bot()
    for model, pk in (("submission", made.active_id), ("bot", made.pk)):
        assert client.get(reverse(f"admin:submissions_{model}_changelist")).status_code == 200
        assert client.get(reverse(f"admin:submissions_{model}_change", args=[pk])).status_code == 200
        assert client.get(reverse(f"admin:submissions_{model}_add")).status_code == 403
    assert client.post(reverse("admin:submissions_submission_change", args=[made.active_id])).status_code == 403
    assert client.get(reverse("admin:accounts_user_changelist")).status_code == 200
    assert client.get(reverse("admin:accounts_user_change", args=[made.owner_id])).status_code == 200
    assert client.get(reverse("admin:accounts_user_add")).status_code == 200


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", "root@example.org", "correct horse 17"))
    return client


@pytest.mark.parametrize("name", ["Deep", "DEEP", "D\u0435ep", "House: mine", "Corners", "De\u202eep", "\x1b[31mRed"])
def test_admin_applies_the_owners_bot_name_rules(root: Client, name: str) -> None:
    owner = person("owner")
    bot(owner, name="Deep")
    Bot.objects.create(owner=person("keeper"), game="reversi", name="Corners", is_house=True)
    made = bot(owner, name="Mine")
    page = reverse("admin:submissions_bot_change", args=[made.pk])
    assert root.post(page, {"name": name, "description": ""}).status_code == 200
    made.refresh_from_db()
    assert made.name == "Mine"
    assert root.post(page, {"name": "mine", "description": "re\u202ed"}).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.description) == ("mine", "re\ufffdd")
