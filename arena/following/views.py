"""The page that lists a person's follows, and the views for following and unfollowing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import SignedInRequest
from arena.following import queries, services
from arena.following.subjects import Subject
from arena.platform.refusal import NotFound, Refused, show_refusal

UPDATES = 20


@require_safe
@login_required
def follow_list(request: SignedInRequest) -> HttpResponse:
    context = {
        "follows": queries.followed_subjects(request.user),
        "updates": queries.recent_updates(request.user, UPDATES),
    }
    return render(request, "following/following.html", context)


@require_POST
@login_required
def follow(request: SignedInRequest, kind: str, subject_id: int) -> HttpResponse:
    if kind not in list(Subject):
        raise Http404
    try:
        services.follow(request.user, Subject(kind), subject_id)
    except NotFound as missing:
        raise Http404 from missing
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, _("Now following. Updates will appear in your notifications."))
    return _redirect_back(request)


@require_POST
@login_required
def unfollow(request: SignedInRequest, follow_id: int) -> HttpResponse:
    if not services.unfollow(request.user, follow_id):
        raise Http404
    messages.success(request, _("No longer following."))
    return _redirect_back(request)


def _redirect_back(request: SignedInRequest) -> HttpResponse:
    """Redirect to the page that contained the button, or to the list of follows if that page is not on this site."""
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return redirect(wanted if safe and wanted.startswith("/") else "following")
