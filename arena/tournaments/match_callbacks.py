"""Callbacks for tournament matches: started, finished, void; see arena.matches.callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from arena.matches.callbacks import MatchCallbacks, MatchContext, StoredResult
from arena.matches.models import Match
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import match_event
from arena.tournaments.formats.encounter_names import encounter_names
from arena.tournaments.models import ActivityKind, Pairing
from arena.tournaments.rounds.reconciliation import reconcile
from arena.tournaments.standings import scoring
from arena.tournaments.standings.store import refresh_if_due
from arena.ui.localized import localized_name


def publish_start(match_id: int) -> None:
    tournament_id = Pairing.objects.values_list("tournament_id", flat=True).get(match_id=match_id)
    publish_event(tournament_id, lifecycle.raise_version(tournament_id), match_event(tournament_id, match_id))


def score_match(result: StoredResult) -> None:
    """Score a result in the transaction that stores it; continue the tournament after the commit."""
    _continue_or_log(scoring.score(result))


def void(match_id: int) -> None:
    """Notify the organizer that a match is void; it remains unscored and can be rerun with a click."""
    pairing = Pairing.objects.get(match_id=match_id)
    tournament_id = pairing.tournament_id
    version = lifecycle.raise_version(tournament_id, changes_standing=True)
    Pairing.objects.filter(pk=pairing.pk).update(ended_at=timezone.now())
    publish_event(tournament_id, version, match_event(tournament_id, match_id))
    log_activity(tournament_id, ActivityKind.MATCH_VOID, match_id=match_id)
    _continue_or_log(tournament_id)


def contexts(match_ids: Sequence[int]) -> Mapping[int, MatchContext]:
    """Return each match's context, such as "Spring cup · Semifinal, encounter 2".

    A replaced match has the context of its replacement. Runs at most four queries.
    """
    replaced = dict(
        Match.objects.filter(pk__in=match_ids, replaced_by__isnull=False).values_list("pk", "replaced_by_id")
    )
    counted = {*match_ids, *replaced.values()}
    pairings = Pairing.objects.filter(match_id__in=counted).select_related("round", "tournament")
    by_match = {pairing.match_id: pairing for pairing in pairings}
    names = encounter_names(pairing.tournament for pairing in by_match.values())
    found = {}
    for match_id in match_ids:
        pairing = by_match.get(replaced.get(match_id, match_id))
        if pairing is not None:
            found[match_id] = MatchContext(
                localized_name(pairing.tournament),
                reverse("tournament", args=[pairing.tournament_id]),
                names[pairing.tournament_id].match(pairing, pairing.round.number),
            )
    return found


CALLBACKS = MatchCallbacks(started=publish_start, finished=score_match, void=void, contexts=contexts)


def _continue_or_log(tournament_id: int) -> None:
    transaction.on_commit(partial(_continue_tournament, tournament_id), robust=True)


def _continue_tournament(tournament_id: int) -> None:
    """Release the next matches first, then update the standings if they are due."""
    reconcile(tournament_id, now=timezone.now())
    refresh_if_due(tournament_id, now=timezone.now())
