"""Names of users that others would be taken for."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from arena.accounts import services
from arena.accounts.forms import SignUpForm
from arena.accounts.models import User

pytestmark = pytest.mark.django_db

ADA = "ada.lovelace"


def errors(username: str) -> list[str]:
    return SignUpForm({"username": username}).errors.get("username", [])


@pytest.mark.parametrize("name", ["аda.lovelace", "ada.l0velace", "аdа.lоvеlасе", "Ada.LoveIace", "ada.love1ace"])
def test_nobody_signs_up_as_a_look_alike(name: str) -> None:
    services.sign_up(username=ADA, email="ada@example.org", password="x")
    assert errors(name) == ["This name looks like that of another person. Choose another."]
    with pytest.raises(services.AccountRefused):  # two forms were valid at once
        services.sign_up(username=name, email="thief@example.org", password="x")
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["h0use", "hоusе", "house-bot", "HOUSE.bot"])
def test_nobody_signs_up_as_the_house(name: str) -> None:
    assert errors(name)


def test_other_names_are_free() -> None:
    services.sign_up(username=ADA, email="ada@example.org", password="x")
    for name in ("ada", "ada.lovelace2", "householder"):
        assert errors(name) == []


def test_the_database_itself_refuses_a_look_alike() -> None:
    User.objects.create_user("Paul", "")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Pau1", "")


def test_a_user_who_is_renamed_frees_the_old_name_and_may_be_stored_again() -> None:
    paul = User.objects.create_user("Paul", "")
    paul.username = "Anna"
    paul.save(update_fields=["username"])
    User.objects.create_user("Pau1", "")
    paul.save()
    assert User.objects.get(pk=paul.pk).skeleton == "anna"
