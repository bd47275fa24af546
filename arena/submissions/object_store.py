"""Store uploads in an S3-compatible object store, for workers on many hosts.

Invariants: there is one client per process, created by the process that uses it and never inherited across a fork; an
object is created once and never overwritten; an object only counts as lost if the store itself responds that it does
not exist. Credentials come from the standard AWS environment variables: AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_REGION and, for other stores, AWS_ENDPOINT_URL.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from arena.submissions.blobs import BlobMissingError, StoreUnavailable

if TYPE_CHECKING:
    from obstore.store import S3Store

_TIMEOUT, _CONNECT_TIMEOUT = timedelta(seconds=10), timedelta(seconds=3)


class ObjectBlobStore:
    """A store of objects under a URL such as s3://bucket/prefix; unavailable after ``seconds`` of retries."""

    def __init__(self, address: str, seconds: float) -> None:
        try:
            import obstore  # noqa: F401 - an optional extra: report immediately if it is missing
        except ImportError as error:
            raise ImproperlyConfigured(
                "SUBMISSIONS_STORE is an object store; install its requirements: pip install -r requirements-s3.txt"
            ) from error
        self._address, self._timeout = address, timedelta(seconds=seconds)
        self._client: tuple[int, S3Store] | None = None

    def put(self, name: str, data: bytes) -> None:
        from obstore.exceptions import AlreadyExistsError, BaseError

        try:
            self._store().put(_object_path(name), data, mode="create", use_multipart=False)
        except AlreadyExistsError:
            return
        except (BaseError, OSError) as error:
            raise self._unavailable_error(error) from error

    def get(self, name: str) -> bytes:
        from obstore.exceptions import BaseError

        try:
            return bytes(self._store().get(_object_path(name)).bytes())
        except FileNotFoundError as error:
            raise BlobMissingError(f"{self._address} has no {_object_path(name)}") from error
        except (BaseError, OSError) as error:
            raise self._unavailable_error(error) from error

    def _store(self) -> S3Store:
        from obstore.store import S3Store

        if self._client is None or self._client[0] != os.getpid():
            endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
            store = S3Store.from_url(
                self._address,
                client_options={
                    "timeout": _TIMEOUT,
                    "connect_timeout": _CONNECT_TIMEOUT,
                    "allow_http": urlsplit(endpoint).scheme == "http",
                },
                retry_config={"max_retries": 8, "retry_timeout": self._timeout},
            )
            self._client = (os.getpid(), store)
        return self._client[1]

    def _unavailable_error(self, error: Exception) -> StoreUnavailable:
        return StoreUnavailable(f"{self._address}: {type(error).__name__}: {str(error)[:300]}")


def _object_path(name: str) -> str:
    return f"{name[:2]}/{name}"
