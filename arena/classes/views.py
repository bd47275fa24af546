"""Pages for listing, showing, creating and changing classes."""

from __future__ import annotations

import random

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.classes import queries, services
from arena.classes.audience import capacities_in
from arena.classes.forms import CodeForm, CourseFilterForm, CourseForm, MemberFilterForm, initial_of
from arena.classes.queries import course_panels
from arena.classes.quotas import site_limits
from arena.ui.qr import qr_svg
from arena.ui.reachability import unreachable_warning

CLASSES_PER_PAGE = 24
MEMBERS_PER_PAGE = 30


@require_safe
@login_required
def course_list(request: SignedInRequest) -> HttpResponse:
    form = CourseFilterForm(request.GET)
    rows = queries.courses(form.chosen_filter(), request.user)
    page = Paginator(rows, CLASSES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "filtered": form.is_set(),
        "page": page,
        "cards": queries.cards_of(page.object_list),
        "code_form": CodeForm(),
        "may_create": may(request.user, Action.CREATE_CLASS),
    }
    return render(request, "classes/list.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def course_new(request: SignedInRequest) -> HttpResponse:
    require(request.user, Action.CREATE_CLASS)
    form = CourseForm(request.POST or None)
    if form.is_valid():
        made = services.create(request.user, form.plan(), rng=random.SystemRandom())
        messages.success(request, _("Class created. Show its code or send its link to your students."))
        return redirect("class", made.pk)
    context = {"form": form}
    return render(request, "classes/form.html", context, status=422 if form.is_bound else 200)


@require_safe
@login_required
def course(request: SignedInRequest, course_id: int) -> HttpResponse:
    """Show the class to its members and to staff; others get a 404."""
    shown = course_or_404(request, course_id)
    held = capacities_in(request.user, course_id)
    may_run = may(request.user, Action.RUN_CLASS, shown.card.owner_id, held)
    link = request.build_absolute_uri(reverse("class-join", args=[shown.shown_code]))
    form = MemberFilterForm(request.GET)
    page = Paginator(queries.members(course_id, form.chosen_filter()), MEMBERS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "course": shown,
        "card": shown.card,
        "form": form,
        "page": page,
        "members": queries.member_rows(page.object_list),
        "filtered": form.is_set(),
        "limits": site_limits(),
        "may_run": may_run,
        "may_appoint": may(request.user, Action.APPOINT_TEACHER, shown.card.owner_id, held),
        "may_leave": bool(held) and shown.card.owner_id != request.user.pk,
        "link": link,
        "unreachable": unreachable_warning(request),
        "qr": qr_svg(link) if may_run and shown.joinable else "",
        "panels": course_panels.panels_for(course_id, request.user),
    }
    return render(request, "classes/class.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def course_edit(request: SignedInRequest, course_id: int) -> HttpResponse:
    shown = taught_course_or_404(request, course_id)
    form = CourseForm(request.POST or None, initial=initial_of(shown))
    if form.is_valid():
        services.change_settings(course_id, form.plan())
        messages.success(request, _("Changes saved."))
        return redirect("class", course_id)
    context = {"form": form, "course": shown}
    return render(request, "classes/form.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def rotate_code(request: SignedInRequest, course_id: int) -> HttpResponse:
    taught_course_or_404(request, course_id)
    services.rotate_code(course_id, rng=random.SystemRandom())
    messages.success(request, _("The class has a new join code. The old code and link no longer work."))
    return redirect("class", course_id)


@require_POST
@login_required
def set_joinable(request: SignedInRequest, course_id: int, joinable: bool) -> HttpResponse:
    taught_course_or_404(request, course_id)
    services.set_joinable(course_id, joinable)
    text = _("The join code works again.") if joinable else _("Joining is closed. Current members stay in the class.")
    messages.success(request, text)
    return redirect("class", course_id)


def course_or_404(request: HttpRequest, course_id: int) -> queries.CourseDetail:
    """Return the class if the person is a member, its owner or staff. Raises Http404 for others."""
    shown = queries.course_detail(course_id)
    if shown is None or not may(
        request.user, Action.SEE_CLASS, shown.card.owner_id, capacities_in(request.user, course_id)
    ):
        raise Http404
    return shown


def taught_course_or_404(request: HttpRequest, course_id: int) -> queries.CourseDetail:
    """Return the class if the person teaches it, owns it or is staff. Raises PermissionDenied for other members."""
    shown = course_or_404(request, course_id)
    require(request.user, Action.RUN_CLASS, shown.card.owner_id, capacities_in(request.user, course_id))
    return shown
