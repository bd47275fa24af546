"""Play in the browser, alone or against bots: choosing an opponent, the match page, and its actions.

Everything works without JavaScript.
"""

from __future__ import annotations

import random

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import Action, may
from arena.matches.reviews import panels_of, review_of
from arena.matches.visibility import may_see
from arena.platform.refusal import Refused, refusal_json, show_refusal
from arena.play import answering, hints, limits, queries, requests, take_back
from arena.play.forms import DuelForm
from arena.play.identity import Visitor, remember_visitor, visitor_of
from arena.play.opponents import (
    Opponent,
    game_of_opponent,
    games_for_people,
    games_played_elsewhere,
    has_levels,
    opponents,
    people_settings,
)


@require_http_methods(["GET", "POST"])
@never_cache
def play(request: HttpRequest) -> HttpResponse:
    """Show the form for a new match, and the visitor's unfinished match if there is one; on a POST, start a match."""
    games = games_for_people()
    game = _requested_game(request, games)
    people = people_settings(game)
    if people is None:
        raise Http404
    choices = opponents(game, for_guest=not may(request.user, Action.PLAY_STUDENTS))
    running = limits.unfinished_duel_of(visitor_of(request))
    initial = _initial_opponent(request, choices.levels)
    form = DuelForm(request.POST or None, game=game, people=people, choices=choices, initial=initial)
    if request.method == "POST" and form.is_valid():
        rng = random.SystemRandom()
        wanted = form.duel_request(rng)
        try:
            match_id = requests.request_duel(remember_visitor(request), wanted, now=timezone.now(), rng=rng)
        except Refused as refusal:
            show_refusal(request, refusal, form)
            running = refusal.facts.get("running", running)
        else:
            return redirect("duel", match_id)
    context = {
        "form": form,
        "choices": choices,
        "running": running,
        "game": game,
        "games": games,
        "elsewhere": games_played_elsewhere(),
        "people": people,
        "needs_bots": min(people.player_counts) > 1,
        "has_bots": max(people.player_counts) > 1,
        "has_opponents": bool(choices.levels or choices.house or choices.students),
        "awaits_levels": not choices.levels and has_levels(game),
    }
    return render(request, "play/play.html", context, status=422 if form.is_bound else 200)


def _requested_game(request: HttpRequest, games: list[str]) -> str:
    """Return the game named in the form or link, or the game of the bot named in the link; otherwise the first game."""
    requested = request.POST.get("game") or request.GET.get("game") or game_of_opponent(request.GET.get("against", ""))
    if requested and requested not in games:
        raise Http404
    return requested or next(iter(games), "")


def _initial_opponent(request: HttpRequest, levels: tuple[Opponent, ...]) -> dict[str, str]:
    """Return the form's initial values: the bot whose id is in ``?against=``, by default the second of ``levels``."""
    against = request.GET.get("against", "")
    ids = [str(one.id) for one in levels]
    if against in ids or not against:
        return {"level": against or (ids[1] if len(ids) > 1 else "".join(ids))}
    return {"level": "other", "bot": against}


@require_safe
@never_cache
def duel(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the board to the player; redirect everyone else to the match page, at the move in the URL."""
    if not may_see(request.user, match_id):
        raise Http404
    if not queries.may_play(visitor_of(request), match_id):
        at = request.META["QUERY_STRING"]
        return redirect(f"{reverse('match', args=[match_id])}{f'?{at}' if at else ''}")
    shown = queries.player_snapshot(match_id)  # read first: live events deliver all later changes
    table = queries.duel_page(match_id)
    if table is None:
        raise Http404
    if table.take_backs.continuation is not None:
        return redirect("duel", table.take_backs.continuation)
    snapshot = {**shown, "since": table.since, "reader": {"seat": table.seat, "is": "person"}}
    context = {
        "table": table,
        "snapshot": snapshot,
        "actions": queries.actions_after_match(match_id, request.user),
        "panels": panels_of(snapshot, review_of(snapshot)),
    }
    return render(request, "play/duel.html", context)


@require_safe
@never_cache
def duel_snapshot(request: HttpRequest, match_id: int) -> JsonResponse:
    """Return the match, with the player's private data under ``table``."""
    _player_or_404(request, match_id)
    table = queries.duel_page(match_id)
    if table is None:
        raise Http404
    return JsonResponse({**queries.player_snapshot(match_id), "since": table.since, "table": table.to_json()})


@require_POST
def duel_move(request: HttpRequest, match_id: int) -> HttpResponse:
    _player_or_404(request, match_id)
    try:
        move = answering.submit_move(match_id, _posted_turn(request), request.POST.get("move", ""))
    except Refused as refusal:
        return _refusal_response(request, match_id, refusal)
    return _success_response(request, match_id, move=move)


@require_POST
def duel_resign(request: HttpRequest, match_id: int) -> HttpResponse:
    _player_or_404(request, match_id)
    if not answering.resign(match_id):
        messages.info(request, _("This match has ended."), extra_tags="game_over")
    return _success_response(request, match_id)


@require_POST
def duel_hint(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the hint, which is polled until it is ready; scripts get ``{"turn", "hint"}``, with null until then."""
    _player_or_404(request, match_id)
    try:
        turn = hints.request_hint(match_id, now=timezone.now(), turn=_posted_turn(request))
    except Refused as refusal:
        return _refusal_response(request, match_id, refusal)
    return _success_response(request, match_id, turn=turn, hint=queries.hint_json(match_id, turn))


@require_POST
def duel_take_back(request: HttpRequest, match_id: int) -> HttpResponse:
    _player_or_404(request, match_id)
    try:
        again = take_back.take_back(match_id)
    except Refused as refusal:
        return _refusal_response(request, match_id, refusal)
    return redirect("duel", again)


@require_POST
def duel_rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    visitor = _player_or_404(request, match_id)
    try:
        again = requests.rematch(match_id, visitor, now=timezone.now(), rng=random.SystemRandom())
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("duel", refusal.facts.get("running", match_id))
    return redirect("duel", again)


def _player_or_404(request: HttpRequest, match_id: int) -> Visitor:
    """Return the visitor if they play in this match. Raises Http404 for everyone else."""
    visitor = visitor_of(request)
    if not queries.may_play(visitor, match_id):
        raise Http404
    return visitor


def _posted_turn(request: HttpRequest) -> int:
    """Return the number of the turn that the submitted page showed; 0 if it was not sent."""
    turn = request.POST.get("turn", "")
    return int(turn) if turn.isascii() and turn.isdigit() and len(turn) < 7 else 0


def _wants_json(request: HttpRequest) -> bool:
    return request.accepts("application/json") and not request.accepts("text/html")


def _success_response(request: HttpRequest, match_id: int, **found: object) -> HttpResponse:
    return JsonResponse(found) if _wants_json(request) else redirect("duel", match_id)


def _refusal_response(request: HttpRequest, match_id: int, refusal: Refused) -> HttpResponse:
    if _wants_json(request):
        return refusal_json(refusal)  # static/js/site/requests.js retries the request if allowed
    show_refusal(request, refusal)
    return redirect("duel", match_id)
