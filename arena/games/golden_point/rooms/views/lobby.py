"""Requests from the browser of a person who joins a room or its lobby under a secret id.

A browser authenticates with its secret id, as programs do, so these requests need no CSRF token. The id is never part
of a URL.
"""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.identity import network_digest, read_guid
from arena.games.golden_point.rooms.queries import rooms
from arena.games.golden_point.rooms.services import RoomCaller
from arena.platform import client_address
from arena.platform.refusal import Refused


@csrf_exempt
@require_POST
@never_cache
def room_membership(request: HttpRequest, number: int) -> JsonResponse:
    """Return the sender's status in the room; player lists, which omit people's ids, do not show it. Read-only."""
    uid = read_guid(request.POST.get("uid", ""))
    if uid is None:
        return JsonResponse({"player": None, "lobby": None, "removed": False})
    found = rooms.membership(number, uid)
    return JsonResponse({"player": found.player_index, "lobby": found.lobby_name, "removed": found.is_removed})


@csrf_exempt
@require_POST
@never_cache
def room_join(request: HttpRequest, number: int) -> JsonResponse:
    """Add the player with this secret id to the lobby; return the player's name in the room."""
    try:
        name = services.join(number, read_guid(request.POST.get("uid", "")), _caller(request))
    except Refused as refused:
        return _refusal_response(refused)
    return JsonResponse({"name": name})


@csrf_exempt
@require_POST
@never_cache
def room_leave(request: HttpRequest, number: int) -> JsonResponse:
    """Remove the player with this secret id from the lobby."""
    try:
        services.leave(number, read_guid(request.POST.get("uid", "")), _caller(request))
    except Refused as refused:
        return _refusal_response(refused)
    return JsonResponse({})


def _caller(request: HttpRequest) -> RoomCaller:
    return RoomCaller(network_digest(client_address.network_of_request(request)), timezone.now())


def _refusal_response(refused: Refused) -> JsonResponse:
    """Return a refusal in the format of the REST interface, so that the page parses all refusals in the same way."""
    answer = JsonResponse({"message": refused.message}, status=HTTPStatus.BAD_REQUEST)
    answer["Refusal-Code"] = refused.code
    return refused.add_retry_after(answer)
