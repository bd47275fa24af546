"""Pages about the game 2584: the exact solver, the learner, and luck adjustment. Only the learner needs JavaScript."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from arena.games.fib2584.board import TILES, unpack
from arena.games.fib2584.study.lookup import look_up
from arena.games.fib2584.study.position_query import FIRST, QueryError, parse_form, parse_query
from arena.games.fib2584.study.variance import MEASURED
from arena.games.fib2584.values import start_value


@require_safe
def solver(request: HttpRequest) -> HttpResponse:
    """Show the value of the board in the URL; submitting the form redirects to the URL of the entered board."""
    wrong: QueryError | None = None
    query = FIRST
    try:
        if "tile" in request.GET:
            found = parse_form(request.GET.get("kind", ""), request.GET.getlist("tile"))
            return redirect(f"{reverse('fib2584-solver')}?{found.query}")
        query = parse_query(request.GET.dict())
    except QueryError as error:
        wrong = error
    context = {
        "wrong": wrong,
        "query": query,
        "cells": unpack(query.board),
        "tiles": list(enumerate(TILES)),
        "found": look_up(query),
        "start_value": start_value(),
    }
    return render(request, "fib2584_study/solver.html", context, status=422 if wrong else 200)


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    return render(request, "fib2584_study/learn.html", {"start_value": start_value()})


@require_safe
def scores(request: HttpRequest) -> HttpResponse:
    return render(request, "fib2584_study/scores.html", {"start_value": start_value(), "measured": MEASURED})
