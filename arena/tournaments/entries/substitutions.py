"""Replace the version of an entry's bot.

Rules: the version must have passed its check and belong to the same bot. It plays every match that has not begun;
running and finished matches, and their records, keep the old version. The change is public: the activity log says who
made it, when and why, and the tournament's page lists it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.matches.models import MatchStatus
from arena.matches.replacements import replace_submission
from arena.matches.services import undo_release
from arena.platform.refusal import Refused
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import entries_event
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import ActivityKind, Entry, EntryStatus, Tournament, TournamentStatus
from arena.tournaments.rounds.reconciliation import reconcile
from arena.tournaments.rounds.withdrawals import open_pairings

PINNED: Final = (TournamentStatus.FROZEN, TournamentStatus.RUNNING, TournamentStatus.PAUSED)


def substitute(entry_id: int, submission_id: int, reason: str, *, actor: User, now: datetime) -> Entry:
    """Pin another submission for the matches still to be played. Raises Refused."""
    tournament_id = Entry.objects.values_list("tournament_id", flat=True).get(pk=entry_id)
    with transaction.atomic():
        version = lifecycle.raise_version_if_status(tournament_id, PINNED)
        if version is None:
            raise Refused(
                _(
                    "A version can be replaced only after entries have closed. Until then, its author can "
                    "upload another version."
                ),
                code="entries_open",
            )
        entry = Entry.objects.select_related("bot__owner", "submission").get(pk=entry_id)
        _check_seeds_secret(Tournament.objects.get(pk=tournament_id))
        before, after = entry.submission, _other_version(entry, submission_id)
        if entry.status != EntryStatus.ENTERED or before is None:
            raise Refused(_("This bot is no longer in the tournament. Reload the page."), code="not_playing")
        Entry.objects.filter(pk=entry_id).update(submission=after)
        _replace_in_unstarted_matches(Tournament.objects.get(pk=tournament_id), entry, before, after)
        details = {"before": before.number, "after": after.number}
        log_activity(tournament_id, ActivityKind.SUBSTITUTED, actor=actor, entry=entry, text=reason, details=details)
        publish_event(tournament_id, version, entries_event(tournament_id))
    reconcile(tournament_id, now=now)
    return Entry.objects.select_related("bot", "submission").get(pk=entry_id)


def _check_seeds_secret(tournament: Tournament) -> None:
    """Raise Refused once the random seeds are public, because a new version could be tailored to them.

    In a score attack, the matches of all bots have the same random seeds.
    """
    if traits_of(tournament).scored and tournament.started_at is not None:
        raise Refused(
            _(
                "The random seeds of this score attack have been public since it started, so versions can no "
                "longer be replaced. Enter the new version in another tournament."
            ),
            code="seeds_public",
        )


def _other_version(entry: Entry, submission_id: int) -> Submission:
    found = Submission.objects.filter(pk=submission_id, bot=entry.bot_id, status=SubmissionStatus.PASSED).first()
    if found is None:
        raise Refused(_("Choose a version of this bot that has passed its check."), code="not_passed")
    if found.pk == entry.submission_id:
        raise Refused(_("This version is already playing. Choose another version."), code="already_playing")
    return found


def _replace_in_unstarted_matches(tournament: Tournament, entry: Entry, before: Submission, after: Submission) -> None:
    """Replace the version ``before`` with ``after`` in the entry's matches that have not started.

    Queued matches are held back until ``reconcile`` releases them again.
    """
    theirs = open_pairings(tournament, MatchStatus.PLANNED, MatchStatus.QUEUED).filter(seats__entry=entry)
    match_ids = [pk for pk in theirs.values_list("match_id", flat=True) if pk]
    undo_release(match_ids)
    replace_submission(match_ids, before.pk, after.pk)
