"""Pages about ratings: leaderboards and the ladder of each game. What changes anything is a POST."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import Action, require
from arena.games.registry import GAMES, has_tables, is_rated
from arena.ratings import ladder, ladder_queries, queries, spare_capacity
from arena.ratings.forms import LeaderboardFilterForm

PER_PAGE = 50


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", next(iter(GAMES)))


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    _known(game)
    form = LeaderboardFilterForm(request.GET)
    lines = queries.narrowed(queries.leaderboard(game), form.chosen())
    page = Paginator(lines, PER_PAGE).get_page(request.GET.get("page"))
    context = {"game": game, "games": list(GAMES), "form": form, "filtered": form.narrows(), "page": page}
    context |= {"has_tables": has_tables(game), "is_rated": is_rated(game)}
    return render(request, "ratings/leaderboard.html", context)


@require_safe
def ladder_page(request: HttpRequest, game: str) -> HttpResponse:
    _known(game)
    if not is_rated(game):
        return redirect("leaderboard", game)  # which says why there is no ladder
    now = timezone.now()
    context = {
        "game": game,
        "games": list(GAMES),
        "ladder": ladder_queries.state_of(game, spare_capacity.measure(now), now=now),
        "own": ladder_queries.bots_of(request.user.pk, game) if request.user.is_authenticated else [],
        "cards": ladder_queries.recent(game, request.user),
    }
    return render(request, "ratings/ladder.html", context)


@require_POST
@login_required
def ladder_pause(request: HttpRequest, game: str, paused: bool) -> HttpResponse:
    _known(game)
    require(request.user, Action.RUN_LADDER)
    if paused:
        ladder.pause(game, now=timezone.now())
        messages.success(request, _("The ladder is paused. What is being played ends."))
    else:
        ladder.resume(game)
        messages.success(request, _("The ladder goes on."))
    return redirect("ladder", game)


@require_POST
@login_required
def ladder_membership(request: HttpRequest, bot_id: int, out: bool) -> HttpResponse:
    found = ladder_queries.owner_and_game(bot_id)
    if found is None:
        raise Http404
    owner_id, game = found
    require(request.user, Action.CHANGE_BOT, owner_id)
    if out:
        ladder.exclude(bot_id, now=timezone.now())
        messages.success(request, _("The bot stays out of the ladder. Its rating stays as it is."))
    else:
        ladder.readmit(bot_id)
        messages.success(request, _("The bot is on the ladder."))
    return redirect("ladder", game)


def _known(game: str) -> None:
    if game not in GAMES:
        raise Http404
