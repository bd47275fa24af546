"""HTTP client for an arena's API. Failures raise CommandErrors that say what to do next."""

from __future__ import annotations

import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import msgspec

from arena.core.plain_text import plain_text
from bots.cli.errors import CommandError
from bots.cli.remote.credentials import Credentials

T = TypeVar("T")

TIMEOUT_SECONDS: Final = 60
ATTEMPTS: Final = 4
PAUSE_SECONDS: Final = 2.0
MAX_PAUSE_SECONDS: Final = 90.0
_MAX_BYTES: Final = 256 * 2**20


class FieldError(msgspec.Struct):
    field: str = ""
    message: str = ""


class Problem(msgspec.Struct):
    """Problem details (RFC 9457)."""

    status: int = 0
    title: str = ""
    detail: str = ""
    code: str = ""
    errors: list[FieldError] = []
    facts: dict[str, Any] = {}


class SiteError(CommandError):
    """Raised if the arena refused a request."""

    def __init__(self, problem: Problem) -> None:
        details = [f"{error.field}: {error.message}" if error.field else error.message for error in problem.errors]
        shown = details if problem.status == 422 and details else [problem.detail or f"HTTP {problem.status}"]
        super().__init__(plain_text("\n".join(shown)), code=problem.code)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class UploadFile:
    """A file to upload."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response; ``name`` is the file name that the server suggests for a download."""

    body: bytes
    name: str = ""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A handler that refuses redirects, so that the token is sent only to the arena."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass
class Client:
    """A client for one arena. ``sleep`` waits for a number of seconds; ``open`` sends a request."""

    credentials: Credentials
    sleep: Callable[[float], None]
    open: Callable[..., Any] = field(default_factory=lambda: urllib.request.build_opener(_NoRedirects).open)

    def get(self, path: str, type_: type[T], **query: str | int) -> T:
        """Send a GET request and decode the response."""
        return _decode(self.send("GET", path, query=query).body, type_)

    def iterate_items(self, path: str, type_: type[T], most: int, **query: str | int) -> Iterator[T]:
        """Yield at most ``most`` items of a paginated list."""
        cursor, left = "", most
        while left > 0:
            page = {"limit": min(left, 100), **query, **({"cursor": cursor} if cursor else {})}
            found = self.get(path, dict[str, Any], **page)
            items = [msgspec.convert(item, type_) for item in found["items"]]
            yield from items
            left, cursor = left - len(items), found["next"] or ""
            if not cursor:
                return

    def post(self, path: str, type_: type[T], body: Any = None) -> T:
        """Send a POST request and decode the response; an idempotency key makes retries safe."""
        data = b"" if body is None else msgspec.json.encode(body)
        return _decode(self.send("POST", path, data, {"Content-Type": "application/json"}).body, type_)

    def upload(self, path: str, type_: type[T], file: UploadFile, fields: Mapping[str, str]) -> T:
        data, content_type = encode_multipart(file, fields)
        return _decode(self.send("POST", path, data, {"Content-Type": content_type}).body, type_)

    def send(
        self,
        method: str,
        path: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str | int] | None = None,
    ) -> HttpResponse:
        """Send a request, with retries while the site is unavailable or busy. Raises CommandError."""
        url = f"{self.credentials.url}/api/v1{path}" + (f"?{urlencode(query)}" if query else "")
        sent = {"Authorization": f"Bearer {self.credentials.token}", "Accept-Language": "en", **(headers or {})}
        if method == "POST":
            sent["Idempotency-Key"] = uuid.uuid4().hex
        for attempt in range(1, ATTEMPTS + 1):
            request = urllib.request.Request(url, data, sent, method=method)  # noqa: S310 - http and https only
            try:
                with self.open(request, timeout=TIMEOUT_SECONDS) as response:
                    return HttpResponse(response.read(_MAX_BYTES), _file_name(response.headers))
            except urllib.error.HTTPError as error:
                with error:
                    problem = _read_problem(error)
                pause = _retry_delay(error.code, error.headers, attempt)
                if pause is None or attempt == ATTEMPTS:
                    raise SiteError(problem) from None
            except (OSError, HTTPException) as error:
                reason = getattr(error, "reason", None) or error
                if attempt == ATTEMPTS:
                    raise CommandError(
                        f"Cannot reach {self.credentials.url}: {_describe_network_error(reason)}. "
                        "Check the URL and your network connection.",
                        code="unreachable",
                    ) from None
                pause = PAUSE_SECONDS * attempt
            self.sleep(pause)
        raise AssertionError("unreachable")


def encode_multipart(file: UploadFile, fields: Mapping[str, str]) -> tuple[bytes, str]:
    """Encode a form with a file (RFC 7578); return the body and its content type."""
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    name = file.name.replace("\\", "_").replace('"', "_").replace("\r", "_").replace("\n", "_")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    body = b"".join((*parts, head.encode(), file.data, f"\r\n--{boundary}--\r\n".encode()))
    return body, f"multipart/form-data; boundary={boundary}"


def _decode(body: bytes, type_: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=type_)
    except msgspec.MsgspecError as error:
        raise CommandError(
            f"Unexpected response from the arena: {error}. Check the URL, or try again later.",
            code="unexpected_response",
        ) from None


def _read_problem(error: urllib.error.HTTPError) -> Problem:
    if 300 <= error.code < 400:
        where = error.headers.get("Location", "")
        return Problem(error.code, detail=f"The arena redirects to {where}. Use that URL: python -m bots login URL")
    try:
        return msgspec.json.decode(error.read(2**20), type=Problem)
    except (msgspec.MsgspecError, OSError):
        return Problem(
            error.code,
            detail=f"HTTP {error.code}. Check whether this is the URL of an arena.",
        )


def _retry_delay(status: int, headers: Message, attempt: int) -> float | None:
    """Return how many seconds to wait before a retry; None if a retry would not help."""
    if status in (502, 503, 504):
        return PAUSE_SECONDS * attempt
    wait = headers.get("Retry-After", "")
    if status in (409, 429) and wait.isdigit() and int(wait) <= MAX_PAUSE_SECONDS:
        return float(wait)
    return None


def _file_name(headers: Message) -> str:
    return headers.get_filename() or ""


def _describe_network_error(reason: object) -> str:
    """Describe a network failure, without the operating system's error number."""
    text = reason.strerror if isinstance(reason, OSError) and reason.strerror else str(reason)
    return plain_text(text).rstrip(".")
