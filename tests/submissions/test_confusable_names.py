"""Bot names that could be confused with existing names are refused."""

from __future__ import annotations

import pytest
from django.utils import timezone

from arena.accounts.models import User
from arena.accounts.services import house_account
from arena.core.sandbox.uploads.package import read_package
from arena.submissions import services
from arena.submissions.models import Bot
from arena.submissions.services import BotDraft, Upload
from tests import factories
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def upload(owner: User, name: str, *, is_house: bool = False) -> int:
    package = read_package(f"x = {name!r}".encode(), "main.py")
    draft = BotDraft("reversi", name, is_house=is_house)
    return services.create_bot(owner, draft, Upload(package, "main.py", 1), now=timezone.now()).bot_id


@pytest.fixture
def owner() -> User:
    upload(house_account(), "Corners", is_house=True)
    return factories.person("owner")


@pytest.mark.parametrize("name", ["Corners", "Соrners", "C0rners", "House: mine", "Hоuse：mine"])
def test_house_bot_names_are_reserved(owner: User, name: str) -> None:
    with expect_refusal("house_name"):
        upload(owner, name)
    bot = upload(owner, "Mine")
    with expect_refusal("house_name"):
        services.update_bot(bot, name, "")
    assert Bot.objects.get(owner=owner).name == "Mine"


def test_confusable_names_are_refused_per_owner_and_game(owner: User) -> None:
    bot, other = upload(owner, "Deep"), upload(owner, "Deeper")
    with expect_refusal("name_taken"):
        upload(owner, "Dеер")
    with expect_refusal("name_taken"):
        services.update_bot(other, "Dеер", "")
    services.update_bot(bot, "DEEP", "in another case")
    assert upload(factories.person("other"), "Deep")
