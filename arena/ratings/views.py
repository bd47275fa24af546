"""Pages about ratings: leaderboards and the ladder of each game. Changes require POST."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.games.registry import GAMES, has_tables, is_rated
from arena.platform.refusal import Refused, show_refusal
from arena.ratings import ladder, ladder_pool, ladder_queries, queries, spare_capacity
from arena.ratings.forms import LadderForm, LeaderboardFilterForm

PER_PAGE = 50
UNPROCESSABLE = 422


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", next(iter(GAMES)))


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    _require_known_game(game)
    form = LeaderboardFilterForm(request.GET)
    lines = queries.leaderboard(game).filter_by(form.chosen_filter())
    page = Paginator(lines, PER_PAGE).get_page(request.GET.get("page"))
    context = {"game": game, "games": list(GAMES), "form": form, "filtered": form.is_set(), "page": page}
    context |= {"has_tables": has_tables(game), "is_rated": is_rated(game)}
    return render(request, "ratings/leaderboard.html", context)


@require_safe
def ladder_page(request: HttpRequest, game: str) -> HttpResponse:
    _require_known_game(game)
    if not is_rated(game):
        return redirect("leaderboard", game)  # whose page explains why there is no ladder
    return _render_ladder(request, game, _own_form(request, game))


@require_POST
@login_required
def ladder_bots(request: SignedInRequest, game: str) -> HttpResponse:
    """Store which of the user's bots play on the ladder."""
    _require_known_game(game)
    form = _own_form(request, game)
    if form is None:
        raise Http404
    if form.is_valid():
        chosen, offered = form.cleaned_data["bots"], form.cleaned_data["offered"]
        try:
            ladder_pool.choose_bots(request.user.pk, game, chosen, offered=offered, now=timezone.now())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            messages.success(request, _("Changes saved."), extra_tags="saved")
            # scrolls to the message instead of the form
            return redirect(f"{reverse('ladder', args=[game])}#content")
    return _render_ladder(request, game, form, status=UNPROCESSABLE)


def _own_form(request: HttpRequest, game: str) -> LadderForm | None:
    """Return the form that selects which of the reader's bots play on the ladder; None if no bot is eligible."""
    person = request.user
    own = ladder_pool.entrants_of(person.pk, game) if person.is_authenticated else []
    return LadderForm(request.POST if request.method == "POST" else None, entrants=own) if own else None


def _render_ladder(request: HttpRequest, game: str, form: LadderForm | None, status: int = 200) -> HttpResponse:
    now, person = timezone.now(), request.user
    context = {
        "game": game,
        "games": list(GAMES),
        "ladder": ladder_queries.ladder_of(game, spare_capacity.measure_spare_capacity(now), now=now),
        "form": form,
        "unchecked": ladder_queries.bots_without_version(person.pk, game) if person.is_authenticated else [],
        "cards": ladder_queries.recent_matches(game, person),
    }
    return render(request, "ratings/ladder.html", context, status=status)


@require_POST
@login_required
def ladder_pause(request: HttpRequest, game: str, paused: bool) -> HttpResponse:
    _require_known_game(game)
    require(request.user, Action.RUN_LADDER)
    if paused:
        ladder.pause(game, now=timezone.now())
        messages.success(request, _("Ladder paused. Running matches will finish."))
    else:
        ladder.resume(game)
        messages.success(request, _("Ladder resumed."))
    return redirect("ladder", game)


def _require_known_game(game: str) -> None:
    if game not in GAMES:
        raise Http404
