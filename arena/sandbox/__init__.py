"""Runs one untrusted Python program at a time behind every fence the kernel offers.

The package knows no game and no framework: it starts a program, carries messages to and from it,
measures it, stops it and says exactly how it ended. `docs/sandbox.md` describes the design.
"""

from arena.sandbox.config import Mode, SandboxConfig
from arena.sandbox.errors import (
    ChannelClosed,
    ChannelError,
    MessageTooLarge,
    Missing,
    SandboxError,
    SandboxFailure,
    SandboxUnavailable,
)
from arena.sandbox.exits import ExitReason, ProcessExit
from arena.sandbox.forkserver import ForkServer
from arena.sandbox.limits import JailLimits
from arena.sandbox.process import JailedProcess, Usage

__all__ = [
    "ChannelClosed",
    "ChannelError",
    "ExitReason",
    "ForkServer",
    "JailLimits",
    "JailedProcess",
    "MessageTooLarge",
    "Missing",
    "Mode",
    "ProcessExit",
    "SandboxConfig",
    "SandboxError",
    "SandboxFailure",
    "SandboxUnavailable",
    "Usage",
]
