"""A user of the site without a browser: requests, responses and a session."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar


@dataclass(frozen=True, slots=True)
class SiteResponse:
    """The site's final response, after redirects."""

    status: int
    text: str
    date: str = ""  # the Date header, by the site's clock


class SiteUser:
    """A session with the site at ``address``. If the site is unreachable, the response has the status 0."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))

    def get(self, path: str) -> SiteResponse:
        return self._ask(urllib.request.Request(self._address + path))

    def post(self, path: str, **fields: str) -> SiteResponse:
        """Submit a form with its CSRF token."""
        token = next((cookie.value for cookie in self._cookies if cookie.name == "csrftoken"), "") or ""
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        return self._ask(urllib.request.Request(self._address + path, data=body))

    def sign_in(self, name: str, password: str) -> None:
        self.get("/accounts/login/")
        answer = self.post("/accounts/login/", username=name, password=password)
        assert answer.status == 200, answer
        assert name in answer.text

    def _ask(self, request: urllib.request.Request) -> SiteResponse:
        try:
            with self._opener.open(request, timeout=60) as answer:
                return SiteResponse(answer.status, answer.read().decode(), answer.headers["Date"])
        except urllib.error.HTTPError as refused:
            with refused:
                return SiteResponse(refused.code, refused.read().decode())
        except OSError as error:
            return SiteResponse(0, str(error))
