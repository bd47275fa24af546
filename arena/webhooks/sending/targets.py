"""Parse a receiver's URL, and check it against the operator's rules."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from arena.webhooks.sending.addresses import AddressPolicy

MAX_URL_LENGTH: Final = 500
_DEFAULT_PORTS: Final = {"https": 443, "http": 80}


class UrlProblem(StrEnum):
    """The reason why a URL is refused."""

    INVALID = "invalid"
    SCHEME = "scheme"
    CREDENTIALS = "credentials"
    HOST = "host"  # not on the operator's list
    PORT = "port"
    ADDRESS = "address"  # an IP address that is not public


class UrlRefused(Exception):  # noqa: N818 - the URL is refused, nothing is broken
    """Raised for a refused URL; ``problem`` says why."""

    def __init__(self, problem: UrlProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class TargetRules:
    """The operator's rules for receivers.

    ``hosts``: the allowed hosts, where ".example.edu" includes all its subdomains; empty: any host.
    """

    hosts: Collection[str] = ()
    ports: Collection[int] = frozenset({443})
    allow_http: bool = False
    addresses: AddressPolicy = field(default_factory=AddressPolicy)


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a request; ``host`` is in its ASCII form, as used in TLS and in the Host header."""

    scheme: str
    host: str
    port: int
    path: str  # including the query

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def target_of(url: str, rules: TargetRules) -> Target:
    """Parse a URL, and check it against the rules. Raises UrlRefused.

    ``client`` resolves and checks the host name at every delivery.
    """
    parts, host, port = _split_url(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and rules.allow_http):
        raise UrlRefused(UrlProblem.SCHEME)
    if parts.username is not None or parts.password is not None:
        raise UrlRefused(UrlProblem.CREDENTIALS)
    if rules.hosts and not any(_host_matches(pattern, host) for pattern in rules.hosts):
        raise UrlRefused(UrlProblem.HOST)
    if port not in rules.ports and not (rules.allow_http and port == _DEFAULT_PORTS["http"]):
        raise UrlRefused(UrlProblem.PORT)
    if _is_address(host) and not rules.addresses.permits(host):
        raise UrlRefused(UrlProblem.ADDRESS)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port, path)


def _split_url(url: str) -> tuple[SplitResult, str, int]:
    if (
        len(url) > MAX_URL_LENGTH
        or not url.isascii()
        or not url.isprintable()
        or " " in url
        or "\\" in url
        or "#" in url
    ):
        raise UrlRefused(UrlProblem.INVALID)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UrlRefused(UrlProblem.INVALID) from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise UrlRefused(UrlProblem.SCHEME)
    host = host.rstrip(".")
    if not host or "%" in host or any(not label or len(label) > 63 for label in host.split(".") if ":" not in host):
        raise UrlRefused(UrlProblem.INVALID)
    return parts, host, _DEFAULT_PORTS[parts.scheme] if port is None else port


def _host_matches(pattern: str, host: str) -> bool:
    pattern = pattern.lower()
    return host == pattern or (pattern.startswith(".") and host.endswith(pattern))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
