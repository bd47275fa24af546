"""The one-page form that creates or edits a tournament."""

from __future__ import annotations

import random
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from arena.accounts.permissions import SignedInRequest
from arena.classes.queries import courses_open_to_organizer
from arena.games.registry import GAMES
from arena.platform.refusal import Refused, show_refusal
from arena.tournaments.access import organized_tournament
from arena.tournaments.forms.tournament import TournamentForm, initial_tournament_values
from arena.tournaments.queries import entries, tournaments
from arena.tournaments.queries.series import series_to_continue
from arena.tournaments.services import creation, series
from arena.ui.error_summary import error_summary


def new_form(
    request: SignedInRequest, game: str, data: QueryDict | None = None, initial: dict[str, Any] | None = None
) -> TournamentForm:
    return TournamentForm(
        data,
        game=game,
        house_bots=entries.house_bots(game),
        courses=courses_open_to_organizer(request.user),
        initial=initial,
    )


def create_from_form(request: SignedInRequest, form: TournamentForm) -> HttpResponse | None:
    """Create the tournament.

    Return None if the form is invalid or the service refuses it; the form then contains the errors.
    """
    if not form.is_valid():
        return None
    create = series.create_weekly if form.cleaned_data["weekly"] else creation.create
    try:
        tournament_id = create(
            request.user,
            form.plan(),
            rng=random.SystemRandom(),
            house_bots=form.cleaned_data["house_bots"],
            invited=form.cleaned_data["invited"],
        )
    except Refused as refusal:
        show_refusal(request, refusal, form)
        return None
    messages.success(request, _("Tournament created. Send its link to the participants."))
    return redirect("tournament", tournament_id)


def one_page_form(request: SignedInRequest, game: str) -> HttpResponse:
    """Show all settings in one form."""
    data = request.POST if request.method == "POST" else None
    form = new_form(request, game, data, initial=course_initial(request.GET.get("class", "")))
    if request.method == "POST" and (response := create_from_form(request, form)):
        return response
    return _form_page(request, form, {"game": game, "games": list(GAMES)})


def _form_page(request: SignedInRequest, form: TournamentForm, context: dict[str, Any]) -> HttpResponse:
    errors = error_summary(form.parts)
    context |= {"form": form, "errors": errors}
    return render(request, "tournaments/form.html", context, status=422 if errors else 200)


@require_http_methods(["GET", "POST"])
@login_required
def tournament_edit(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    series_id = series_to_continue(tournament_id)
    form = TournamentForm(
        request.POST or None,
        game=detail.card.game,
        repeated=series_id is not None,
        courses=_courses_for(request, detail),
        initial=initial_tournament_values(detail),
        editing=True,
    )
    if request.method == "POST" and form.is_valid():
        try:
            if series_id is not None and form.cleaned_data["following"]:
                series.edit_series(series_id, tournament_id, form.plan(), actor=request.user)
            else:
                creation.edit(tournament_id, form.plan(), actor=request.user)
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            messages.success(request, _("Changes saved."))
            return redirect("tournament", tournament_id)
    return _form_page(request, form, {"game": detail.card.game, "detail": detail})


def _courses_for(request: SignedInRequest, detail: tournaments.TournamentDetail) -> list[tuple[int, str]]:
    """Return the classes to choose from, including the tournament's own class.

    If that class were missing, the tournament would silently be detached from it when a former teacher of the class
    saved the form. Because the class is included, the form reports an error instead.
    """
    offered = dict(courses_open_to_organizer(request.user))
    if detail.card.course_id is not None:
        offered.setdefault(detail.card.course_id, detail.card.course)
    return list(offered.items())


def course_initial(text: str) -> dict[str, Any]:
    """Return the form's initial values for a class's tournament, which is open only to the class's members.

    ``text``: the class's id from the URL; empty if the tournament is not for a class.
    """
    return {"course": text, "entry_policy": "members", "members_only": True} if text.isdecimal() else {}
