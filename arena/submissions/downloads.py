"""Send the files of a version."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.text import slugify

from arena.platform.downloads import attachment
from arena.submissions import store
from arena.submissions.queries import SubmissionCard


def files_response(card: SubmissionCard) -> HttpResponse:
    """Return a response with the files of a version: a single file, or an archive if there are several."""
    data, ending = store.download_of(store.load_package(card.sha256))
    headers = attachment(f"{slugify(card.bot_name) or 'bot'}-v{card.number}{ending}")
    return HttpResponse(data, content_type="application/octet-stream", headers=headers)
