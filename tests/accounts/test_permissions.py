"""Every kind of person has exactly the permissions in these tables; everything else is refused."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.template import Context, Template
from django.test import RequestFactory

from arena.accounts.models import Role, User
from arena.accounts.permissions import (
    PERMITTED,
    SIGNED_IN,
    Action,
    Capacity,
    Person,
    may,
    owner_filter,
    register,
    require,
)
from arena.games.golden_point.analysis.services import ReportAction
from arena.games.golden_point.recordings.queries import RecordingAction
from arena.games.golden_point.rooms.rules import RoomAction
from arena.games.reversi.analysis.services import AnalysisAction

OWNER = User(pk=1, username="owner")
PEOPLE: dict[str, Person] = {
    "anonymous": AnonymousUser(),
    "other student": User(pk=2, username="other"),
    "owner": OWNER,
    "organizer": User(pk=3, username="organizer", role=Role.ORGANIZER),
    "staff": User(pk=4, username="staff", is_staff=True),
    "owner whose account is closed": User(pk=1, username="owner", is_active=False),
}

# Who may perform each action on an object that belongs to OWNER.
ALLOWED: dict[str, set[str]] = {
    Action.CREATE_BOT: {"other student", "owner", "organizer", "staff"},
    Action.CHANGE_BOT: {"owner", "staff"},
    Action.SEE_SOURCE: {"owner", "staff"},
    Action.SEE_LOG: {"owner", "staff"},
    Action.TEST_VERSIONS: {"owner"},
    Action.SEE_VERSION_TEST: {"owner", "staff"},
    Action.SEE_FAILURES: {"owner", "staff"},
    Action.REQUEST_MATCH: {"other student", "owner", "organizer", "staff"},
    Action.SEE_RUN: {"owner"},
    AnalysisAction.REQUEST_ANALYSIS: {"other student", "owner", "organizer", "staff"},
    Action.PLAY_STUDENTS: {"other student", "owner", "organizer", "staff"},
    Action.PLAY_DUEL: {"owner"},
    RecordingAction.UPLOAD_RECORDING: {"other student", "owner", "organizer", "staff"},
    RecordingAction.DELETE_RECORDING: {"owner", "staff"},
    ReportAction.REPEAT_REPORT: {"owner", "staff"},
    Action.CREATE_TOURNAMENT: {"organizer", "staff"},
    Action.RUN_TOURNAMENT: {"owner", "staff"},
    Action.EXPORT_TOURNAMENT: {"owner", "staff"},
    Action.ENTER_UNINVITED: {"owner"},
    Action.WITHDRAW_ENTRY: {"owner", "staff"},
    Action.CREATE_CLASS: {"organizer", "staff"},
    Action.SEE_CLASS: {"owner", "staff"},
    Action.RUN_CLASS: {"owner", "staff"},
    Action.APPOINT_TEACHER: {"owner", "staff"},
    RoomAction.CREATE_ROOM: {"other student", "owner", "organizer", "staff"},
    RoomAction.RUN_ROOM: {"owner", "staff"},
    RoomAction.SEAT_BOT: {"owner", "staff"},
    Action.RUN_LADDER: {"staff"},
    Action.SEE_WORKERS: {"organizer", "staff"},
    Action.DRAIN_WORKER: {"staff"},
    Action.SEE_OPERATIONS: {"staff"},
}
# Additional actions that a class allows its members and teachers.
GIVEN: dict[Capacity, set[str]] = {
    Capacity.MEMBER: {Action.SEE_CLASS},
    Capacity.TEACHER: {Action.SEE_CLASS, Action.RUN_CLASS},
}


def test_every_action_is_in_both_tables() -> None:
    assert set(PERMITTED) == set(ALLOWED)
    assert set(Action) < set(PERMITTED)


def test_apps_cannot_redefine_an_action() -> None:
    with pytest.raises(RuntimeError, match="see_source"):
        register({"watch": SIGNED_IN, "see_source": SIGNED_IN})
    assert set(PERMITTED) == set(ALLOWED)


def test_unknown_action_raises_an_error() -> None:
    with pytest.raises(KeyError):
        may(PEOPLE["staff"], "fly")


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("action", ALLOWED)
def test_permissions_match_the_table(action: str, name: str) -> None:
    allowed = name in ALLOWED[action]
    assert may(PEOPLE[name], action, OWNER) is allowed
    assert may(PEOPLE[name], action, OWNER.pk) is allowed
    if allowed:
        require(PEOPLE[name], action, OWNER)
    else:
        with pytest.raises(PermissionDenied):
            require(PEOPLE[name], action, OWNER)


@pytest.mark.parametrize("held", GIVEN)
@pytest.mark.parametrize("action", ALLOWED)
def test_class_roles_grant_permissions(action: str, held: Capacity) -> None:
    student, closed = PEOPLE["other student"], PEOPLE["owner whose account is closed"]
    assert may(student, action, OWNER, frozenset({held})) is (
        "other student" in ALLOWED[action] or action in GIVEN[held]
    )
    for nobody in (PEOPLE["anonymous"], closed):
        assert not may(nobody, action, OWNER, frozenset({held}))


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("action", ALLOWED)
def test_filter_selects_the_rows_that_the_table_permits(action: str, name: str) -> None:
    person, nobody = PEOPLE[name], User(pk=99, username="nobody")
    found = owner_filter(person, action, "owner_id")
    if may(person, action, nobody):
        assert found == Q()
    elif may(person, action, person.pk):
        assert found == Q(owner_id=person.pk)
    else:
        assert found == Q(pk__in=())


def test_objects_without_an_owner_are_open_to_staff_only() -> None:
    assert not may(OWNER, Action.SEE_LOG)
    assert may(PEOPLE["staff"], Action.SEE_LOG)


def test_templates_use_the_same_permissions() -> None:
    template = Template("{% load permissions %}{% may 'see_source' owner as allowed %}{{ allowed }}")
    request = RequestFactory().get("/")
    for name, person in PEOPLE.items():
        shown = template.render(Context({"user": person, "owner": OWNER, "request": request}))
        assert shown == str(name in ALLOWED[Action.SEE_SOURCE])
    assert template.render(Context({"owner": OWNER})) == "False"
