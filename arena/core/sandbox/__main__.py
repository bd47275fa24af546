"""`python -m arena.core.sandbox status`: can this machine hold bots, and if not, what would change that?

Needs nothing of the site. Ends with 0 if bots can be run in the asked mode, with 1 if not.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.status import CapabilityStatus, SandboxStatus, report


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m arena.core.sandbox", description=__doc__)
    parser.add_argument("command", choices=["status"])
    parser.add_argument(
        "--mode",
        type=Mode,
        choices=list(Mode),
        default=os.environ.get("SANDBOX_MODE") or Mode.AUTO,
        help="what to look for (default: SANDBOX_MODE, else auto)",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing where bots can be run")
    return parser.parse_args(argv)


def _show(capability: CapabilityStatus) -> None:
    state = "yes" if capability.present else "NO" if capability.needed else "no"
    print(f"  {state:4}{capability.name:18}{'' if capability.needed else '(not needed) '}{capability.detail}")
    if capability.lacking:
        print("      To grant it:")
        for remedy in capability.remedies:
            print(textwrap.indent(textwrap.fill(str(remedy), 110, subsequent_indent="  "), " " * 8))


def show(status: SandboxStatus) -> None:
    """Print what the machine grants, and whether the self-test passed."""
    print(f"mode: {status.asked} ({status.mode}); worker's uid: {status.user_id}")
    for capability in status.capabilities:
        _show(capability)
    for escape in status.escapes:
        print(f"  the self-test found an escape: {escape.attempt}: {escape.evidence}")
    if status.usable:
        print("the self-test passed: bots can be run")
    elif status.failure is not None:
        print(f"bots cannot be run: {status.failure}")
    else:
        print("bots cannot be run" + (": a fence does not hold" if status.escapes else ""))


def main(argv: Sequence[str]) -> int:
    arguments = _arguments(argv)
    # The escape probe brings its own entry, so its package stands in for a harness.
    config = SandboxConfig(
        (),
        Path(__file__).parent / "escape_probe",
        "escape_probe:main",
        preload=(),
        mode=arguments.mode,
        cgroup=os.environ.get("SANDBOX_CGROUP", ""),
    )
    status = report(config)
    if not (status.usable and arguments.quiet):
        show(status)
    return 0 if status.usable else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
