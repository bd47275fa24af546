"""Pages that belong to no single app: home, guides, a lesson, and the check of health."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.pages.guide import guide_facts, libraries
from arena.pages.health import health
from arena.pages.home import featured_json
from arena.pages.home import home as home_content
from arena.pages.learn.address import read_address
from arena.pages.learn.content import learn_page
from arena.pages.training import trainer_source, training_facts
from arena.platform.downloads import attachment


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/home.html", {"home": home_content(request.user)})


@require_safe
@never_cache
def featured(request: HttpRequest) -> JsonResponse:
    return JsonResponse(featured_json(request.user))


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    context = {"libraries": libraries(settings.BOT_LIBRARIES_DIR), "facts": guide_facts()}
    return render(request, "pages/guide.html", context)


@require_safe
def train_guide(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/train.html", {"facts": training_facts(request.GET.get("game", ""))})


@require_safe
def trainer(request: HttpRequest) -> HttpResponse:
    return HttpResponse(trainer_source(), "text/x-python; charset=utf-8", headers=attachment("ppo.py"))


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    found = health()
    return JsonResponse(found, status=200 if set(found.values()) == {"ok"} else 503)


@require_safe
@never_cache
def learn(request: HttpRequest) -> HttpResponse:
    address = read_address(request.GET, secrets.randbelow)
    return render(request, "pages/learn.html", {"learn": learn_page(address)})
