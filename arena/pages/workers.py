"""The workers and their queues, for organizers; only staff see hosts, sandboxes and commands."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.core.sandbox.machine.remedies import CONTAINER, LANDLOCK, USER_NAMESPACES
from arena.games.registry import GAMES
from arena.platform.workers import queries, services
from arena.platform.workers.operator_panels import operator_panels

WORKERS_PER_PAGE = 30
REPORTS_PER_PAGE = 20


@require_safe
@never_cache
@login_required
def workers(request: SignedInRequest) -> HttpResponse:
    """Show the workers of one game, or of all games."""
    require(request.user, Action.SEE_WORKERS)
    game = request.GET.get("game", "")
    if game and game not in GAMES:
        raise Http404
    overview = queries.overview(now=timezone.now())
    shown = [worker for worker in overview.workers if not game or game in worker.games]
    context = {
        "overview": overview,
        "queues": [line for line in overview.queues if not game or line.game == game],
        "page": Paginator(shown, WORKERS_PER_PAGE).get_page(request.GET.get("page")),
        "game": game,
        "games": list(GAMES),
        "sees_hosts": may(request.user, Action.SEE_OPERATIONS),
        "operator_panels": operator_panels(now=timezone.now()) if may(request.user, Action.SEE_OPERATIONS) else [],
        "may_drain": may(request.user, Action.DRAIN_WORKER),
    }
    return render(request, "workers/workers.html", context)


@require_POST
@login_required
def drain(request: SignedInRequest, worker_id: int) -> HttpResponse:
    require(request.user, Action.DRAIN_WORKER)
    if services.request_drain_of_one(worker_id, now=timezone.now()):
        messages.success(
            request, _("The worker will finish its current matches and take no new ones."), extra_tags="draining"
        )
    else:
        messages.error(request, _("This worker is already offline. Choose one that is online."), extra_tags="offline")
    return redirect("workers")


@require_safe
@never_cache
@login_required
def sandbox(request: SignedInRequest) -> HttpResponse:
    """Show each worker's sandbox report, and explain how to grant missing permissions."""
    require(request.user, Action.SEE_OPERATIONS)
    lines = [line for line in queries.worker_rows(now=timezone.now()) if line.runs_bots]
    context = {
        "page": Paginator(lines, REPORTS_PER_PAGE).get_page(request.GET.get("page")),
        "grants": [("user_namespaces", USER_NAMESPACES), ("mounts", CONTAINER), ("landlock", LANDLOCK)],
    }
    return render(request, "workers/sandbox.html", context)
