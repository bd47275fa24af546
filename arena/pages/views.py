"""Pages that do not belong to a single app: home, guides, a lesson, and the health check."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.pages.game_guide import game_guide
from arena.pages.guide import guide_facts, libraries
from arena.pages.health import probe_dependencies
from arena.pages.home import featured_json
from arena.pages.home import home_page as home_content
from arena.pages.learn.address import parse_state
from arena.pages.learn.content import learn_page
from arena.pages.member_home import member_home
from arena.pages.next_step import next_step
from arena.pages.training import q_learners, trainer_source, training_facts
from arena.platform.downloads import attachment
from arena.submissions.queries import newest_submission_id


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"home": home_content(request.user)}
    if not isinstance(request.user, AnonymousUser):
        now = timezone.now()
        member = member_home(request.user, now=now)
        context |= {"member": member, "step": next_step(member, now=now, newest_version=newest_submission_id)}
    return render(request, "pages/home.html", context)


@require_safe
@never_cache
def featured(request: HttpRequest) -> JsonResponse:
    return JsonResponse(featured_json(request.user))


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    context = {"libraries": libraries(settings.BOT_LIBRARIES_DIR), "facts": guide_facts()}
    return render(request, "pages/guide.html", context)


@require_safe
def guide_of_game(request: HttpRequest, game: str) -> HttpResponse:
    found = game_guide(game, request.user)
    if found is None:
        raise Http404
    return render(request, "pages/game_guide.html", {"guide": found})


@require_safe
def train_guide(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/train.html", {"facts": training_facts(request.GET.get("game", ""))})


@require_safe
def trainer(request: HttpRequest) -> HttpResponse:
    return HttpResponse(trainer_source(), "text/x-python; charset=utf-8", headers=attachment("ppo.py"))


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    found = probe_dependencies()
    return JsonResponse(found, status=200 if set(found.values()) == {"ok"} else 503)


@require_safe
@never_cache
def learn(request: HttpRequest) -> HttpResponse:
    address = parse_state(request.GET, secrets.randbelow)
    return render(request, "pages/learn.html", {"learn": learn_page(address), "q_learners": q_learners()})
