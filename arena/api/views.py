"""The page for trying the API."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.api.catalogue import operation_groups


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show every operation with a form that calls it."""
    return render(request, "api/docs.html", {"groups": operation_groups()})
