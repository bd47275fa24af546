"""The permission table: who may do what. The games' apps register their rows when they are loaded.

Invariant: no other module compares accounts, roles or flags to decide permissions. People and programs without an
account are not in the table: they prove what belongs to them by a secret id.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest

from arena.accounts.models import Role, User


class Action(StrEnum):
    """A restricted action. Actions that are registered neither here nor by a game's app are public."""

    CREATE_BOT = "create_bot"  # the first upload of a new bot
    CHANGE_BOT = "change_bot"  # upload, activate a submission, rename, retire, rerun the check
    SEE_SOURCE = "see_source"  # the files of a submission; the files of house bots are public
    SEE_LOG = "see_log"  # a bot's output, check and faults
    REQUEST_MATCH = "request_match"  # request a scrimmage
    SEE_RUN = "see_run"  # see and stop a draft's run in the studio: only the person who started it
    PLAY_STUDENTS = "play_students"  # play against a student's bot; house bots are public
    PLAY_DUEL = "play_duel"  # move, resign, ask for a hint: only the player
    CREATE_TOURNAMENT = "create_tournament"
    ENTER_UNINVITED = "enter_uninvited"  # enter without an invitation or membership: OWNER is the organizer
    RUN_TOURNAMENT = "run_tournament"  # the owner's operations page, with withheld results
    EXPORT_TOURNAMENT = "export_tournament"  # export its tables at any time, and its archive; public once released
    WITHDRAW_ENTRY = "withdraw_entry"  # OWNER is the bot's owner; whoever may run the tournament may also withdraw
    CREATE_CLASS = "create_class"
    SEE_CLASS = "see_class"  # see its members, and content for members only
    RUN_CLASS = "run_class"  # name, join link, members, limits
    APPOINT_TEACHER = "appoint_teacher"  # appoint teachers of a class in addition to its owner
    SEE_FAILURES = "see_failures"  # why the arena could not play a match: for its requester or organizer
    TEST_VERSIONS = "test_versions"  # test two versions of a bot
    SEE_VERSION_TEST = "see_version_test"  # see the progress of such a test, and cancel it
    RUN_LADDER = "run_ladder"  # pause and resume the ladder
    SEE_WORKERS = "see_workers"  # see workers and queues, without details of their hosts
    DRAIN_WORKER = "drain_worker"  # drain a worker
    SEE_OPERATIONS = "see_operations"  # see the arena's failures, and the hosts and sandboxes of workers


class Capacity(StrEnum):
    """A person's role with respect to an object; a person may have several."""

    SIGNED_IN = "signed_in"
    OWNER = "owner"  # of the bot, tournament, class or other object in question
    MEMBER = "member"  # of the class in question
    TEACHER = "teacher"  # of the class in question
    ORGANIZER = "organizer"
    STAFF = "staff"


Rules = Mapping[str, frozenset[Capacity]]  # for each action, the capacities that permit it

SIGNED_IN, OWNER = frozenset({Capacity.SIGNED_IN}), frozenset({Capacity.OWNER})
ORGANIZER, STAFF = frozenset({Capacity.ORGANIZER}), frozenset({Capacity.STAFF})
MEMBER, TEACHER = frozenset({Capacity.MEMBER}), frozenset({Capacity.TEACHER})

# An organizer runs tournaments, but does not read other people's sources.
_rules: dict[str, frozenset[Capacity]] = {
    Action.CREATE_BOT: SIGNED_IN,
    Action.CHANGE_BOT: OWNER | STAFF,
    Action.SEE_SOURCE: OWNER | STAFF,
    Action.SEE_LOG: OWNER | STAFF,
    Action.REQUEST_MATCH: SIGNED_IN,
    Action.SEE_RUN: OWNER,
    Action.PLAY_STUDENTS: SIGNED_IN,
    Action.PLAY_DUEL: OWNER,
    Action.CREATE_TOURNAMENT: ORGANIZER | STAFF,
    Action.RUN_TOURNAMENT: OWNER | STAFF,
    Action.EXPORT_TOURNAMENT: OWNER | STAFF,
    Action.ENTER_UNINVITED: OWNER,
    Action.WITHDRAW_ENTRY: OWNER | STAFF,
    Action.CREATE_CLASS: ORGANIZER | STAFF,
    Action.SEE_CLASS: MEMBER | TEACHER | OWNER | STAFF,
    Action.RUN_CLASS: TEACHER | OWNER | STAFF,
    Action.APPOINT_TEACHER: OWNER | STAFF,
    Action.SEE_FAILURES: OWNER | STAFF,
    Action.TEST_VERSIONS: OWNER,
    Action.SEE_VERSION_TEST: OWNER | STAFF,
    Action.RUN_LADDER: STAFF,
    Action.SEE_WORKERS: ORGANIZER | STAFF,
    Action.DRAIN_WORKER: STAFF,
    Action.SEE_OPERATIONS: STAFF,
}
PERMITTED: Final[Rules] = MappingProxyType(_rules)
_NONE: frozenset[Capacity] = frozenset()

Person = User | AnonymousUser


def register(rules: Rules) -> None:
    """Add an app's actions to the permission table. Raises RuntimeError if an action's name is taken.

    Call this in ``AppConfig.ready``.
    """
    taken = sorted(rules.keys() & _rules.keys())
    if taken:
        raise RuntimeError(f"Actions that are already registered: {', '.join(taken)}. Choose other names.")
    _rules.update(rules)


def capacities(user: Person, owner: User | int | None = None, held: frozenset[Capacity] = _NONE) -> frozenset[Capacity]:
    """Return the user's roles with respect to an object owned by ``owner`` (an account or its id).

    ``held``: roles that depend on the object's own data, such as membership in a class.
    """
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    found = {Capacity.SIGNED_IN, *held}
    if owner is not None and user.pk == (owner.pk if isinstance(owner, User) else owner):
        found.add(Capacity.OWNER)
    if user.role == Role.ORGANIZER:
        found.add(Capacity.ORGANIZER)
    if user.is_staff:
        found.add(Capacity.STAFF)
    return frozenset(found)


def may(user: Person, action: str, owner: User | int | None = None, held: frozenset[Capacity] = _NONE) -> bool:
    """Return whether ``user`` may perform ``action`` on an object owned by ``owner`` (None: whoever owns it)."""
    return not PERMITTED[action].isdisjoint(capacities(user, owner, held))


def require(user: Person, action: str, owner: User | int | None = None, held: frozenset[Capacity] = _NONE) -> None:
    """Raise PermissionDenied unless ``may`` returns true for the same arguments."""
    if not may(user, action, owner, held):
        raise PermissionDenied(action)


def owner_filter(user: Person, action: str, path: str) -> Q:
    """Return a filter for the rows on which ``user`` may perform ``action``; empty if these are all rows.

    ``path``: the field with the id of a row's owner. Roles that depend on a row's own data do not count.
    """
    if may(user, action):
        return Q()
    return Q(**{path: user.pk}) if may(user, action, user.pk) else Q(pk__in=())


class SignedInRequest(HttpRequest):
    """A request with a signed-in user; for type annotations only."""

    user: User
