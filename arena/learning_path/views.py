"""The learning path, and the button that challenges a boss."""

from __future__ import annotations

import random

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.learning_path import services
from arena.learning_path.queries import game_paths
from arena.platform.page_addresses import row_id
from arena.platform.refusal import NotFound, Refused, show_refusal


@require_safe
def learning_path(request: HttpRequest) -> HttpResponse:
    return render(request, "learning_path/path.html", {"paths": game_paths(request.user)})


@require_POST
@login_required
def challenge(request: SignedInRequest, game: str, rung: str) -> HttpResponse:
    require(request.user, Action.REQUEST_MATCH)
    rng = random.SystemRandom()
    bot_id = row_id(request.POST.get("bot", "")) or 0
    try:
        match_id = services.challenge(request.user, game, rung, bot_id, now=timezone.now(), rng=rng)
    except NotFound as missing:
        raise Http404 from missing
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("learning-path")
    return redirect("match", match_id)
