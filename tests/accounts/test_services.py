from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import RequestFactory

from arena.accounts import services
from arena.accounts.models import HOUSE_USERNAME, Role, User
from arena.accounts.queries import person as person_card
from tests.factories import person
from tests.refusals import expect_command_refusal, expect_refusal

pytestmark = pytest.mark.django_db


def test_usernames_are_unique_ignoring_case() -> None:
    services.sign_up(username="Ada", email="ada@example.org", password="a fine password")
    with expect_refusal("name_taken"):
        services.sign_up(username="ada", email="other@example.org", password="a fine password")


def test_several_accounts_may_lack_an_address() -> None:
    for name in ("a", "b"):
        User.objects.create_user(name, "")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("A", "")


def test_house_account_cannot_sign_in() -> None:
    house = services.house_account()
    assert house == services.house_account()
    assert not house.has_usable_password()
    assert not house.is_active
    card = person_card(HOUSE_USERNAME.upper())
    assert card is not None
    assert card.is_house


def test_command_makes_a_person_organizer(capsys: pytest.CaptureFixture[str]) -> None:
    ada = person("ada")
    call_command("organizer", "ADA")
    ada.refresh_from_db()
    assert ada.role == Role.ORGANIZER
    assert "organizer" in capsys.readouterr().out


def test_command_creates_an_organizer_with_a_working_password(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("organizer", "teacher", "--create")
    password = capsys.readouterr().out.splitlines()[-1]
    teacher = authenticate(RequestFactory().post("/"), username="teacher", password=password)
    assert teacher is not None
    assert teacher.role == Role.ORGANIZER
    with expect_command_refusal("name_taken"):
        call_command("organizer", "Teacher", "--create")


def test_command_explains_an_unknown_username() -> None:
    with expect_command_refusal("not_found") as refused:
        call_command("organizer", "nobody")
    assert "nobody" in str(refused.value)
