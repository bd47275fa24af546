"""Make POST requests idempotent: ``Idempotency-Key`` identifies repeats, and the response is stored for a day.

A key is claimed in a transaction of its own before the request runs, and the response is stored after it, because an
open transaction would hold the locks of the services and, on SQLite, block all other writers. So a client that lost the
response can repeat the request and gets the same response; a repeat of a request in progress is refused.

A failed request releases its key and runs again when repeated, as does a request whose process died, after
``ABANDONED_AFTER``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.api.authentication import RequiredAccess
from arena.api.models import IN_PROGRESS, IdempotentResponse
from arena.api.problems import Code, problem_of_exception, problem_response
from arena.platform.refusal import Refused

HEADER: Final = "Idempotency-Key"
RETENTION: Final = timedelta(days=1)
ABANDONED_AFTER: Final = timedelta(minutes=5)  # far longer than any request takes
RETRY_SECONDS: Final = 5
MAX_KEY_LENGTH: Final = 255

Run = Callable[..., HttpResponse]


def idempotent(access: RequiredAccess, clock: Callable[[], datetime] = timezone.now) -> Callable[[Run], Run]:
    """Decorate an operation so that it succeeds at most once per key."""

    def decorate(run: Run) -> Run:
        @wraps(run)
        def idempotent_run(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            key = request.headers.get(HEADER)
            if key is None:
                return run(request, *args, **kwargs)
            try:
                person = access.caller(request).person
            except Refused:
                return run(request, *args, **kwargs)  # which responds with the error
            if person is None:
                return run(request, *args, **kwargs)
            if not 0 < len(key) <= MAX_KEY_LENGTH or not key.isascii() or not key.isprintable():
                text = _("An Idempotency-Key must have 1 to 255 printable ASCII characters. Send another key.")
                return problem_response(422, text, code=Code.INVALID_IDEMPOTENCY_KEY)
            try:
                fingerprint = _fingerprint(request)
                row = _claim_key(person.pk, key, fingerprint, clock())
                if row is not None:
                    return _run_and_store(row, lambda: run(request, *args, **kwargs))
                access(request)  # counts the repeat against the limit; a first request is counted within ``run``
                return _replay_response(person.pk, key, fingerprint)
            except Refused as refusal:
                return problem_of_exception(refusal)

        return idempotent_run

    return decorate


def _claim_key(person_id: int, key: str, fingerprint: str, now: datetime) -> IdempotentResponse | None:
    """Store the key of a request that is about to run; return None if an earlier request has it."""
    abandoned = Q(status=IN_PROGRESS, created_at__lt=now - ABANDONED_AFTER)
    IdempotentResponse.objects.filter(abandoned | Q(created_at__lt=now - RETENTION)).delete()
    try:
        with transaction.atomic():
            return IdempotentResponse.objects.create(
                person_id=person_id, key=key, fingerprint=fingerprint, created_at=now
            )
    except IntegrityError:
        return None


def _run_and_store(row: IdempotentResponse, run: Callable[[], HttpResponse]) -> HttpResponse:
    claimed = IdempotentResponse.objects.filter(pk=row.pk)
    try:
        response = run()
    except Exception:
        claimed.delete()
        raise
    if 200 <= response.status_code < 300:
        claimed.update(
            status=response.status_code,
            body=response.content,
            content_type=response["Content-Type"],
            location=response.get("Location", ""),
        )
    else:
        claimed.delete()
    return response


def _replay_response(person_id: int, key: str, fingerprint: str) -> HttpResponse:
    row = IdempotentResponse.objects.filter(person_id=person_id, key=key).first()
    if row is None:  # the first request has just failed
        return _in_progress()
    if row.fingerprint != fingerprint:
        text = _("This Idempotency-Key was used for another request. Use a new key.")
        return problem_response(422, text, code=Code.IDEMPOTENCY_KEY_REUSED)
    if row.status == IN_PROGRESS:
        return _in_progress()
    response = HttpResponse(bytes(row.body), status=row.status, content_type=row.content_type)
    if row.location:
        response["Location"] = row.location
    response["Idempotency-Replayed"] = "true"
    return response


def _in_progress() -> HttpResponse:
    text = _("A request with this Idempotency-Key is still in progress. Repeat it in a few seconds.")
    return problem_response(409, text, code=Code.REQUEST_IN_PROGRESS, headers={"Retry-After": str(RETRY_SECONDS)})


def _fingerprint(request: HttpRequest) -> str:
    """Return a digest of the request: its method, path and content.

    A multipart body is reduced to its fields and files, because its boundary differs when the request is repeated.
    """
    if (request.content_type or "").startswith("multipart/"):
        fields = sorted((name, values) for name, values in request.POST.lists())
        files = [
            (name, file.name, _digest_of(file))
            for name in sorted(request.FILES)
            for file in request.FILES.getlist(name)
        ]
        body = json.dumps([fields, files]).encode()
    else:
        body = request.body
    return hashlib.sha256(f"{request.method} {request.path}\n".encode() + body).hexdigest()


def _digest_of(file: Any) -> str:
    digest = hashlib.sha256(file.read()).hexdigest()
    file.seek(0)
    return digest
