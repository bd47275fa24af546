"""`python -m arena.sandbox status`: can this machine hold bots, and if not, what would change that?

Needs nothing of the site. Ends with 0 if bots can be run in the asked mode, with 1 if not.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from arena.sandbox import canary, probe
from arena.sandbox.config import Mode, SandboxConfig
from arena.sandbox.errors import SandboxFailure, SandboxUnavailable
from arena.sandbox.forkserver import ForkServer


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m arena.sandbox", description=__doc__)
    parser.add_argument("command", choices=["status"])
    parser.add_argument(
        "--mode",
        type=Mode,
        choices=list(Mode),
        default=os.environ.get("SANDBOX_MODE") or Mode.AUTO,
        help="what to look for (default: SANDBOX_MODE, else auto)",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing where bots can be run")
    return parser.parse_args(given)


def _show(capability: probe.Capability, mode: Mode) -> None:
    needed = mode in capability.needed_by
    state = "yes" if capability.present else "NO" if needed else "no"
    print(f"  {state:4}{capability.name:18}{'' if needed else '(not needed) '}{capability.detail}")
    if needed and not capability.present:
        print(textwrap.indent(textwrap.fill(f"To grant it: {capability.how_to_grant}", 110), " " * 6))


def status(mode: Mode) -> bool:
    """Print what the machine grants and whether a canary stays caged. True if bots can be run."""
    # The canary brings its own entry, so this package stands in for a harness.
    config = SandboxConfig((), Path(__file__).parent / "breakout", entry="breakout:main", preload=(), mode=mode)
    print(f"mode: {mode} ({mode.resolved}); worker's uid: {os.getuid()}")
    for capability in probe.capabilities(config):
        _show(capability, mode.resolved)
    try:
        with ForkServer(config) as fork_server:
            escapes = canary.run(fork_server)
    except SandboxUnavailable:  # what is missing stands above
        print("bots cannot be run")
        return False
    except SandboxFailure as error:
        print(f"bots cannot be run: {error}")
        return False
    for escape in escapes:
        print(f"  the canary escaped: {escape.attempt}: {escape.evidence}")
    print("bots cannot be run: a fence does not hold" if escapes else "the canary stayed caged: bots can be run")
    return not escapes


def main(given: Sequence[str]) -> int:
    arguments = _arguments(given)
    report = io.StringIO()
    with contextlib.redirect_stdout(report):
        usable = status(arguments.mode)
    if not (usable and arguments.quiet):
        print(report.getvalue(), end="")
    return 0 if usable else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
