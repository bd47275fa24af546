"""The webhook pages: creating and editing webhooks, secrets, test events, the log, redelivery and ownership."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.webhooks import services
from arena.webhooks.delivery import deliver_due
from arena.webhooks.models import Delivery, EventType, Webhook
from arena.webhooks.sending.client import DeliveryResponse, Failure
from arena.webhooks.sending.testing import FakeTransport
from arena.webhooks.services import WebhookPlan
from arena.webhooks.texts import FAILURES
from tests import factories
from tests.refusals import all_form_codes

pytestmark = pytest.mark.django_db

URL = "https://hook.example/in"


@pytest.fixture
def ada(client: Client) -> User:
    made = factories.person("ada")
    client.force_login(made)
    return made


def secret_in(page: str) -> str:
    return page.partition('data-part="secret">')[2].partition("<")[0]


def action_urls(webhook: int, delivery: int) -> dict[str, str]:
    names = ("rotate", "test", "on", "off", "delete")
    found = {name: reverse(f"webhook-{name}", args=[webhook]) for name in names}
    return {**found, "repeat": reverse("delivery-repeat", args=[webhook, delivery])}


@pytest.mark.long
def test_webhook_lifecycle_from_creation_to_deletion(client: Client, ada: User) -> None:
    bot = factories.bot(ada, name="Crux")
    assert f'href="{reverse("webhooks")}"' in client.get(reverse("settings")).content.decode()
    answer = client.post(reverse("webhooks"), {"url": URL, "events": ["bot.result"], "bots": [bot.pk]})
    secret = secret_in(answer.content.decode())
    assert secret.startswith("whsec_")
    assert "no-store" in answer.headers["Cache-Control"]
    assert secret not in client.get(reverse("webhooks")).content.decode()
    webhook = Webhook.objects.get()
    assert (webhook.url, webhook.events, list(webhook.bots.all())) == (URL, ["bot.result"], [bot])
    page = reverse("webhook", args=[webhook.pk])
    assert client.post(reverse("webhook-test", args=[webhook.pk])).headers["Location"] == page
    answers = FakeTransport({URL: [DeliveryResponse(500, Failure.STATUS, 31)]})
    deliver_due(answers, clock=timezone.now, rng=random.Random(1))
    shown = client.get(page).content.decode()
    for text in ("webhook.test", "<code>500</code>", "31 ms", str(FAILURES[Failure.STATUS]), "Next request"):
        assert text in shown
    at = action_urls(webhook.pk, Delivery.objects.get().pk)
    Delivery.objects.update(status="failed")
    assert at["repeat"] in client.get(page).content.decode()
    client.post(at["repeat"])
    assert Delivery.objects.get().status == "waiting"
    again = client.post(at["rotate"])
    assert secret_in(again.content.decode()) not in ("", secret)
    client.post(at["off"])
    assert at["on"] in client.get(page).content.decode()
    client.post(at["on"])
    client.post(page, {"url": "https://new.example/", "events": ["tournament.started"]})
    webhook.refresh_from_db()
    assert (webhook.url, webhook.events, webhook.bots.count(), webhook.status) == (
        "https://new.example/",
        ["tournament.started"],
        0,
        "active",
    )
    assert client.post(at["delete"]).headers["Location"] == reverse("webhooks")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"url": "http://hook.example/", "events": ["bot.result"]}, "scheme"),
        ({"url": "https://127.0.0.1/", "events": ["bot.result"]}, "address"),
        ({"url": "https://hook.example:22/", "events": ["bot.result"]}, "port"),
        ({"url": "nonsense", "events": ["bot.result"]}, "scheme"),
        ({"url": URL, "events": []}, "required"),
        ({"url": URL, "events": ["everything"]}, "invalid_choice"),
        ({"url": URL, "events": ["bot.result"], "bots": ["1"]}, "invalid_choice"),
    ],
)
def test_form_refuses_invalid_webhooks(client: Client, ada: User, data: dict[str, Any], code: str) -> None:
    factories.bot(ada)
    stranger = factories.bot()
    data = {**data, "bots": [stranger.pk]} if "bots" in data else data
    answer = client.post(reverse("webhooks"), data)
    assert answer.status_code == 422
    assert all_form_codes(answer) == [code]
    assert not Webhook.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize("reader", ["anonymous", "student", "organizer", "staff", "suspended owner"])
def test_webhook_pages_are_open_to_the_owner_only(client: Client, reader: str) -> None:
    owner = factories.person("owner")
    webhook, _secret = services.create(owner, WebhookPlan(URL, [EventType.RESULT]))
    services.send_test(owner, webhook, now=timezone.now())
    delivery = Delivery.objects.get()
    if reader == "suspended owner":
        client.force_login(owner)
        User.objects.filter(pk=owner.pk).update(is_active=False)
    elif reader != "anonymous":
        role = Role.ORGANIZER if reader == "organizer" else Role.STUDENT
        client.force_login(factories.person(role=role, is_staff=reader == "staff"))
    pages = [reverse("webhook", args=[webhook])]
    answers = [client.get(page) for page in pages]
    answers += [client.post(address) for address in (*pages, *action_urls(webhook, delivery.pk).values())]
    for answer in answers:
        if reader in ("anonymous", "suspended owner"):
            assert answer.headers["Location"].startswith(reverse("login"))
        else:
            assert answer.status_code == 404
    assert URL not in client.get(reverse("webhooks"), follow=True).content.decode()
    unchanged = Webhook.objects.get()
    assert (unchanged.status, unchanged.previous_salt, Delivery.objects.count()) == ("active", "", 1)


def test_get_requests_change_nothing(client: Client, ada: User) -> None:
    webhook, _secret = services.create(ada, WebhookPlan(URL, [EventType.RESULT]))
    for address in action_urls(webhook, 1).values():
        assert client.get(address).status_code == 405


def test_pages_are_missing_if_webhooks_are_disabled(client: Client, ada: User, settings: Any) -> None:
    webhook, _secret = services.create(ada, WebhookPlan(URL, [EventType.RESULT]))
    settings.WEBHOOKS_PER_PERSON = 0
    assert client.get(reverse("webhooks")).status_code == 404
    assert client.get(reverse("webhook", args=[webhook])).status_code == 404
    assert client.post(reverse("webhook-test", args=[webhook])).status_code == 404
    assert reverse("webhooks") not in client.get(reverse("settings")).content.decode()


def test_editing_keeps_a_selected_retired_bot(client: Client, ada: User) -> None:
    """The form still offers a selected bot that has been retired; otherwise, saving the form would select all bots."""
    retired = factories.bot(ada, name="Crux")
    factories.bot(ada, name="Dawn")
    plan = WebhookPlan(URL, [EventType.RESULT], [retired.pk])
    webhook_id, _secret = services.create(ada, plan)
    retired.retired = True
    retired.save()
    page = reverse("webhook", args=[webhook_id])
    checked = client.get(page).context["form"]["bots"].value()
    assert f'value="{retired.pk}"' in client.get(page).content.decode()
    posted = {"url": f"{URL}/2", "events": [EventType.RESULT], "bots": list(checked)}
    assert client.post(page, posted).status_code == 302
    webhook = Webhook.objects.get()
    assert (webhook.url, list(webhook.bots.all())) == (f"{URL}/2", [retired])


@pytest.mark.long
def test_editing_does_not_extend_a_webhook_of_deleted_bots(client: Client, ada: User) -> None:
    gone = factories.bot(ada)
    webhook_id, _secret = services.create(ada, WebhookPlan(URL, [EventType.RESULT], [gone.pk]))
    gone.delete()
    page = reverse("webhook", args=[webhook_id])
    answer = client.get(page)
    assert "Deleted bots" in answer.content.decode()
    posted = {"url": f"{URL}/2", "events": [EventType.RESULT], "bots": list(answer.context["form"]["bots"].value())}
    assert client.post(page, posted).status_code == 302
    assert Webhook.objects.get().limits_bots
    assert client.post(page, {**posted, "bots": []}).status_code == 302
    assert not Webhook.objects.get().limits_bots
    assert "Deleted bots" not in client.get(page).content.decode()
