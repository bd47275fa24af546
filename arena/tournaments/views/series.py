"""The organizer's page for recurring tournaments."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.tournaments.queries.series import organizer_of, series_of
from arena.tournaments.services.series import set_active

PER_PAGE = 20


@require_safe
@login_required
def series_list(request: SignedInRequest) -> HttpResponse:
    require(request.user, Action.CREATE_TOURNAMENT)
    sees_all = may(request.user, Action.RUN_TOURNAMENT)
    lines = series_of(None if sees_all else request.user.pk)
    page = Paginator(lines, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/series.html", {"page": page})


@require_POST
@login_required
def series_pause(request: SignedInRequest, series_id: int) -> HttpResponse:
    return _set_active(
        request, series_id, active=False, message=_("Paused. The tournament will not repeat until you resume it.")
    )


@require_POST
@login_required
def series_resume(request: SignedInRequest, series_id: int) -> HttpResponse:
    return _set_active(request, series_id, active=True, message=_("Resumed. The tournament will repeat every week."))


def _set_active(request: HttpRequest, series_id: int, *, active: bool, message: str) -> HttpResponse:
    organizer_id = organizer_of(series_id)
    if organizer_id is None:
        raise Http404
    require(request.user, Action.RUN_TOURNAMENT, organizer_id)
    set_active(series_id, active=active, now=timezone.now())
    messages.success(request, message)
    return redirect("tournament-series")
