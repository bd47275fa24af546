"""`python -m arena.core.sandbox status`: report whether this machine can run bots, and how to grant what is missing.

Works without a site. Exits with 0 if bots can run in the selected mode, otherwise with 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.status import CapabilityStatus, SandboxStatus, probe_status

# The last line of the report, up to a reason.
PASSED: Final = "the self-test passed: bots can run"
FAILED: Final = "bots cannot run"


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m arena.core.sandbox", description=__doc__)
    parser.add_argument("command", choices=["status"])
    parser.add_argument(
        "--mode",
        type=Mode,
        choices=list(Mode),
        default=os.environ.get("SANDBOX_MODE") or Mode.AUTO,
        help="sandbox mode to test (default: SANDBOX_MODE, otherwise auto)",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing if bots can run")
    return parser.parse_args(argv)


def _show(capability: CapabilityStatus) -> None:
    state = "yes" if capability.present else "NO" if capability.needed else "no"
    print(f"  {state:4}{capability.name:18}{'' if capability.needed else '(not needed) '}{capability.detail}")
    if capability.is_lacking:
        print("      To grant it:")
        for remedy in capability.remedies:
            print(textwrap.indent(textwrap.fill(str(remedy), 110, subsequent_indent="  "), " " * 8))


def show(status: SandboxStatus) -> None:
    """Print the machine's capabilities and the result of the self-test."""
    print(f"mode: {status.configured} ({status.mode}); worker's uid: {status.user_id}")
    for capability in status.capabilities:
        _show(capability)
    for escape in status.escapes:
        print(f"  the self-test found an escape: {escape.attempt}: {escape.evidence}")
    if status.is_usable:
        print(PASSED)
    elif status.failure is not None:
        print(f"{FAILED}: {status.failure}")
    else:
        print(FAILED + (": the sandbox does not isolate them" if status.escapes else ""))


def main(argv: Sequence[str]) -> int:
    arguments = _arguments(argv)
    # The escape probe has its own entry point, so its package replaces the harness.
    config = SandboxConfig(
        (),
        Path(__file__).parent / "escape_probe",
        "escape_probe:main",
        preload=(),
        mode=arguments.mode,
        cgroup=os.environ.get("SANDBOX_CGROUP", ""),
    )
    status = probe_status(config)
    if not (status.is_usable and arguments.quiet):
        show(status)
    return 0 if status.is_usable else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
