"""Callbacks for tournament matches: started, finished, void; see arena.matches.callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.matches.callbacks import MatchCallbacks, MatchContext, StoredResult
from arena.matches.models import Match
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import match_event
from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import ActivityKind, Pairing
from arena.tournaments.rounds.reconciliation import reconcile
from arena.tournaments.standings import scoring
from arena.tournaments.standings.store import refresh_if_due
from arena.ui.localized import localized_text


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
    """Return each match's context, such as "Spring cup · Round 3".

    A replaced match has the context of its replacement. In a score attack, a context says "Random seed 3" instead of
    "Round 3".
    """
    columns = ("tournament_id", "tournament__name", "tournament__texts", "tournament__format", "round__number")
    rows = Pairing.objects.filter(match_id__in=match_ids).values_list("match_id", *columns)
    replaced = Match.objects.filter(pk__in=match_ids, replaced_by__isnull=False)
    places = [*rows, *replaced.values_list("pk", *(f"replaced_by__pairing__{column}" for column in columns))]
    return {
        match_id: MatchContext(
            (
                _("%(tournament)s · Random seed %(round)s")
                if TRAITS[format_].scored
                else _("%(tournament)s · Round %(round)s")
            )
            % {"tournament": localized_text(texts, "name") or name, "round": number},
            reverse("tournament", args=[tournament_id]),
        )
        for match_id, tournament_id, name, texts, format_, number in places
    }


CALLBACKS = MatchCallbacks(started=publish_start, finished=score_match, void=void, contexts=contexts)


def _continue_or_log(tournament_id: int) -> None:
    transaction.on_commit(partial(_continue_tournament, tournament_id), robust=True)


def _continue_tournament(tournament_id: int) -> None:
    """Release the next matches first, then update the standings if they are due."""
    reconcile(tournament_id, now=timezone.now())
    refresh_if_due(tournament_id, now=timezone.now())
