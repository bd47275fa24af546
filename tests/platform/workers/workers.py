"""Worker rows and sandbox reports for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.core.sandbox.config import Mode
from arena.core.sandbox.machine.probe import CapabilityName
from arena.core.sandbox.machine.remedies import USER_NAMESPACES
from arena.core.sandbox.self_test import Escape
from arena.core.sandbox.status import CapabilityStatus, SandboxStatus
from arena.games.registry import GAMES
from arena.platform.workers import services
from arena.platform.workers.models import Worker
from arena.platform.workers.services import WorkerInfo

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def info(
    host: str = "alpha", pid: int = 100, *, games: tuple[str, ...] = tuple(GAMES), concurrency: int = 4
) -> WorkerInfo:
    queues = tuple(f"{kind}.{game}" for kind in ("scrimmages", "matches") for game in games)
    return WorkerInfo(host, pid, queues, games, concurrency, "abc1234567")


def status(*, present: bool = True, escapes: tuple[Escape, ...] = (), failure: str | None = None) -> SandboxStatus:
    """Return the sandbox report of a worker in the usual mode; ``present``: whether user namespaces are available."""
    detail = "granted" if present else "PermissionError: [Errno 1] Operation not permitted"
    capability = CapabilityStatus(CapabilityName.USER_NAMESPACES, present, True, detail, USER_NAMESPACES)
    return SandboxStatus(Mode.AUTO, Mode.NAMESPACES, 1000, (capability,), escapes, failure, ("numpy",))


def worker(at: WorkerInfo | None = None, *, sandbox: SandboxStatus | None = None, now: datetime = NOW) -> Worker:
    """Register a worker that has just checked its sandbox; the sandbox works unless ``sandbox`` says otherwise."""
    pk = services.register_worker(at or info(), now=now)
    services.report_sandbox(pk, sandbox or status())
    return Worker.objects.get(pk=pk)
