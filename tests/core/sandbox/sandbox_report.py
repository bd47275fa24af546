"""Use the sandbox as another user, optionally with user namespaces denied, and print its behaviour as JSON.

test_ordinary_user.py runs this file. It uses only the standard library, because that user may have no access to other
packages.
"""

from __future__ import annotations

import errno
import json
import os
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from arena.core.sandbox import self_test
from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.errors import SandboxUnavailable
from arena.core.sandbox.isolation import Layers, syscalls
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot, run_in_jail
from tests.core.sandbox.pythons import ORDINARY_USER

UNSHARE = {"x86_64": 272, "aarch64": 97}
OPENAT2 = 437


def deny(call: int) -> None:
    """Deny a system call with EPERM, as the default seccomp profiles of container runtimes do."""
    load_number = struct.pack("HBBI", 0x20, 0, 0, 0)
    unless_denied = struct.pack("HBBI", 0x15, 0, 1, call)
    refuse = struct.pack("HBBI", 0x06, 0, 0, 0x00050000 | errno.EPERM)
    allow = struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.install_seccomp(load_number + unless_denied + refuse + allow)


def become_user_with_raw_sockets() -> None:
    """Become an ordinary user with an ambient capability to open raw sockets."""
    keep_capabilities, net_raw, ambient_raise = 8, 13, 2
    syscalls.prctl(keep_capabilities, 1)
    os.setgroups([])
    os.setresgid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER)
    os.setresuid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER)
    syscalls.set_capabilities(1 << net_raw)
    syscalls.prctl(syscalls.PR_CAP_AMBIENT, ambient_raise, net_raw)


def escapes_with(mode: Mode, layers: Layers) -> list[str]:
    harness = Path(__file__).parent / "harness"
    config = SandboxConfig((), harness, entry="outer.inner.echo:main", preload=(), mode=mode)
    with ForkServer(config, layers=layers) as server:
        return sorted({escape.attempt for escape in self_test.run_self_test(server)})


def report_sandbox(mode: Mode) -> dict[str, object]:
    harness = Path(__file__).parent / "harness"
    config = SandboxConfig((), harness, entry="outer.inner.echo:main", preload=(), mode=mode)
    try:
        with ForkServer(config) as server:
            with jailed_bot(server, "send(os.getuid())\nsignal.pause()") as bot:
                inside = bot.receive()
                status = Path(f"/proc/{bot.process.process_id}/status").read_text()
                ended = bot.process.kill()
            with jailed_bot(server, "import outer.inner.echo\nctypes.string_at(0)") as bot:
                crashed = bot.wait_for_exit()
            return {
                "escapes": [[escape.attempt, escape.evidence] for escape in self_test.run_self_test(server)],
                "inside": inside,
                "kernel_uid": int(status.partition("Uid:")[2].split()[0]),
                "ended": ended.reason,
                "crashed": crashed.reason,
                "socket": run_in_jail(server, "socket.socket()"),
                "host_file": run_in_jail(server, "open('/etc/passwd')"),
                "signal": run_in_jail(server, f"os.kill({os.getpid()}, 0)"),
                "fork": run_in_jail(server, "os.fork()"),
                "scratch": server.scratch_refused is None,
                "write": run_in_jail(server, "open(bot_dir + '/x', 'w').write('x'); os.mkdir(bot_dir + '/d')"),
            }
    except SandboxUnavailable as refusal:
        return {"missing": {item.capability: item.how_to_grant for item in refusal.missing}}


if __name__ == "__main__":
    if "deny" in sys.argv:
        deny(UNSHARE[syscalls.MACHINE])
    if "deny-openat2" in sys.argv:
        deny(OPENAT2)
    if "capability" in sys.argv:
        become_user_with_raw_sockets()
        kinds = {"all": Layers(), "without": Layers(capabilities=False)}
        print(json.dumps({name: escapes_with(Mode(sys.argv[1]), layers) for name, layers in kinds.items()}))
    else:
        print(json.dumps(report_sandbox(Mode(sys.argv[1]))))
