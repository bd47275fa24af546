"""Pages that list, show, upload and delete recordings."""

from __future__ import annotations

import random

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import SignedInRequest, may, require
from arena.games.golden_point.recordings import queries, services
from arena.games.golden_point.recordings.forms import RecordingFilterForm, RecordingForm
from arena.games.golden_point.recordings.queries import RecordingAction
from arena.games.golden_point.recordings.snapshots import snapshot
from arena.platform.downloads import attachment
from arena.platform.refusal import Refused, show_refusal

PER_PAGE = 30


@require_safe
def recording_list(request: HttpRequest) -> HttpResponse:
    form = RecordingFilterForm(request.GET)
    rows = queries.recordings(form.chosen_filter(), request.user)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "recordings": queries.recording_rows(page.object_list),
        "filtered": form.is_set(),
    }
    return render(request, "recordings/list.html", context)


@require_safe
def recording(request: HttpRequest, code: str) -> HttpResponse:
    """Show a recording to anyone with the link."""
    line = recording_or_404(code)
    context = {
        "recording": line,
        "snapshot": snapshot(queries.match_of(code)),
        "may_delete": may(request.user, RecordingAction.DELETE_RECORDING, line.owner_id),
    }
    return render(request, "recordings/recording.html", context)


@require_safe
def recording_file(request: HttpRequest, code: str) -> HttpResponse:
    """Send the recording's original text as an attachment, so that the browser never interprets it."""
    line = recording_or_404(code)
    headers = attachment(f"{slugify(line.title) or 'recording'}.txt")
    return HttpResponse(queries.text_of(code), content_type="text/plain; charset=utf-8", headers=headers)


@require_http_methods(["GET", "POST"])
@login_required
def recording_new(request: SignedInRequest) -> HttpResponse:
    require(request.user, RecordingAction.UPLOAD_RECORDING)
    form = RecordingForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            made = services.create(request.user, form.draft(), now=timezone.now(), rng=random.SystemRandom())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            messages.success(request, _("Recording saved. To share it, copy the URL of this page."))
            return redirect("recording", made.code)
    return render(request, "recordings/new.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@login_required
def recording_delete(request: SignedInRequest, code: str) -> HttpResponse:
    line = recording_or_404(code)
    require(request.user, RecordingAction.DELETE_RECORDING, line.owner_id)
    services.delete(code)
    messages.success(request, _("Recording deleted."))
    return redirect("recording-list")


def recording_or_404(code: str) -> queries.RecordingRow:
    line = queries.recording_row(code)
    if line is None:
        raise Http404
    return line
