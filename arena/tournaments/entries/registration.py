"""Enter bots, withdraw them, and invite people.

Invariant: bots enter only while the tournament is open, and people's bots only before the deadline. Every check runs
after the UPDATE that locks the tournament's row, so nobody enters during a freeze, and two simultaneous clicks cannot
exceed a limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db import transaction
from django.db.models.functions import Lower
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from arena.accounts.models import User
from arena.platform.refusal import Refused
from arena.submissions.models import Bot, SubmissionStatus
from arena.tournaments import lifecycle
from arena.tournaments.entries.eligibility import check_may_enter
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import entries_event
from arena.tournaments.formats.traits import MAX_ENTRIES
from arena.tournaments.lifecycle import UNFINISHED
from arena.tournaments.models import (
    ActivityKind,
    Entry,
    EntryReason,
    EntryStatus,
    Invitation,
    Tournament,
    TournamentStatus,
)
from arena.tournaments.rounds.reconciliation import reconcile
from arena.tournaments.standings.store import refresh


def enter(person: User, tournament_id: int, bot_id: int, *, now: datetime) -> Entry:
    """Enter one of the person's own bots. Raises Refused with a message that says what to do next."""
    with transaction.atomic():
        tournament = _lock_open_tournament(tournament_id)
        _check_deadline(tournament, now)
        bot = Bot.objects.filter(pk=bot_id, owner=person, retired=False).select_related("owner", "active").first()
        if bot is None or bot.game != tournament.game:
            raise Refused(_("Choose one of your own bots that plays this game."), code="not_own_bot")
        if Entry.objects.filter(tournament=tournament, bot=bot, status=EntryStatus.ENTERED).exists():
            raise Refused(_("This bot has already entered. Reload the page."), code="already_entered")
        check_may_enter(tournament, person)
        _check_quota(tournament, person)
        check_has_room_for(tournament, 1)
        (entry,) = _create_entries(tournament, [bot])
        log_activity(tournament_id, ActivityKind.ENTERED, actor=person, entry=entry)
        publish_event(tournament_id, tournament.version, entries_event(tournament_id))
    return entry


def add_house_bots(tournament_id: int, bot_ids: Sequence[int], *, actor: User) -> list[Entry]:
    """Enter house bots for the organizer. Raises Refused, for example once the entries are frozen."""
    with transaction.atomic():
        tournament = _lock_open_tournament(tournament_id)
        bots = list(Bot.objects.filter(pk__in=bot_ids, is_house=True, retired=False, game=tournament.game))
        if not bots or len(bots) != len(set(bot_ids)):
            raise Refused(_("Choose house bots that play this game."), code="not_house_bots")
        check_has_room_for(tournament, len(bots))
        entries = _create_entries(tournament, bots)
        for entry in entries:
            log_activity(tournament_id, ActivityKind.ENTERED, actor=actor, entry=entry)
        publish_event(tournament_id, tournament.version, entries_event(tournament_id))
    return entries


def _lock_open_tournament(tournament_id: int) -> Tournament:
    """Lock the open tournament's row until the commit, increment its version, and return the tournament."""
    if lifecycle.raise_version_if_status(tournament_id, (TournamentStatus.OPEN,)) is None:
        raise Refused(_("Entries are closed. Choose another tournament."), code="entries_closed")
    return Tournament.objects.get(pk=tournament_id)


def _check_deadline(tournament: Tournament, now: datetime) -> None:
    if tournament.deadline is not None and now >= tournament.deadline:
        at = date_format(localtime(tournament.deadline), "DATETIME_FORMAT")
        text = _("Entries closed at the deadline, %(at)s. Choose another tournament.")
        raise Refused(text % {"at": at}, code="deadline_passed")


def _check_quota(tournament: Tournament, person: User) -> None:
    most = tournament.entries_per_person
    mine = Entry.objects.filter(tournament=tournament, bot__owner=person, status=EntryStatus.ENTERED).count()
    if mine >= most:
        message = ngettext(
            "You can enter only %(n)s bot. To enter another, withdraw your current entry first.",
            "You can enter only %(n)s bots. To enter another, withdraw one of your entries first.",
            most,
        )
        raise Refused(message % {"n": most}, code="too_many_own_entries")


def check_has_room_for(tournament: Tournament, coming: int = 0) -> None:
    """Raise Refused if the tournament has no room for ``coming`` more bots."""
    entered = Entry.objects.filter(tournament=tournament, status=EntryStatus.ENTERED).count()
    if entered + coming > MAX_ENTRIES:
        raise Refused(
            _("The tournament is full: %(n)s bots have entered. Choose another tournament, or contact the organizer.")
            % {"n": MAX_ENTRIES},
            code="tournament_full",
        )


def _create_entries(tournament: Tournament, bots: Sequence[Bot]) -> list[Entry]:
    """Create entries for these bots; reactivate entries that were withdrawn before the deadline."""
    known = {entry.bot_id: entry for entry in Entry.objects.filter(tournament=tournament, bot__in=bots)}
    if any(entry.status == EntryStatus.ENTERED for entry in known.values()):
        raise Refused(_("This bot has already entered. Reload the page."), code="already_entered")
    Entry.objects.filter(pk__in=[entry.pk for entry in known.values()]).update(status=EntryStatus.ENTERED, reason="")
    Entry.objects.bulk_create(Entry(tournament=tournament, bot=bot) for bot in bots if bot.pk not in known)
    return list(Entry.objects.filter(tournament=tournament, bot__in=bots).select_related("bot__owner"))


class UnreadyReason(StrEnum):
    """The reason why an entered bot cannot play yet."""

    NO_VERSION = "no_version"
    BEING_CHECKED = "being_checked"
    CHECK_FAILED = "check_failed"


# What the author must do before entries close.
UNREADY_TEXTS: Final[Mapping[UnreadyReason, Promise]] = {
    UnreadyReason.NO_VERSION: gettext_lazy(
        "This bot has no version yet. Upload one before entries close, or the bot will not be able to play."
    ),
    UnreadyReason.BEING_CHECKED: gettext_lazy(
        "The bot's upload is still being checked. The bot will play if the check passes."
    ),
    UnreadyReason.CHECK_FAILED: gettext_lazy(
        "The bot's last upload did not pass the check. Upload a version that passes before entries close, or "
        "the bot will not be able to play."
    ),
}


def readiness(bot: Bot) -> UnreadyReason | None:
    """Return why the bot cannot play yet; None if it is ready."""
    if bot.active_id is not None:
        return None
    newest = bot.submissions.order_by("-number").values_list("status", flat=True).first()
    if newest is None:
        return UnreadyReason.NO_VERSION
    if newest in (SubmissionStatus.WAITING, SubmissionStatus.CHECKING):
        return UnreadyReason.BEING_CHECKED
    return UnreadyReason.CHECK_FAILED


def withdraw(entry_id: int, *, actor: User, now: datetime) -> Entry:
    """Withdraw an entry, before or during the tournament. Raises Refused.

    In a running tournament, the entry's unplayed matches are cancelled; arena.core.ranking.standings defines how they
    count.
    """
    with transaction.atomic():
        entry = Entry.objects.select_related("bot__owner", "tournament").get(pk=entry_id)
        tournament_id = entry.tournament_id
        version = lifecycle.raise_version_if_status(tournament_id, UNFINISHED, changes_standing=True)
        if version is None:
            raise Refused(_("The tournament is over, so its result is final. Reload the page."), code="tournament_over")
        by_author = entry.bot.owner_id == actor.pk
        entry.status = EntryStatus.WITHDRAWN
        entry.reason = EntryReason.BY_AUTHOR if by_author else EntryReason.BY_ORGANIZER
        changed = Entry.objects.filter(pk=entry_id, status=EntryStatus.ENTERED).update(
            status=entry.status, reason=entry.reason
        )
        if not changed:
            raise Refused(_("This bot is no longer in the tournament. Reload the page."), code="not_playing")
        log_activity(tournament_id, ActivityKind.WITHDRAWN, actor=actor, entry=entry)
        publish_event(tournament_id, version, entries_event(tournament_id))
    reconcile(tournament_id, now=now)
    refresh(tournament_id, now=now)
    return entry


def find_people(usernames: Sequence[str]) -> list[User]:
    """Return the active accounts with these names, ignoring case. Raises Refused with the unknown names."""
    wanted = {name.lower(): name for name in usernames}
    people = User.objects.annotate(key=Lower("username")).filter(key__in=wanted, is_active=True)
    found = {user.username.lower(): user for user in people}
    unknown = [name for key, name in wanted.items() if key not in found]
    if unknown:
        message = ngettext(
            "There is no user called %(names)s, so nobody was invited. Check the spelling.",
            "There are no users called %(names)s, so nobody was invited. Check the spelling.",
            len(unknown),
        )
        raise Refused(message % {"names": pgettext("between names", ", ").join(unknown)}, code="unknown_names")
    return list(found.values())


def invite(tournament_id: int, usernames: Sequence[str], *, actor: User) -> int:
    """Invite people by name; return how many were newly invited.

    Raises Refused with the names of unknown people.
    """
    people = find_people(usernames)
    with transaction.atomic():
        known = set(Invitation.objects.filter(tournament_id=tournament_id).values_list("person_id", flat=True))
        new = [user for user in people if user.pk not in known]
        rows = [Invitation(tournament_id=tournament_id, person=user) for user in new]
        Invitation.objects.bulk_create(rows, ignore_conflicts=True)
        if new:
            names = sorted(user.username for user in new)
            log_activity(tournament_id, ActivityKind.INVITED, actor=actor, details={"people": names})
    return len(new)
