"""Make POST requests idempotent: ``Idempotency-Key`` identifies repeats, and the response is stored for a day.

The response is stored in the same transaction as the change, so a client that lost the response can repeat the request
and gets the same response. The response to a failed request is not stored, so the request runs again when repeated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.api.authentication import RequiredAccess
from arena.api.models import IdempotentResponse
from arena.api.problems import Code, problem_of_exception, problem_response
from arena.platform.refusal import Refused

HEADER: Final = "Idempotency-Key"
RETENTION: Final = timedelta(days=1)
MAX_KEY_LENGTH: Final = 255

Run = Callable[..., HttpResponse]


def idempotent(access: RequiredAccess) -> Callable[[Run], Run]:
    """Decorate an operation so that it runs at most once per key."""

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
                return _run_once(
                    person.pk, key, request, lambda: run(request, *args, **kwargs), lambda: access(request)
                )
            except Refused as refusal:  # a replay over the limit; first requests are refused within ``run``
                return problem_of_exception(refusal)

        return idempotent_run

    return decorate


def _run_once(
    person_id: int,
    key: str,
    request: HttpRequest,
    run: Callable[[], HttpResponse],
    count: Callable[[], object],
) -> HttpResponse:
    """Run the request or replay its stored response.

    ``run`` itself counts the request against the limit; ``count`` does so for a replay.
    """
    now, fingerprint = timezone.now(), _fingerprint(request)
    IdempotentResponse.objects.filter(created_at__lt=now - RETENTION).delete()
    with transaction.atomic():
        try:
            with transaction.atomic():
                row = IdempotentResponse.objects.create(
                    person_id=person_id, key=key, fingerprint=fingerprint, created_at=now
                )
        except IntegrityError:  # a repeated request: this insertion waited for the first one to end
            count()
            return _replay_response(IdempotentResponse.objects.get(person_id=person_id, key=key), fingerprint)
        response = run()
        if not 200 <= response.status_code < 300:
            row.delete()
            return response
        row.status, row.body = response.status_code, response.content
        row.content_type, row.location = response["Content-Type"], response.get("Location", "")
        row.save()
    return response


def _replay_response(row: IdempotentResponse, fingerprint: str) -> HttpResponse:
    if row.fingerprint != fingerprint:
        text = _("This Idempotency-Key was used for another request. Use a new key.")
        return problem_response(422, text, code=Code.IDEMPOTENCY_KEY_REUSED)
    response = HttpResponse(bytes(row.body), status=row.status, content_type=row.content_type)
    if row.location:
        response["Location"] = row.location
    response["Idempotency-Replayed"] = "true"
    return response


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
