"""Pages about rooms; what programs ask is answered by ``rest``."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.rooms import queries
from arena.rooms.rest.catalogue import OPERATIONS
from arena.rooms.rules import RoomState
from arena.rooms.state_names import STATE_NAMES

ROOMS_PER_PAGE = 30


@require_safe
@never_cache
def room_list(request: HttpRequest) -> HttpResponse:
    """The lobby: the rooms in one state."""
    asked = request.GET.get("state", RoomState.RUNNING)
    if asked not in RoomState.__members__.values():
        raise Http404
    page = Paginator(queries.lobby(RoomState(asked)), ROOMS_PER_PAGE).get_page(request.GET.get("page"))
    states = [(state, STATE_NAMES[state]) for state in (RoomState.RUNNING, RoomState.WAITING, RoomState.FINISHED)]
    context = {"page": page, "rooms": queries.lines(page), "state": asked, "states": states}
    return render(request, "rooms/list.html", context)


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
