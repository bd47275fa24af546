"""Rerun matches that an organizer has chosen: void matches or, if the organizer gives a reason, finished ones.

Invariants: nothing is lost. A void match has no record and is rerun under its own number. A finished match keeps its
number, record and result and is replaced by a new match in the same place in the tournament; see
arena.matches.replacements. From the moment of replacement, only the new match counts in the standings. A selection is
rerun completely or not at all. If results decide who advances, a match can no longer be rerun once later rounds have
been paired from its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.core.ranking.pairing.base import TournamentStage
from arena.matches.models import Match, MatchStatus
from arena.matches.replacements import plan_rerun
from arena.matches.services import requeue_void
from arena.platform.refusal import Refused
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import match_event, status_event
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import (
    ActivityKind,
    EntryStatus,
    Format,
    Pairing,
    PairingSeat,
    Tournament,
    TournamentStatus,
)
from arena.tournaments.rounds.draws import start_of
from arena.tournaments.rounds.reconciliation import reconcile
from arena.tournaments.standings.store import refresh
from arena.ui.localized import localized_name

_S = TournamentStatus
MAX_RERUNS_AT_ONCE: Final = 200
_NOT_PLAYED: Final = {"rank": None, "points": None, "margin": None, "forfeit": False}


def rerun(tournament_id: int, match_ids: Sequence[int], reason: str, *, actor: User, now: datetime) -> int:
    """Rerun these matches; return how many there are.

    Raises Refused, naming the first match that cannot be rerun. A finished tournament is reopened until the reruns
    are over.
    """
    wanted = list(dict.fromkeys(match_ids))
    if not wanted:
        raise Refused(_("Choose the matches to rerun."), code="no_matches")
    if len(wanted) > MAX_RERUNS_AT_ONCE:
        raise Refused(
            _("At most %(n)s matches can be rerun at once. Choose fewer.") % {"n": MAX_RERUNS_AT_ONCE},
            code="too_many_matches",
        )
    with transaction.atomic():
        version = lifecycle.raise_version_if_status(tournament_id, lifecycle.STARTED, changes_standing=True)
        if version is None:
            raise Refused(
                _(
                    "Matches can be rerun only in a tournament that has started and has not been cancelled. "
                    "Reload the page to see its status."
                ),
                code="wrong_status",
            )
        tournament = Tournament.objects.get(pk=tournament_id)
        publish_event(tournament_id, version, status_event(tournament_id, tournament.status))
        rows = Pairing.objects.filter(tournament=tournament, match__in=wanted)
        pairings = {pairing.match_id: pairing for pairing in rows.select_related("match", "round")}
        for match_id in wanted:
            if match_id not in pairings:
                raise Refused(
                    _("One of the matches does not count in this tournament. Reload the page."), code="not_counted"
                )
            _rerun(tournament, pairings[match_id], reason, actor)
        _reopen(tournament)
    reconcile(tournament_id, now=now)
    refresh(tournament_id, now=now)
    return len(wanted)


def _rerun(tournament: Tournament, pairing: Pairing, reason: str, actor: User) -> None:
    match = pairing.match
    if match is None or match.status not in (MatchStatus.VOID, MatchStatus.FINISHED):
        message = _(
            "%(match)s cannot be rerun because it is waiting, running or cancelled. Choose only finished "
            "or void matches."
        )
        raise Refused(message % {"match": _name(pairing)}, code="not_rerunnable")
    _check_entries(pairing)
    if match.status == MatchStatus.VOID:
        _requeue(tournament, match, reason, actor)
    else:
        _replace(tournament, pairing, match, reason, actor)
    Pairing.objects.filter(pk=pairing.pk).update(ended_at=None)


def _name(pairing: Pairing) -> str:
    match_id = pairing.match_id or 0
    return match_names([match_id])[match_id]


def _check_entries(pairing: Pairing) -> None:
    """Raise Refused if a withdrawn entry played in the match; the match's result is kept."""
    left = pairing.seats.filter(entry__status=EntryStatus.WITHDRAWN).select_related("entry__bot").first()
    if left is not None:
        message = _("%(match)s cannot be rerun because %(bot)s was withdrawn. Deselect it.")
        raise Refused(message % {"match": _name(pairing), "bot": localized_name(left.entry.bot)}, code="bot_withdrawn")


def _requeue(tournament: Tournament, match: Match, reason: str, actor: User) -> None:
    if not requeue_void(match.pk):
        raise Refused(_("This match is no longer void. Reload the page to see its status."), code="not_void")
    log_activity(tournament.pk, ActivityKind.RERUN, actor=actor, match_id=match.pk, text=reason)
    publish_event(tournament.pk, lifecycle.raise_version(tournament.pk), match_event(tournament.pk, match.pk))


def _replace(tournament: Tournament, pairing: Pairing, match: Match, reason: str, actor: User) -> None:
    if not reason:
        raise Refused(
            _("Give a reason for rerunning finished matches. Everyone will be able to read it."), code="reason_missing"
        )
    if _has_later_pairings(tournament, pairing):
        message = _("%(match)s determined pairings in later rounds, so it can no longer be rerun. Deselect it.")
        raise Refused(message % {"match": _name(pairing)}, code="round_decided")
    seats = PairingSeat.objects.filter(pairing=pairing).select_related("entry").order_by("index")
    new = plan_rerun(
        match.pk,
        seed=start_of(tournament, pairing.round.number, pairing.encounter, pairing.leg, replaced=match.pk).seed,
        submissions=[seat.entry.submission_id or 0 for seat in seats],
        withheld=tournament.withheld,
    )
    if new is None:
        raise Refused(
            _("%(match)s has already been rerun. Reload the page.") % {"match": _name(pairing)},
            code="already_replaced",
        )
    Pairing.objects.filter(pk=pairing.pk).update(match_id=new)
    PairingSeat.objects.filter(pairing=pairing).update(**_NOT_PLAYED)
    details = {"replaced": match.pk}
    log_activity(tournament.pk, ActivityKind.REPLACED, actor=actor, match_id=new, text=reason, details=details)
    publish_event(tournament.pk, lifecycle.raise_version(tournament.pk), match_event(tournament.pk, new))


def _has_later_pairings(tournament: Tournament, pairing: Pairing) -> bool:
    """Return whether later rounds have been paired from the result of this match."""
    if not traits_of(tournament).advances:
        return False
    later = tournament.rounds.filter(number__gt=pairing.round.number)
    if tournament.format == Format.GROUPS and pairing.round.stage == TournamentStage.GROUPS:
        later = later.exclude(stage=TournamentStage.GROUPS)  # group rounds do not depend on one another
    return later.exists()


def _reopen(tournament: Tournament) -> None:
    """Reopen a finished tournament until the reruns are over; its format then decides whether more matches follow."""
    if traits_of(tournament).advances:
        Tournament.objects.filter(pk=tournament.pk).update(paired_at=None)
    reopened = lifecycle.change_status(
        tournament.pk, _S.RUNNING, only_from=_S.FINISHED, finished_at=None, end_reason=""
    )
    if reopened is not None:
        publish_event(tournament.pk, reopened, status_event(tournament.pk, _S.RUNNING))
