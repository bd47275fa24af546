"""Pages for joining and leaving a class, and for managing its members."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.classes import queries, services
from arena.classes.audience import capacities_in
from arena.classes.forms import CodeForm
from arena.classes.join_codes import format_code, normalize
from arena.classes.views import course_or_404, taught_course_or_404
from arena.platform.refusal import Refused, show_refusal


@require_safe
def enter_code(request: HttpRequest) -> HttpResponse:
    """Show the form for entering a join code; a valid code redirects to its join page."""
    form = CodeForm(request.GET or None)
    if form.is_valid():
        return redirect("class-join", format_code(form.cleaned_data["code"]))
    return render(request, "classes/code.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show the class to which the join link leads, and let the visitor join it.

    People without an account sign up first and then return here.
    """
    found = queries.course_by_code(normalize(code))
    if found is None:
        return render(request, "classes/code.html", {"form": CodeForm(), "refused": True}, status=404)
    here = reverse("class-join", args=[found.shown_code])
    if request.method == "POST" and request.user.is_authenticated:
        return _join(request, found)  # type: ignore[arg-type]
    context = {
        "course": found,
        "card": found.card,
        "here": here,
        "is_in": bool(capacities_in(request.user, found.card.id)),
    }
    return render(request, "classes/join.html", context)


def _join(request: SignedInRequest, found: queries.CourseDetail) -> HttpResponse:
    try:
        course, joined = services.join(request.user, found.code)
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("class-code")
    if joined:
        messages.success(request, _("Welcome to %(name)s.") % {"name": course.name})
    return redirect("class", course.pk)


@require_POST
@login_required
def leave(request: SignedInRequest, course_id: int) -> HttpResponse:
    found = course_or_404(request, course_id)
    try:
        services.leave(request.user, course_id)
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("class", course_id)
    messages.success(request, _("You left %(name)s.") % {"name": found.card.name})
    return redirect("class-list")


@require_POST
@login_required
def remove_member(request: SignedInRequest, course_id: int, person_id: int) -> HttpResponse:
    taught_course_or_404(request, course_id)
    try:
        services.remove_member(course_id, person_id)
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, _("Removed. To keep them from rejoining, change the join code too."))
    return redirect("class", course_id)


@require_POST
@login_required
def set_teacher(request: SignedInRequest, course_id: int, person_id: int, teacher: bool) -> HttpResponse:
    found = taught_course_or_404(request, course_id)
    require(request.user, Action.APPOINT_TEACHER, found.card.owner_id, capacities_in(request.user, course_id))
    try:
        services.set_teacher(course_id, person_id, teacher=teacher)
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, _("Changes saved."))
    return redirect("class", course_id)
