"""The deadline: pin each entry's submission, or record why there is none.

Rules: an upload counts if it is made by the deadline. The bot's active submission is pinned; if it was uploaded after
the deadline, the newest earlier submission that passed its check is pinned instead. A pending or running check delays
the freeze by at most ``MAX_DELAY``, so that nobody loses a place because of a long queue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import entries_event, status_event
from arena.tournaments.models import (
    Activity,
    ActivityKind,
    Entry,
    EntryReason,
    EntryStatus,
    Tournament,
    TournamentStatus,
)
from arena.tournaments.rounds.reconciliation import reconcile

MAX_DELAY = timedelta(minutes=10)
_UNDER_WAY = (SubmissionStatus.WAITING, SubmissionStatus.CHECKING)


def freeze(tournament_id: int, *, now: datetime) -> bool:
    """Freeze a tournament's entries once its deadline has passed.

    Return False if the entries are already frozen or cannot be frozen yet.
    """
    tournament = Tournament.objects.filter(pk=tournament_id, status=TournamentStatus.OPEN, deadline__lte=now).first()
    if tournament is None or tournament.deadline is None:
        return False
    if now < tournament.deadline + MAX_DELAY and checks_under_way(tournament_id, tournament.deadline):
        return False
    with transaction.atomic():
        held = Tournament.objects.select_for_update().filter(pk=tournament_id, deadline=tournament.deadline).first()
        version = lifecycle.change_status(tournament_id, TournamentStatus.FROZEN) if held is not None else None
        if version is None:
            return False  # another process froze it, or the deadline was extended at the last moment
        _pin_submissions(tournament)
        log_activity(tournament_id, ActivityKind.FROZEN)
        publish_event(tournament_id, version, status_event(tournament_id, TournamentStatus.FROZEN))
        publish_event(tournament_id, lifecycle.raise_version(tournament_id), entries_event(tournament_id))
    reconcile(tournament_id, now=now)
    return True


def checks_under_way(tournament_id: int, deadline: datetime) -> int:
    """Return how many versions of entered bots are still being checked; uploads after the deadline do not count."""
    return Submission.objects.filter(
        bot__entries__tournament_id=tournament_id,
        bot__entries__status=EntryStatus.ENTERED,
        uploaded_at__lte=deadline,
        status__in=_UNDER_WAY,
    ).count()


def _pin_submissions(tournament: Tournament) -> None:
    entries = list(tournament.entries.filter(status=EntryStatus.ENTERED).select_related("bot"))
    in_time: dict[int, list[Submission]] = defaultdict(list)
    submissions = Submission.objects.filter(
        bot__in=[entry.bot_id for entry in entries], uploaded_at__lte=tournament.deadline
    )
    for submission in submissions.only("bot_id", "number", "status").order_by("-number"):
        in_time[submission.bot_id].append(submission)
    for entry in entries:
        entry.submission = choose_submission(entry.bot, in_time[entry.bot_id])
        if entry.submission is None:
            entry.status = EntryStatus.EXCLUDED
            entry.reason = exclusion_reason(entry.bot, in_time[entry.bot_id])
    Entry.objects.bulk_update(entries, ["submission", "status", "reason"])
    Activity.objects.bulk_create(
        Activity(tournament=tournament, kind=ActivityKind.EXCLUDED, entry=entry)
        for entry in entries
        if entry.status == EntryStatus.EXCLUDED
    )


def choose_submission(bot: Bot, in_time: Sequence[Submission]) -> Submission | None:
    """Return the submission that plays; None if the bot has none that can play.

    ``in_time``: submissions uploaded before the deadline, newest first.
    """
    if bot.retired:
        return None
    passed = [submission for submission in in_time if submission.status == SubmissionStatus.PASSED]
    return next((submission for submission in passed if submission.pk == bot.active_id), None) or next(
        iter(passed), None
    )


def exclusion_reason(bot: Bot, in_time: Sequence[Submission]) -> EntryReason:
    """Return why a bot without a pinned submission does not play."""
    if bot.retired:
        return EntryReason.RETIRED
    if not in_time:
        return EntryReason.NO_UPLOAD
    statuses = {submission.status for submission in in_time}
    if statuses & set(_UNDER_WAY):
        return EntryReason.CHECK_UNFINISHED
    if in_time[0].status == SubmissionStatus.VOID:
        return EntryReason.CHECK_VOID
    return EntryReason.CHECK_FAILED
