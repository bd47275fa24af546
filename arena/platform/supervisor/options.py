"""Parse the startup options from the environment."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# A match paced for spectators occupies its worker although it mostly waits. Two such matches run after the first start
# of a site; this number of workers leaves room for others.
MIN_WORKERS = 4


class StartupError(Exception):
    """Raised if the arena cannot start; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Options:
    """The startup options; ``redis_url`` and ``database_url`` are "" for the embedded broker and database."""

    root: Path
    build: Path
    var: Path
    host: str
    port: int
    redis_url: str
    database_url: str
    concurrency: int
    duels: int  # maximum number of simultaneous duels, one process each
    allowed_hosts: str

    @property
    def reachable_host(self) -> str:
        """Return the host name that programs on this machine use to reach the site."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared, not bound

    @property
    def address(self) -> str:
        """Return the site's address for a browser on this machine."""
        host = self.reachable_host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def logs(self) -> Path:
        """Return the folder for log files."""
        return self.var / "log"


def from_environment(environment: Mapping[str, str]) -> Options:
    """Read the options from the environment; raises StartupError for invalid values."""
    host = environment.get("BIND") or "127.0.0.1"
    return Options(
        root=ROOT,
        build=Path(environment.get("ARENA_BUILD") or ROOT / "build").resolve(),
        var=Path(environment.get("ARENA_VAR") or ROOT / "var").resolve(),
        host=host,
        port=_number(environment, "PORT", 8000, 65535),
        redis_url=environment.get("REDIS_URL", ""),
        database_url=environment.get("DATABASE_URL", ""),
        concurrency=_number(environment, "WORKER_CONCURRENCY", max(MIN_WORKERS, 2 * (os.cpu_count() or 1)), 512),
        duels=_number(environment, "DUELS_AT_ONCE", 4, 512),
        allowed_hosts=environment.get("ALLOWED_HOSTS") or ",".join(reachable_names(host)),
    )


def _number(environment: Mapping[str, str], name: str, default: int, most: int) -> int:
    text = environment.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise StartupError(f"{name} must be a whole number from 1 to {most}, not {text!r}.")
    return int(text)


def reachable_names(host: str) -> list[str]:
    """Return the allowed host names for a site bound to ``host``: this machine's own, never a wildcard."""
    names = ["127.0.0.1", "localhost", "[::1]"]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return [*names, host]
    if address.is_loopback:
        return names
    if address.is_unspecified:
        return list(dict.fromkeys([*names, socket.gethostname(), socket.getfqdn(), *_own_addresses()]))
    return [*names, f"[{host}]" if address.version == 6 else host]


def _own_addresses() -> list[str]:
    """Return the address that this machine uses to reach others, as a list of at most one.

    Connecting a datagram socket sends no packets.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # RFC 5737: documentation only
        except OSError:
            return []
        return [probe.getsockname()[0]]


def check_port(host: str, port: int) -> None:
    """Raise StartupError unless the site can bind this address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError as error:
            raise StartupError(
                f"Port {port} requires administrator privileges. Choose another port: make up PORT=8000"
            ) from error
        except OSError as error:
            raise StartupError(
                f"Cannot listen on {host}, port {port}: the port is in use, or this machine does not have the "
                f"address. Choose another port (make up PORT={port + 1 if port < 65535 else 8000}), or set BIND to an "
                "address of this machine."
            ) from error
