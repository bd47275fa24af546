"""Version test pages: a bot's tests, with the form that starts one, and a single test. Changes require POST."""

from __future__ import annotations

import random

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.platform.refusal import Refused, show_refusal
from arena.submissions.queries import bot_row
from arena.version_tests import queries, services
from arena.version_tests.forms import VersionTestForm
from arena.version_tests.queries import VersionTestPage

TESTS_PER_PAGE = 20
PAIRS_PER_PAGE = 20
UNPROCESSABLE = 422


@require_http_methods(["GET", "POST"])
@login_required
def test_list(request: SignedInRequest, bot_id: int) -> HttpResponse:
    line = bot_row(bot_id)
    if line is None:
        raise Http404
    action = Action.TEST_VERSIONS if request.method == "POST" else Action.SEE_VERSION_TEST
    require(request.user, action, line.owner_id)
    may_start = may(request.user, Action.TEST_VERSIONS, line.owner_id)
    choices = queries.start_choices(bot_id) if may_start else None
    sent = request.POST if request.method == "POST" else None
    form = VersionTestForm(sent, choices=choices) if choices else None
    if request.method == "POST":
        if form is None:
            messages.error(
                request, _("Two versions must pass their check before you can compare them. Upload another version.")
            )
            return redirect("bot", bot_id)
        if form.is_valid():
            try:
                made = services.start(request.user, bot_id, **form.cleaned_data, rng=random.SystemRandom())
            except Refused as refusal:
                show_refusal(request, refusal, form)
            else:
                return redirect("version-test", bot_id, made.number)
    page = Paginator(queries.tests(bot_id), TESTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"bot": line, "form": form, "page": page, "tests": queries.version_test_rows(page.object_list)}
    status = UNPROCESSABLE if form is not None and form.is_bound else 200
    return render(request, "version_tests/list.html", context, status=status)


@require_safe
@login_required
def test(request: HttpRequest, bot_id: int, number: int) -> HttpResponse:
    shown = _test_or_404(request, bot_id, number)
    page = Paginator(queries.decided_pair_rows(shown.id, shown.game), PAIRS_PER_PAGE).get_page(request.GET.get("page"))
    pairs = queries.decided_pairs(page.object_list, shown.game)
    return render(request, "version_tests/test.html", {"test": shown, "page": page, "decided": pairs})


@require_safe
@never_cache
@login_required
def snapshot(request: HttpRequest, bot_id: int, number: int) -> JsonResponse:
    shown = _test_or_404(request, bot_id, number)
    return JsonResponse({"seq": shown.event_seq, "status": shown.status})


@require_POST
@login_required
def cancel(request: HttpRequest, bot_id: int, number: int) -> HttpResponse:
    shown = _test_or_404(request, bot_id, number)
    try:
        services.cancel_test(shown.id, now=timezone.now())
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect("version-test", bot_id, number)


def _test_or_404(request: HttpRequest, bot_id: int, number: int) -> VersionTestPage:
    shown = queries.version_test_page(bot_id, number)
    if shown is None:
        raise Http404
    require(request.user, Action.SEE_VERSION_TEST, shown.owner_id)
    return shown
