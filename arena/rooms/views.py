"""Pages about rooms; what programs ask is answered by ``rest``."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.rooms.rest.catalogue import OPERATIONS


@require_safe
def try_it(request: HttpRequest) -> HttpResponse:
    """Every operation of the interface with a form that calls it."""
    context = {
        "operations": OPERATIONS,
        "main_document": "/swagger/v1/swagger.json",
        "english_document": "/swagger/v1%20-%20English/swagger.json",
        "chinese_document": "/swagger/v1%20-%20Chinese/swagger.json",
    }
    return render(request, "rooms/try_it.html", context)
