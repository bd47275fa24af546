"""The confirmation page for forms without JavaScript."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import bot, person
from tests.tournaments.sent_form import SentForm

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
FOREIGN = {"Referer": "https://evil.example/x"}
QUESTION = "Retire <this> bot?"


def test_confirmation_page_resubmits_the_same_form() -> None:
    owner = person()
    made = bot(owner)
    client = Client()
    client.force_login(owner)
    address = reverse("bot-retire", args=[made.pk])
    sent = urlencode({"_question": QUESTION, "from": "operations"})
    page = client.post(address, sent, FORM, headers={"Referer": "http://testserver/bots/?a=1"})
    made.refresh_from_db()
    assert (page.status_code, made.retired) == (200, False)
    text = page.content.decode()
    assert "<h1>Retire &lt;this&gt; bot?</h1>" in text
    assert 'href="/bots/?a=1"' in text
    form = SentForm(text, mark="data-confirm-page")
    assert form.fields["from"] == ["operations"]
    assert client.post(address, urlencode(form.fields, doseq=True), FORM).status_code == 302
    made.refresh_from_db()
    assert made.retired


def test_back_link_never_leads_to_another_site() -> None:
    page = Client().post(reverse("login"), urlencode({"_question": "Sure?"}), FORM, headers=FOREIGN)
    assert "Sure?" in page.content.decode()
    assert "evil.example" not in page.content.decode()


def test_form_without_a_question_is_processed_immediately() -> None:
    owner = person()
    made = bot(owner)
    client = Client()
    client.force_login(owner)
    assert client.post(reverse("bot-retire", args=[made.pk])).status_code == 302
