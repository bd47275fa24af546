"""Usernames that could be mistaken for another user's are refused."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.accounts import services
from arena.accounts.forms import SignUpForm
from arena.accounts.models import User
from arena.platform.refusal import Refused

pytestmark = pytest.mark.django_db

ADA = "ada.lovelace"


def errors(username: str) -> list[str]:
    """Return the codes of a username's form errors."""
    found = SignUpForm({"username": username}).errors.as_data().get("username", [])
    return [error.code for error in found]


@pytest.mark.parametrize("name", ["аda.lovelace", "ada.l0velace", "аdа.lоvеlасе", "Ada.LoveIace", "ada.love1ace"])
def test_sign_up_refuses_look_alike_names(name: str) -> None:
    services.sign_up(username=ADA, email="ada@example.org", password="x")
    assert errors(name) == ["similar"]
    with pytest.raises(Refused):  # both forms were valid when submitted at the same time
        services.sign_up(username=name, email="thief@example.org", password="x")
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["h0use", "hоusе", "house-bot", "HOUSE.bot"])
def test_sign_up_refuses_house_names(name: str) -> None:
    assert errors(name)


def test_sign_up_accepts_distinct_names() -> None:
    services.sign_up(username=ADA, email="ada@example.org", password="x")
    for name in ("ada", "ada.lovelace2", "householder"):
        assert errors(name) == []


def test_database_refuses_look_alike_names() -> None:
    User.objects.create_user("Paul", "")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Pau1", "")


def test_renaming_a_user_frees_the_old_name() -> None:
    paul = User.objects.create_user("Paul", "")
    paul.username = "Anna"
    paul.save(update_fields=["username"])
    User.objects.create_user("Pau1", "")
    paul.save()
    assert User.objects.get(pk=paul.pk).skeleton == "anna"


@pytest.mark.long
@pytest.mark.parametrize("name", ["Paul", "PAUL", "Pau1", "h0use", "House.x", "x" * 31])
def test_admin_refuses_look_alike_names(client: Client, name: str) -> None:
    User.objects.create_user("Paul", "")
    anna = User.objects.create_user("Anna", "")
    client.force_login(User.objects.create_superuser("root", "root@example.org", "correct horse 17"))
    changed = {"role": anna.role, "is_active": "on", "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    new = {"usable_password": "true", "password1": "correct horse 17", "password2": "correct horse 17"}
    page = reverse("admin:accounts_user_change", args=[anna.pk])
    assert client.post(page, changed | {"username": name}).status_code == 200
    assert client.post(reverse("admin:accounts_user_add"), new | {"username": name}).status_code == 200
    assert set(User.objects.values_list("username", flat=True)) == {"Paul", "Anna", "root"}
    assert client.post(page, changed | {"username": "ANNA"}).status_code == 302
    assert client.post(reverse("admin:accounts_user_add"), new | {"username": "Bob"}).status_code == 302
