"""API clients for tests, with or without an access token."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from arena.accounts import tokens
from arena.accounts.models import Role, User
from tests.factories import person
from tests.submissions.uploads import WORKING

ALL = ("read", "submit", "organize")
ROOT = "/api/v1"


class Caller:
    """An API client with a token that belongs to ``owner``, or without a token if there is no owner."""

    def __init__(self, owner: User | None = None, scopes: Collection[str] = ALL, *, expired: bool = False) -> None:
        self.client, self.headers = Client(), dict[str, str]()
        if owner is not None:
            now = timezone.now() - timedelta(days=2)
            lifetime = timedelta(days=1) if expired else None
            secret = tokens.create(owner, "test", scopes, now=now, lifetime=lifetime).secret
            self.headers["Authorization"] = f"Bearer {secret}"

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"{ROOT}{path}", headers={**self.headers, **headers})

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        data = b"" if body is None else json.dumps(body)
        return self.client.post(f"{ROOT}{path}", data, content_type="application/json", headers=sent)

    def upload(self, path: str, source: str = WORKING, key: str = "", **fields: str) -> Any:
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        file = SimpleUploadedFile("main.py", source.encode())
        return self.client.post(f"{ROOT}{path}", {**fields, "file": file}, headers=headers)


def callers(owner: User) -> dict[str, Caller]:
    """Return callers, keyed by kind, for requests about an object that belongs to ``owner``."""
    suspended = person("suspended")
    made = {
        "anonymous": Caller(),
        "other": Caller(person("other")),
        "organizer": Caller(person("organizer", Role.ORGANIZER)),
        "owner": Caller(owner),
        "staff": Caller(person("staff", is_staff=True)),
        "owner without scopes": Caller(owner, ["organize"]),
        "owner with an expired token": Caller(owner, expired=True),
        "suspended": Caller(suspended),
    }
    suspended.is_active = False
    suspended.save()
    return made
