"""Build the sandbox configuration from the settings."""

from django.conf import settings

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.supervision.cores import CorePool
from arena.games.bot_packages import sdk_packages


def sandbox_config() -> SandboxConfig:
    libraries = settings.BOT_LIBRARIES_DIR
    return SandboxConfig(
        libraries=(libraries,) if libraries.is_dir() else (),
        harness=settings.BOT_CODE_DIR,
        packages=sdk_packages(),
        mode=Mode(settings.SANDBOX_MODE),
        cgroup=settings.SANDBOX_CGROUP,
    )


def core_pool() -> CorePool:
    """Return the cores that the workers on this machine share."""
    return CorePool(settings.VAR_DIR / "cores")
