"""The dataset page, and the dataset's files."""

from __future__ import annotations

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from arena.dataset import versions
from arena.dataset.documents import licence
from arena.dataset.schema import TABLES
from arena.platform.downloads import file_download

PER_PAGE = 5
_TEXT = "text/plain; charset=utf-8"
# Browsers must never execute a file, whatever type they detect.
_TYPES = {".parquet": "application/vnd.apache.parquet", ".json": "application/json"}


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    found = versions.versions()
    context = {
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "newest": found[0] if found else None,
        "example": _example_file(found[0]) if found else "",
        "tables": TABLES,
        "licence": licence(),
        "is_on": settings.DATASET,
        "days": settings.DATASET_DAYS,
        "keep": settings.DATASET_KEEP,
        "has_names": settings.DATASET_AUTHORS == "names",
        "address": settings.SITE_URL + reverse("data"),
    }
    return render(request, "dataset/overview.html", context)


def _example_file(version: versions.DatasetVersion) -> str:
    """Return the name of the largest match file, for the page's example code; "" if there is none."""
    files = [file for file in version.files if file.name.startswith("matches-")]
    return max(files, key=lambda file: file.size).name if files else ""


@require_safe
def download(request: HttpRequest, name: str, file: str) -> HttpResponseBase:
    found = versions.version(name)
    wanted = found.file(file) if found else None
    if wanted is None:
        raise Http404
    content_type = _TYPES.get(wanted.path.suffix, _TEXT)
    return file_download(request, wanted.path, content_type, sha256=wanted.sha256)
