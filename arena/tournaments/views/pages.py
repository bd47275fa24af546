"""Pages about tournaments: the list, the form, the tournament with its standings, and its matches."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.accounts.panels import tournament_actions, tournament_head
from arena.accounts.permissions import Action, may
from arena.matches.queries import cards_of as match_cards
from arena.platform.page_addresses import row_id
from arena.tournaments.access import visible_tournament
from arena.tournaments.entries.eligibility import entry_refusal
from arena.tournaments.events.snapshot_cache import snapshot_text
from arena.tournaments.events.snapshots import full_snapshot, score_table, snapshot
from arena.tournaments.formats.rule_texts import rules_of
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.forms.entry import EnterForm, HouseBotsForm, InviteForm
from arena.tournaments.forms.filters import TournamentFilterForm, TournamentMatchFilterForm
from arena.tournaments.queries import activity, entries, rounds, stages, tournaments
from arena.tournaments.queries.brackets import rounds_of
from arena.tournaments.queries.drawn_bracket import TournamentBracket, bracket_of
from arena.tournaments.queries.phases import phase_of
from arena.tournaments.queries.retention_plan import retention_plan
from arena.tournaments.queries.seed_scores import seed_table
from arena.tournaments.queries.series import editions_of
from arena.tournaments.visibility import may_export_tables, may_see, sees_results

PER_PAGE = 18
MATCHES_PER_PAGE = 24
NOTICES = 30
_UNDER_WAY = ("running", "paused")


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    form = TournamentFilterForm(request.GET)
    page = Paginator(tournaments.tournaments(form.chosen_filter(), request.user), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "page": page,
        "cards": tournaments.cards_of(page.object_list),
        "filtered": form.is_set(),
        "may_create": may(request.user, Action.CREATE_TOURNAMENT),
    }
    return render(request, "tournaments/list.html", context)


@require_safe
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    detail = visible_tournament(request, tournament_id)
    sees = sees_results(request.user, tournament_id)
    rows = request.GET.get("standings", "")
    shown = full_snapshot(tournament_id, rows) if sees else snapshot(tournament_id, rows)
    if shown["status"] != detail.card.status:
        # The status changed between the two reads. Nothing on the page may be older than its snapshot, which events
        # update; once the tournament is over, there are no more events.
        detail = visible_tournament(request, tournament_id)
    bracket = bracket_of(tournament_id)
    organizing = _organizer_panel(request, detail, bracket)
    stage = detail.card.status if sees else ""
    context = {
        "detail": detail,
        "card": detail.card,
        "editions": editions_of(bracket.tournament, request.user),
        "summary": summary_of(detail.pairing, detail.limits, detail.card.game),
        "live": stages.live_stage(tournament_id, detail.card.game, shown) if stage in _UNDER_WAY else None,
        "final": stages.final_stage(bracket, shown, now=timezone.now()) if stage == "finished" else None,
        "head_panels": tournament_head.panels_for(tournament_id, request.user),
        "actions": tournament_actions.panels_for(tournament_id, request.user),
        "phase": phase_of(detail, bracket, now=timezone.now()),
        "snapshot": shown,
        "tables": score_table(shown),
        "seed_scores": seed_table(tournament_id, shown) if detail.scored and sees else None,
        "rounds": rounds_of(bracket, row_id(request.GET.get("path", ""))) if sees else None,
        "follows_results": detail.withheld and sees,
        "results_hidden": not sees or (detail.card.status == "cancelled" and not detail.card.finished),
        "rules": rules_of(detail.pairing, detail.limits, detail.card.game),
        "records": retention_plan(detail.record_retention, detail.record_days, detail.card.finished_at),
        "entries": entries.entries(tournament_id, bracket=bracket) if organizing else [],
        "activities": activity.newest_public_lines(bracket, NOTICES, with_matches=sees),
        "substitutions": activity.substitutions(bracket),
        "exports": may_export_tables(request.user, tournament_id),
        "mine": _own_bots_context(request, detail, bracket),
        "organizing": organizing,
    }
    return render(request, "tournaments/tournament.html", context)


def _own_bots_context(
    request: HttpRequest, detail: tournaments.TournamentDetail, bracket: TournamentBracket
) -> dict[str, Any] | None:
    """Return the context for the reader's own bots: their entries, and the form to enter one.

    Return None if the reader is not signed in.
    """
    if not request.user.is_authenticated:
        return None
    bots = entries.own_bots(detail.card.game, request.user.pk, not_in=detail.card.id)
    return {
        "entries": entries.entries(detail.card.id, owner_id=request.user.pk, bracket=bracket),
        "form": EnterForm(bots=bots) if bots else None,
        "refused": entry_refusal(detail.card.id, request.user),
    }


def _organizer_panel(
    request: HttpRequest, detail: tournaments.TournamentDetail, bracket: TournamentBracket
) -> dict[str, Any] | None:
    """Return the context for the organizer's panel; None for everyone else."""
    if not may(request.user, Action.RUN_TOURNAMENT, detail.organizer_id):
        return None
    bots = entries.house_bots(detail.card.game, not_in=detail.card.id)
    return {
        "house_form": HouseBotsForm(bots=bots) if bots else None,
        "invite_form": InviteForm(),
        "invited": entries.invited_people(detail.card.id),
        "void": tournaments.void_matches(bracket),
    }


@require_safe
def tournament_matches(request: HttpRequest, tournament_id: int) -> HttpResponse:
    detail = visible_tournament(request, tournament_id)
    form = TournamentMatchFilterForm(request.GET, entries=entries.choices_of_entries(tournament_id))
    rows = tournaments.matches(tournament_id, form.chosen_filter(), request.user)
    page = Paginator(rows, MATCHES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "detail": detail,
        "card": detail.card,
        "form": form,
        "page": page,
        "cards": match_cards(page.object_list),
        "filtered": form.is_set(),
    }
    return render(request, "tournaments/matches.html", context)


@require_safe
def tournament_rounds(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show one round per page."""
    detail = visible_tournament(request, tournament_id)
    sees = sees_results(request.user, tournament_id)
    page = Paginator(rounds.round_numbers(tournament_id) if sees else [], 1).get_page(request.GET.get("page"))
    round_ = next(iter(rounds.rounds(tournament_id, page.object_list)), None)
    context = {"card": detail.card, "withheld": not sees, "round": round_, "page": page}
    return render(request, "tournaments/round_page.html", context)


@require_safe
@never_cache
def tournament_snapshot(request: HttpRequest, tournament_id: int) -> HttpResponse:
    if not may_see(request.user, tournament_id):
        raise Http404
    sees = sees_results(request.user, tournament_id)
    rows = request.GET.get("standings", "")
    return HttpResponse(snapshot_text(tournament_id, rows, full=sees), content_type="application/json")
