"""The lobby and the try-it page; ``rest`` answers requests from programs."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.games.golden_point.rooms.forms import RoomFilterForm
from arena.games.golden_point.rooms.queries import lobby, rooms
from arena.games.golden_point.rooms.rest.catalogue import OPERATIONS
from arena.games.golden_point.rooms.texts import STATE_NAMES

ROOMS_PER_PAGE = 30


@require_safe
@never_cache
def room_list(request: HttpRequest) -> HttpResponse:
    """Show the lobby."""
    form = RoomFilterForm(request.GET, signed_in=request.user.is_authenticated)
    rows = lobby.filter_rooms(form.chosen_filter(), request.user.pk)
    page = Paginator(rows, ROOMS_PER_PAGE).get_page(request.GET.get("page"))
    lines = [(line, STATE_NAMES[line.state]) for line in rooms.room_rows(page.object_list)]
    context = {"form": form, "filtered": form.is_set(), "page": page, "rooms": lines}
    return render(request, "rooms/list.html", context)


@require_safe
def try_it(request: HttpRequest) -> HttpResponse:
    """Show every operation of the REST interface with a form that calls it."""
    context = {
        "operations": OPERATIONS,
        "main_document": "/swagger/v1/swagger.json",
        "english_document": "/swagger/v1%20-%20English/swagger.json",
        "chinese_document": "/swagger/v1%20-%20Chinese/swagger.json",
    }
    return render(request, "rooms/try_it.html", context)
