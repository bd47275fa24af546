from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from tests.factories import bot

pytestmark = pytest.mark.django_db


def test_an_administrator_sees_everything_and_edits_no_submission(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
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
