"""Each kind of caller can perform exactly the permitted API operations."""

from __future__ import annotations

import pytest
from django.test import Client

from arena.accounts.models import AccountActivity, AccountActivityKind, Role
from arena.submissions.models import Submission
from tests.api.caller import ROOT, Caller, callers
from tests.factories import bot, person, submission
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db

PUBLIC = {"anonymous": 200, "other": 200, "organizer": 200, "owner": 200, "staff": 200}
SIGNED_IN = {**PUBLIC, "anonymous": 401}
OWN = {"anonymous": 401, "other": 403, "organizer": 403, "owner": 200, "staff": 200}
TOKENS = {"owner without scopes": 403, "owner with an expired token": 401, "suspended": 401}
READS = {
    "/me": SIGNED_IN,
    "/games": PUBLIC,
    "/bots": PUBLIC,
    "/bots/{bot}": PUBLIC,
    "/bots/{bot}/versions": PUBLIC,
    "/bots/{bot}/ratings": PUBLIC,
    "/versions/{version}": OWN,
    "/versions/{version}/check": OWN,
    "/versions/{version}/log": OWN,
    "/matches": PUBLIC,
    "/tournaments": PUBLIC,
    "/leaderboards/reversi": PUBLIC,
}


def test_anyone_can_read_what_the_pages_show_them() -> None:
    owner = person("ada")
    made, everybody = bot(owner), callers(owner)
    for path, expected in READS.items():
        address = path.format(bot=made.pk, version=made.active_id)
        found = {name: caller.get(address).status_code for name, caller in everybody.items()}
        assert found == {**expected, **TOKENS}, path


@pytest.mark.long
def test_only_the_owner_and_staff_can_make_changes() -> None:
    owner = person("ada")
    made, everybody = bot(owner), callers(owner)
    second = submission(made)
    for path in (f"/versions/{second.pk}/activate", f"/bots/{made.pk}/roll-back", f"/bots/{made.pk}/versions"):
        for name, caller in everybody.items():
            made.active = second
            made.save()
            answer = caller.upload(path, f"# {name}") if path.endswith("/versions") else caller.post(path)
            expected = {**OWN, **TOKENS}[name]
            created = path.endswith("/versions") and expected == 200
            assert answer.status_code == (201 if created else expected), (path, name, answer.content)


@pytest.mark.long
def test_only_organizers_create_and_start_their_own_tournaments(stage: TournamentHarness) -> None:
    everybody = callers(person("ada"))
    draft = {"name": "Cup", "game": "reversi"}
    found = {name: caller.post("/tournaments", draft).status_code for name, caller in everybody.items()}
    expected = {"anonymous": 401, "other": 403, "organizer": 201, "owner": 403, "staff": 201}
    assert found == {**expected, **TOKENS, "owner without scopes": 403}
    cup = stage.create_tournament()
    stage.enter_bots(cup, 2)
    starts = {name: caller.post(f"/tournaments/{cup.pk}/start").status_code for name, caller in everybody.items()}
    assert starts == {**expected, **TOKENS, "organizer": 403, "staff": 200, "owner without scopes": 403}


@pytest.mark.parametrize(("scopes", "reads", "submits"), [(["read"], 200, 403), (["submit"], 403, 201)])
def test_scopes_are_independent(scopes: list[str], reads: int, submits: int) -> None:
    owner = person()
    made, caller = bot(owner), Caller(owner, scopes)
    assert caller.get(f"/bots/{made.pk}").status_code == reads
    answer = caller.upload(f"/bots/{made.pk}/versions")
    assert answer.status_code == submits
    if submits == 403:
        assert answer.json()["code"] == "insufficient_scope"
        assert 'scope="submit"' in answer.headers["WWW-Authenticate"]


def test_invalid_token_never_falls_back_to_the_session() -> None:
    client = Client()
    client.force_login(person())
    assert client.get(f"{ROOT}/me").status_code == 200
    for header in ("Bearer arena_wrong", "Bearer", "Basic YTpi", ""):
        answer = client.get(f"{ROOT}/me", headers={"Authorization": header})
        assert answer.status_code == 401, header
        assert "invalid_token" in answer.headers["WWW-Authenticate"]


def test_another_site_cannot_change_anything_with_the_session() -> None:
    owner = person()
    made, client = bot(owner), Client(enforce_csrf_checks=True)
    client.force_login(owner)
    address = f"{ROOT}/bots/{made.pk}/roll-back"
    assert client.post(address).status_code == 403
    client.get("/accounts/settings/tokens/")
    allowed = client.post(address, headers={"X-CSRFToken": client.cookies["csrftoken"].value})
    assert allowed.status_code == 409, "there is no earlier version"


def test_uses_of_write_scopes_appear_in_the_account_activity() -> None:
    owner = person()
    made, caller = bot(owner), Caller(owner)
    caller.get(f"/bots/{made.pk}")
    caller.post(f"/bots/{made.pk}/roll-back")
    Caller(owner, ["read"]).post(f"/bots/{made.pk}/roll-back")
    (line,) = AccountActivity.objects.filter(person=owner, kind=AccountActivityKind.TOKEN_USED)
    assert (line.token, line.request, line.status) == ("test", f"POST /api/v1/bots/{made.pk}/roll-back", 409)


def test_file_names_are_shown_only_to_the_author() -> None:
    owner = person()
    made = bot(owner)
    Submission.objects.update(filename="secret-plan.py")
    path = f"/bots/{made.pk}/versions"
    assert Caller(owner).get(path).json()["items"][0]["filename"] == "secret-plan.py"
    for caller in (Caller(), Caller(person(role=Role.ORGANIZER))):
        assert caller.get(path).json()["items"][0]["filename"] is None
