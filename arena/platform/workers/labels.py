"""Labels for worker, queue and sandbox states.

The sandbox package does not depend on Django and writes English. Its descriptions of capabilities and remedies are
repeated here for translators; its findings on a machine (`detail`, evidence of an escape) are shown untranslated.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from arena.celery import Queue
from arena.core.sandbox.config import Mode
from arena.core.sandbox.machine.probe import CapabilityName
from arena.core.sandbox.machine.remedies import WorkerEnvironment
from arena.platform.workers.queries import ServiceLevel, WorkerState

KINDS: Mapping[Queue, Promise] = {
    Queue.CONTROL: _("Maintenance and schedules"),
    Queue.MAIL: _("Mail"),
    Queue.WEBHOOKS: _("Webhooks"),
    Queue.HOSTED: _("Hosted bots"),
    Queue.EXPORTS: _("Dataset"),
    Queue.CHECKS: _("Upload checks"),
    Queue.SCRIMMAGES: _("Scrimmages"),
    Queue.RUNS: _("Runs in the studio"),
    Queue.HINTS: _("Hints for players"),
    Queue.DUELS: _("Matches against bots"),
    Queue.MATCHES: _("Tournament matches"),
    Queue.LADDER: _("Ladder matches"),
    Queue.ANALYSIS: _("Analyses"),
}

STATES: Mapping[WorkerState, Promise] = {
    WorkerState.READY: _("Ready"),
    WorkerState.TESTING: _("Testing its sandbox"),
    WorkerState.REFUSES: _("Cannot run bots"),
    WorkerState.DRAINING: _("Draining"),
    WorkerState.OFFLINE: _("Offline"),
}

# The problem with the service of a queue; "" if there is none.
SERVICES: Mapping[ServiceLevel, Promise | str] = {
    ServiceLevel.SERVED: "",
    ServiceLevel.NO_WORKER: _("No worker is online."),
    ServiceLevel.OTHER_GAMES: _("No worker is assigned to this game."),
    ServiceLevel.REFUSED: _("No worker for this game runs on a machine that can isolate bots."),
    ServiceLevel.DRAINING: _("The workers for this game are shutting down, and no others have started yet."),
}

# How operators can solve the problem.
SERVICE_REMEDIES: Mapping[ServiceLevel, Promise | str] = {
    ServiceLevel.SERVED: "",
    ServiceLevel.NO_WORKER: _("start the workers. `make up` starts all of them."),
    ServiceLevel.OTHER_GAMES: _(
        "start a worker for this game, or add the game to the `WORKER_GAMES` setting of a worker."
    ),
    ServiceLevel.REFUSED: _(
        "run `python manage.py sandbox status` on a worker's machine to see what is missing and how to enable it."
    ),
    ServiceLevel.DRAINING: _("wait until the workers have restarted, or start another one."),
}

MODES: Mapping[Mode, Promise] = {
    Mode.AUTO: _("the strongest mode"),
    Mode.NAMESPACES: _("namespaces, Landlock, seccomp and resource limits"),
    Mode.LANDLOCK: _("Landlock, seccomp and resource limits, without namespaces"),
}

CAPABILITIES: Mapping[CapabilityName, Promise] = {
    CapabilityName.MACHINE: _("Supported processor architecture"),
    CapabilityName.ORDINARY_USER: _("Unprivileged user for bots"),
    CapabilityName.PIDFD: _("Signal isolation"),
    CapabilityName.SECCOMP: _("System call filters"),
    CapabilityName.SECCOMP_QUESTIONS: _("System call filters with a supervisor"),
    CapabilityName.LANDLOCK: _("File access by path (Landlock)"),
    CapabilityName.LANDLOCK_SCOPES: _("Landlock scoping for signals and sockets"),
    CapabilityName.USER_NAMESPACES: _("User namespaces"),
    CapabilityName.NAMESPACES: _("Mount, PID, network, IPC, UTS and cgroup namespaces"),
    CapabilityName.MOUNTS: _("Private file system"),
    CapabilityName.CONTROL_GROUPS: _("A control group with its own limits for each bot"),
    CapabilityName.SCRATCH_FOLDERS: _("Writable folders without namespaces"),
    CapabilityName.OWN_IDS: _("A separate user ID for each bot"),
}

ENVIRONMENTS: Mapping[WorkerEnvironment, Promise | str] = {
    WorkerEnvironment.ANY: _("Everywhere"),
    WorkerEnvironment.UBUNTU: _("Ubuntu 23.10 and later"),
    WorkerEnvironment.OTHER_LINUX: _("Debian and others"),
    WorkerEnvironment.DOCKER: "Docker",
    WorkerEnvironment.PODMAN: "Podman",
    WorkerEnvironment.NO_NAMESPACES: _("If that is not an option"),
}

REMEDIES = (
    gettext_noop(
        "`--security-opt seccomp=docker/seccomp-worker.json --security-opt apparmor=unconfined` "
        "(any profile that permits unshare, setns, mount, open_tree, move_mount, "
        "mount_setattr, pivot_root and umount2)"
    ),
    gettext_noop("`--security-opt seccomp=docker/seccomp-worker.json --security-opt label=disable`"),
    gettext_noop("`SANDBOX_MODE=landlock`, if the kernel is 6.12 or newer"),
    gettext_noop(
        "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or an AppArmor profile with `userns,` for the "
        "interpreter"
    ),
    gettext_noop("`sysctl kernel.unprivileged_userns_clone=1` and `sysctl user.max_user_namespaces=65536`"),
    gettext_noop("Linux 5.13 or newer with `landlock` in the kernel's `lsm=` list (`cat /sys/kernel/security/lsm`)"),
    gettext_noop(
        "Docker Engine 20.10.18 or newer; the default seccomp profile of older versions blocks Landlock's system calls"
    ),
    gettext_noop("a 64-bit kernel and interpreter on x86_64 or aarch64"),
    gettext_noop("run the worker as an ordinary user, or with CAP_SETUID and CAP_SETGID"),
    gettext_noop("a container whose seccomp profile does not use `SECCOMP_RET_USER_NOTIF`"),
    gettext_noop("Linux 5.12 or newer"),
    gettext_noop("a kernel with CONFIG_SECCOMP_FILTER"),
    gettext_noop("Linux 6.12 or newer"),
    gettext_noop("cgroup v2, and a systemd unit with `Delegate=memory pids cpu` for the worker"),
    gettext_noop("version 29 or newer with `--security-opt writable-cgroups=true`"),
    gettext_noop("`--runtime runc --cgroupns=private --security-opt unmask=/sys/fs/cgroup`"),
    gettext_noop(
        "a temporary folder (`TMPDIR`) on a local file system, and a container whose seccomp profile permits openat2"
    ),
    gettext_noop("with namespaces, a worker that runs as root with CAP_SYS_ADMIN and the host's full UID range"),
)
