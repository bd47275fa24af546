"""Responses with match data that is stored compressed."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from arena.platform.downloads import attachment


def record_response(request: HttpRequest, match_id: int, data: bytes) -> HttpResponse:
    """Return a response with a stored record."""
    return compressed_json(request, zlib.decompress, "deflate", data, **attachment(f"match-{match_id}.json"))


def compressed_json(
    request: HttpRequest, unpack: Callable[[bytes], bytes], coding: str, data: bytes, **headers: str
) -> HttpResponse:
    """Return JSON that is stored with the compression ``coding``; clients that accept it get the stored bytes.

    ``unpack``: decompresses the data for all other clients.
    """
    if coding in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = coding
    else:
        data = unpack(data)
    response = HttpResponse(data, content_type="application/json", headers=headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
