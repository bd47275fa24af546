"""The whole table, for every kind of person: what is not written here is refused."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.template import Context, Template
from django.test import RequestFactory

from arena.accounts.models import Role, User
from arena.accounts.permissions import PERMITTED, Action, Capacity, Person, may, require

OWNER = User(pk=1, username="owner")
PEOPLE: dict[str, Person] = {
    "anonymous": AnonymousUser(),
    "other student": User(pk=2, username="other"),
    "owner": OWNER,
    "organizer": User(pk=3, username="organizer", role=Role.ORGANIZER),
    "staff": User(pk=4, username="staff", is_staff=True),
    "owner whose account is closed": User(pk=1, username="owner", is_active=False),
}

# Who may do it to a thing of OWNER.
ALLOWED: dict[Action, set[str]] = {
    Action.CREATE_BOT: {"other student", "owner", "organizer", "staff"},
    Action.CHANGE_BOT: {"owner", "staff"},
    Action.SEE_SOURCE: {"owner", "staff"},
    Action.SEE_LOG: {"owner", "staff"},
    Action.SEE_FAILURES: {"owner", "staff"},
    Action.REQUEST_MATCH: {"other student", "owner", "organizer", "staff"},
    Action.REQUEST_ANALYSIS: {"other student", "owner", "organizer", "staff"},
    Action.PLAY_STUDENTS: {"other student", "owner", "organizer", "staff"},
    Action.PLAY_DUEL: {"owner"},
    Action.UPLOAD_RECORDING: {"other student", "owner", "organizer", "staff"},
    Action.DELETE_RECORDING: {"owner", "staff"},
    Action.REPEAT_REPORT: {"owner", "staff"},
    Action.CREATE_TOURNAMENT: {"organizer", "staff"},
    Action.RUN_TOURNAMENT: {"owner", "staff"},
    Action.EXPORT_TOURNAMENT: {"owner", "staff"},
    Action.ENTER_TOURNAMENT: {"owner", "staff"},
    Action.CREATE_CLASS: {"organizer", "staff"},
    Action.SEE_CLASS: {"owner", "staff"},
    Action.RUN_CLASS: {"owner", "staff"},
    Action.APPOINT_TEACHER: {"owner", "staff"},
    Action.CREATE_ROOM: {"other student", "owner", "organizer", "staff"},
    Action.RUN_ROOM: {"owner", "staff"},
    Action.SEAT_BOT: {"owner", "staff"},
    Action.RUN_LADDER: {"staff"},
    Action.SEE_WORKERS: {"organizer", "staff"},
    Action.DRAIN_WORKER: {"staff"},
    Action.SEE_OPERATIONS: {"staff"},
}
# What a class gives to people who may not do it otherwise.
GIVEN: dict[Capacity, set[Action]] = {
    Capacity.MEMBER: {Action.SEE_CLASS},
    Capacity.TEACHER: {Action.SEE_CLASS, Action.RUN_CLASS},
}


def test_every_action_is_in_both_tables() -> None:
    assert set(PERMITTED) == set(Action) == set(ALLOWED)


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("action", Action)
def test_the_table(action: Action, name: str) -> None:
    allowed = name in ALLOWED[action]
    assert may(PEOPLE[name], action, OWNER) is allowed
    assert may(PEOPLE[name], action, OWNER.pk) is allowed
    if allowed:
        require(PEOPLE[name], action, OWNER)
    else:
        with pytest.raises(PermissionDenied):
            require(PEOPLE[name], action, OWNER)


@pytest.mark.parametrize("held", GIVEN)
@pytest.mark.parametrize("action", Action)
def test_what_a_class_gives(action: Action, held: Capacity) -> None:
    student, closed = PEOPLE["other student"], PEOPLE["owner whose account is closed"]
    assert may(student, action, OWNER, frozenset({held})) is (
        "other student" in ALLOWED[action] or action in GIVEN[held]
    )
    for nobody in (PEOPLE["anonymous"], closed):
        assert not may(nobody, action, OWNER, frozenset({held}))


def test_without_an_owner_only_those_may_who_may_with_everybodys() -> None:
    assert not may(OWNER, Action.SEE_LOG)
    assert may(PEOPLE["staff"], Action.SEE_LOG)


def test_templates_ask_the_same_table() -> None:
    template = Template("{% load permissions %}{% may 'see_source' owner as allowed %}{{ allowed }}")
    request = RequestFactory().get("/")
    for name, person in PEOPLE.items():
        shown = template.render(Context({"user": person, "owner": OWNER, "request": request}))
        assert shown == str(name in ALLOWED[Action.SEE_SOURCE])
    assert template.render(Context({"owner": OWNER})) == "False"
