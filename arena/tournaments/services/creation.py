"""Create a tournament, and change its plan while it is open."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.audience import may_teach
from arena.platform.refusal import Refused
from arena.tournaments import lifecycle
from arena.tournaments.entries.eligibility import check_members
from arena.tournaments.entries.registration import add_house_bots, invite
from arena.tournaments.events.publishing import log_activity, publish_event, revoke_readers
from arena.tournaments.events.snapshots import status_event
from arena.tournaments.formats.availability import reason_text, unavailability_reason
from arena.tournaments.models import ActivityKind, EntryPolicy, Standing, Tournament, TournamentStatus


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """An organizer's settings for a tournament.

    ``starts_at`` is not before ``deadline``. If ``starts_at`` is None, the organizer starts the tournament, and
    ``deadline`` may also be None.
    """

    name: str
    game: str
    format: str
    deadline: datetime | None
    starts_at: datetime | None
    settings: dict[str, Any]
    limits: dict[str, Any]
    description: str = ""
    texts: dict[str, Any] = field(default_factory=dict)  # by language, for a demonstration: see Tournament.texts
    repeats: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    matches_per_encounter: int = 1
    openings: str = "start"
    seeding: str = "random"
    tiebreaks: list[str] = field(default_factory=list)
    entry_policy: str = "open"
    entries_per_person: int = 1
    parallel: int = 0
    withheld: bool = False  # whether results are withheld until the organizer releases them
    course_id: int | None = None
    time_zone: str = ""  # time zone in which its times were entered; "": the site's time zone
    members_only: bool = False  # whether it is visible only to members of the class
    record_retention: str = "site"  # what happens to the data of its matches: see RecordRetention
    record_days: int | None = None

    def columns(self) -> dict[str, Any]:
        """Return the values of the tournament's columns that the plan sets, by column."""
        return asdict(self)


def check_schedule(plan: TournamentPlan) -> None:
    """Raise Refused if a start is scheduled and there is no deadline, or the start is before the deadline."""
    if plan.starts_at is None:
        return
    if plan.deadline is None:
        raise Refused(
            _("A scheduled start needs a submission deadline. Set one, or start manually."), code="deadline_missing"
        )
    if plan.starts_at < plan.deadline:
        raise Refused(
            _("The start time is before the submission deadline. Choose a later start or an earlier deadline."),
            code="start_before_deadline",
        )


def check_course(organizer: User, plan: TournamentPlan) -> None:
    """Raise Refused if the organizer may not create tournaments for the class, or if a required class is missing."""
    if plan.course_id is None:
        if plan.members_only or plan.entry_policy == EntryPolicy.MEMBERS:
            raise Refused(_("Choose the class that this tournament is for."), code="course_missing")
    elif not may_teach(organizer, plan.course_id):
        raise Refused(
            _("Only teachers of a class can create tournaments for it. Choose one of your classes."),
            code="not_a_teacher",
        )


def check_format(plan: TournamentPlan) -> None:
    """Raise Refused if the plan's game cannot be played in the plan's format."""
    reason = unavailability_reason(plan.game, plan.format)
    if reason:
        raise Refused(reason_text(plan.game, reason), code=reason)


def create(
    organizer: User,
    plan: TournamentPlan,
    *,
    rng: random.Random,
    house_bots: Sequence[int] = (),
    invited: Sequence[str] = (),
) -> int:
    """Create an open tournament with its first entries and invitations. Raises Refused.

    A tournament that starts immediately gets all its entries here. They are house bots, which can be entered even after
    the deadline.
    """
    check_format(plan)
    check_schedule(plan)
    check_course(organizer, plan)
    with transaction.atomic():
        tournament = Tournament.objects.create(organizer=organizer, seed=rng.getrandbits(62), **asdict(plan))
        Standing.objects.create(tournament=tournament)
        log_activity(tournament.pk, ActivityKind.CREATED, actor=organizer)
        if house_bots:
            add_house_bots(tournament.pk, house_bots, actor=organizer)
        if invited:
            invite(tournament.pk, invited, actor=organizer)
    return tournament.pk


def edit(tournament_id: int, plan: TournamentPlan, *, actor: User) -> None:
    """Change the plan of an open tournament, except the game. Raises Refused."""
    check_format(plan)
    check_schedule(plan)
    check_course(Tournament.objects.select_related("organizer").get(pk=tournament_id).organizer, plan)
    columns = asdict(plan)
    del columns["game"]
    with transaction.atomic():
        version = lifecycle.raise_version_if_status(tournament_id, (TournamentStatus.OPEN,))
        if version is None:
            raise Refused(
                _(
                    "Entries are frozen, so this tournament's format can no longer be changed. Create another "
                    "tournament to use a different format."
                ),
                code="format_final",
            )
        Tournament.objects.filter(pk=tournament_id).update(**columns)
        revoke_readers(tournament_id)
        check_members(Tournament.objects.get(pk=tournament_id))
        log_activity(tournament_id, ActivityKind.CHANGED, actor=actor)
        publish_event(tournament_id, version, status_event(tournament_id, TournamentStatus.OPEN))
