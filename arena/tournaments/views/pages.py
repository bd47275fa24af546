"""Pages about tournaments: the list, the form, the tournament with its standings, and its matches."""

from __future__ import annotations

import random
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from arena.accounts.panels import tournament_actions, tournament_head
from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.classes.queries import taught_by
from arena.games.registry import GAMES
from arena.matches.queries import cards_of as match_cards
from arena.platform.refusal import Refused, show
from arena.tournaments.entries.admission import why_not_admitted
from arena.tournaments.events.snapshot_cache import snapshot_text
from arena.tournaments.events.snapshots import full_snapshot, score_table, snapshot
from arena.tournaments.formats.rule_texts import rules_of
from arena.tournaments.forms.entry import EnterForm, HouseBotsForm, InviteForm
from arena.tournaments.forms.filters import TournamentFilterForm, TournamentMatchFilterForm
from arena.tournaments.forms.tournament import TournamentForm, initial_of
from arena.tournaments.queries import activity, entries, rounds, tournaments
from arena.tournaments.queries.brackets import course_of
from arena.tournaments.queries.deals import deal_table
from arena.tournaments.queries.phases import phase_of
from arena.tournaments.queries.series import led_by
from arena.tournaments.services import creating
from arena.tournaments.services.series import adopt, repeat_weekly
from arena.tournaments.views.access import organized_tournament, visible_tournament
from arena.tournaments.visibility import may_export_tables, may_see, sees_results

PER_PAGE = 18
MATCHES_PER_PAGE = 24
NOTICES = 30


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    form = TournamentFilterForm(request.GET)
    page = Paginator(tournaments.tournaments(form.chosen(), request.user), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "cards": tournaments.cards_of(page.object_list),
        "filtered": form.narrows(),
        "may_create": may(request.user, Action.CREATE_TOURNAMENT),
    }
    return render(request, "tournaments/list.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def tournament_new(request: SignedInRequest) -> HttpResponse:
    require(request.user, Action.CREATE_TOURNAMENT)
    game = request.GET.get("game") or next(iter(GAMES))
    if game not in GAMES:
        raise Http404
    form = TournamentForm(
        request.POST or None,
        game=game,
        house_bots=entries.house_bots(game),
        courses=taught_by(request.user),
        initial=_for_course(request.GET.get("class", "")),
    )
    if request.method == "POST" and form.is_valid():
        try:
            tournament_id = creating.create(
                request.user,
                form.plan(),
                rng=random.SystemRandom(),
                house_bots=form.cleaned_data["house_bots"],
                invited=form.cleaned_data["invited"],
            )
        except Refused as refusal:
            show(request, refusal, form)
        else:
            if form.cleaned_data["weekly"]:
                repeat_weekly(request.user, tournament_id, form.plan(), form.cleaned_data["house_bots"])
            messages.success(request, _("The tournament was created. Send its address to those who shall enter."))
            return redirect("tournament", tournament_id)
    context = {"form": form, "game": game, "games": list(GAMES)}
    return render(request, "tournaments/form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@login_required
def tournament_edit(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    series_id = led_by(tournament_id)
    form = TournamentForm(
        request.POST or None,
        game=detail.card.game,
        repeated=series_id is not None,
        courses=_courses_for(request, detail),
        initial=initial_of(detail),
        editing=True,
    )
    if request.method == "POST" and form.is_valid():
        try:
            creating.edit(tournament_id, form.plan(), actor=request.user)
            if series_id is not None and form.cleaned_data["following"]:
                adopt(series_id, form.plan())
        except Refused as refusal:
            show(request, refusal, form)
        else:
            messages.success(request, _("The changes are saved."))
            return redirect("tournament", tournament_id)
    context = {"form": form, "game": detail.card.game, "detail": detail}
    return render(request, "tournaments/form.html", context, status=422 if form.errors else 200)


@require_safe
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    detail = visible_tournament(request, tournament_id)
    sees = sees_results(request.user, tournament_id)
    organizing = _organizer_panel(request, detail)
    rows = request.GET.get("standings", "")
    shown = full_snapshot(tournament_id, rows) if sees else snapshot(tournament_id, rows)
    context = {
        "detail": detail,
        "card": detail.card,
        "head_panels": tournament_head.of(tournament_id, request.user),
        "actions": tournament_actions.of(tournament_id, request.user),
        "phase": phase_of(detail, now=timezone.now()),
        "snapshot": shown,
        "tables": score_table(shown),
        "deals": deal_table(tournament_id, shown) if detail.scored and sees else None,
        "course": course_of(tournament_id) if sees else None,
        "follows_results": detail.withheld and sees,
        "results_hidden": not sees,
        "rules": rules_of(detail.pairing, detail.card.game),
        "entries": entries.entries(tournament_id) if organizing else [],
        "activities": activity.newest(tournament_id, NOTICES, with_matches=sees),
        "substitutions": activity.substitutions(tournament_id),
        "exports": may_export_tables(request.user, tournament_id),
        "mine": _mine(request, detail),
        "organizing": organizing,
    }
    return render(request, "tournaments/tournament.html", context)


def _mine(request: HttpRequest, detail: tournaments.TournamentDetail) -> dict[str, Any] | None:
    """What a signed-in reader can do with bots of the own."""
    if not request.user.is_authenticated:
        return None
    bots = entries.own_bots(detail.card.game, request.user.pk, not_in=detail.card.id)
    return {
        "entries": entries.entries(detail.card.id, owner_id=request.user.pk),
        "form": EnterForm(bots=bots) if bots else None,
        "refused": why_not_admitted(detail.card.id, request.user.pk),
    }


def _organizer_panel(request: HttpRequest, detail: tournaments.TournamentDetail) -> dict[str, Any] | None:
    """What the organizer's panel shows; None for everybody else."""
    if not may(request.user, Action.RUN_TOURNAMENT, detail.organizer_id):
        return None
    bots = entries.house_bots(detail.card.game, not_in=detail.card.id)
    return {
        "house_form": HouseBotsForm(bots=bots) if bots else None,
        "invite_form": InviteForm(),
        "invited": entries.invited_people(detail.card.id),
        "void": tournaments.void_matches(detail.card.id),
    }


@require_safe
def tournament_matches(request: HttpRequest, tournament_id: int) -> HttpResponse:
    detail = visible_tournament(request, tournament_id)
    form = TournamentMatchFilterForm(request.GET, entries=entries.choices_of_entries(tournament_id))
    rows = tournaments.matches(tournament_id, form.chosen(), request.user)
    page = Paginator(rows, MATCHES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "detail": detail,
        "card": detail.card,
        "form": form,
        "page": page,
        "cards": match_cards(page.object_list),
        "filtered": form.narrows(),
    }
    return render(request, "tournaments/matches.html", context)


@require_safe
def tournament_rounds(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """A round a page."""
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


def _courses_for(request: SignedInRequest, detail: tournaments.TournamentDetail) -> list[tuple[int, str]]:
    """The classes to choose from, that of the tournament among them: who does not teach it any more is told so."""
    offered = dict(taught_by(request.user))
    if detail.card.course_id is not None:
        offered.setdefault(detail.card.course_id, detail.card.course)
    return list(offered.items())


def _for_course(text: str) -> dict[str, Any]:
    """What the form of a new tournament begins with when one comes from a class: a tournament for its members."""
    return {"course": text, "entry_policy": "members", "members_only": True} if text.isdecimal() else {}
