"""The form for requesting a scrimmage, with the studio's list of opponents."""

from __future__ import annotations

import random

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.games.registry import GAMES
from arena.matches import queries, scrimmages
from arena.matches.forms import ScrimmageForm
from arena.platform.page_addresses import row_id
from arena.platform.refusal import Refused, show_refusal
from arena.studio.opponents import offered_opponents


@require_http_methods(["GET", "POST"])
@login_required
def scrimmage_new(request: SignedInRequest) -> HttpResponse:
    person = request.user
    game = request.POST.get("game") or request.GET.get("game") or next(iter(GAMES))
    if game not in GAMES:
        raise Http404
    form, context = _form(request, game)
    if request.method == "POST":
        require(person, Action.REQUEST_MATCH)
        if form.is_valid():
            rng = random.SystemRandom()
            scrimmage = form.scrimmage(mine_first=rng.random() < 0.5)
            try:
                match_id = scrimmages.request_scrimmage(person, scrimmage, now=timezone.now(), rng=rng)
            except Refused as refusal:
                show_refusal(request, refusal, form)
            else:
                return redirect("match", match_id)
    context |= {
        "game": game,
        "games": list(GAMES),
        "limit_seconds": settings.SCRIMMAGE_SECONDS,
        "use": scrimmages.hourly_use_of(person, now=timezone.now()),
    }
    return render(request, "studio/scrimmage.html", context, status=200 if request.method == "GET" else 422)


def _form(request: SignedInRequest, game: str) -> tuple[ScrimmageForm, dict[str, object]]:
    """Return the form, and the template's context for its lists of bots."""
    against = request.POST.getlist("opponents") if request.method == "POST" else request.GET.getlist("against")
    chosen = [found for value in against if (found := row_id(value)) is not None]
    choices = offered_opponents(game, chosen)
    mine = queries.playable_bots_of(request.user.pk, game)
    form = ScrimmageForm(
        request.POST or None,
        game=game,
        mine=mine,
        opponents=[(one.id, one.name) for one in choices],
        initial={"mine": request.GET.get("mine"), "opponents": against},
    )
    # Chosen bots come first, because the list scrolls and, without JavaScript, starts at the top.
    choices.sort(key=lambda one: one.id not in chosen)
    several = GAMES[game].max_seats > 2
    return form, {"form": form, "mine": mine, "choices": choices, "chosen": chosen, "several": several}
